#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clothlab::app::widgets {

struct PlotRange {
    double min = 0, max = 1;
    bool operator==(const PlotRange&) const = default;
};

/// A plot as a file: what its menu was asked for, until somebody takes it.
struct PlotFile {
    std::string name;    ///< "energy", for the name of the file
    std::string ending;  ///< ".csv"
    std::string text;    ///< what the file holds
};

/// What the user did to plots: which part of an axis is shown, which curves are hidden. The window keeps it; a plot
/// finds its own by its id, plots with a common x axis find that by its name.
class PlotViews {
public:
    /// None: all of it, or what the plot shows by itself.
    std::optional<PlotRange> shown(std::string_view axis) const;
    void show(std::string_view axis, std::optional<PlotRange> range);
    bool hidden(std::string_view plot, std::string_view curve) const;
    void turn(std::string_view plot, std::string_view curve);

    void ask(PlotFile file) { asked_ = std::move(file); }
    std::optional<PlotFile> takeAsked() { return std::exchange(asked_, {}); }

private:
    std::map<std::string, PlotRange, std::less<>> ranges_;
    std::map<std::string, std::set<std::string, std::less<>>, std::less<>> hidden_;
    std::optional<PlotFile> asked_;
};

}  // namespace clothlab::app::widgets
