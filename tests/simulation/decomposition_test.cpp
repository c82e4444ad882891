#include <map>
#include <numeric>

#include "integrators/kind.hpp"
#include "method_pairs.hpp"
#include "preconditioners/kind.hpp"
#include "simulation/scenes.hpp"
#include "solvers/kind.hpp"

namespace clothlab::simulation {
namespace {

using preconditioners::PreconditionerKind;
using solvers::SolverKind;

/// A system that has fallen apart: stretch springs implicit, shear and bend explicit, slack springs and held particles.
/// The steps before it are fully implicit, because explicit shear this stiff soon becomes unstable.
struct Shattered {
    const char* name;
    linalg::FrozenSystem system;
    Index components;  ///< by union and find over the springs
};

/// Counts components over the active implicit springs at the start of the step, without using the matrix.
Index countBySprings(const cloth::ClothModel& model, const std::vector<std::uint8_t>& flags,
                     const linalg::DofConstraints& constraints) {
    std::vector<Index> parent(model.particles());
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](Index i) {
        while (parent[i] != i) i = parent[i];
        return i;
    };
    Index count = 0;
    for (Index i = 0; i < model.particles(); ++i) count += constraints.ndof(i) > 0;
    for (std::size_t e = 0; e < model.springs.size(); ++e) {
        const cloth::Spring& s = model.springs[e];
        const std::uint8_t both = cloth::kSpringActive | cloth::kSpringImplicit;
        if ((flags[e] & both) != both || constraints.ndof(s.i) == 0 || constraints.ndof(s.j) == 0) continue;
        const Index a = root(s.i), b = root(s.j);
        if (a == b) continue;
        parent[std::max(a, b)] = std::min(a, b);
        --count;
    }
    return count;
}

void takeStates(std::vector<Shattered>& out, const char* name, const char* scene, std::vector<const char*> overrides,
                std::initializer_list<int> steps) {
    for (const char* sized : testing::kSanitized ? std::array{"cloth.rows=14", "cloth.columns=14"}
                                                 : std::array{"cloth.rows=30", "cloth.columns=30"})
        overrides.push_back(sized);
    for (const char* common :
         {"integrator.dt=0.01", "material.density=0.1", "material.shear_stiffness=30", "material.bend_stiffness=0.01"})
        overrides.push_back(common);
    const auto simulation = testing::simulate(scene, overrides);
    const scene::Settings implicit = simulation->settings();
    scene::Settings split = implicit;
    split.integrator.kind = integrators::IntegratorKind::ImexEuler;
    for (const int step : steps) {
        while (simulation->state().step + 1 < step)
            ASSERT_LE(simulation->step().status, integrators::StepStatus::Unconverged);
        simulation->apply(split);
        std::vector<std::uint8_t> flags;
        simulation->springStates(flags);
        ASSERT_LE(simulation->step({.keepSystem = true}).status, integrators::StepStatus::Unconverged);
        const linalg::FrozenSystem& system = *simulation->systemOfLastStep();
        out.push_back({name, system, countBySprings(simulation->model(), flags, system.constraints)});
        simulation->apply(implicit);
    }
}

const std::vector<Shattered>& states() {
    static const std::vector<Shattered> all = [] {
        std::vector<Shattered> out;
        // 5 mm above a ball of 0.3 m, off its middle.
        const std::vector<const char*> onBall{"material.stretch_stiffness=1000", "material.stretch_damping=0.01",
                                              "cloth.side=1.5", "cloth.origin=-0.78,0.905,-0.8"};
        const auto with = [&](std::initializer_list<const char*> more) {
            std::vector<const char*> joined = onBall;
            joined.insert(joined.end(), more);
            return joined;
        };
        takeStates(out, "sticking", "drape-sphere", with({"contact.mu_s=10", "contact.mu_k=10"}), {15, 30, 45});
        takeStates(out, "sliding", "drape-sphere", with({"contact.mu_s=0", "contact.mu_k=0"}), {15, 30});
        takeStates(out, "table", "drape-table", {"material.stretch_stiffness=1000", "contact.mu_s=1.2"}, {15, 40});
        takeStates(out, "hit", "ball-hit", {"material.stretch_stiffness=600"}, {15, 20});
        return out;
    }();
    return all;
}

struct Solved {
    linalg::BlockVector dv;
    solvers::SolveSummary summary;
};

Solved solve(const linalg::FrozenSystem& system, solvers::SolverSettings settings, PreconditionerKind with,
             bool decompose) {
    Solved out;
    settings.decompose = decompose;
    WorkerPool pool;
    linalg::LinearSystem view = system.view();
    view.previous = nullptr;
    solvers::makeSolver(settings, {.kind = with})->solve(view, out.dv, out.summary, {}, pool);
    return out;
}

TEST(Decomposition, ComponentsAreThoseOfTheImplicitSprings) {
    std::size_t shattered = 0;
    for (const Shattered& state : states()) {
        const Solved parts = solve(state.system, {}, PreconditionerKind::BlockJacobi, true);
        EXPECT_EQ(Index(parts.summary.components.size()), state.components) << state.name;
        shattered += state.components > 1;
    }
    EXPECT_GE(shattered, testing::kSanitized ? states().size() / 2 : states().size());
}

// Every edge of the graph remains after projection by the constraints: no block couples two particles only along
// directions in which they are held.
TEST(Decomposition, NoEdgeIsProjectedAway) {
    Index edges = 0, besideContacts = 0;
    for (const Shattered& state : states()) {
        const linalg::BlockMatrix& A = state.system.A;
        const linalg::BlockPattern& p = A.pattern();
        const auto projection = [&](Index i) {
            const linalg::DofConstraint* c = state.system.constraints.find(i);
            return c ? c->S() : Mat3(Mat3::Identity());
        };
        for (Index i = 0; i < p.rows; ++i)
            for (Index k = p.diagonal[i] + 1; k < p.rowStart[i + 1]; ++k) {
                const Index j = p.column[k];
                if (!A.occupied(k) || state.system.constraints.ndof(i) == 0 || state.system.constraints.ndof(j) == 0)
                    continue;
                const Mat3 block = A.block(k);
                EXPECT_GT((projection(i) * block * projection(j)).norm(), 1e-6 * block.norm())
                    << state.name << " " << i << " " << j;
                ++edges;
                besideContacts += state.system.constraints.ndof(i) < 3 || state.system.constraints.ndof(j) < 3;
            }
    }
    EXPECT_GT(besideContacts, testing::kSanitized ? 10 : 100);
    EXPECT_GT(edges, besideContacts);
}

struct Compared {
    double difference;  ///< largest one, relative to the largest dv
    bool converged;     ///< whether the whole system did; `difference` is valid only then
};

Compared compare(const Shattered& state, solvers::SolverSettings settings, PreconditionerKind with) {
    const Solved whole = solve(state.system, settings, with, false);
    if (whole.summary.status != solvers::SolveStatus::Converged) return {0, false};
    const Solved parts = solve(state.system, settings, with, true);
    EXPECT_EQ(parts.summary.status, solvers::SolveStatus::Converged);
    return {(whole.dv.flat() - parts.dv.flat()).cwiseAbs().maxCoeff() / whole.dv.flat().cwiseAbs().maxCoeff(), true};
}

// The error is at most the condition number times the tolerance, so a tolerance ten times larger allows ten times the
// difference.
TEST(Decomposition, EqualsTheWholeForEverySolverThatConverges) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    int compared = 0;
    for (const Shattered& state : states())
        for (const testing::NamedMethod& each : testing::allMethods()) {
            const SolverKind kind = each.method.solver.kind;
            const PreconditionerKind with = each.method.preconditioner.kind;
            if (testing::kSanitized && kind == SolverKind::CombinedLu) continue;
            SCOPED_TRACE(std::string(state.name) + " " + each.name);
            const Compared strict = compare(state, {.kind = kind, .tolerance = 1e-13, .maxIterations = 5000}, with);
            EXPECT_LT(strict.difference, 1e-10);
            compared += strict.converged;
            if (!each.iterates() || testing::kSanitized) continue;
            EXPECT_LT(compare(state, {.kind = kind, .tolerance = 1e-12, .maxIterations = 5000}, with).difference, 1e-9);
        }
    EXPECT_GT(compared, 15 * int(states().size()));
}

