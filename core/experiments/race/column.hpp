#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/number_text.hpp"
#include "base/text.hpp"
#include "records/json.hpp"

/// A table of results whose columns are defined once: JSON, CSV, the table in a terminal and that of the window are
/// loops over an array of Column. JSON and CSV have every column, in the order of the array. The terminal and the
/// window show those with an entry for it, by their `place`. A `Row` is the data that a column is computed from.
namespace clothlab::experiments {

/// A column in a terminal.
template <class Row>
struct TextLook {
    std::string_view head = {};
    int width = 0;  ///< characters; negative: left-aligned; 0: not shown
    int place = 0;  ///< from left to right
    int decimals = 2;
    std::string (*cell)(const Row&) = nullptr;  ///< in place of the number
};

/// A column in the window.
template <class Row>
struct WindowLook {
    const char* id = nullptr;  ///< "race/column/ID" in input scripts; null: not shown
    const char* name = "";
    float width = 0;  ///< points; 0 = what is left
    int place = 0;    ///< from left to right; the first has the names of the rows
    int worth = 0;    ///< a narrow window shows those of low numbers; 0: always shown
    int digits = 3;
    double scale = 1;
    bool zero = false;                          ///< zero is a value; otherwise it is shown as a dash
    std::string (*cell)(const Row&) = nullptr;  ///< in place of the number
    std::string (*more)(const Row&) = nullptr;  ///< appended to the number if there is room
};

template <class Row>
struct Column {
    enum class Kind : unsigned char { Number, Whole, Truth };

    std::string_view key;  ///< of JSON and CSV
    std::string_view unit = {};
    std::string_view help;
    double (*value)(const Row&) = nullptr;       ///< NaN is a gap: null, an empty field, a dash
    std::string (*words)(const Row&) = nullptr;  ///< in its place
    Kind kind = Kind::Number;
    int digits = 5;                        ///< of the CSV
    bool (*placed)(const Row&) = nullptr;  ///< whether the row is sorted by its value; null: all are
    TextLook<Row> text = {};
    WindowLook<Row> window = {};

    bool isTime() const { return unit == "ms"; }
};

inline constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// The index of a key; an unknown key does not compile.
template <class Row, std::size_t N>
consteval std::size_t indexOf(const std::array<Column<Row>, N>& table, std::string_view key) {
    for (std::size_t k = 0; k < N; ++k)
        if (table[k].key == key) return k;
    throw "no such column";
}

/// The columns shown in a terminal or in the window.
template <class Row>
using ColumnList = std::vector<const Column<Row>*>;

template <class Row, class Shown>
ColumnList<Row> columnsBy(std::span<const Column<Row>> table, Shown shown, int (*place)(const Column<Row>&)) {
    ColumnList<Row> list;
    for (const Column<Row>& column : table)
        if (shown(column)) list.push_back(&column);
    std::ranges::stable_sort(list, {}, [&](const Column<Row>* column) { return place(*column); });
    return list;
}

// --- JSON and CSV

template <class Row>
records::Json rowJson(std::span<const Column<Row>> table, const Row& row) {
    using Kind = typename Column<Row>::Kind;
    records::Json out;
    for (const Column<Row>& column : table) {
        const double value = column.words ? 0 : column.value(row);
        if (column.words)
            out[column.key] = column.words(row);
        else if (column.kind == Kind::Number || std::isnan(value))
            out[column.key] = value;
        else if (column.kind == Kind::Whole)
            out[column.key] = std::int64_t(value);
        else
            out[column.key] = value != 0;
    }
    return out;
}

template <class Row>
std::string csvHead(std::span<const Column<Row>> table) {
    std::string line;
    for (const Column<Row>& column : table) line.append(line.empty() ? "" : ",").append(column.key);
    return line + "\n";
}

template <class Row>
std::string csvLine(std::span<const Column<Row>> table, const Row& row) {
    std::string line;
    for (const Column<Row>& column : table) {
        if (&column != table.data()) line += ',';
        if (column.words) {
            line += csvField(column.words(row));
            continue;
        }
        const double value = column.value(row);
        if (std::isnan(value)) continue;
        line += column.kind == Column<Row>::Kind::Number ? fmt::format("{:.{}g}", value, column.digits)
                                                         : fmt::format("{:.0f}", value);
    }
    return line + "\n";
}

// --- the table in a terminal

template <class Row>
ColumnList<Row> textColumns(std::span<const Column<Row>> table) {
    return columnsBy<Row>(
        table, [](const Column<Row>& column) { return column.text.width != 0; },
        [](const Column<Row>& column) { return column.text.place; });
}

inline std::string padded(std::string_view text, int width) {
    return width < 0 ? fmt::format("{:<{}}", text, -width) : fmt::format("{:>{}}", text, width);
}

/// The heads of the columns in one line, without its end.
template <class Row>
std::string textHead(const ColumnList<Row>& columns) {
    std::string line;
    for (const Column<Row>* column : columns)
        line.append(line.empty() ? "" : " ").append(padded(column->text.head, column->text.width));
    return line;
}

template <class Row>
std::string textCell(const Column<Row>& column, const Row& row) {
    if (column.text.cell) return column.text.cell(row);
    if (column.words) return column.words(row);
    const double value = column.value(row);
    const int decimals = column.kind == Column<Row>::Kind::Number ? column.text.decimals : 0;
    return std::isnan(value) ? "-" : fmt::format("{:.{}f}", value, decimals);
}

template <class Row>
std::string textLine(const ColumnList<Row>& columns, const Row& row) {
    std::string line;
    for (const Column<Row>* column : columns)
        line.append(line.empty() ? "" : " ").append(padded(textCell(*column, row), column->text.width));
    return line;
}

// --- the table of the window

template <class Row>
ColumnList<Row> windowColumns(std::span<const Column<Row>> table) {
    return columnsBy<Row>(
        table, [](const Column<Row>& column) { return column.window.id != nullptr; },
        [](const Column<Row>& column) { return column.window.place; });
}

/// `narrow`: the number without its `more`.
template <class Row>
std::string windowCell(const Column<Row>& column, const Row& row, bool narrow = false) {
    const WindowLook<Row>& look = column.window;
    if (look.cell) return look.cell(row);
    if (column.words) return column.words(row);
    const double value = column.value(row);
    if (std::isnan(value) || (value == 0 && !look.zero)) return "-";
    return formatNumber(value * look.scale, look.digits) + (look.more && !narrow ? look.more(row) : "");
}

/// Whether a row sorts before another by a column; rows without a sortable value come last in either direction.
template <class Row>
bool comesBefore(const Column<Row>& column, const Row& a, const Row& b, bool ascending) {
    const auto placed = [&](const Row& row) {
        return column.words || (column.placed ? column.placed(row) : !std::isnan(column.value(row)));
    };
    if (placed(a) != placed(b)) return placed(a);
    const Row &first = ascending ? a : b, &second = ascending ? b : a;
    if (column.words) return windowCell(column, first) < windowCell(column, second);
    return column.value(first) < column.value(second);
}

}  // namespace clothlab::experiments
