#include <fmt/format.h>

#include <cstdlib>

#include "bench.hpp"
#include "experiments/systems/freeze.hpp"

namespace clothlab::bench {

Frame makeFrame(const FrameOf& of) {
    auto scene = scene::findScene(of.scene, std::string(CLOTHLAB_SOURCE_DIR) + "/assets");
    if (scene) scene::removeRoomFloor(*scene);
    const auto need = [](auto&& result) {
        if (result) return;
        fmt::print(stderr, "{}\n", result.error().text());
        std::exit(2);
    };
    need(scene);
    // The largest mesh of Ye, Table 2.
    std::vector<std::string> assignments{fmt::format("cloth.rows={}", of.side),
                                         fmt::format("cloth.columns={}", of.side),
                                         fmt::format("material.stretch_stiffness={}", of.stiffness)};
    for (const char* assignment :
         {"material.particle_mass=9.5e-6", "material.shear_stiffness=0.3", "material.bend_stiffness=0.05",
          "material.bend_model=linear-compression", "integrator.dt=0.00367", "solver.tolerance=1e-3"})
        assignments.emplace_back(assignment);
    assignments.push_back(fmt::format("solver.kind={}", of.solver));
    assignments.push_back(fmt::format("preconditioner.kind={}", of.preconditioner));
    for (const std::string& assignment : assignments) need(scene::applyOverride(*scene, assignment));
    auto simulation = simulation::Simulation::create(*scene, 1);
    need(simulation);
    simulation::Simulation& s = **simulation;
    const scene::Settings own = s.settings();
    if (of.carefully) {
        // With one linear solve per step, a stiff and fine sheet is thrown away where the ball hits.
        scene::Settings careful = own;
        careful.integrator.activeSet = 6;
        careful.solver.tolerance = 1e-6;
        s.apply(careful);
    }
    const auto before = [&](int step) {
        if (of.carefully && step == of.steps - 1) s.apply(own);
        return true;
    };
    auto frozen = experiments::freezeStep(s, of.steps, {.before = before});
    if (!frozen) {
        fmt::print(stderr, "the frame could not be made: {}\n", frozen.error().message);
        std::exit(1);
    }
    return {std::move(*simulation), std::move(frozen->system)};
}

}  // namespace clothlab::bench
