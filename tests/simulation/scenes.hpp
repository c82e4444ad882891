#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "simulation/simulation.hpp"
#include "support/sanitizers.hpp"

namespace clothlab::testing {

/// A built-in scene with overrides.
inline scene::Scene sceneWith(const std::string& name, const std::vector<const char*>& overrides = {}) {
    auto read = scene::findScene(name, CLOTHLAB_SOURCE_DIR "/assets");
    EXPECT_TRUE(read) << (read ? "" : read.error().text());
    for (const char* assignment : overrides) {
        const auto applied = scene::applyOverride(*read, assignment);
        EXPECT_TRUE(applied) << (applied ? "" : applied.error().text());
    }
    return std::move(*read);
}

inline std::unique_ptr<simulation::Simulation> simulate(scene::Scene scene, int threads = 1,
                                                        Index inlineRows = WorkerPool::kDefaultInlineRows) {
    auto simulation = simulation::Simulation::create(std::move(scene), threads, inlineRows);
    EXPECT_TRUE(simulation) << (simulation ? "" : simulation.error().text());
    return std::move(*simulation);
}

/// The same as a simulation, without the floor of a room: most tests count the solids that cloth meets.
inline std::unique_ptr<simulation::Simulation> simulate(const std::string& name,
                                                        const std::vector<const char*>& overrides = {}, int threads = 1,
                                                        Index inlineRows = WorkerPool::kDefaultInlineRows) {
    scene::Scene scene = sceneWith(name, overrides);
    scene::removeRoomFloor(scene);
    return simulate(std::move(scene), threads, inlineRows);
}

/// Three sheets of 9 x 9 particles, 5 cm apart, that fall freely: two of them 3 mm from each other, less than the
/// thickness of 5 mm, the third 20 cm above. Contact of the cloth with itself is robust.
inline std::unique_ptr<simulation::Simulation> threeSheets() {
    std::string text = "steps = 10\n[integrator]\ndt = 0.005\n[contact]\nself_collision = \"robust\"\n";
    for (const char* origin : {"0, 0, 0", "0.013, 0.003, 0.017", "0.02, 0.2, 0.01"})
        text += fmt::format(
            "[[cloth]]\nrows = 9\ncolumns = 9\nside = 0.4\ncolumn_axis = [1, 0, 0]\nrow_axis = [0, 0, 1]\n"
            "origin = [{}]\n",
            origin);
    auto scene = scene::readSceneText(text, "three-sheets.toml");
    EXPECT_TRUE(scene) << (scene ? "" : scene.error().text());
    auto simulation = simulation::Simulation::create(*scene, 1);
    EXPECT_TRUE(simulation) << (simulation ? "" : simulation.error().text());
    return std::move(*simulation);
}
inline constexpr Index kSheet = 81;  ///< particles of each

}  // namespace clothlab::testing
