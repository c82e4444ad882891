#include <cmath>

#include "papers/boxerman/boxerman.hpp"
#include "preconditioners/kind.hpp"

/// [B] §5.2: what the corrections of MPCG save.
namespace clothlab::papers::boxerman {

using preconditioners::PreconditionerKind;

constinit const std::array<PreconditionerKind, 3> kPreconditioners{
    PreconditionerKind::Identity, PreconditionerKind::BlockJacobi, PreconditionerKind::ConstrainedBlock};

namespace {

using solvers::MpcgVariant;

struct Instance {
    const char* scene;
    double dt;         ///< s
    bool tensionOnly;  ///< springs that switch on and off, or springs that act both ways
};

Expected<void> addIterations(const Instance& instance, int side, double seconds, Job& job,
                             std::vector<ReproductionRow>& rows) {
    auto scene = paperScene(instance.scene, job, square(side));
    if (!scene) return fail(scene.error());
    // What [1] of the thesis stopped at is not printed, and a start saves more, the earlier one stops.
    const double tolerance = computeTolerance(Reading::TolSquaredIsCk, instance.dt);
    scene->settings.material.tensionOnly = instance.tensionOnly;
    stepWith(*scene, instance.dt, mpcg(tolerance, PreconditionerKind::Jacobi));
    double original = 0, fromZ = 0, corrected = 0, systems = 0;
    const auto after = [&](const Simulation& simulation) {
        const linalg::LinearSystem system = simulation.systemOfLastStep()->view();
        const auto count = [&](MpcgVariant variant, bool warm) {
            const Method method = mpcg(tolerance, PreconditionerKind::Jacobi, variant, warm);
            return timeSolve(method, system, 0, job).iterations;
        };
        original += count(MpcgVariant::Original, true);
        fromZ += count(MpcgVariant::Corrected, false);
        corrected += count(MpcgVariant::Corrected, true);
        ++systems;
    };
    const int steps = int(std::lround(seconds / instance.dt));
    auto stepped = walk(std::move(scene), {.steps = steps, .systemsFrom = 1, .after = after}, job);
    if (!stepped && (systems == 0 || job.stopped())) return stepped;
    rows.push_back({{{"scene", instance.scene},
                     {"springs", instance.tensionOnly ? "tension only" : "both ways"},
                     {"dt_ms", 1e3 * instance.dt}},
                    {{"systems", systems},
                     {"original_iterations", original / systems},
                     {"corrected_from_z", fromZ / systems},
                     {"corrected_iterations", corrected / systems},
                     {"ratio", corrected / original}}});
    if (!stepped) rows.back().ours.emplace_back("status", "stopped by the guard");
    return {};
}

}  // namespace

Expected<Reproduction> savedByCorrections(Job& job) {
    const int side = job.side(41, 21);
    const double seconds = job.options.quick ? 0.5 : 1;
    std::vector<Instance> instances;
    for (const char* scene : {"hang", "drape-table", "ball-hit"})
        for (const bool tensionOnly : {true, false})
            for (const double dt : {0.0025, 0.005, 0.01}) instances.push_back({scene, dt, tensionOnly});
    job.tell("side", side, "seconds", seconds);
    return tableOfCases(
        instances, job, [](const Instance& i) { return fmt::format("{}, h = {:g} ms", i.scene, 1e3 * i.dt); },
        [&](const Instance& i, auto& rows) { return addIterations(i, side, seconds, job, rows); });
}

}  // namespace clothlab::papers::boxerman
