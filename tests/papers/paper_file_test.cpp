#include "papers/paper_file.hpp"

#include <filesystem>

#include "base/output.hpp"
#include "papers/rows.hpp"
#include "scratch_folder.hpp"

/// Files of assets/papers.
namespace clothlab::papers {
namespace {

using testing::is;
using testing::number;
using testing::optionsFor;

Expected<Reproduction> nothing(Job&) { return Reproduction(); }
const std::vector<PaperTable> kOne{{"x-table-1", nothing, {"nodes", "diverged"}}};

Expected<std::vector<TableText>> read(const std::string& text) { return readPaperText(text, "x.toml", kOne); }

const std::string kStart = R"([[table]]
name = "x-table-1"
title = "X, table 1: a title"
)";
const std::string kNotes = R"(notes = ["{nodes} nodes.", {when = "diverged", text = "{diverged} diverged."}]
)";

// Finds without a run each table or value that is only in a paper's file or only in the program.
TEST(PaperFile, EachPapersFileFitsTheRegister) {
    for (const Paper& paper : allPapers()) {
        const auto texts = paperText(paper, optionsFor(0).assetsFolder);
        ASSERT_TRUE(texts) << texts.error().text();
        ASSERT_EQ(texts->size(), paper.tables.size());
        for (std::size_t k = 0; k < texts->size(); ++k) {
            EXPECT_EQ((*texts)[k].name, paper.tables[k].name) << "the same order";
            EXPECT_NE((*texts)[k].title.find(": "), std::string::npos) << (*texts)[k].title;
            EXPECT_FALSE((*texts)[k].notes.empty()) << (*texts)[k].name;
        }
    }
    const auto titles = paperTexts(optionsFor(0).assetsFolder);
    ASSERT_TRUE(titles);
    EXPECT_EQ(titles->size(), paperTables().size());
}

TEST(PaperFile, NotesHaveTheValuesOfTheRun) {
    const auto texts = read("[shared]\nsame = \"Of \\\"{nodes}\\\" nodes.\"\n" + kStart +
                            R"(notes = ["{nodes} nodes, {nodes}.", "@same", {when = "quick", text = "--quick: few."},
         {when = "diverged", text = "{diverged} diverged."}])");
    ASSERT_TRUE(texts) << texts.error().text();
    const TableText& table = texts->front();
    EXPECT_EQ(table.notesWith({{"nodes", 25921.0}}),
              (std::vector<std::string>{"25921 nodes, 25921.", "Of \"25921\" nodes."}));
    EXPECT_EQ(table.notesWith({{"nodes", "no"}, {"diverged", 0.5}, {"quick", 1.0}}),
              (std::vector<std::string>{"no nodes, no.", "Of \"no\" nodes.", "--quick: few.", "0.5 diverged."}));
    EXPECT_EQ(table.note("diverged", {{"diverged", 3.0}}), "3 diverged.");
}

TEST(PaperFile, PrintedValuesComeBesideTheRowsOfTheirCase) {
    const auto texts = read(kStart + kNotes + R"(
[[table.printed]]
case = ["method", "k"]
paper = ["iterations", "ms"]
rows = [["cg", 60, 12, "about 3"], ["lu", 0.1, 0, 7]]
[[table.printed]]
case = ["method"]
paper = ["share"]
own_size = true
rows = [["cg", 0.5]]
[[table.printed]]
paper = ["status"]
rows = [["stable"]]
)");
    ASSERT_TRUE(texts) << texts.error().text();
    const TableText& table = texts->front();
    using records::Entries;
    const Entries cg{{"method", "cg"}, {"k", 60.0}, {"step", 3.0}};
    EXPECT_EQ(table.printedFor(cg),
              (Entries{{"iterations", 12.0}, {"ms", "about 3"}, {"share", 0.5}, {"status", "stable"}}));
    EXPECT_EQ(table.printedFor(cg, false), (Entries{{"iterations", 12.0}, {"ms", "about 3"}, {"status", "stable"}}));
    EXPECT_EQ(table.printedFor({{"method", "lu"}, {"k", 3 * 0.1 - 0.2}}),
              (Entries{{"iterations", 0.0}, {"ms", 7.0}, {"status", "stable"}}))
        << "the last digits of a number do not count";
    EXPECT_EQ(table.printedFor({{"method", "cg"}, {"k", "60"}}), (Entries{{"share", 0.5}, {"status", "stable"}}));
    EXPECT_EQ(table.printedFor({}), (Entries{{"status", "stable"}}));
}

