#include "film/lesson_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "widgets/markdown.hpp"
#include "widgets/numbers.hpp"
#include "widgets/scopes.hpp"

namespace clothlab::app::film {
namespace {

constexpr float kWords = 0.36f, kPlot = 0.36f;  // of the width; of the height
constexpr float kLeastLetters = 0.55f;

constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoInputs;

}  // namespace

LessonPage::LessonPage(std::unique_ptr<canvas::ImGuiCanvas> canvas, const lessons::Lesson& lesson, int width,
                       int height, bool lightTheme)
    : canvas_(std::move(canvas)), lesson_(lesson) {
    constexpr float kWidth = 1280, kHeight = 720;  // at which letters have their usual size, a little larger
    theme_ = canvas_->makeTheme(1.08f * std::min(float(width) / kWidth, float(height) / kHeight));
    widgets::applyColors(lightTheme ? widgets::ThemeKind::Light : widgets::ThemeKind::Dark, theme_);
}

render::Viewport LessonPage::layOut(const State& state, const render::DrawTarget& target) {
    canvas_->setSize(target.width, target.height, 1);
    const float width = float(target.width), height = float(target.height);
    const float left = std::floor(kWords * width), top = std::floor((1 - kPlot) * height), rim = theme_.px(16);
    if (state.part != lettersOf_) letters_ = 1, lettersOf_ = state.part;
    LessonPlot plot(lesson_, state.part);
    // ImGui measures a window in the first frame that has it and shows it in the next one.
    for (int pass = 0; pass < 2; ++pass) {
        canvas_->beginFrame();
        words(state, {0, 0}, {left, height});
        ImGui::SetNextWindowPos({left, top});
        ImGui::SetNextWindowSize({width - left, height - top});
        ImGui::Begin("##plot", nullptr, kFixed);
        // Where nobody is to know in what two motions differ, a plot would tell.
        if (!lesson_.steps[state.part].blind)
            plot.draw(state.facts, state.distances, ImGui::GetContentRegionAvail(), theme_, layout_);
        ImGui::End();
        ImDrawList* over = ImGui::GetForegroundDrawList();
        over->AddText(theme_.small, theme_.small->FontSize, {left + rim, rim}, theme_.colors.text,
                      state.moment.c_str());
        over->AddLine({left, 0}, {left, height}, theme_.colors.line);
        over->AddLine({left, top}, {width, top}, theme_.colors.line);
        canvas_->endFrame();
    }
    canvas_->clear(target, theme_);
    return {int(left), 0, target.width - int(left), int(top)};
}

void LessonPage::words(const State& state, ImVec2 at, ImVec2 size) {
    const lessons::LessonStep& step = lesson_.steps[state.part];
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize(size);
    ImGui::Begin("##words", nullptr, kFixed);
    ImGui::SetWindowFontScale(letters_);
    ImGui::PushTextWrapPos(0);
    const auto text = [&](ImFont* font, ImU32 ink, const std::string& said) {
        const widgets::FontScope scope(font);
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(ink), "%s", said.c_str());
    };
    text(theme_.strong, theme_.colors.text, lesson_.title);
    text(theme_.small, theme_.colors.quiet, lesson_.source);
    ImGui::Dummy({0, theme_.px(10)});
    text(theme_.strong, theme_.colors.text,
         fmt::format("{} of {}: {}", state.part + 1, lesson_.steps.size(), step.title));
    widgets::markdown("text", step.text, theme_, layout_);
    ImGui::Dummy({0, theme_.px(8)});
    if (!step.claims.empty()) {
        text(theme_.strong, theme_.colors.text, "Claim");
        claims(state);
    }
    if (state.done && !step.paper.empty()) text(theme_.small, theme_.colors.quiet, "paper: " + step.paper);
    if (state.done && !step.ours.empty()) text(theme_.small, theme_.colors.quiet, "ours: " + step.ours);
    ImGui::PopTextWrapPos();
    const float used = ImGui::GetCursorPosY();
    ImGui::End();
    if (used > size.y) letters_ = std::max(kLeastLetters, letters_ * std::min(0.97f, std::sqrt(size.y / used)));
}

/// As the window says them: with numbers once they are known.
void LessonPage::claims(const State& state) {
    const lessons::Lookup known = lessons::lookupAt(state.facts, state.part),
                          unknown = [](const lessons::Quantity&) { return std::nan(""); };
    for (const lessons::Claim& claim : lesson_.steps[state.part].claims) {
        const bool holds = state.done && claim.holds(known);
        const std::string said = claim.inWords(state.done ? known : unknown, lessons::wordsOf,
                                               [](double value) { return widgets::formatNumber(value, 4); });
        const std::string_view verdict = !state.done ? "" : holds ? "**holds:** " : "**does not hold:** ";
        widgets::markdown("claim", fmt::format("{}{}", verdict, said), theme_, layout_,
                          !state.done ? theme_.colors.quiet
                          : holds     ? theme_.colors.text
                                      : theme_.colors.error);
    }
}

}  // namespace clothlab::app::film
