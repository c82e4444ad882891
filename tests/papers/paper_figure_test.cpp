#include "papers/paper_figure.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace clothlab::papers {
namespace {

using From = FigureCurve::From;

Expected<TableText> parseTableText(const std::string& blocks) {
    static const std::array kTables{PaperTable{"x-figure-1", nullptr}};
    auto texts = readPaperText(
        "[headings]\nms = \"solve, ms\"\n[[table]]\nname = \"x-figure-1\"\ntitle = \"X, figure 1: a\"\n" + blocks,
        "x.toml", kTables);
    if (!texts) return fail(texts.error());
    return std::move(texts->front());
}

/// Rows of two methods over three sizes, as reproduce() joins them with what is printed.
Reproduction makeTable(const TableText& text) {
    Reproduction table{.table = "x-figure-1", .title = text.title, .machine = {}, .build = {}};
    for (const double nodes : {100.0, 400.0, 900.0})
        for (const char* method : {"cg", "lu"})
            table.rows.push_back({.what = {{"nodes", nodes}, {"method", method}}, .ours = {{"ratio", 0.001 * nodes}}});
    table.rows.push_back({.what = {{"nodes", "above 200"}, {"method", "lu"}}, .ours = {{"ratio", 7.0}}});
    for (ReproductionRow& row : table.rows) row.paper = text.printedFor(row.what);
    return table;
}

TEST(PaperFigure, TellsWhatWasPrintedFromWhatWasReadOff) {
    const auto text = parseTableText(R"(
[[table.printed]]
case = ["nodes", "method"]
paper = ["ratio"]
rows = [[400, "cg", "about 0.8"], [900, "cg", "above 1"], ["above 200", "lu", 0.5]]
[[table.printed]]
case = ["method"]
paper = ["share"]
read_off = true
rows = [["lu", "0.66 to 0.78"]]
[[table.figure]]
title = "Ratio"
x = "nodes"
y = ["ratio"]
curve = ["method"]
log = "x"
[[table.figure]]
x = "nodes"
y = ["share"]
curve = ["method"]
)");
    ASSERT_TRUE(text) << text.error().text();
    const auto figures = makeFigures(makeTable(*text), *text);
    ASSERT_EQ(figures.size(), 2u);
    EXPECT_EQ(figures[0].title, "Ratio");
    EXPECT_TRUE(figures[0].logX);
    EXPECT_FALSE(figures[0].logY);
    ASSERT_EQ(figures[0].curves.size(), 4u);
    const FigureCurve& ours = figures[0].curves[0];
    EXPECT_EQ(ours.name, "cg");
    EXPECT_EQ(ours.x, (std::vector<double>{100, 400, 900})) << "no row without numbers";
    const FigureCurve& printed = figures[0].curves[2];
    EXPECT_EQ(printed.name, "cg, printed");
    EXPECT_EQ(printed.from, From::Printed);
    EXPECT_EQ(printed.group, ours.group);
    EXPECT_EQ(printed.y, std::vector<double>{0.8}) << "\"above 1\" is not a point";
    const FigureCurve& level = figures[0].curves[3];
    ASSERT_EQ(level.x.size(), 3u) << "a level, and a gap";
    EXPECT_EQ(level.x[0], 200);
    EXPECT_EQ(level.x[1], 900) << "up to the end of our values";
    EXPECT_TRUE(std::isnan(level.y[2]));
    EXPECT_EQ(figures[1].title, "X, figure 1: a") << "the figure has no title of its own";
    ASSERT_EQ(figures[1].curves.size(), 1u);
    EXPECT_EQ(figures[1].curves[0].name, "lu, read off");
    EXPECT_EQ(figures[1].curves[0].from, From::ReadOff);
}

TEST(PaperFigure, DrawsColumnsAsOneCurveAndWordsAsPlaces) {
    const auto text = parseTableText(R"(
[[table.figure]]
y = ["error_1", "error_10"]
at = [1, 10]
x_label = "iteration"
curve = ["method"]
where = {frame = "swing"}
log = "xy"
[[table.figure]]
x = "method"
words = true
y = ["error_1", "bound"]
)");
    ASSERT_TRUE(text) << text.error().text();
    Reproduction table{.table = "x-figure-1", .title = {}, .machine = {}, .build = {}};
    for (const char* frame : {"swing", "impact"})
        table.rows.push_back({.what = {{"frame", frame}, {"method", frame == std::string("swing") ? "cg" : "lu"}},
                              .ours = {{"error_1", 0.5}, {"error_10", 0.1}},
                              .paper = {{"bound", 0.7}}});
    const auto figures = makeFigures(table, *text);
    ASSERT_EQ(figures.size(), 2u);
    ASSERT_EQ(figures[0].curves.size(), 1u);
    EXPECT_EQ(figures[0].xLabel, "iteration");
    EXPECT_EQ(figures[0].curves[0].x, (std::vector<double>{1, 10}));
    EXPECT_EQ(figures[0].curves[0].y, (std::vector<double>{0.5, 0.1}));
    EXPECT_EQ(figures[1].xWords, (std::vector<std::string>{"cg", "lu"}));
    EXPECT_EQ(figures[1].curves.back().name, "bound, by its formula") << "not marked as printed";
}

TEST(PaperFigure, HeadingsAreWordsWithUnits) {
    const auto text = parseTableText("");
    ASSERT_TRUE(text) << text.error().text();
    EXPECT_EQ(text->heading("dt_ms"), "dt, ms");
    EXPECT_EQ(text->heading("max_strain_percent"), "max strain, %");
    EXPECT_EQ(text->heading("ms"), "solve, ms") << "the table's own heading";
    EXPECT_EQ(text->withHeadings("dt_ms: not in dt_ms2, but dt_ms.", std::array{std::string("dt_ms")}),
              "dt, ms: not in dt_ms2, but dt, ms.");
}

// Each figure in a paper's file can be drawn from a row with its keys.
TEST(PaperFigure, TheHeadingsOfTheFilesAreUsed) {
    const auto texts = paperTexts(CLOTHLAB_SOURCE_DIR "/assets");
    ASSERT_TRUE(texts) << texts.error().text();
    EXPECT_EQ(texts->find("boxerman-section-4.2.4")->second.heading("h_omega"), "h omega");
    int figures = 0;
    for (const auto& [name, text] : *texts) figures += int(text.figures.size());
    EXPECT_GT(figures, 15);
    int readOff = 0;
    for (const auto& [name, text] : *texts)
        for (const TableText::Printed& printed : text.printed) readOff += printed.readOff;
    EXPECT_GT(readOff, 0);
}

}  // namespace
}  // namespace clothlab::papers
