#include "widgets/plots/plot_views.hpp"

namespace clothlab::app::widgets {

std::optional<PlotRange> PlotViews::shown(std::string_view axis) const {
    const auto found = ranges_.find(axis);
    if (found == ranges_.end()) return {};
    return found->second;
}

void PlotViews::show(std::string_view axis, std::optional<PlotRange> range) {
    if (range)
        ranges_.insert_or_assign(std::string(axis), *range);
    else if (const auto found = ranges_.find(axis); found != ranges_.end())
        ranges_.erase(found);
}

bool PlotViews::hidden(std::string_view plot, std::string_view curve) const {
    const auto found = hidden_.find(plot);
    return found != hidden_.end() && found->second.contains(curve);
}

std::optional<PlotFile> PlotViews::takeAsked() { return std::exchange(asked_, {}); }

void PlotViews::turn(std::string_view plot, std::string_view curve) {
    auto& names = hidden_[std::string(plot)];
    if (const auto found = names.find(curve); found != names.end())
        names.erase(found);
    else
        names.emplace(curve);
}

}  // namespace clothlab::app::widgets
