#pragma once

#include <memory>

#include "canvas/imgui_canvas.hpp"
#include "film/lesson_plot.hpp"
#include "lessons/lesson.hpp"
#include "lessons/lesson_run.hpp"
#include "render/overlays.hpp"
#include "render/renderer.hpp"
#include "render/scene_fit.hpp"

namespace clothlab::app::film {

/// The page around the cloth in the film of a lesson: the text of a part, its claims, its plot.
class LessonPage {
public:
    LessonPage(std::unique_ptr<canvas::ImGuiCanvas> canvas, const lessons::Lesson& lesson, int width, int height,
               bool lightTheme);

    /// Contents of the page.
    struct State {
        std::size_t part = 0;
        std::span<const lessons::Facts> facts;  ///< of all parts so far; the last may be running
        std::span<const double> distances;      ///< distances of the ghost in this part, m
        bool done = false;                      ///< claims are judged
        std::string moment;                     ///< over the cloth: "step 12 of 60 · 4 times slower than real time"
        std::string cloth, ghost;               ///< names of both, under that; beside each other if `beside`
        bool beside = false;
        std::span<const render::LegendEntry> legend = {};  ///< of the overlay
    };
    /// Before the cloth: returns its viewport.
    render::Viewport layOut(const State& state, const render::DrawTarget& target);
    /// The part of the viewport under text and the legend.
    const render::Covered& covered() const { return covered_; }
    /// After the cloth.
    void paint(const render::DrawTarget& target) { canvas_->paint(target); }

private:
    bool fits(int width, int height);
    float words(const State& state, const lessons::Lookup& known, ImVec2 size);
    void captions(const State& state, ImVec2 from, ImVec2 to);

    std::unique_ptr<canvas::ImGuiCanvas> canvas_;
    const lessons::Lesson& lesson_;
    widgets::UiTheme theme_;
    widgets::LayoutMap layout_;
    render::Covered covered_;
};

}  // namespace clothlab::app::film
