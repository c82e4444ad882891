#pragma once

#include <string>
#include <vector>

#include "experiments/race/column.hpp"
#include "widgets/plots/curve_table.hpp"

namespace clothlab::app::panels {

/// The columns of a table of results for a widgets::CurveTable. Made for each frame.
template <class Row>
class ColumnTable {
public:
    /// `times`: includes columns of milliseconds; `narrow`: numbers without their `more`.
    ColumnTable(std::span<const experiments::Column<Row>> table, bool times, bool narrow)
        : list_(experiments::windowColumns(table)), narrow_(narrow) {
        for (const auto* column : list_) {
            const auto& look = column->window;
            columns.push_back({look.id, look.name, look.width, column->help, column->words != nullptr});
            if (look.worth > 0 && (times || !column->isTime())) worth.push_back(columns.size() - 1);
        }
        std::ranges::sort(worth, {}, [&](std::size_t k) { return list_[k]->window.worth; });
    }

    const experiments::Column<Row>& at(int k) const { return *list_[k]; }
    int indexOf(const experiments::Column<Row>& column) const {
        return int(std::ranges::find(list_, &column) - list_.begin());
    }
    /// The cells of the columns after the first.
    std::vector<std::string> cells(const Row& row) const {
        std::vector<std::string> cells;
        for (std::size_t k = 1; k < list_.size(); ++k) cells.push_back(windowCell(*list_[k], row, narrow_));
        return cells;
    }
    /// Widens columns to fit the `more` of their numbers, in ImGui's current font.
    void widen(const std::vector<Row>& rows, float scale) {
        for (std::size_t k = 0; k < list_.size() && !narrow_; ++k)
            if (list_[k]->window.more)
                for (const Row& row : rows)
                    columns[k].width = std::max(columns[k].width,
                                                ImGui::CalcTextSize(windowCell(*list_[k], row).c_str()).x / scale + 2);
    }

    std::vector<widgets::CurveColumn> columns;
    std::vector<std::size_t> worth;  ///< in the order in which a narrow window gives them room

private:
    experiments::ColumnList<Row> list_;
    bool narrow_;
};

}  // namespace clothlab::app::panels
