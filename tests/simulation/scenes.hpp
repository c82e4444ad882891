#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "simulation/simulation.hpp"

namespace clothlab::testing {

/// Under a sanitizer each step takes ten to twenty times as long: tests of whole scenes then use small cloths and few
/// steps.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// A built-in scene with overrides, as a simulation.
inline std::unique_ptr<simulation::Simulation> simulate(const std::string& scene,
                                                        const std::vector<const char*>& overrides = {}, int threads = 1,
                                                        Index inlineRows = WorkerPool::kDefaultInlineRows) {
    auto read = scene::findScene(scene, CLOTHLAB_SOURCE_DIR "/assets");
    EXPECT_TRUE(read) << (read ? "" : read.error().text());
    for (const char* assignment : overrides) {
        const auto applied = scene::applyOverride(*read, assignment);
        EXPECT_TRUE(applied) << (applied ? "" : applied.error().text());
    }
    auto simulation = simulation::Simulation::create(*read, threads, inlineRows);
    EXPECT_TRUE(simulation) << (simulation ? "" : simulation.error().text());
    return std::move(*simulation);
}

}  // namespace clothlab::testing
