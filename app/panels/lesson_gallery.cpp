#include "panels/lesson_gallery.hpp"

#include <fmt/format.h>

#include "actions/actions.hpp"
#include "base/text.hpp"

namespace clothlab::app::panels {

using actions::actionKey;

namespace {

/// "4 minutes · Steps in time"
std::string lessonNote(const lessons::Lesson& lesson) {
    if (lesson.minutes == 0) return lesson.group;
    return fmt::format("{} minute{} · {}", lesson.minutes, plural(lesson.minutes), lesson.group);
}

}  // namespace

float LessonGallery::build(const Region& centre, float bottom) {
    const float margin = theme_.px(14), top = centre.y + theme_.px(60);
    const ImVec2 size{centre.width - 2 * margin, bottom - top};
    widgets::FloatingPanel panel("lessons", {centre.x + margin, top}, size, theme_, layout_);
    if (panel.heading("Lessons", widgets_, fmt::format("Back to the cloth (key {}).", actionKey("lessons.toggle"))))
        model_.closePanel();
    const float width = theme_.px(96), right = ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x;
    ImGui::SameLine(right - theme_.px(34) - width);
    actionButton("lessons/papers", "papers.toggle", "The papers' tables, computed here beside the printed values.",
                 width);
    const std::vector<lessons::Lesson>& all = model_.lessons.all();
    if (!model_.lessons.problem().empty()) widgets_.note(model_.lessons.problem(), true);
    std::vector<widgets::GalleryCard> cards;
    for (const lessons::Lesson& lesson : all)
        cards.push_back({.id = lesson.name,
                         .title = lesson.title,
                         .line = lesson.summary,
                         .note = lessonNote(lesson),
                         .group = std::string(enumLabel(lesson.level)),
                         .picture = model_.pictures ? model_.pictures("lessons/" + lesson.name) : nullptr});
    if (const auto chosen = gallery_.build("lessons", cards)) model_.lessons.start(model_, all[*chosen]);
    return size.y;
}

}  // namespace clothlab::app::panels
