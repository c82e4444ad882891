#include "film/lesson_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/lesson_claim.hpp"
#include "panels/overlay_legend.hpp"
#include "widgets/markdown.hpp"
#include "widgets/numbers.hpp"
#include "widgets/scopes.hpp"
#include "widgets/widgets.hpp"

namespace clothlab::app::film {
namespace {

constexpr float kWords = 0.36f, kPlot = 0.36f;  // of the width; of the height

constexpr ImGuiWindowFlags kFixed =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoInputs;

}  // namespace

/// Letters as large as the longest part has room for.
LessonPage::LessonPage(std::unique_ptr<canvas::ImGuiCanvas> canvas, const lessons::Lesson& lesson, int width,
                       int height, bool lightTheme)
    : canvas_(std::move(canvas)), lesson_(lesson) {
    constexpr float kWidth = 1280, kHeight = 720;  // at which letters have their usual size
    const float usual = std::min(float(width) / kWidth, float(height) / kHeight);
    for (float letters = 1.5f; letters > 0.6f; letters -= 0.1f) {
        theme_ = canvas_->makeTheme(letters * usual);
        if (fits(width, height)) break;
    }
    widgets::applyColors(lightTheme ? widgets::ThemeKind::Light : widgets::ThemeKind::Dark, theme_);
}

/// With some number in place of each that is not known yet.
bool LessonPage::fits(int width, int height) {
    canvas_->setSize(width, height, 1);
    bool all = true;
    for (std::size_t part = 0; part < lesson_.steps.size(); ++part)
        for (int pass = 0; pass < 2; ++pass) {
            canvas_->beginFrame();
            const float used = words({.part = part, .facts = {}, .distances = {}, .done = true},
                                     [](const lessons::Quantity&) { return 1234.5; },
                                     {std::floor(kWords * float(width)), float(height)});
            canvas_->endFrame();
            all = all && used <= float(height);
        }
    return all;
}

render::Viewport LessonPage::layOut(const State& state, const render::DrawTarget& target) {
    canvas_->setSize(target.width, target.height, 1);
    const float width = float(target.width), height = float(target.height);
    const float left = std::floor(kWords * width), top = std::floor((1 - kPlot) * height);
    const lessons::Lookup known = lessons::lookupAt(state.facts, state.part);
    LessonPlot plot(lesson_, state.part);
    // ImGui measures a window in the first frame that has it and shows it in the next one.
    for (int pass = 0; pass < 2; ++pass) {
        canvas_->beginFrame();
        words(state, known, {left, height});
        ImGui::SetNextWindowPos({left, top});
        ImGui::SetNextWindowSize({width - left, height - top});
        ImGui::Begin("##plot", nullptr, kFixed);
        // A blind comparison hides in what the motions differ, and a plot would tell.
        if (!lesson_.steps[state.part].blind)
            plot.draw(state.facts, state.distances, ImGui::GetContentRegionAvail(), theme_, layout_);
        ImGui::End();
        captions(state, {left, 0}, {width, top});
        canvas_->endFrame();
    }
    canvas_->clear(target, theme_);
    return {int(left), 0, target.width - int(left), int(top)};
}

/// Over the cloth: where the motion is, what each of two is, the legend of the overlay; and the lines around.
void LessonPage::captions(const State& state, ImVec2 from, ImVec2 to) {
    const float rim = theme_.px(14), line = theme_.small->FontSize + theme_.px(2);
    ImDrawList* over = ImGui::GetForegroundDrawList();
    const widgets::FontScope font(theme_.small);
    const auto said = [&](float x, float y, float width, const std::string& text) {
        constexpr int kMostLines = 3;
        for (const std::string& each : widgets::wrapped(text, width - 2 * rim, kMostLines)) {
            over->AddText({x + rim, y}, theme_.colors.text, each.c_str());
            y += line;
        }
        return y;
    };
    const float half = (to.x - from.x) / 2;
    const float y = said(from.x, from.y + rim, to.x - from.x, state.moment);
    covered_ = {.top = y};
    if (!state.ghost.empty()) {
        const float below = said(from.x, y, state.beside ? half : 2 * half, state.cloth);
        const float end = said(state.beside ? from.x + half : from.x, state.beside ? y : below,
                               state.beside ? half : 2 * half, state.ghost);
        covered_.top = std::max(below, end);
    }
    if (state.beside) over->AddLine({from.x + half, y}, {from.x + half, to.y}, theme_.colors.line);
    over->AddLine({from.x, 0}, {from.x, 1e5f}, theme_.colors.line);
    over->AddLine({from.x, to.y}, to, theme_.colors.line);
    if (state.legend.empty()) return;
    ImGui::SetNextWindowPos({from.x + rim, to.y - rim}, 0, {0, 1});
    widgets::StyleScope style;
    style.color(ImGuiCol_WindowBg, theme_.colors.legend).measure(ImGuiStyleVar_WindowRounding, theme_.px(6));
    style.measure(ImGuiStyleVar_WindowPadding, {theme_.px(10), theme_.px(6)});
    ImGui::Begin("##legend", nullptr, widgets::kFloatingWindow | ImGuiWindowFlags_NoInputs);
    panels::overlayLegendRows(state.legend, theme_, layout_);
    covered_.corner = {rim + ImGui::GetWindowWidth(), rim + ImGui::GetWindowHeight()};
    ImGui::End();
}

/// Returns where they end, with a rim as at the top, pixels.
float LessonPage::words(const State& state, const lessons::Lookup& known, ImVec2 size) {
    const lessons::LessonStep& step = lesson_.steps[state.part];
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(size);
    ImGui::Begin("##words", nullptr, kFixed);
    ImGui::PushTextWrapPos(0);
    const auto text = [&](ImFont* font, ImU32 ink, const std::string& said) {
        const widgets::FontScope scope(font);
        ImGui::PushStyleColor(ImGuiCol_Text, ink);
        ImGui::TextUnformatted(said.c_str());
        ImGui::PopStyleColor();
    };
    text(theme_.strong, theme_.colors.text, lesson_.title);
    text(theme_.small, theme_.colors.quiet, lesson_.source);
    ImGui::Dummy({0, theme_.px(8)});
    text(theme_.strong, theme_.colors.text,
         fmt::format("{} of {}: {}", state.part + 1, lesson_.steps.size(), step.title));
    widgets::markdown("text", step.text, theme_, layout_);
    if (!step.claims.empty()) {
        text(theme_.strong, theme_.colors.text, "Claim");
        for (const lessons::Claim& claim : step.claims)
            panels::lessonClaim("claim", claim, state.done ? &known : nullptr, theme_, layout_);
    }
    if (state.done && !step.paper.empty()) text(theme_.small, theme_.colors.quiet, "paper: " + step.paper);
    if (state.done && !step.ours.empty()) text(theme_.small, theme_.colors.quiet, "ours: " + step.ours);
    ImGui::PopTextWrapPos();
    const float used = ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y + ImGui::GetStyle().WindowPadding.y;
    ImGui::End();
    return used;
}

}  // namespace clothlab::app::film
