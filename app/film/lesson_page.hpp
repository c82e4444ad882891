#pragma once

#include <memory>

#include "canvas/imgui_canvas.hpp"
#include "film/lesson_plot.hpp"
#include "lessons/lesson.hpp"
#include "render/renderer.hpp"

namespace clothlab::app::film {

/// What stands around the cloth in the film of a lesson: the words of a part, its claims, its plot.
class LessonPage {
public:
    LessonPage(std::unique_ptr<canvas::ImGuiCanvas> canvas, const lessons::Lesson& lesson, int width, int height,
               bool lightTheme);

    /// What the page says now.
    struct State {
        std::size_t part = 0;
        std::span<const lessons::Facts> facts;  ///< of all parts so far; the last may be under way
        std::span<const double> distances;      ///< of the ghost in this part, m
        bool done = false;                      ///< claims are judged
        std::string moment;                     ///< over the cloth: "step 12 of 60 · 4 times slower than real time"
    };
    /// Before the cloth: returns where it goes.
    render::Viewport layOut(const State& state, const render::DrawTarget& target);
    /// After the cloth.
    void paint(const render::DrawTarget& target) { canvas_->paint(target); }

private:
    void words(const State& state, ImVec2 at, ImVec2 size);
    void claims(const State& state);

    std::unique_ptr<canvas::ImGuiCanvas> canvas_;
    const lessons::Lesson& lesson_;
    widgets::UiTheme theme_;
    widgets::LayoutMap layout_;
    float letters_ = 1;           ///< size of the words, so that a long part has room
    std::size_t lettersOf_ = 99;  ///< the part that they are for
};

}  // namespace clothlab::app::film
