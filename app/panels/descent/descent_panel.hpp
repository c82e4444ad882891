#pragma once

#include "experiments/race/nonlinear_columns.hpp"
#include "model/step_note.hpp"
#include "panels/column_table.hpp"
#include "panels/descent/cloth_sketch.hpp"
#include "panels/panel_context.hpp"
#include "widgets/plots/curve_table.hpp"
#include "widgets/plots/plot.hpp"

namespace clothlab::app::panels {

/// Styles of the contestants: local/global has that of its integrator, Newton that of its linear solver; variants have
/// marks, in the order of the field.
std::vector<widgets::Style> descentStyles(std::span<const experiments::NonlinearContestant> field);

/// Liu's figures 2 and 3 for a step of the motion, over the picture. Curves: a table of the methods that minimise the
/// energy of the step, and their relative error over iterations and over time. Pictures: the cloth after 1, 10, 100,
/// 1000 iterations of local/global and at the minimum, side by side. All data is in the result; a click on a row makes
/// that method active.
class DescentPanel final : public ClothPanel {
public:
    explicit DescentPanel(const PanelContext& context) : ClothPanel(context) {}
    float build(const Region& centre, float bottom) override;

private:
    const worker::DescentProgress& progress() const { return *model_.descent(); }
    const experiments::NonlinearRace& race() const { return progress().race; }
    void buttons();
    std::string words() const;
    bool isActive(const experiments::NonlinearContestant& who) const;
    void choose(const experiments::NonlinearContestant& who);

    // --- descent_table.cpp
    /// The rows shown: all; in the presenter's mode with folded controls the first to reach a relative error of 1e-3.
    std::vector<experiments::NonlinearEntry> rowsShown() const;
    void table(const std::vector<experiments::NonlinearEntry>& rows, float height);
    using Columns = ColumnTable<experiments::NonlinearEntry>;
    void drawRow(widgets::CurveTable& table, const Columns& columns, const experiments::NonlinearEntry& entry);
    void rowTooltip(const experiments::NonlinearRow& row) const;

    void curves();
    void roomCurves();
    void plots(ImVec2 size);
    void plot(widgets::PlotSpec spec, bool overTime, ImVec2 size);

    // --- descent_pictures.cpp
    void pictures(ImVec2 size);
    void makeSketches();
    void turn(ImVec2 size);
    void caption(std::size_t picture, ImVec2 at, float width);

    bool room_ = false;      ///< presenter's mode: table and one plot beside each other, in large type
    bool overTime_ = false;  ///< x axis of that plot
    float heading_ = 0;      ///< pixels over table and plot, in the last frame
    model::StepNote note_;
    std::vector<widgets::Style> styles_;  ///< of the contestants
    int pointed_ = -1;                    ///< contestant under the pointer in table or plot, of the frame before
    int pointedNow_ = -1;
    render::Camera from_;  ///< the side from which the pictures are seen; a drag turns it
    std::uint64_t fromSerial_ = 0;
    /// The inputs of the sketches.
    struct Sketched {
        std::uint64_t serial = 0;
        std::size_t frames = 0;
        render::Camera from;
        bool operator==(const Sketched&) const = default;
    };
    Sketched sketched_;
    std::vector<ClothSketch> sketches_;  ///< one per frame of the race
};

}  // namespace clothlab::app::panels
