#include "worker/particle_fields.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "simulation/scenes.hpp"

namespace clothlab::app::worker {
namespace {

TEST(ParticleFields, AreANumberForEachParticleOfACurtainThatSwings) {
    const auto simulation = testing::simulate("curtain", {"cloth.rows=17"});
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
        EXPECT_GT(high, low) << entry.key << " shows one colour";
        EXPECT_LE(field.position(high), 1.001f) << entry.key;
        EXPECT_GT(field.position(high), 0.1f) << entry.key << " uses the dark end alone";
        EXPECT_FALSE(field.label.empty()) << entry.key;
    }
    EXPECT_GE(fields, 2);
}

}  // namespace
}  // namespace clothlab::app::worker
