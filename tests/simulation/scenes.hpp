#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "simulation/simulation.hpp"
#include "support/sanitizers.hpp"

namespace clothlab::testing {

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
