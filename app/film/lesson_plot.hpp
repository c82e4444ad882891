#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "lessons/facts.hpp"
#include "lessons/lesson.hpp"
#include "widgets/plots/plot.hpp"

namespace clothlab::app::film {

/// The plot of a part of a lesson in a film: the quantity that the part or the lesson points at, else that of its
/// claims, over the steps of the part; once there is a race, its residuals.
class LessonPlot {
public:
    LessonPlot(const lessons::Lesson& lesson, std::size_t part) : lesson_(lesson), part_(part) {}

    /// From the facts of all parts so far, the last of which may be running. `distances`: those of the ghost, m, over
    /// the steps of this part.
    void draw(std::span<const lessons::Facts> facts, std::span<const double> distances, ImVec2 size,
              const widgets::UiTheme& theme, widgets::LayoutMap& layout);
    /// Names of the curves drawn last.
    const std::deque<std::string>& names() const { return names_; }
    const std::string& title() const { return title_; }

private:
    void take(std::string name, widgets::Style style, std::vector<double> y);
    void addColumnCurves(const std::string& what, std::span<const lessons::Facts> facts,
                         std::span<const double> distances);
    void addRaceCurves(const experiments::RaceResult& race);
    std::string plotSubject() const;

    const lessons::Lesson& lesson_;
    std::size_t part_;
    std::deque<std::string> names_;
    std::deque<std::vector<double>> numbers_;
    std::vector<widgets::PlotCurve> curves_;
    std::string title_, unit_;
};

}  // namespace clothlab::app::film
