#pragma once

#include <imgui.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace clothlab::app::widgets {

struct PlotRange {
    double min = 0, max = 1;
    bool operator==(const PlotRange&) const = default;
};

class Figure;

/// A plot as a file: the request of its menu, until the main loop takes it.
struct PlotFile {
    std::string name;    ///< "energy", for the name of the file
    std::string ending;  ///< ".csv"
    std::string text;    ///< content of the file; empty: a picture of `figure`
    std::shared_ptr<const Figure> figure = {};
    int scale = 1;  ///< pixels per point of that picture
};

/// The user's changes to plots: the part of an axis that is shown, hidden curves. Kept by the window; a plot finds its
/// own by its id, plots with a common x axis find that by its name.
class PlotViews {
public:
    /// Names of the axes of a plot.
    static std::string xAxisName(std::string_view plot) { return std::string(plot) + "/x"; }
    static std::string yAxisName(std::string_view plot) { return std::string(plot) + "/y"; }
    /// Both axes show all again.
    void fit(std::string_view plot) { show(xAxisName(plot), {}), show(yAxisName(plot), {}); }

    /// None: all of it, or the default part of the plot.
    std::optional<PlotRange> shown(std::string_view axis) const;
    void show(std::string_view axis, std::optional<PlotRange> range);
    bool hidden(std::string_view plot, std::string_view curve) const;
    void turn(std::string_view plot, std::string_view curve);

    void ask(PlotFile file) { asked_ = std::move(file); }
    /// At the end of each frame.
    std::optional<PlotFile> takeAsked();

private:
    std::map<std::string, PlotRange, std::less<>> ranges_;
    std::map<std::string, std::set<std::string, std::less<>>, std::less<>> hidden_;
    std::optional<PlotFile> asked_;
};

}  // namespace clothlab::app::widgets
