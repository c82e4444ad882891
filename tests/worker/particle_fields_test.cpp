#include "worker/snapshots/particle_fields.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "simulation/scenes.hpp"

namespace clothlab::app::worker {
namespace {

TEST(ParticleFields, AreANumberForEachParticleOfACurtainThatSwings) {
    const auto simulation = testing::simulate("curtain", {"cloth.rows=17"});
    ASSERT_TRUE(simulation->paint(scene::paint({}, {}, 0, std::vector<Index>{3, 4, 5}, {})));
    for (int step = 0; step < 8; ++step) simulation->step();
    int fields = 0;
    for (const EnumEntry& entry : scene::kOverlayKinds) {
        const auto kind = scene::OverlayKind(entry.value);
        ParticleField field{.values = {1, 2, 3}, .from = 7, .logarithmic = true, .label = "old"};
        fillField(kind, *simulation, field);
        if (!hasField(kind)) {
            EXPECT_TRUE(field.values.empty() && field.label.empty()) << entry.key;
            continue;
        }
        ++fields;
        ASSERT_EQ(field.values.size(), std::size_t(simulation->model().particles())) << entry.key;
        const auto [low, high] = std::ranges::minmax(field.values);
        EXPECT_TRUE(std::isfinite(low) && std::isfinite(high)) << entry.key;
        EXPECT_GT(high, low) << entry.key << " shows only one colour";
        EXPECT_LE(field.position(high), 1.001f) << entry.key;
        EXPECT_GT(field.position(high), 0.1f) << entry.key << " uses only the dark end";
        EXPECT_FALSE(field.label.empty()) << entry.key;
    }
    EXPECT_GE(fields, 2);
}

TEST(ParticleFields, ARegionIsNumberedByTheUppermost) {
    const auto simulation = testing::simulate("hang", {"cloth.rows=5", "cloth.columns=5"});
    ParticleField field;
    fillField(scene::OverlayKind::Regions, *simulation, field);
    EXPECT_TRUE(field.values.empty()) << "there are no regions";
    EXPECT_NE(field.absence.find("one material"), std::string::npos);
    scene::Painting painting = scene::paint({}, {}, 0, std::vector<Index>{3, 4, 5}, {});
    painting = scene::paint(painting, {.effect = scene::BrushEffect::Weight}, 0, std::vector<Index>{5, 6}, {});
    ASSERT_TRUE(simulation->paint(painting));
    fillField(scene::OverlayKind::Regions, *simulation, field);
    const std::vector<float> first(field.values.begin(), field.values.begin() + 8);
    EXPECT_EQ(first, (std::vector<float>{0, 0, 0, 1, 1, 2, 2, 0}));
    EXPECT_EQ(field.to, 2);
    EXPECT_TRUE(field.absence.empty());
}

}  // namespace
}  // namespace clothlab::app::worker
