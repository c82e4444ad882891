#include <gtest/gtest.h>

#include <cmath>

#include "scene/scene.hpp"
#include "widgets/numbers.hpp"

// The values to which arrow keys lead.
namespace clothlab::app::widgets {
namespace {

const FieldMeta kLogarithmic{.label = "", .min = 0, .max = 1e6, .logarithmic = true};
const FieldMeta kLinear{.label = "", .min = -50, .max = 50, .sliderMin = -20, .sliderMax = 20};

double up(const FieldMeta& meta, double value, KeyStep step = KeyStep::Usual) {
    return keyStepped(meta, false, value, 1, step);
}
double down(const FieldMeta& meta, double value, KeyStep step = KeyStep::Usual) {
    return keyStepped(meta, false, value, -1, step);
}

TEST(KeyStep, LeadsToRoundNumbers) {
    EXPECT_EQ(up(kLogarithmic, 1000), 1100);
    EXPECT_EQ(up(kLogarithmic, 1234), 1300);
    EXPECT_EQ(down(kLogarithmic, 1000), 990);
    EXPECT_EQ(up(kLogarithmic, 1000, KeyStep::Coarse), 2000);
    EXPECT_EQ(up(kLogarithmic, 1000, KeyStep::Fine), 1010);
    EXPECT_EQ(up(kLogarithmic, 0.3), 0.31);
    EXPECT_EQ(up(kLinear, 0), 1);
    EXPECT_EQ(down(kLinear, -9.81), -10);
    EXPECT_EQ(down(kLinear, -9.81, KeyStep::Fine), -9.9);
    EXPECT_EQ(up(kLinear, 20), 21) << "beyond the slider, within the range";
    EXPECT_EQ(up(kLinear, 50), 50);
    EXPECT_EQ(up(kLogarithmic, 0), 10) << "the first value after zero";
    EXPECT_EQ(down(kLogarithmic, 10), 0);
    EXPECT_EQ(down(kLogarithmic, 0), 0);
    const FieldMeta whole{.label = "", .min = 1, .max = 10000, .logarithmic = true};
    EXPECT_EQ(keyStepped(whole, true, 5, 1, KeyStep::Usual), 6);
    EXPECT_EQ(keyStepped(whole, true, 500, -1, KeyStep::Fine), 499);
}

/// Every number of the settings can be stepped from end to end, and each key press changes it.
TEST(KeyStep, GetsStuckNowhere) {
    scene::Settings settings;
    FieldList list;
    describe(settings, list);
    for (const Field& field : list.fields()) {
        const bool integer = std::holds_alternative<int*>(field.ref);
        if (!integer && !std::holds_alternative<double*>(field.ref)) continue;
        for (const KeyStep step : {KeyStep::Usual, KeyStep::Coarse, KeyStep::Fine})
            for (const int direction : {1, -1}) {
                const SliderScale scale = SliderScale::of(field.meta, integer);
                const double end = direction > 0 ? scale.max : scale.min;
                double value = direction > 0 ? scale.min : scale.max;
                for (int k = 0; k < 60000 && direction * (end - value) > 0; ++k) {
                    const double next = keyStepped(field.meta, integer, value, direction, step);
                    ASSERT_GT(direction * (next - value), 0) << field.key << " at " << value;
                    ASSERT_TRUE(next >= field.meta.min && next <= field.meta.max) << field.key << " at " << value;
                    ASSERT_TRUE(!integer || next == std::round(next)) << field.key << " at " << value;
                    value = next;
                }
                if (step != KeyStep::Fine) {
                    EXPECT_GE(direction * (value - end), 0) << field.key;
                }
            }
    }
}

}  // namespace
}  // namespace clothlab::app::widgets
