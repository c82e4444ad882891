#include <fmt/format.h>

#include <cstdlib>

#include "bench.hpp"

namespace clothlab::bench {

Frame makeFrame() {
    auto scene = scene::findScene("hang", std::string(CLOTHLAB_SOURCE_DIR) + "/assets");
    const auto need = [](auto&& result) {
        if (result) return;
        fmt::print(stderr, "{}\n", result.error().text());
        std::exit(2);
    };
    need(scene);
    // Ye, Table 2, the largest mesh.
    for (const char* assignment :
         {"cloth.rows=161", "cloth.columns=161", "material.particle_mass=9.5e-6", "material.stretch_stiffness=6000",
          "material.shear_stiffness=0.3", "material.bend_stiffness=0.05", "material.bend_model=linear-compression",
          "integrator.dt=0.00367", "solver.kind=mpcg", "preconditioner.kind=jacobi", "solver.tolerance=1e-3"})
        need(scene::applyOverride(*scene, assignment));
    auto simulation = simulation::Simulation::create(*scene, 1);
    need(simulation);
    Frame frame{std::move(*simulation), {}};
    for (int step = 0; step < 40; ++step) frame.simulation->step({.keepSystem = step == 39, .hash = false});
    if (!frame.simulation->systemOfLastStep()) {
        fmt::print(stderr, "the frame could not be made: {}\n", frame.simulation->lastReport().message);
        std::exit(1);
    }
    frame.system = *frame.simulation->systemOfLastStep();
    return frame;
}

}  // namespace clothlab::bench
