#pragma once

#include "widgets/plots/plot_frame.hpp"

namespace clothlab::app::widgets {

/// Which part of a plot is shown: what PlotViews keep of it, and what wheel and hand make of it.
class PlotPart {
public:
    /// Narrows the frame to that part, and takes the values of hidden curves away. Before all others.
    void apply(PlotFrame& frame);
    /// What the y axis shows by itself.
    void setUsualY(const PlotRange& range) { yWhole_ = range; }

    /// What somebody chose; none: the usual part.
    const std::optional<PlotRange>& x() const { return xShown_; }
    const std::optional<PlotRange>& y() const { return yShown_; }
    bool allHidden() const { return allHidden_; }
    /// By itself the plot shows less than there is.
    bool isUsuallyPart() const { return usual_.min > whole_.min || usual_.max < whole_.max; }
    bool showsAll() const { return xShown_ && xShown_->min <= whole_.min && xShown_->max >= whole_.max; }

    /// About the pointer; with Shift the y axis. A turn of the wheel that would go too near goes as near as it may.
    void zoom(const PlotFrame& frame, float notches, ImVec2 mouse);
    /// As far as there is something; the y axis goes along once it was zoomed.
    void pan(const PlotFrame& frame, ImVec2 by);
    /// All there is, of a plot that shows a part by itself: as it grows, too. The next time what it shows by itself.
    void showAll();

private:
    void showX(const PlotRange& range);
    void showY(const PlotRange& range);

    PlotViews* views_ = nullptr;
    std::string xAxis_, yAxis_;
    PlotRange whole_, usual_, yWhole_;  ///< of x all there is and what is shown of it by itself; of y by itself
    std::optional<PlotRange> xShown_, yShown_;
    bool allHidden_ = false;
    std::vector<PlotCurve> kept_;  ///< where one is hidden: without its values
    std::vector<double> zeros_;
};

}  // namespace clothlab::app::widgets
