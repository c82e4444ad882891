#include "papers/liu/neighbours.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "integrators/kind.hpp"
#include "solvers/kind.hpp"

namespace clothlab::papers::liu {

using integrators::IntegratorKind;

Expected<std::unique_ptr<Simulation>> toLastDigits(const char* scene, int side, IntegratorKind kind, int iterations,
                                                   double velocityKept, Job& job) {
    auto simulation = startSimulation(paperScene(scene, job, square(side)), job);
    if (!simulation) return simulation;
    scene::Settings settings = (*simulation)->settings();
    settings.integrator.kind = kind;
    for (int* passes : {&settings.integrator.fastMassSpring.iterations, &settings.integrator.vbd.iterations,
                        &settings.integrator.pbd.iterations, &settings.integrator.xpbd.iterations})
        *passes = iterations;
    settings.integrator.fastMassSpring.velocityKept = velocityKept;
    settings.integrator.newton = {.maxIterations = 100, .tolerance = 1e-8};
    settings.solver = {.kind = solvers::SolverKind::Cholesky};
    (*simulation)->apply(settings);
    return simulation;
}

namespace {

Expected<std::unique_ptr<Simulation>> curtain(IntegratorKind kind, int iterations, double velocityKept, Job& job) {
    return toLastDigits("liu-curtain", job.side(41, 21), kind, iterations, velocityKept, job);
}

/// Mean strain of the stretch springs that are stretched, and the largest one.
std::pair<double, double> measureStrain(const Simulation& simulation) {
    double sum = 0, largest = 0;
    Index stretched = 0;
    for (const cloth::Spring& s : simulation.model().springs) {
        if (s.family != cloth::SpringFamily::Stretch) continue;
        const auto& x = simulation.state().x;
        const double strain = (x[s.j] - x[s.i]).norm() / s.restLength - 1;
        if (!(strain > 0)) continue;
        sum += strain;
        largest = std::max(largest, strain);
        ++stretched;
    }
    return {sum / double(std::max<Index>(stretched, 1)), largest};
}

}  // namespace

Expected<Reproduction> pbdStiffness(Job& job) {
    constexpr double kDrag = 0.9;  // so that it hangs still within the steps
    const int steps = job.choose(150, 100, 10);
    Reproduction out;
    const auto add = [&](IntegratorKind kind, int iterations) -> Expected<void> {
        auto simulation = curtain(kind, iterations, kDrag, job);
        if (!simulation) return fail(simulation.error());
        job.say(fmt::format("{}, {} iterations", enumLabel(kind), iterations), 0);
        if (auto done = walk(**simulation, {.steps = steps}, job); !done) {
            if (job.stopped()) return fail(done.error());
            out.notes.push_back(
                job.note("method", {{"method", std::string(enumLabel(kind))},
                                    {"iterations", fmt::format("{} iteration{}", iterations, plural(iterations))},
                                    {"step", double((*simulation)->lastReport().step)}}));
            return {};
        }
        const auto [mean, largest] = measureStrain(**simulation);
        out.rows.push_back({{{"method", std::string(enumKey(kind))}, {"iterations", double(iterations)}},
                            {{"mean_strain_percent", 100 * mean}, {"max_strain_percent", 100 * largest}}});
        return {};
    };
    for (const IntegratorKind kind : {IntegratorKind::Pbd, IntegratorKind::Xpbd, IntegratorKind::FastMassSpring})
        for (const int iterations : {1, 3, 10, 30, 100, 300}) {
            if (iterations > job.choose(300, 100, 10)) break;
            if (auto done = add(kind, iterations); !done) return fail(done.error());
        }
    if (auto done = add(IntegratorKind::FastMassSpring, job.choose(1000, 1000, 20)); !done) return fail(done.error());
    job.tell("steps", steps);
    return out;
}

Expected<Reproduction> midpoint(Job& job) {
    constexpr double kStep = 0.002;  // s: at 33 ms the rule flies apart
    const int steps = job.choose(1000, 600, 20), iterations = job.choose(100, 50, 20);
    Reproduction out;
    std::vector<std::vector<double>> energies;
    for (const IntegratorKind kind : {IntegratorKind::FastMassSpring, IntegratorKind::FastMassSpringMidpoint}) {
        auto simulation = curtain(kind, iterations, 1, job);
        if (!simulation) return fail(simulation.error());
        scene::Settings settings = (*simulation)->settings();
        settings.integrator.dt = kStep;
        (*simulation)->apply(settings);
        job.say(std::string(enumLabel(kind)), 0);
        std::vector<double> totals;
        const auto after = [&](const Simulation& s) { totals.push_back(s.lastReport().totalJ()); };
        if (auto done = walk(**simulation, {.steps = steps, .after = after}, job); !done) return fail(done.error());
        energies.push_back(std::move(totals));
    }
    for (int n = 0; n < steps; n += std::max(1, steps / 10))
        out.rows.push_back({{{"seconds", kStep * (n + 1)}},
                            {{"fast_mass_spring_J", energies[0][n]}, {"fast_mass_spring_midpoint_J", energies[1][n]}}});
    job.tell("iterations", iterations, "dt_ms", 1e3 * kStep);
    return out;
}

}  // namespace clothlab::papers::liu
