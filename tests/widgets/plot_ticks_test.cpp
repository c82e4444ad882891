#include <gtest/gtest.h>

#include <cmath>

#include "widgets/plots/plot.hpp"

namespace clothlab::app::widgets {
namespace {

constexpr float kLine = 13;

/// Labels of one line's height do not overlap in plots of any height, and there are at least two where two fit.
void expectLegible(Axis axis, float height, const std::string& what) {
    const auto labels =
        placeLabels(axis, {height, -0.2f * kLine, height + 0.5f * kLine, 1}, [](const std::string&) { return kLine; });
    ASSERT_FALSE(labels.empty()) << what;
    for (std::size_t i = 1; i < labels.size(); ++i) {
        EXPECT_GE(labels[i].from, labels[i - 1].to) << what << ": " << labels[i - 1].text << " and " << labels[i].text;
        EXPECT_NE(labels[i].text, labels[i - 1].text) << what;
    }
    EXPECT_GE(labels.size(), height > 3 * kLine ? 2u : 1u) << what;
    EXPECT_EQ(labels.size(), axis.ticks.size()) << what << ": a line without a number";
    for (const TickLabel& label : labels)
        EXPECT_NEAR(std::clamp(float(axis.position(label.value)) * height, label.from, label.to),
                    axis.position(label.value) * height, 1.0)
            << what << ": the words are not at their tick";
}

TEST(PlotTicks, NoLabelLiesOnAnotherInPlotsOfAnyHeight) {
    for (float height = 20; height < 700; height += 6) {
        const int ticks = std::clamp(int(height / (kLine * 1.7f)), 1, 9);
        for (const double low : {1e-12, 3e-6, 0.02, 0.2, 0.9, 2.0, 13.0})
            for (const double ratio : {1.0, 1.05, 1.7, 3.0, 9.0, 40.0, 700.0, 2e4, 3e9}) {
                const std::string what =
                    std::to_string(height) + " px, " + std::to_string(low) + " to " + std::to_string(low * ratio);
                expectLegible(logAxis(low, low * ratio, ticks), height, "log " + what);
                expectLegible(fineLogAxis(low, low * ratio, ticks), height, "fine log " + what);
                expectLegible(linearAxis(low, low * ratio, ticks, false), height, "linear " + what);
                expectLegible(linearAxis(-low, low * ratio, ticks, true), height, "linear from zero " + what);
            }
    }
}

TEST(PlotTicks, WideNumbersKeepApartAlongX) {
    const auto width = [](const std::string& words) { return 7.0f * float(words.size()); };
    for (float length = 60; length < 900; length += 20)
        for (const double from : {0.0, 120.0, 19700.0})
            for (const double range : {5.0, 300.0, 2e6}) {
                Axis axis = fixedAxis(from, from + range, std::max(2, int(length / 60)), true);
                const auto labels = placeLabels(axis, {length, -2, length, 6}, width);
                for (std::size_t i = 1; i < labels.size(); ++i) EXPECT_GE(labels[i].from, labels[i - 1].to + 6);
                for (const TickLabel& label : labels)
                    EXPECT_TRUE(label.from >= -2 && (label.to <= length || labels.size() == 1));
            }
}

TEST(PlotTicks, ALogarithmicAxisKeepsItsDecadesBeforeWhatLiesBetween) {
    Axis axis = fineLogAxis(0.15, 180, 9);
    const auto labels = placeLabels(axis, {60, 0, 60, 1}, [](const std::string&) { return kLine; });
    for (const TickLabel& label : labels)
        EXPECT_NEAR(std::log10(label.value), std::round(std::log10(label.value)), 1e-9) << label.text;
    EXPECT_GE(labels.size(), 2u);
}

TEST(PlotTicks, ALowPlotOfStepsThatVaryCountsItsDecades) {
    Axis axis = fineLogAxis(0.25, 160, 3);
    std::string words;
    for (const TickLabel& label : placeLabels(axis, {70, -3, 77, 1}, [](const std::string&) { return kLine; }))
        words += label.text + " ";
    EXPECT_EQ(words, "1 10 100 ");
}

}  // namespace
}  // namespace clothlab::app::widgets
