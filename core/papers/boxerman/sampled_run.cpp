#include "papers/boxerman/sampled_run.hpp"

namespace clothlab::simulation::boxerman {
namespace {

/// Of the sheet, m.
Vec3 middleFromAbove(const Simulation& simulation) {
    const linalg::BlockVector& x = simulation.state().x;
    Vec3 sum = Vec3::Zero();
    for (Index i = 0; i < x.size(); ++i) sum += x[i];
    return Vec3(sum.x(), 0, sum.z()) / double(x.size());
}

double heldShare(const linalg::FrozenSystem& system) {
    const auto held = std::ranges::count_if(system.constraints.constrained(),
                                            [](const linalg::DofConstraint& c) { return c.ndof == 0; });
    return double(held) / system.A.rows();
}

/// Solves one system by all readings.
void addSolves(SampledRun::OfImplicit& sums, const linalg::FrozenSystem& system, std::vector<BothWays>& both, int pairs,
               Job& job) {
    for (std::size_t r = 0; r < both.size(); ++r) {
        const BothWays::Counts counts = both[r].solve(system.view(), pairs, job);
        sums.readings[r].whole += counts.whole;
        sums.readings[r].decomposed += counts.decomposed;
        sums.readings[r].skipping += counts.whole * (1 - heldShare(system));
        if (r > 0) continue;
        sums.components += counts.components;
        sums.largest += double(counts.largest) / system.A.rows();
        sums.wholeMs += counts.wholeMs;
        sums.decomposedMs += counts.decomposedMs;
    }
}

}  // namespace

Expected<SampledRun> runSampled(const Cloth& cloth, const scene::Scene& scene, const Extent& extent,
                                const Sampling& sampling, Job& job) {
    auto made = Simulation::create(scene, job.options.threads);
    if (!made) return tl::unexpected(made.error());
    Simulation& simulation = **made;
    std::vector<BothWays> both;
    for (int r = 0; r < sampling.readings; ++r)
        both.emplace_back(toleranceOf(kReadings[static_cast<std::size_t>(r)], cloth.dt));
    SampledRun out;
    const int steps = extent.steps(cloth.dt), every = extent.sampledEvery(cloth.dt);
    const Vec3 middle = middleFromAbove(simulation);
    for (int step = 1; step <= steps && !out.diverged; ++step) {
        const bool sampled = step % every == 0;
        for (std::size_t i = 0; sampled && i < (sampling.stretchAlone ? kImplicits.size() : 1); ++i) {
            const auto system = systemOfNextStep(simulation, Implicit{int(i)}, job);
            if (!system) return tl::unexpected(system.error());
            if (i == 0) out.held += heldShare(*system);
            addSolves(out.sums[i], *system, both, sampling.pairs, job);
        }
        out.diverged = !walk(simulation, 1, job);
        if (job.stopped()) return fail("stopped");
        out.systems += sampled;
        if (sampled) out.restMs += restMs(simulation.lastReport());
    }
    out.drift = (middleFromAbove(simulation) - middle).norm();
    return out;
}

}  // namespace clothlab::simulation::boxerman
