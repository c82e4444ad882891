#include "columns/lesson_column.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actions/actions.hpp"
#include "lessons/plots.hpp"
#include "panels/lesson_claim.hpp"
#include "widgets/markdown.hpp"
#include "widgets/numbers.hpp"

namespace clothlab::app::columns {

using model::LessonGuide;

namespace {
constexpr const char* kEndHelp = "Ends the lesson and restores your scene, settings and state.";
constexpr float kAboveWayOn = 6;       // points
constexpr float kAboveClaims = 8;      // points
constexpr float kMostOfClaims = 0.7f;  // of the column, for a room
}  // namespace

LessonColumn::LessonColumn(const panels::PanelContext& context) : WindowPart(context), settings_(context) {}

void LessonColumn::build() {
    if (model_.looks.presenter) return buildForRoom();
    heading();
    wayOn();
    if (!model_.lessons.isOn()) return;  // its own buttons may have ended it
    stepTitle();
    const lessons::LessonStep& step = model_.lessons.step();
    widgets::markdown("lesson/text", step.text, theme_, layout_);
    controls();
    claims();
    numbers(step);
    widgets_.fold("lesson.controls", "all controls", model_.folds.allControls);
    ImGui::Separator();
}

/// The way on has one place, and the claims stay in sight however long the text is. The strip has the controls.
void LessonColumn::buildForRoom() {
    const float room = ImGui::GetContentRegionAvail().y - wayOnHeight() - theme_.px(kAboveClaims);
    const float below = std::min(claimsHeight_, kMostOfClaims * room);
    const auto part = [](const char* id, float height) {
        ImGui::BeginChild(id, {0, height}, false, ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBackground);
    };
    part("##lesson", room - below);
    headingForRoom();
    if (!model_.lessons.isOn()) return ImGui::EndChild();  // its own button may have ended it
    stepTitle();
    const lessons::LessonStep& step = model_.lessons.step();
    widgets::markdown("lesson/text", step.text, theme_, layout_);
    numbers(step);
    ImGui::EndChild();
    claimsHeight_ = 0;
    if (!step.claims.empty()) {
        ImGui::Dummy({0, theme_.px(kAboveClaims) - ImGui::GetStyle().ItemSpacing.y});
        part("##claims", std::max(below, 1.0f));
        const float top = ImGui::GetCursorPosY();
        claims();
        claimsHeight_ = ImGui::GetCursorPosY() - top;  // for the next frame: words come with the last step
        ImGui::EndChild();
    }
    wayOn();
}

void LessonColumn::heading() {
    const LessonGuide& guide = model_.lessons;
    const lessons::Lesson& lesson = guide.lesson();
    layout_.words("lesson", lesson.title);
    ImGui::PushTextWrapPos(0);
    {
        const widgets::FontScope strong(theme_.strong);
        ImGui::TextUnformatted(lesson.title.c_str());
    }
    ImGui::PopTextWrapPos();
    widgets_.note(lesson.source);
    ImGui::Dummy({0, theme_.px(4)});
}

/// The step has the large type.
void LessonColumn::headingForRoom() {
    const std::string& title = model_.lessons.lesson().title;
    layout_.words("lesson", title);
    const ImVec2 at = ImGui::GetCursorPos();
    const float end = theme_.px(26), width = ImGui::GetContentRegionAvail().x;
    {
        const widgets::FontScope small(theme_.small);
        ImGui::PushTextWrapPos(at.x + width - end - theme_.px(8));
        ImGui::TextColored(theme_.quiet(), "%s", title.c_str());
        ImGui::PopTextWrapPos();
    }
    const float under = ImGui::GetCursorPosY();
    ImGui::SetCursorPos({at.x + width - end, at.y});
    if (widgets_.button("lesson/end", "×", end, kEndHelp)) actions::runAction(model_, "lesson.end");
    ImGui::SetCursorPosY(std::max(under, ImGui::GetCursorPosY()));
}

void LessonColumn::stepTitle() {
    const LessonGuide& guide = model_.lessons;
    const lessons::Lesson& lesson = guide.lesson();
    ImGui::PushTextWrapPos(0);
    const std::string title = fmt::format("{} of {}: {}", guide.index() + 1, lesson.steps.size(), guide.step().title);
    {
        const widgets::FontScope strong(theme_.strong);
        ImGui::TextUnformatted(title.c_str());
    }
    ImGui::PopTextWrapPos();
    layout_.words("lesson/step", title);
    ImGui::Dummy({0, theme_.px(2)});
}

void LessonColumn::controls() {
    for (const std::string& key : model_.lessons.lesson().controls)
        if (settings_.find(key)) settings_.row(key, key.ends_with(".kind"));  // a step sets those of the cloth
    ImGui::Dummy({0, theme_.px(4)});
}

/// Each claim with both sides as they came out; before its steps have been taken, how far they are.
void LessonColumn::claims() {
    const LessonGuide& guide = model_.lessons;
    const lessons::LessonStep& step = guide.step();
    if (step.claims.empty()) return;
    std::string state;
    if (guide.phase() == LessonGuide::Phase::Setting) state = "setting the scene ...";
    if (guide.phase() == LessonGuide::Phase::Running) state = fmt::format("step {} of {}", guide.taken(), step.steps);
    if (guide.phase() == LessonGuide::Phase::Racing) state = "the race is on ...";
    {
        const widgets::FontScope strong(theme_.strong);
        ImGui::TextUnformatted("Claim");
    }
    if (!state.empty()) widgets_.note(state);
    layout_.words("lesson/state", state);
    const bool reached = guide.phase() == LessonGuide::Phase::Reached;
    const lessons::Lookup lookup = guide.lookup();
    for (std::size_t k = 0; k < step.claims.size(); ++k) {
        const lessons::Claim& claim = step.claims[k];
        const std::string id = fmt::format("lesson/claim/{}", k);
        const ImVec2 from = ImGui::GetCursorScreenPos();
        const std::string said = panels::lessonClaim(id, claim, reached ? &lookup : nullptr, theme_, layout_);
        const ImVec2 to{from.x + ImGui::GetContentRegionAvail().x, ImGui::GetCursorScreenPos().y};
        layout_.mark(id, from, to);
        layout_.words(id, said);
        widgets_.tooltip(id, ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(from, to),
                         [&] { return claim.filledIn(lookup); });
    }
    ImGui::Dummy({0, theme_.px(2)});
}

void LessonColumn::numbers(const lessons::LessonStep& step) {
    if (!step.paper.empty()) widgets_.note("paper: " + step.paper);
    if (!step.ours.empty()) widgets_.note("ours: " + step.ours);
}

float LessonColumn::wayOnHeight() const {
    return ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y + theme_.px(kAboveWayOn + 14);
}

void LessonColumn::wayOn() {
    ImGui::Dummy({0, theme_.px(kAboveWayOn)});
    const float gap = theme_.px(8), third = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
    actionButton(
        "lesson/back", "lesson.back",
        fmt::format("The step before, from the start of its motion. Key {}.", actions::actionKey("lesson.back")),
        third);
    ImGui::SameLine(0, gap);
    actionButton("lesson/again", "lesson.again", "This step again, from the start of its motion.", third);
    ImGui::SameLine(0, gap);
    actionButton("lesson/next", "lesson.next", fmt::format("The next step. Key {}.", actions::actionKey("lesson.next")),
                 third);
    if (model_.looks.presenter) return;  // the heading ends it
    actionButton("lesson/end", "lesson.end", kEndHelp, ImGui::GetContentRegionAvail().x);
    ImGui::Dummy({0, theme_.px(kAboveWayOn)});
}

void LessonColumn::point() const {
    if (!model_.lessons.isOn()) return;
    const lessons::LessonStep& step = model_.lessons.step();
    frame(step.point);
    if (!step.plot.empty() && !lessons::isPanelPlot(step.plot) && !model_.isOpen(model::Panel::Plots))
        frame(layout_.find("plot." + step.plot) ? "plot." + step.plot : "plot.also");
}

void LessonColumn::frame(const std::string& id) const {
    const widgets::LayoutMap::Rect* rect = layout_.find(id);
    if (!rect) return;
    const auto seen = rect->visible();
    if (seen.max.x <= seen.min.x || seen.max.y <= seen.min.y) return;
    const float margin = theme_.px(3);
    ImGui::GetForegroundDrawList()->AddRect({seen.min.x - margin, seen.min.y - margin},
                                            {seen.max.x + margin, seen.max.y + margin}, theme_.colors.pin, theme_.px(5),
                                            0, theme_.px(2));
}

}  // namespace clothlab::app::columns
