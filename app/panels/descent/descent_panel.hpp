#pragma once

#include "experiments/race/nonlinear_columns.hpp"
#include "model/step_note.hpp"
#include "panels/column_table.hpp"
#include "panels/descent/cloth_sketch.hpp"
#include "panels/panel_context.hpp"
#include "widgets/plots/curve_table.hpp"
#include "widgets/plots/plot.hpp"

namespace clothlab::app::panels {

/// How the methods of a field look: local/global as its integrator, Newton as its linear solver; variants have marks,
/// in the order of the field.
std::vector<widgets::Style> descentStyles(std::span<const experiments::NonlinearContestant> field);

/// Liu's figures 2 and 3 of a step of the motion, over the picture. Curves: a table of what goes down the energy of the
/// step, and its relative error against iteration and against time. Pictures: the cloth after 1, 10, 100, 1000
/// iterations of local/global and at the minimum, side by side. All of it comes from the result; a click on a row makes
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
    /// The rows that are shown: all; beside the folded controls of a room those that are the first at a thousandth.
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

    bool room_ = false;      ///< for a room: table and one plot beside each other, in large type
    bool overTime_ = false;  ///< what that one plot shows
    float heading_ = 0;      ///< pixels over table and plot, of the frame before
    model::StepNote note_;
    std::vector<widgets::Style> styles_;  ///< of the contestants
    int pointed_ = -1;                    ///< contestant under the pointer in table or plot, of the frame before
    int pointedNow_ = -1;
    render::Camera from_;  ///< the side from which the pictures are seen; a drag turns it
    std::uint64_t fromSerial_ = 0;
    /// What the sketches were made of.
    struct Sketched {
        std::uint64_t serial = 0;
        std::size_t frames = 0;
        render::Camera from;
        bool operator==(const Sketched&) const = default;
    };
    Sketched sketched_;
    std::vector<ClothSketch> sketches_;  ///< one a frame of the race
};

}  // namespace clothlab::app::panels