// At the tolerance of [B].
TEST(Decomposition, TakesFewerRowIterations) {
    if (testing::kSanitized) GTEST_SKIP() << "counts of smaller sheets differ";
    std::map<std::string, std::array<double, 2>> rows;  // of the parts and of the whole
    for (const Shattered& state : states()) {
        const solvers::SolverSettings settings{.kind = SolverKind::Mpcg,
                                               .tolerance = std::sqrt(0.01 * state.system.dt),
                                               .stopping = solvers::Stopping::PNorm};
        const Solved parts = solve(state.system, settings, PreconditionerKind::ConstrainedBlock, true),
                     whole = solve(state.system, settings, PreconditionerKind::ConstrainedBlock, false);
        const double all = double(whole.summary.iterations) * state.system.A.rows();
        EXPECT_LE(parts.summary.rowIterations, 1.2 * all) << state.name << " " << state.system.step;
        rows[state.name][0] += parts.summary.rowIterations;
        rows[state.name][1] += all;
    }
    // Summed over the states of a motion, because in a single one rounding decides which particles stick.
    EXPECT_LE(rows["sticking"][0], 0.75 * rows["sticking"][1]);
    EXPECT_LE(rows["sliding"][0], 0.95 * rows["sliding"][1]);
}

}  // namespace
}  // namespace clothlab::simulation
