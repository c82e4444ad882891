#include "papers/claims.hpp"

#include "base/input.hpp"
#include "papers/rows.hpp"
#include "scratch_folder.hpp"

/// Verdicts on the papers' claims are computed from the tables, and docs/papers.md is made from them.
namespace clothlab::papers {
namespace {

using testing::optionsFor;

/// Two methods, each at two stiffnesses.
Reproduction example() {
    const auto row = [](const char* method, double k, double iterations, double ms) {
        return ReproductionRow{{{"method", std::string(method)}, {"k", k}},
                               {{"iterations", iterations}, {"ms", ms}},
                               {{"iterations", 5.0}}};
    };
    return {.table = "x-table-1",
            .title = "X, table 1: a title",
            .rows = {row("a", 60, 10, 1), row("a", 600, 30, 6), row("b", 60, 4, 3), row("b", 600, 4, 3)}};
}

TableText::Claim claim(const char* value, records::Entries where, records::Entries over, double least, double most) {
    return {.at = "table 1",
            .says = "It is so.",
            .value = value,
            .measured = "a number",
            .where = std::move(where),
            .over = std::move(over),
            .least = least,
            .most = most};
}

struct Numbers {
    int rows, held;
    double least, most;
};
void expect(const TableText::Claim& of, const Numbers& wanted, Verdict verdict) {
    const auto outcome = evaluateClaim(of, example());
    ASSERT_TRUE(outcome) << outcome.error().text();
    EXPECT_EQ(outcome->rows, wanted.rows);
    EXPECT_EQ(outcome->held, wanted.held);
    EXPECT_DOUBLE_EQ(outcome->least, wanted.least);
    EXPECT_DOUBLE_EQ(outcome->most, wanted.most);
    EXPECT_EQ(outcome->verdict, verdict);
}

TEST(Claims, AVerdictCountsTheRowsThatLieWithin) {
    const std::string a = "a", b = "b";
    expect(claim("iterations", {}, {}, 4, 10), {4, 3, 4, 30}, Verdict::InPart);
    expect(claim("iterations", {{"method", b}}, {}, 1, 5), {2, 2, 4, 4}, Verdict::Held);
    expect(claim("iterations", {{"method", b}}, {}, 5, 9), {2, 0, 4, 4}, Verdict::DidNotHold);
    expect(claim("ms / iterations", {{"method", a}}, {}, 0, 1), {2, 2, 0.1, 0.2}, Verdict::Held);
    expect(claim("iterations / paper.iterations", {{"k", 600.0}}, {}, 0, 1), {2, 1, 0.8, 6}, Verdict::InPart);
    // Over the other method at the same stiffness, and over the other stiffness of the same method.
    expect(claim("ms", {{"method", a}}, {{"method", b}}, 1, 9), {2, 1, 1.0 / 3, 2}, Verdict::InPart);
    expect(claim("iterations", {}, {{"k", 60.0}}, 1, 3), {2, 2, 1, 3}, Verdict::Held);
}

TEST(Claims, OneThatDoesNotFitItsTableIsRefused) {
    for (const auto& wrong : {claim("seconds", {}, {}, 0, 1), claim("ms", {{"method", std::string("c")}}, {}, 0, 1)}) {
        const auto outcome = evaluateClaim(wrong, example());
        ASSERT_FALSE(outcome);
        EXPECT_NE(outcome.error().message.find("no row has its value"), std::string::npos) << outcome.error().message;
    }
}

TEST(Claims, EachHasItsTableAndWhatDoesNotHoldSaysWhy) {
    const std::string assets = optionsFor(0).assetsFolder;
    const auto claims = checkedClaims(assets, measuredFolder(assets));
    ASSERT_TRUE(claims) << claims.error().text();
    EXPECT_GE(claims->size(), 60u);
    int counts[3] = {0, 0, 0};
    for (const CheckedClaim& each : *claims) ++counts[int(each.outcome.verdict)];
    for (const int count : counts) EXPECT_GE(count, 5);
    // The page is made from these files: ./build/release/clothlab reproduce --claims >docs/papers.md
    const auto page = readFile(CLOTHLAB_SOURCE_DIR "/docs/papers.md");
    ASSERT_TRUE(page) << page.error().text();
    EXPECT_EQ(*page, claimsPage(*claims));

    // Without the tables the message names the missing one and the command that makes it.
    const tests::ScratchFolder empty;
    const auto none = checkedClaims(assets, empty.path());
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("clothlab reproduce ye-table-1 --keep"), std::string::npos)
        << none.error().message;
}

}  // namespace
}  // namespace clothlab::papers
