#include "papers/boxerman/sphere_run.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace

Expected<SphereRun> runOnSphere(const Cloth& cloth, const scene::Scene& scene, const SphereSample& sample,
                                const ReproduceControl& control, WorkerPool& pool) {
    auto made = Simulation::create(scene, pool.threads());
    if (!made) return tl::unexpected(made.error());
    Simulation& simulation = **made;
    std::vector<BothWays> both;
    for (int r = 0; r < sample.readings; ++r)
        both.emplace_back(toleranceOf(kReadings[static_cast<std::size_t>(r)], cloth.dt));
    SphereRun out;
    const auto take = [&](std::size_t implicit) -> Expected<void> {
        const auto system = systemOfNextStep(simulation, Implicit{int(implicit)}, control);
        if (!system) return tl::unexpected(system.error());
        SphereRun::OfImplicit& sums = out.sums[implicit];
        const double share = heldShare(*system);
        if (implicit == 0) out.held += share;
        for (std::size_t r = 0; r < both.size(); ++r) {
            const BothWays::Counts counts = both[r].solve(system->view(), 1, pool, control.stop);
            sums.readings[r].whole += counts.whole;
            sums.readings[r].decomposed += counts.decomposed;
            sums.readings[r].skipping += counts.whole * (1 - share);
            if (r > 0) continue;
            sums.components += counts.components;
            sums.largest += double(counts.largest) / system->A.rows();
        }
        return {};
    };
    const int steps = int(std::lround(sample.seconds / cloth.dt)), every = std::max(1, steps / sample.samples);
    const Vec3 middle = middleFromAbove(simulation);
    for (int step = 1; step <= steps && !out.diverged; ++step) {
        if (step % every == 0) {
            for (std::size_t implicit = 0; implicit < (sample.stretchAlone ? kImplicits.size() : 1); ++implicit)
                if (auto done = take(implicit); !done) return tl::unexpected(done.error());
            ++out.systems;
        }
        out.diverged = hasFailed(simulation.step({.stop = control.stop, .hash = false}).status);
        if (control.stop.stop_requested()) return fail("stopped");
    }
    out.drift = (middleFromAbove(simulation) - middle).norm();
    return out;
}

}  // namespace clothlab::simulation::boxerman
