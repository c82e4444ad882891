#pragma once

#include "model/quadratic_state.hpp"
#include "widgets/layout_map.hpp"
#include "widgets/plots/plot.hpp"
#include "widgets/ui_theme.hpp"

namespace clothlab::app::panels {

/// The style of a method of two unknowns, in curve, table and legend; conjugate gradients have the colour of their
/// preconditioner.
widgets::Style planeStyle(std::size_t method);

/// The plane of two unknowns: contours of f about its minimum, the eigenvectors, and the path of each method shown. The
/// mouse sets the start, the wheel zooms.
class QuadraticPlot {
public:
    QuadraticPlot(const widgets::UiTheme& theme, widgets::LayoutMap& layout) : theme_(theme), layout_(layout) {}

    /// Draws at the cursor; true when the mouse has moved the start.
    bool draw(model::QuadraticState& state, ImVec2 size);
    /// Fits start, minimum and iterates into the picture with the next draw.
    void fit() { fitted_ = false; }
    /// Fits if the minimum has left the picture.
    void keep(const model::QuadraticState& state);

private:
    void look(const model::QuadraticState& state);
    bool followMouse(model::QuadraticState& state);
    void ground(const model::QuadraticState& state);
    void contour(const experiments::PlaneSpectrum& spectrum, const experiments::Plane& centre, double level,
                 ImU32 color, float width);
    void eigenAxis(const model::QuadraticState& state, int which);
    void axes();
    void label(ImVec2 at, const std::string& text, ImU32 color);
    void way(const model::QuadraticState& state, std::size_t method);
    void marks(const model::QuadraticState& state);
    ImVec2 pixel(const experiments::Plane& x) const;
    experiments::Plane point(ImVec2 p) const;

    const widgets::UiTheme& theme_;
    widgets::LayoutMap& layout_;
    ImDrawList* draw_ = nullptr;
    ImVec2 min_, max_;                 ///< of the plane on the screen
    experiments::Plane centre_{0, 0};  ///< at the middle of the picture
    double unitsPerPixel_ = 0.01;      ///< along both axes: angles are true
    bool fitted_ = false;
    std::vector<ImVec2> line_;  ///< scratch
};

}  // namespace clothlab::app::panels
