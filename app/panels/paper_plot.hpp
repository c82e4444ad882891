#pragma once

#include <string>
#include <vector>

#include "papers/paper_figure.hpp"
#include "widgets/plots/plot.hpp"

namespace clothlab::app::panels {

/// A paper's figure as a plot: our values have filled marks and are in front; the paper's printed values have rings,
/// values read off its figure plus signs, and values of its formula only a line. A case has one colour and one dash.
class PaperPlot {
public:
    /// Keeps the figure; `id` in the layout.
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

/// Caption lines of a table's figure: the table, and the machine that computed our values; then `more`.
std::vector<std::string> paperCaption(const papers::Reproduction& table, const std::string& more);

}  // namespace clothlab::app::panels
