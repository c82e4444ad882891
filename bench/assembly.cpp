#include "bench.hpp"

namespace clothlab::bench {

void assemblyRatios(const Frame& frame, std::vector<Ratio>& out) {
    const simulation::Simulation& simulation = *frame.simulation;
    cloth::ForceModel forces;
    forces.configure(simulation.model(), simulation.materials(), {});
    WorkerPool one(1);
    const double h = simulation.settings().integrator.dt;
    const integrators::SimulationState& state = simulation.state();
    const cloth::Environment environment{.gravity = simulation.settings().gravity, .wind = {}, .time = state.time};
    linalg::BlockMatrix A;
    linalg::BlockVector b;
    const auto assemble = [&] {
        forces.assemble(environment, {state.x, state.v, state.v},
                        {.damping = h, .stiffness = h * h, .force = h, .stiffnessVector = h * h}, {A, b}, one);
    };
    assemble();
    MemoryReader reader(76 * std::size_t(A.occupiedBlocks()));
    out.push_back(compare(
        "assembly_vs_memory_1t", assemble, [&] { reader.read(); }, 31));
}

}  // namespace clothlab::bench
