#pragma once

#include <string>
#include <vector>

#include "papers/paper_figure.hpp"
#include "widgets/plots/plot.hpp"

namespace clothlab::app::panels {

/// A paper's figure as a plot: ours has filled marks and is in front; what the paper printed has rings, what was read
/// off its figure plus signs, and what comes from its formula a line alone. A case has one colour and one dash.
class PaperPlot {
public:
    /// Keeps what it is drawn from; `id` in the layout.
    PaperPlot(papers::PaperFigure figure, std::string id);
    PaperPlot(const PaperPlot&) = delete;
    PaperPlot& operator=(const PaperPlot&) = delete;

    const widgets::PlotSpec& spec() const { return spec_; }
    std::span<const widgets::PlotCurve> curves() const { return curves_; }

private:
    papers::PaperFigure figure_;
    std::string id_;
    widgets::PlotSpec spec_;
    std::vector<widgets::PlotCurve> curves_;
};

/// What a figure of a table is of, in lines: the table, and on which machine ours was computed; then `more`.
std::vector<std::string> paperCaption(const papers::Reproduction& table, const std::string& more);

}  // namespace clothlab::app::panels
