#include "model/slow_state.hpp"

#include <algorithm>

#include "preconditioners/kind.hpp"
#include "solvers/catalogue.hpp"
#include "solvers/kind.hpp"

namespace clothlab::app::model {

using worker::Snapshot;

namespace {

using experiments::Contestant;
using preconditioners::PreconditionerKind;
using solvers::SolverKind;

/// The method of the step shown; of the step to come where none has been made.
Contestant ownContestant(const Snapshot& now) {
    const scene::Settings& made = now.madeWith ? *now.madeWith : now.settings;
    return {{made.solver, made.preconditioner}};
}

void copyStoppingRule(const solvers::SolverSettings& from, solvers::SolverSettings& to) {
    to.tolerance = from.tolerance;
    to.toleranceRule = from.toleranceRule;
    to.stopping = from.stopping;
    to.maxIterations = from.maxIterations;
}

/// With the rule and tolerance of `own`, and its own parameters at their defaults.
Contestant like(const Contestant& own, SolverKind solver, PreconditionerKind preconditioner) {
    Contestant out{{{.kind = solver}, {.kind = preconditioner}}};
    copyStoppingRule(own.method.solver, out.method.solver);
    return out;
}

bool same(const Contestant& a, const Contestant& b) { return a.method == b.method; }

}  // namespace

void SlowState::choose(const Snapshot& now) {
    own = methods[0] = ownContestant(now);
    const PreconditionerKind kind = own.method.preconditioner.kind;
    methods[1] = own.method.solver.kind == SolverKind::Mpcg
                     ? like(own, SolverKind::Mpcg,
                            kind == PreconditionerKind::BlockJacobi ? PreconditionerKind::ConstrainedBlock
                                                                    : PreconditionerKind::BlockJacobi)
                     : like(own, SolverKind::ReducedPcg,
                            kind == PreconditionerKind::Jacobi ? PreconditionerKind::IncompleteCholesky
                                                               : PreconditionerKind::Jacobi);
}

void SlowState::follow(const Snapshot& now) {
    const Contestant before = std::exchange(own, ownContestant(now));
    for (Contestant& method : methods)
        if (same(method, before))
            method = own;
        else
            copyStoppingRule(own.method.solver, method.method.solver);
}

std::vector<Contestant> SlowState::choices() const {
    std::vector<Contestant> all;
    const SolverKind first =
        solvers::usesPreconditioner(own.method.solver.kind) ? own.method.solver.kind : solvers::kUsualSolver;
    const auto addAll = [&](SolverKind solver) {
        for (const EnumEntry& entry : enumTable(PreconditionerKind{}))
            if (const Contestant c = like(own, solver, PreconditionerKind(entry.value));
                solvers::refusal(solver, c.method.preconditioner).empty())
                all.push_back(c);
    };
    addAll(first);
    for (const solvers::SolverEntry& entry : solvers::catalogue())
        if (entry.traits.needsPreconditioner && entry.kind != first) addAll(entry.kind);
    const bool there = std::ranges::any_of(all, [&](const Contestant& c) { return c.fullLabel() == own.fullLabel(); });
    if (!there) all.insert(all.begin(), own);
    return all;
}

std::size_t SlowState::frames() const {
    std::size_t most = 0;
    if (const worker::SlowMotionResult* on = shown())
        for (const auto& method : on->motion.methods) most = std::max(most, method.frames());
    return most;
}

std::size_t SlowState::sideFrame(std::size_t side) const {
    const auto& recorded = shown()->motion.methods;
    const experiments::SlowMotion::Method* longest = &recorded.front();
    for (const auto& method : recorded)
        if (method.frames() > longest->frames()) longest = &method;
    const int iteration = longest->iteration[std::min(frame, longest->frames() - 1)];
    const auto& its = recorded[side].iteration;
    const auto behind = std::upper_bound(its.begin(), its.end(), iteration);
    return behind == its.begin() ? 0 : std::size_t(behind - its.begin()) - 1;
}

}  // namespace clothlab::app::model
