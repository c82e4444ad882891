#include <fmt/format.h>

#include <cstdlib>

#include "bench.hpp"

namespace clothlab::bench {

Frame makeFrame(const FrameOf& of) {
    auto scene = scene::findScene(of.scene, std::string(CLOTHLAB_SOURCE_DIR) + "/assets");
    const auto need = [](auto&& result) {
        if (result) return;
        fmt::print(stderr, "{}\n", result.error().text());
        std::exit(2);
    };
    need(scene);
    // Ye, Table 2, the largest mesh.
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
    Frame frame{std::move(*simulation), {}};
    simulation::Simulation& s = *frame.simulation;
    const auto step = [&s](bool keep) {
        if (s.step({.keepSystem = keep, .hash = false}).status < integrators::StepStatus::Diverged) return;
        fmt::print(stderr, "the frame could not be made: {}\n", s.lastReport().message);
        std::exit(1);
    };
    if (of.carefully) {
        // At its own step a stiff and fine sheet overshoots where the ball hits, up to the guard.
        constexpr int kParts = 4;
        const scene::Settings own = s.settings();
        scene::Settings careful = own;
        careful.integrator.dt /= kParts;
        careful.material.jacSlack = true;
        careful.solver.tolerance = 1e-6;
        s.apply(careful);
        for (int k = 0; k < kParts * (of.steps - 2); ++k) step(false);
        s.apply(own);
    }
    for (int k = of.carefully ? of.steps - 2 : 0; k < of.steps; ++k) step(k == of.steps - 1);
    frame.system = *s.systemOfLastStep();
    return frame;
}

}  // namespace clothlab::bench
