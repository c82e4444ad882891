#pragma once

#include <string>
#include <vector>

#include "papers/reproduction.hpp"

namespace clothlab::papers {

/// A curve of a figure, ours or the paper's.
struct FigureCurve {
    /// The source of its numbers: a formula is the paper's, computed here.
    enum class From { Ours, Printed, ReadOff, Formula };
    std::string name;       ///< of the group; one of the paper names its source
    std::size_t group = 0;  ///< ours and the paper's of one case have the same
    From from = From::Ours;
    std::vector<double> x, y;  ///< of one length; not finite: a gap
};

/// A figure of a paper with our values, as defined by a [[table.figure]] of the paper's file.
struct PaperFigure {
    std::string title, xLabel, yLabel;
    bool logX = false, logY = false;
    std::vector<std::string> xWords;  ///< in place of numbers at x = 0, 1, ...; empty: numbers
    std::vector<FigureCurve> curves;
};

/// All figures of a table with any data; empty if its file defines none.
std::vector<PaperFigure> makeFigures(const Reproduction& table, const TableText& text);

}  // namespace clothlab::papers
