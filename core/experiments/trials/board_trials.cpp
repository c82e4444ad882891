#include "experiments/trials/board_trials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace clothlab::experiments {
namespace {

constexpr double kRim = 0.01;  // m, from the rim: what slides around it has not gone through

Vec3 boxHalfSize(const contact::Collider& solid) { return std::get<geometry::Box>(solid.shape).halfSize; }

/// Along each axis but one within the solid, by so much.
bool isBeside(const Vec3& place, const Vec3& half, int axis, double margin) {
    for (int k = 0; k < 3; ++k)
        if (k != axis && std::abs(place[k]) > half[k] - std::min(margin, half[k] / 2)) return false;
    return true;
}

/// Whether a segment meets a box about the origin.
bool meets(const Vec3& a, const Vec3& b, const Vec3& half) {
    double from = 0, to = 1;
    for (int k = 0; k < 3; ++k) {
        const double step = b[k] - a[k];
        if (step == 0) {
            if (std::abs(a[k]) > half[k]) return false;
            continue;
        }
        const auto [low, high] = std::minmax({(-half[k] - a[k]) / step, (half[k] - a[k]) / step});
        from = std::max(from, low);
        to = std::min(to, high);
    }
    return from <= to;
}

/// Watches a run from the frame of its solid.
class BoardWatch {
public:
    BoardWatch(const BoardPlan& plan, BoardSeen& seen) : plan_(plan), seen_(seen) {}

    void start(const simulation::Simulation& simulation) {
        const Index n = simulation.state().x.size();
        places_.resize(n);
        through_.assign(std::size_t(n), false);
        half_ = boxHalfSize(simulation.colliders()[plan_.solid]);
        recordPlaces(simulation);
        double mass = 0;
        for (const double m : simulation.model().mass) mass += m;
        seen_.solidEnergy = mass * plan_.speed * plan_.speed / 2;
        seen_.startEnergy = seen_.mostEnergy = seen_.endEnergy = simulation.lastReport().totalJ();
    }

    void look(const simulation::Simulation& simulation) {
        const linalg::BlockVector before = places_;
        recordPlaces(simulation);
        const int axis = plan_.thinAxis;
        for (Index i = 0; i < places_.size(); ++i) {
            if (before[i][axis] * places_[i][axis] >= 0) continue;
            if (isBeside(before[i], half_, axis, kRim) && isBeside(places_[i], half_, axis, kRim))
                through_[i] = !through_[i];
        }
        seen_.endEnergy = simulation.lastReport().totalJ();
        seen_.mostEnergy = std::max(seen_.mostEnergy, seen_.endEnergy);
        if (plan_.grippedAt > 0 && gripped_.empty() && simulation.state().time >= plan_.grippedAt - 1e-9) grip();
    }

    void finish(const simulation::Simulation& simulation) {
        if (plan_.kind == BoardKind::Jaws) {
            seen_.creep = gripped_.empty() ? std::numeric_limits<double>::infinity() : 0;
            for (const auto& [i, place] : gripped_) seen_.creep = std::max(seen_.creep, (places_[i] - place).norm());
            return;
        }
        seen_.through = int(std::ranges::count(through_, true));
        Vec3 core = half_ - Vec3::Constant(0.035);  // a sheet that is drawn around the rim cuts it by an edge's length
        core = core.cwiseMax(half_ / 2);
        for (const geometry::MeshEdge& edge : simulation.model().edges)
            seen_.cut += meets(places_[edge.a], places_[edge.b], core);
    }

private:
    void recordPlaces(const simulation::Simulation& simulation) {
        const integrators::SimulationState& state = simulation.state();
        const Vec3 origin = contact::poseAt(simulation.colliders()[plan_.solid], state.time).position;
        for (Index i = 0; i < places_.size(); ++i) places_[i] = state.x[i] - origin;
    }

    /// Between the jaws, in the frame of the first.
    void grip() {
        for (Index i = 0; i < places_.size(); ++i)
            if (isBeside(places_[i], half_, plan_.thinAxis, 5e-3) &&
                std::abs(places_[i][plan_.thinAxis] - half_[plan_.thinAxis]) < 0.005)
                gripped_.emplace_back(i, places_[i]);
    }

    const BoardPlan& plan_;
    BoardSeen& seen_;
    linalg::BlockVector places_;  ///< m, in the frame of the solid, which does not turn
    std::vector<bool> through_;
    std::vector<std::pair<Index, Vec3>> gripped_;
    Vec3 half_;
};

}  // namespace

double BoardSeen::energyLimit() const { return 3 * (std::max(0.0, startEnergy) + solidEnergy + 1); }

TrialVerdict judgeTrial(const BoardCase& which, const BoardSeen& seen) {
    bool holds = !hasFailed(seen.steps.worst) && seen.through == 0 && seen.mostEnergy <= seen.energyLimit();
    if (which.kind == BoardKind::Jaws) {
        holds = holds && seen.steps.maxStrain <= kMostJawStrain;
        // Cloth has no thickness: between jaws with a gap nothing presses it, and it may slip.
        if (which.gap < 0) holds = holds && seen.creep <= kMostJawCreep;
    }
    return judgeTrial(holds, seen.steps.worst);
}

std::optional<BoardSeen> runBoard(const BoardPlan& plan, const std::stop_token& stop) {
    BoardSeen seen;
    BoardWatch watch(plan, seen);
    const TrialLooks looks{.start = [&](const simulation::Simulation& now) { watch.start(now); },
                           .step = [&](const simulation::Simulation& now) { watch.look(now); },
                           .end = [&](const simulation::Simulation& now) { watch.finish(now); }};
    if (!runTrial(plan.scene, plan.seconds, stop, seen.steps, looks)) return {};
    return seen;
}

}  // namespace clothlab::experiments
