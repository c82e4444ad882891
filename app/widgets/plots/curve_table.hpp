#pragma once

#include <imgui.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "widgets/layout_map.hpp"
#include "widgets/scopes.hpp"
#include "widgets/ui_theme.hpp"
#include "widgets/widgets.hpp"

// A table whose rows are the curves of the plots beneath it: a swatch and a name, then numbers at the right edge of
// their columns. A click chooses a row; a row and its curve are pointed at together. Columns for which a narrow window
// has no room are left out.
namespace clothlab::app::widgets {

struct CurveColumn {
    const char* id;
    const char* name;
    float width;  ///< points; 0 = what is left
    std::string_view help;
    bool words = false;  ///< at the left edge
};

struct CurveTableSpec {
    std::string_view name;  ///< "race": widgets are race/column/ID and race/row/KEY
    std::span<const CurveColumn> columns;
    std::span<const std::size_t> worth;  ///< columns in the order in which a narrow window gives them room
    float nameWidth = 0;                 ///< points: the first column has at least as much
    int sortedBy = -1;                   ///< the column at first; -1: the rows keep their order
    float height = 0;                    ///< pixels
    bool large = false;                  ///< read from afar
};

struct CurveRow {
    std::size_t index = 0;
    std::string key, label;
    Style style;
    bool active = false;                 ///< marked by a dot
    bool faint = false;                  ///< it did not arrive
    bool hidden = false;                 ///< its curve is not drawn
    std::span<const std::string> cells;  ///< of the columns after the first; what has no room ends in an ellipsis
};

class CurveTable {
public:
    CurveTable(const CurveTableSpec& spec, const UiTheme& theme, LayoutMap& layout, Widgets& widgets);
    ~CurveTable();
    CurveTable(const CurveTable&) = delete;
    CurveTable& operator=(const CurveTable&) = delete;

    /// Height in pixels of a table with this number of rows, without a scroll bar.
    static float computeHeight(std::size_t rows, const UiTheme& theme, bool large = false);
    static float rowHeight(const UiTheme& theme, bool large = false);

    struct Sorting {
        int column;
        bool ascending;
    };
    /// The sorting requested by a click on a header, if this table can be sorted.
    std::optional<Sorting> sorting() const;

    struct Pointed {
        bool chosen = false, hovered = false;
        bool turned = false;  ///< a click on the swatch, which shows and hides the curve
        bool menu = false;    ///< a right click
    };
    Pointed row(const CurveRow& row, bool pointed);

private:
    unsigned columnsShown() const;
    void setUpColumns(unsigned shown) const;
    void header() const;
    /// Widths are meant for the small type.
    float px(float points) const {
        return theme_.px(points) * (spec_.large ? theme_.text->FontSize / theme_.small->FontSize : 1);
    }

    const CurveTableSpec& spec_;
    const UiTheme& theme_;
    LayoutMap& layout_;
    Widgets& widgets_;
    FontScope font_;
    StyleScope style_;
    bool open_ = false;
};

/// Two plots side by side, or only the first if there is no room for two. `draw(second, size)`.
void plotPair(ImVec2 size, const UiTheme& theme, const std::function<void(bool, ImVec2)>& draw);
/// Points: a panel of less has one plot.
inline constexpr float kPlotPairWidth = 520;

}  // namespace clothlab::app::widgets
