#pragma once

#include "experiments/race/race_columns.hpp"
#include "model/step_note.hpp"
#include "panels/column_table.hpp"
#include "panels/panel_context.hpp"
#include "widgets/plots/curve_table.hpp"
#include "widgets/plots/plot.hpp"

namespace clothlab::app::panels {

/// The race over the picture: a sortable table of every method on the frozen system, residual or error against
/// iteration and against time. A click on a row makes that method active.
class RacePanel final : public ClothPanel {
public:
    explicit RacePanel(const PanelContext& context) : ClothPanel(context) {}
    float build(const Region& centre, float bottom) override;

private:
    void heading();
    void describeRace(bool beside);
    void buttons();
    void choices(float right);
    void shownOnly(float right);
    void programs(float right);
    /// The table beside one plot, or over it.
    void lowBody();
    float lowHeight() const;
    float tableHeight() const;
    void table(float height);
    void collectRows();
    void keepBest();
    void sortRows(const experiments::RaceColumn& column);
    /// Races of lessons leave times out and rank by iterations.
    bool timesLeftOut() const { return model_.lessons.isOn(); }
    using Columns = ColumnTable<experiments::RaceEntry>;
    void drawRow(widgets::CurveTable& table, const Columns& columns, const experiments::RaceEntry& entry);
    std::string twinNames(const experiments::RaceRow& row) const;
    void rowTooltip(const experiments::RaceEntry& entry) const;
    void plots(ImVec2 size);
    struct Curves;
    /// Axes of a plot.
    struct Look {
        bool overTime = false;  ///< else over iterations
        bool errors = false;    ///< else residuals
    };
    Curves makeCurves(Look look) const;
    void addBounds(Curves& all) const;
    double errorsLeast() const;
    widgets::PlotSpec makeSpec(Look look, const Curves& curves) const;
    void measures(float right);
    void measure(bool errors);
    bool isHidden(const experiments::RaceRow& row) const;
    void turnCurve(const experiments::RaceRow& row);
    void showAllCurves();
    void rowMenu();
    void keepPictures();
    void choose(const experiments::Contestant& who);
    bool isActive(const experiments::Contestant& who) const;
    const experiments::RaceResult& result() const { return model_.race()->result; }
    double tolerance() const;

    static constexpr std::size_t kBest = 5;  ///< rows in the presenter's mode
    static constexpr std::string_view kIterationsPlot = "race.iterations", kTimePlot = "race.time";

    std::size_t menuOf_ = 0;  ///< contestant
    bool menuAsked_ = false;
    bool picked_ = false;  ///< the next race runs the rows whose curves are shown
    std::size_t toleranceAt_ = 0;
    bool showErrors_ = false;
    bool overTime_ = false;  ///< x axis of the single plot in the presenter's mode
    bool low_ = false;       ///< few rows: the table is beside the plot
    bool over_ = false;      ///< of a low panel: the table is over the plot, for want of width
    bool best_ = false;      ///< presenter's mode: only the first rows are shown
    bool tied_ = false;      ///< all that converged share the first place, and a tighter tolerance was raced
    std::size_t raced_ = 0;  ///< number of rows, including omitted ones
    bool narrow_ = false;    ///< little room: fewer columns, one plot
    float heading_ = 100;    ///< pixels above the table of a low panel, in the last frame
    const experiments::RaceColumn* sortColumn_ = nullptr;  ///< null: by total
    bool ascending_ = true;
    model::StepNote note_;                      ///< the step of the race
    std::vector<widgets::Style> looks_;         ///< styles of the contestants
    std::vector<widgets::Style> styles_;        ///< the same, grey where the race is stale
    std::vector<experiments::RaceEntry> rows_;  ///< of the tolerance shown, in the order of the table
    std::string busy_;                          ///< warning that the machine was busy while times were taken, or empty
    int pointed_ = -1;                          ///< contestant under the pointer in table or plot, of the frame before
    int pointedNow_ = -1;
};

}  // namespace clothlab::app::panels
