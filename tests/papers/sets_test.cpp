#include "papers/sets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/input.hpp"
#include "base/output.hpp"
#include "papers/boxerman/boxerman.hpp"
#include "papers/rows.hpp"
#include "papers/set_experiment.hpp"
#include "scratch_folder.hpp"

namespace clothlab::papers {
namespace {

/// Numbers that no decimal text of fixed length can hold, a word, and not-a-number.
records::Entries setOf(const ReproduceOptions& options, int set) {
    std::mt19937 random = randomStream(options, set);
    return {{"tenth", set / 10.0}, {"drawn", double(random()) / 3.0}, {"word", "a \"b\", c"}, {"missing", NAN}};
}

struct Counted {
    int runs = 0, stopAfter = 1000;
    std::stop_source stop = {};

    Expected<FinishedSets> operator()(const std::string& experiment, const ReproduceOptions& options, int sets = 7) {
        Job job(options, {.stop = stop.get_token(), .progress = {}});
        const auto run = [&](int set) -> Expected<records::Entries> {
            if (++runs > stopAfter) stop.request_stop();
            return setOf(options, set);
        };
        return runSets({.name = experiment, .extent = {.sides = {1}, .sets = sets}, .run = run}, job);
    }
};

std::string textOfAll(const FinishedSets& sets) {
    std::string text;
    for (const FinishedSet& set : sets.sets) {
        text += std::to_string(set.set);
        for (const auto& [key, value] : set.values) {
            const double* number = std::get_if<double>(&value);
            text += " " + key + "=" + (number ? fmt::format("{:a}", *number) : std::get<std::string>(value));
        }
    }
    return text;
}

// A second call after a stop at three sets runs only the others, and all numbers have the same bits.
TEST(Sets, GoOnWhereTheyWereStopped) {
    const tests::ScratchFolder folder;
    ReproduceOptions options{.assetsFolder = {}, .setsFile = folder.file("sets.ndjson")};
    Counted whole, first{.stopAfter = 3}, second;
    const auto atOnce = whole("one", {.assetsFolder = {}});
    ASSERT_TRUE(atOnce);
    const auto some = first("one", options);
    ASSERT_TRUE(some) << some.error().text();
    EXPECT_TRUE(some->stopped);
    EXPECT_EQ(some->sets.size(), 3u);
    const auto all = second("one", options);
    ASSERT_TRUE(all) << all.error().text();
    EXPECT_FALSE(all->stopped);
    EXPECT_EQ(second.runs, 4);
    EXPECT_EQ(textOfAll(*all), textOfAll(*atOnce));

    Counted more;
    options.sets = 9;
    ASSERT_EQ(more("one", options)->sets.size(), 9u);
    EXPECT_EQ(more.runs, 2);
}

TEST(Sets, ALineThatWasCutOffIsRunAgainAndOneThatIsDamagedIsAnError) {
    const tests::ScratchFolder folder;
    const ReproduceOptions options{.assetsFolder = {}, .setsFile = folder.file("sets.ndjson")};
    Counted first;
    const auto all = first("one", options);
    ASSERT_TRUE(all);
    const std::string text = *readFile(options.setsFile);
    for (const std::string& damaged : {text.substr(0, text.size() - 20), text.substr(0, text.size() - 20) + "\n"}) {
        std::FILE* file = std::fopen(options.setsFile.c_str(), "wb");
        std::fwrite(damaged.data(), 1, damaged.size(), file);
        std::fclose(file);
        Counted again;
        const auto healed = again("one", options);
        ASSERT_TRUE(healed) << healed.error().text();
        EXPECT_EQ(again.runs, 1);
        EXPECT_EQ(textOfAll(*healed), textOfAll(*all));
        EXPECT_EQ(*readFile(options.setsFile), text);
    }
    std::string middle = text;
    middle.replace(middle.find("\"set\":2"), 5, "rubbish");
    ASSERT_TRUE(writeFile(options.setsFile, middle, {}));
    const auto refused = Counted()("one", options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().line, 4);
    EXPECT_EQ(*readFile(options.setsFile), middle);
}

// A file of another experiment, seed or size is refused with a message and stays unchanged.
TEST(Sets, AFileOfOtherSetsIsRefused) {
    const tests::ScratchFolder folder;
    const ReproduceOptions options{.assetsFolder = {}, .setsFile = folder.file("sets.ndjson")};
    ASSERT_TRUE(Counted()("one", options));
    const std::string text = *readFile(options.setsFile);
    const auto message = [&](const std::string& experiment, const ReproduceOptions& other) {
        const auto refused = Counted()(experiment, other);
        EXPECT_FALSE(refused);
        EXPECT_EQ(*readFile(options.setsFile), text);
        return refused ? std::string() : refused.error().text();
    };
    EXPECT_NE(message("two", options).find("experiment 'one', not of 'two'"), std::string::npos);
    ReproduceOptions other = options;
    other.seed = 2;
    EXPECT_NE(message("one", other).find("seed 1, not of 2"), std::string::npos);
    other = options;
    other.quick = true;
    EXPECT_NE(message("one", other).find("quick 0, not of 1"), std::string::npos);
    ASSERT_TRUE(writeFile(options.setsFile, "integrator.dt = 1", {}));
    EXPECT_FALSE(Counted()("one", options));
    EXPECT_EQ(*readFile(options.setsFile), "integrator.dt = 1");
    const std::string half = text + "{\"set\":0.5,\"a\":1}\n";
    ASSERT_TRUE(writeFile(options.setsFile, half, {}));
    const auto refused = Counted()("one", options);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().text().find("its number is not that of a set"), std::string::npos);
    EXPECT_EQ(*readFile(options.setsFile), half);
}

TEST(Sets, AreDrawnBySeedAndNumber) {
    const ReproduceOptions one, same;
    ReproduceOptions other;
    other.seed = 2;
    EXPECT_EQ(randomStream(one, 3)(), randomStream(same, 3)());
    EXPECT_NE(randomStream(one, 3)(), randomStream(one, 4)());
    EXPECT_NE(randomStream(one, 3)(), randomStream(other, 3)());
}

// Each round has all of the values, in its own order.
TEST(Sets, AreStratifiedSoThatEachValueOccursEquallyOften) {
    const std::vector values{1, 2, 3, 4, 5};
    const auto round = [&](int parameter, int number, int seed) {
        ReproduceOptions options;
        options.seed = seed;
        std::vector<int> out;
        out.reserve(5);
        for (int k = 0; k < 5; ++k) out.push_back(stratified(options, parameter, 5 * number + k, values));
        return out;
    };
    std::set<std::vector<int>> orders;
    for (int parameter = 0; parameter < 4; ++parameter)
        for (int number = 0; number < 4; ++number) {
            std::vector<int> drawn = round(parameter, number, 1);
            EXPECT_EQ(drawn, round(parameter, number, 1));
            orders.insert(drawn);
            std::sort(drawn.begin(), drawn.end());
            EXPECT_EQ(drawn, values);
        }
    EXPECT_GT(orders.size(), 10u);  // of 16; two may be the same by chance
    EXPECT_NE(round(0, 0, 1), round(0, 0, 2));
}

// Figures 5.3 to 5.6 show the same sets, so the sets run for one figure serve the others.
TEST(Sets, FiguresOfOneExperimentShareAFile) {
    const tests::ScratchFolder folder;
    ReproduceOptions options = testing::optionsFor(6);
    options.sets = 3;
    options.setsFile = folder.file("sets.ndjson");
    ASSERT_TRUE(reproduce("boxerman-figure-5.3", options));
    int shown = 0;
    const auto again =
        reproduce("boxerman-figure-5.4", options, {.progress = [&](std::string_view, double) { ++shown; }});
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(shown, 0);
    EXPECT_FALSE(reproduce("boxerman-figure-5.7", options));
    const auto none = reproduce("ye-table-1", options);
    ASSERT_FALSE(none);
    EXPECT_FALSE(none.error().choices.empty());
}

}  // namespace
}  // namespace clothlab::papers
