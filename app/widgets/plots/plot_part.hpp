#pragma once

#include "widgets/plots/plot_frame.hpp"

namespace clothlab::app::widgets {

/// The part of a plot that is shown, kept in PlotViews and changed by wheel and drag.
class PlotPart {
public:
    /// Narrows the frame to that part, and removes the values of hidden curves. Call before all others.
    void apply(PlotFrame& frame);
    /// Sets the default range of the y axis.
    void setUsualY(const PlotRange& range) { yWhole_ = range; }

    /// The user's choice; none: the default part.
    const std::optional<PlotRange>& x() const { return xShown_; }
    const std::optional<PlotRange>& y() const { return yShown_; }
    bool allHidden() const { return allHidden_; }
    /// The default part is less than the whole.
    bool isUsuallyPart() const { return usual_.min > whole_.min || usual_.max < whole_.max; }
    bool showsAll() const { return xShown_ && xShown_->min <= whole_.min && xShown_->max >= whole_.max; }

    /// Zooms about the pointer; with Shift the y axis. Limited to the closest zoom.
    void zoom(const PlotFrame& frame, float notches, ImVec2 mouse);
    /// Pans as far as there is data; the y axis too, once it was zoomed.
    void pan(const PlotFrame& frame, ImVec2 by);
    /// Shows the whole, also as it grows, of a plot whose default is a part; the next call restores the default.
    void showAll();

private:
    void showX(const PlotRange& range);
    void showY(const PlotRange& range);

    PlotViews* views_ = nullptr;
    std::string xAxis_, yAxis_;
    PlotRange whole_, usual_, yWhole_;  ///< of x the whole and the default part; of y the default
    std::optional<PlotRange> xShown_, yShown_;
    bool allHidden_ = false;
    std::vector<PlotCurve> kept_;  ///< curves, without the values of hidden ones
    std::vector<double> zeros_;
};

}  // namespace clothlab::app::widgets