TEST(PaperFile, AMistakeIsToldWithItsPlace) {
    struct Mistake {
        std::string text, error;
    };
    const std::string claim = kStart + kNotes + "[[table.claim]]\nat = \"section 1\"\nsays = \"so\"\nvalue = \"ms\"\n";
    const std::string printed = kStart + kNotes + "[[table.printed]]\n";
    for (const auto& [text, error] :
         {Mistake{"", "x.toml:1:1: there is no [[table]] 'x-table-1'"},
          {"[[tables]]", "unknown key 'tables'"},
          {"table = 3", "x.toml:1:9: table: a list is needed"},
          {"[[table]]\nname = \"y\"\ntitle = \"Y\"", "x.toml:1:1: no table 'y' (valid: x-table-1)"},
          {"[[table]]\nname = 1\ntitle = \"Y\"", "x.toml:2:8: table.name"},
          {"[[table]]\nname = \"x-table-1\"", "x.toml:1:1: table.title is missing"},
          {kStart + kNotes + kStart + kNotes, "x.toml:5:1: there are two tables 'x-table-1'"},
          {kStart + "note = 1", "x.toml:4:1: unknown key 'table.note'"},
          {kStart + "notes = [\"{nodes}\"]", "x.toml:1:1: no note of 'x-table-1' has its value 'diverged'"},
          {kStart + "notes = [\"{node}\"]",
           "x.toml:4:10: 'x-table-1' has no value 'node' (valid: nodes, diverged, quick)"},
          {kStart + "notes = [{when = \"slow\", text = \"a\"}]", "x.toml:4:10: 'x-table-1' has no value 'slow'"},
          {kStart + "notes = [{text = \"a\"}]", "x.toml:4:10: note.when is missing"},
          {kStart + "notes = [\"{nodes\"]", "x.toml:4:10: a brace that is not one of {name}"},
          {kStart + "notes = [\"nodes}\"]", "a brace that is not one of {name}"},
          {kStart + "notes = [\"{no{des}\"]", "a brace that is not one of {name}"},
          {kStart + "notes = [\"@same\"]", "x.toml:4:10: [shared] has no 'same'"},
          {"[shared]\nsame = \"a\"\n" + kStart + kNotes, "x.toml:2:8: no note is \"@same\""},
          {kStart + "as = \"x-table-0\"", "x.toml:1:1: as: no table 'x-table-0' before this one"},
          {printed + "case = [\"k\"]", "paper: the names of the printed values are needed"},
          {printed + "case = [\"k\"]\npaper = [\"ms\"]\nrows = [[1]]", "1 values where case and paper have 2"},
          {printed + "case = [\"k\"]\npaper = [\"ms\"]\nrows = [[1, true]]", "x.toml:8:13: a text is needed"},
          {printed + "paper = [\"ms\"]\nown_size = 1", "x.toml:7:12: printed.own_size"},
          {printed + "paper = [\"ms\"]\nrows = [[nan]]", "a text is needed"},
          {kStart + kNotes + "[[table.figure]]\nx = \"k\"", "y: the keys of the curves are needed"},
          {kStart + kNotes + "[[table.figure]]\ny = [\"ms\"]", "either x, a key of the case, or at"},
          {kStart + kNotes + "[[table.figure]]\ny = [\"ms\"]\nat = [1, 2]", "at: 2 numbers for 1 keys of y"},
          {kStart + kNotes + "[[table.figure]]\ny = [\"ms\"]\nat = [\"one\"]", "a number is needed"},
          {claim + "measured = \"ms\"", "within: a number, or two, between which the claim holds"},
          {claim + "within = [1]", "x.toml:5:1: claim.measured is missing"},
          {claim + "measured = \"ms\"\nwithin = [1, 2, 3]", "within: a number, or two"},
          {claim + "measured = \"ms\"\nwithin = [\"1\"]", "within: a number, or two"},
          {claim + "measured = \"ms\"\nwithin = [2, 1]",
           "x.toml:10:14: within: the second number is less than the first"},
          {claim + "measured = \"ms\"\nwithin = [1]\nwhere = 1", "x.toml:11:9: where"},
          {claim + "wrong = 1", "unknown key 'claim.wrong'"},
          {"[headings]\nk = 3\n", "x.toml:2:5: a text is needed"},
          {"[[table]\n", "x.toml:1:"}}) {
        const auto done = read(text);
        ASSERT_FALSE(done) << text;
        EXPECT_NE(done.error().text().find(error), std::string::npos) << text << "\n" << done.error().text();
        EXPECT_GT(done.error().line, 0) << text;
    }
}

// The missing file is reported before anything is run.
TEST(PaperFile, WithoutItsFileThereIsNoTable) {
    const tests::ScratchFolder folder;
    ReproduceOptions options = optionsFor(0);
    options.assetsFolder = folder.file("assets");
    const auto missing = reproduce("liu-figure-3", options);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().file, options.assetsFolder + "/papers/liu.toml");
    EXPECT_NE(missing.error().message.find("files of the assets"), std::string::npos) << missing.error().message;
    EXPECT_FALSE(paperTexts(options.assetsFolder));

    std::filesystem::create_directories(options.assetsFolder + "/papers");
    ASSERT_TRUE(writeFile(options.assetsFolder + "/papers/liu.toml", "[[table]]\nname = \"liu-figure-9\"\n", {}));
    const auto wrong = reproduce("liu-figure-3", options);
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().line, 1);
}

// No other test runs these tables. A note with a missing value fails an assertion.
TEST(Reproduce, TheNotesOfARunAreComplete) {
    for (const char* name :
         {"boxerman-figure-5.5", "boxerman-figure-5.6", "boxerman-figure-5.10", "liu-pbd-stiffness", "liu-midpoint"}) {
        const auto table = reproduce(name, optionsFor(12));
        ASSERT_TRUE(table) << name << table.error().text();
        EXPECT_FALSE(table->rows.empty()) << name;
        ASSERT_GE(table->notes.size(), 2u) << name;
        for (const std::string& note : table->notes) EXPECT_EQ(note.find('{'), std::string::npos) << note;
    }
}

TEST(Reproduce, WhatThePaperPrintsIsBesideItsRows) {
    const auto blocks = reproduce("boxerman-figure-4.3", optionsFor(0));
    ASSERT_TRUE(blocks) << blocks.error().text();
    EXPECT_EQ(number(blocks->rows.front().paper, "blocks"), 1360);
    const auto springs = reproduce("boxerman-figure-4.9", optionsFor(0));
    ASSERT_TRUE(springs) << springs.error().text();
    EXPECT_TRUE(is(springs->rows[0].paper, "active", "implicit")) << "stretch";
    EXPECT_TRUE(is(springs->rows[1].paper, "active", "explicit")) << "shear";
    EXPECT_TRUE(springs->rows[2].paper.empty()) << "bend";
}

}  // namespace
}  // namespace clothlab::papers
