#pragma once

#include <string>

#include "papers/paper_figure.hpp"

namespace clothlab::app::film {

/// Writes each figure of a table as NAME.svg, or NAME-1.svg and so on, into a folder, created if missing.
/// An Error if the table has none, or a file cannot be written.
Expected<void> drawPaperFigures(const papers::Reproduction& table, const papers::TableText& text,
                                const std::string& folder);

}  // namespace clothlab::app::film
