#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/build_info.hpp"
#include "base/platform.hpp"
#include "base/text.hpp"
#include "papers/reproduction.hpp"
#include "records/json_line.hpp"

namespace clothlab::papers {
namespace {

using Origin = ReproductionGrid::Origin;
using Column = ReproductionGrid::Column;

const records::Entries& toEntries(const ReproductionRow& row, Origin origin) {
    return origin == Origin::Case ? row.what : origin == Origin::Ours ? row.ours : row.paper;
}

std::string cellText(const records::Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    const double v = std::get<double>(value);
    if (v == std::round(v) && std::abs(v) < 1e7) return fmt::format("{:.0f}", v);
    return std::abs(v) < 1000 ? fmt::format("{:.4g}", v) : fmt::format("{:.0f}", v);
}

std::string cell(const ReproductionRow& row, const Column& column) {
    for (const auto& [key, value] : toEntries(row, column.origin))
        if (key == column.key) return cellText(value);
    return column.origin == Origin::Case ? "" : "-";
}

bool known(const std::vector<Column>& columns, Origin origin, const std::string& key) {
    return std::any_of(columns.begin(), columns.end(),
                       [&](const Column& c) { return c.origin == origin && c.key == key; });
}

/// Cases, then ours with the paper's of the same key at its side, then what only the paper has.
std::vector<Column> listColumns(const std::vector<ReproductionRow>& rows) {
    std::vector<Column> columns;
    const auto collect = [&](Origin origin) {
        for (const ReproductionRow& row : rows)
            for (const auto& entry : toEntries(row, origin))
                if (!known(columns, origin, entry.first)) columns.push_back({origin, entry.first});
    };
    collect(Origin::Case);
    collect(Origin::Ours);
    for (const ReproductionRow& row : rows)
        for (const auto& entry : row.paper) {
            if (known(columns, Origin::Paper, entry.first)) continue;
            auto at = std::find_if(columns.begin(), columns.end(),
                                   [&](const Column& c) { return c.origin == Origin::Ours && c.key == entry.first; });
            columns.insert(at == columns.end() ? at : at + 1, {Origin::Paper, entry.first});
        }
    return columns;
}

/// Cells of the case that repeat those above say nothing: left empty, so that groups stand out.
std::size_t repeated(const ReproductionRow& row, const ReproductionRow& above) {
    std::size_t same = 0;
    while (same + 1 < row.what.size() && same < above.what.size() && row.what[same] == above.what[same]) ++same;
    return same;
}

}  // namespace

ReproductionGrid toGrid(const Reproduction& table) {
    ReproductionGrid grid{listColumns(table.rows), {}};
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        const std::size_t same = r > 0 ? repeated(table.rows[r], table.rows[r - 1]) : 0;
        auto& cells = grid.cells.emplace_back();
        for (std::size_t k = 0; k < grid.columns.size(); ++k) {
            const bool silent = grid.columns[k].origin == Origin::Case && k < same;
            cells.push_back(silent ? std::string() : cell(table.rows[r], grid.columns[k]));
        }
    }
    return grid;
}

std::vector<std::string> listKeys(const ReproductionGrid& grid) {
    std::vector<std::string> keys;
    for (const Column& column : grid.columns) keys.push_back(column.key);
    return keys;
}

std::string reproductionText(const Reproduction& table, const TableText* words) {
    const ReproductionGrid grid = toGrid(table);
    const auto heading = [&](std::size_t k) {
        return words ? words->heading(grid.columns[k].key) : grid.columns[k].key;
    };
    std::vector<std::size_t> widths;
    for (std::size_t k = 0; k < grid.columns.size(); ++k) {
        widths.push_back(std::max<std::size_t>(heading(k).size(), 5));
        for (const ReproductionRow& row : table.rows)
            widths.back() = std::max(widths.back(), cell(row, grid.columns[k]).size());
    }
    std::string text = fmt::format("{}\n{}, {} thread{}, {}\n\n", table.title, table.machine, table.threads,
                                   plural(table.threads), table.build);
    const auto line = [&](auto content) {
        std::string out;
        for (std::size_t k = 0; k < grid.columns.size(); ++k)
            out += grid.columns[k].origin == Origin::Case ? fmt::format("{:<{}}  ", content(k), widths[k])
                                                          : fmt::format("{:>{}}  ", content(k), widths[k]);
        out.erase(out.find_last_not_of(' ') + 1);
        text += out + "\n";
    };
    line(heading);
    line([&](std::size_t k) {
        return std::string(grid.columns[k].origin == Origin::Case   ? ""
                           : grid.columns[k].origin == Origin::Ours ? "ours"
                                                                    : "paper");
    });
    for (const auto& cells : grid.cells) line([&](std::size_t k) { return cells[k]; });
    if (const PatternPicture& picture = table.picture; !picture.rows.empty()) {
        text += fmt::format("\n{}\n", picture.caption);
        for (const auto& [sign, meaning] : picture.signs) text += fmt::format("{} {}  ", sign, meaning);
        text.erase(text.find_last_not_of(' ') + 1);
        text += "\n\n";
        for (const std::string& row : picture.rows) text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
    }
    if (!table.notes.empty()) text += "\n";
    const std::vector<std::string> keys = listKeys(grid);
    for (const std::string& note : table.notes)
        text += fmt::format("- {}\n", words ? words->withHeadings(note, keys) : note);
    return text;
}

std::string toJson(const Reproduction& table) {
    std::string out =
        fmt::format("{{\n \"table\": {},\n \"title\": {},\n \"machine\": {},\n \"threads\": {},\n \"version\": {},\n",
                    records::jsonText(table.table), records::jsonText(table.title), records::jsonText(table.machine),
                    table.threads, records::jsonText(buildFacts().version));
    const auto list = [&out](std::string_view name, const std::vector<std::string>& items) {
        out += fmt::format(" \"{}\": [{}{}{}]", name, items.empty() ? "" : "\n  ", fmt::join(items, ",\n  "),
                           items.empty() ? "" : "\n ");
    };
    std::vector<std::string> rows, notes;
    for (const ReproductionRow& row : table.rows)
        rows.push_back(fmt::format("{{\"case\": {}, \"ours\": {}, \"paper\": {}}}", records::entriesLine(row.what),
                                   records::entriesLine(row.ours), records::entriesLine(row.paper)));
    for (const std::string& note : table.notes) notes.push_back(records::jsonText(note));
    list("rows", rows);
    out += ",\n";
    list("notes", notes);
    if (const PatternPicture& picture = table.picture; !picture.rows.empty()) {
        std::vector<std::string> signs, lines;
        for (const auto& [sign, meaning] : picture.signs)
            signs.push_back(records::jsonText(fmt::format("{} {}", sign, meaning)));
        for (const std::string& row : picture.rows) lines.push_back(records::jsonText(row));
        out += fmt::format(",\n \"caption\": {},\n", records::jsonText(picture.caption));
        list("signs", signs);
        out += ",\n";
        list("picture", lines);
    }
    return out + "\n}\n";
}

}  // namespace clothlab::papers
