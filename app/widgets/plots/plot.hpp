#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "widgets/layout_map.hpp"
#include "widgets/plots/plot_views.hpp"
#include "widgets/ui_theme.hpp"

/// All plots of the program: curves or stacked areas on ImDrawList, with axes, units, a legend that names the curve
/// under the pointer, and a cross-hair that reads the values. With PlotViews the wheel zooms (Shift: the y axis), a
/// drag pans, a double click shows all again, a click on a name of the legend hides its curve, and a right click opens
/// a menu.
namespace clothlab::app::widgets {

struct PlotCurve {
    std::string_view name;
    Style style = hue::kInk;
    std::span<const double> x,
        y;               ///< same length, x ascending (with marks in any order); a y that is not finite is a gap
    bool faint = false;  ///< another curve is highlighted
    bool plain = false;  ///< a line without marks, in a plot with marks
    int meant = -1;      ///< index of the point with a dot; -1 = none
    std::span<const std::string> labels = {};  ///< words at the points; empty, or as many
    std::span<const double> lost =
        {};  ///< x of what came to no value: crosses at the upper edge; not finite = at the left
};

/// An event on the x axis: a mark at the lower edge, or a cross at the upper one if nothing came after it, with a
/// tooltip.
struct PlotNote {
    double from = 0, to = 0;
    std::string words = {};
    bool ends = false;
};

/// Wide on purpose: all options of a plot; every member has a default.
struct PlotSpec {
    std::string_view id, title;
    std::string_view note;          ///< at the right of the title
    std::string_view noteHelp;      ///< tooltip of the note
    std::string_view xLabel, unit;  ///< "step", "ms": the unit of y is written after the title
    std::string_view measure;       ///< instead of a unit, for numbers without one: "relative"
    std::span<const std::string> caption =
        {};                ///< lines inside, at the upper right; the first with the look of the first curve
    bool stacked = false;  ///< areas on top of each other, y >= 0
    bool logY = false;
    bool logX = false;
    bool fineTicks = false;  ///< logarithmic axes with ticks at 1, 2 and 5, and as many of them as there is room for
    bool marks =
        false;  ///< a dot at each point, marked in the layout as "ID/CURVE/INDEX"; crosses as "ID/CURVE/lost/INDEX"
    bool lines = true;
    bool bars = false;  ///< side by side at x = 0, 1, ..., from the lower edge; plain curves are strokes across them
    std::span<const std::string> xWords = {};  ///< instead of numbers at x = 0, 1, ...
    bool nameBelow = false;                    ///< the x axis' name on a line of its own
    bool integerX = true;
    std::optional<PlotRange> yAtLeast = {};  ///< the y axis always includes this range
    double least = 0;                        ///< with logY: the axis goes no lower; 0 = as low as the values
    bool sinks = false;                      ///< with logY: what is below the axis, and zero, lies on its lower edge
    double headroom =
        1;  ///< with logY: the axis goes beyond the values by this factor, so that no level curve lies on the frame
    bool fromZero = false;     ///< the y axis starts at zero
    bool readNearest = false;  ///< the pointer reads only the nearest curve: curves with samples of their own
    bool tooltip = true;       ///< false: the caller has its own tooltip
    bool legend = true;        ///< a line of names when there is more than one curve
    bool nameCurves = false;   ///< names at the curves, as far as there is room; not with marks
    bool xTicks = true;        ///< false: the x axis is that of a plot below
    double xMin = 0, xMax = 1;
    std::optional<double> threshold = {};  ///< a dashed level
    std::string_view thresholdName = {};
    std::optional<double> cursor = {};  ///< a vertical line: the state shown
    std::span<const PlotNote> notes = {};
    std::string_view emptyText = "no data yet";
    /// Caption of an exported plot: scene, step, settings; called on export. None: no caption.
    std::function<std::vector<std::string>()> source = {};
    bool ownStyles = false;                ///< dash and mark have a meaning, and are the same on paper
    bool times = false;                    ///< it shows measured times: the source names the machine
    std::string* svg = nullptr;            ///< also receives the drawing as elements of SVG
    PlotViews* views = nullptr;            ///< for input; none: a picture
    std::string_view xAxis = {};           ///< plots of one name show the same part of it; none: an axis of its own
    std::optional<PlotRange> xWhole = {};  ///< how far one can zoom out; none: xMin to xMax
};

/// The values under the pointer.
struct PlotReadout {
    struct Value {
        std::string_view name;
        double value;
    };
    bool hovered = false;
    double x = 0;               ///< of the sample nearest to the pointer
    std::vector<Value> values;  ///< of each curve that has one there, in the order of the curves
    int sample = -1;            ///< with marks: the point of that curve, or the index of the cross
    bool lost = false;          ///< it is a cross
    int nearest = -1;           ///< curve nearest to the pointer (stacked: the one that it is in), or -1
};

/// Draws at the cursor; `size` holds title, legend, plot and axis. The legend takes less than half of the height. Names
/// that do not fit are listed under "+2 more".
PlotReadout drawPlot(const PlotSpec& spec, std::span<const PlotCurve> curves, ImVec2 size, const UiTheme& theme,
                     LayoutMap& layout);

/// Pixels below which a plot with a legend has no room for its curves: a column of plots scrolls instead.
float leastPlotHeight(const UiTheme& theme, bool xTicks);

/// The same on white paper (plots/figure.hpp) as a document of SVG; what is zoomed and hidden stays so, and the curves
/// have a legend. Within a frame of ImGui.
std::string plotSvg(const PlotSpec& spec, std::span<const PlotCurve> curves, const UiTheme& theme);

// --- the arithmetic, apart so that it can be tested
struct Axis {
    double min = 0, max = 1;
    bool logarithmic = false;
    std::vector<double> ticks;

    /// 0 at min, 1 at max.
    double position(double value) const;
    double value(double position) const;
};
/// A linear axis over [low, high], widened to round ticks (1, 2, 5 times a power of ten), at most `ticks` of them.
Axis linearAxis(double low, double high, int ticks, bool fromZero);
/// A logarithmic axis over whole decades, a tick every n-th; what is not positive counts as the smallest decade.
Axis logAxis(double low, double high, int ticks);
/// A logarithmic axis between multiples of 1, 2 or 5; ticks at these, or at the decades where they are more than
/// `ticks`.
Axis fineLogAxis(double low, double high, int ticks);
/// A range chosen by the user, which is kept; as many ticks as there is room for.
Axis chosenAxis(const PlotRange& range, int ticks, bool logarithmic);
/// Round ticks inside a given range, which stays.
Axis fixedAxis(double low, double high, int ticks, bool integer);

/// The label of a tick, and its position along the axis, in pixels from its start.
struct TickLabel {
    double value;
    std::string text;
    float from, to;
};
struct TickRoom {
    float length;     ///< of the axis, pixels
    float low, high;  ///< labels are pushed to lie within
    float gap;        ///< between two of them
};
/// The labels of an axis; ticks are removed until no two labels are nearer than the gap, but one is left. `extent`:
/// pixels of a text along the axis.
std::vector<TickLabel> placeLabels(Axis& axis, const TickRoom& room,
                                   const std::function<float(const std::string&)>& extent);
/// "1e-4", "0.25", "12", with as many digits as the spacing needs.
std::string tickLabel(const Axis& axis, double tick);
/// Index of the x nearest to the wanted one; -1 when there is none.
int nearestSample(std::span<const double> x, double wanted);

}  // namespace clothlab::app::widgets
