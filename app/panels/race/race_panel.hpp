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
    /// Lessons are about iterations: their races leave times out, and rank by iterations.
    bool timesLeftOut() const { return model_.lessons.isOn(); }
    using Columns = ColumnTable<experiments::RaceEntry>;
    void drawRow(widgets::CurveTable& table, const Columns& columns, const experiments::RaceEntry& entry);
    std::string twinsOf(const experiments::RaceRow& row) const;
    void rowTooltip(const experiments::RaceEntry& entry) const;
    void plots(ImVec2 size);
    struct Curves;
    /// What a plot shows.
    struct Look {
        bool overTime = false;  ///< else over iterations
        bool errors = false;    ///< else residuals
    };
    Curves curvesOf(Look look) const;
    void addBounds(Curves& all) const;
    double errorsLeast() const;
    widgets::PlotSpec specOf(Look look, const Curves& curves) const;
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

    static constexpr std::size_t kBest = 5;  ///< rows that a room sees
    static constexpr std::string_view kIterationsPlot = "race.iterations", kTimePlot = "race.time";

    std::size_t menuOf_ = 0;  ///< contestant
    bool menuAsked_ = false;
    bool picked_ = false;  ///< the next race is of the rows whose curves are shown
    std::size_t toleranceAt_ = 0;
    bool showErrors_ = false;
    bool overTime_ = false;  ///< what the one plot for a room shows
    bool low_ = false;       ///< few rows: the table is beside the plot
    bool over_ = false;      ///< of a low panel, where that has no room
    bool best_ = false;      ///< for a room the first rows are enough
    bool tied_ = false;      ///< all that arrived share the first place, and a tighter tolerance was raced
    std::size_t raced_ = 0;  ///< rows, those that are left out too
    bool narrow_ = false;    ///< little room: fewer columns, one plot
    float heading_ = 100;    ///< pixels above the table of a low panel, of the frame before
    const experiments::RaceColumn* sortColumn_ = nullptr;  ///< null: by total
    bool ascending_ = true;
    model::StepNote note_;                      ///< of which step it is
    std::vector<widgets::Style> looks_;         ///< of the contestants
    std::vector<widgets::Style> styles_;        ///< the same, grey where the race is stale
    std::vector<experiments::RaceEntry> rows_;  ///< of the tolerance shown, as the table has them
    std::string busy_;                          ///< that the machine was busy, of their times
    int pointed_ = -1;                          ///< contestant under the pointer in table or plot, of the frame before
    int pointedNow_ = -1;
};

}  // namespace clothlab::app::panels
