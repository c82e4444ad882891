#pragma once

#include "panels/panel_context.hpp"
#include "panels/quadratic/quadratic_plot.hpp"

namespace clothlab::app::panels {

/// Two unknowns over the picture: contours of f(x) = 1/2 x.Ax - b.x, the path of each method from a start set by the
/// mouse, step by step, and the numbers of each step.
class QuadraticPanel final : public ClothPanel {
public:
    explicit QuadraticPanel(const PanelContext& context);
    float build(const Region& centre, float bottom) override;

private:
    /// The numbers under the sliders.
    struct Entries {
        double a11 = 1, a12 = 0, a22 = 1, b1 = 0, b2 = 0;
        static Entries of(const experiments::QuadraticForm& form);
        experiments::QuadraticForm form() const;
    };
    static void describe(Entries& entries, FieldList& list);

    void advance();
    void heading();
    void stepLine();
    void numbers(ImVec2 size);
    void system();
    void spectrum();
    void methods();
    void table(float height);
    void tableRow(std::size_t method, std::size_t step);
    void errors(ImVec2 size);
    void addBounds(double least, std::vector<widgets::PlotCurve>& curves);

    QuadraticPlot plot_;
    Entries entries_, usual_;  ///< current ones, those of the example
    FieldList fields_, usualFields_, shownFields_;
    float since_ = 0;  ///< s, since the last step while playing
    std::size_t rowsShown_ = 0;
    std::array<std::vector<double>, model::QuadraticState::kMethods> boundsAt_, bounds_;  ///< scratch of the plot
};

}  // namespace clothlab::app::panels
