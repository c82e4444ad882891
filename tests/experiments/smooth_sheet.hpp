#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scene/scene.hpp"

namespace clothlab::testing {

inline scene::Scene sceneNamed(const std::string& name, const std::vector<const char*>& sets = {}) {
    auto scene = scene::findScene(name, CLOTHLAB_SOURCE_DIR "/assets");
    EXPECT_TRUE(scene) << (scene ? "" : scene.error().text());
    for (const char* assignment : sets) EXPECT_TRUE(scene::applyOverride(*scene, assignment)) << assignment;
    return *scene;
}

/// A smooth motion that every method resolves: bilateral springs, linear bend and damping, two held sides, bent by
/// gravity.
inline scene::Scene smoothSheet() {
    return sceneNamed("chen", {"material.stretch_stiffness=50", "material.shear_stiffness=20",
                               "material.bend_stiffness=1", "material.tension_only=false", "material.bend_model=linear",
                               "material.damping_model=unprojected", "material.stretch_damping=0.01",
                               "material.particle_mass=0.03", "gravity=0,-9.81,0", "solver.tolerance=1e-11"});
}

}  // namespace clothlab::testing
