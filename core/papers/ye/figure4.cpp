#include "papers/ye/frames.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"

/// [Y] Ye, Webber, Wang 2009, figure 4: its caption has times of a step, dynamics and contact apart.
namespace clothlab::papers::ye {
namespace {

using contact::SelfCollision;
using preconditioners::PreconditionerKind;
using solvers::SolverKind;

/// A row.
struct Clumped {
    const char* name;
    Method method;
    SelfCollision selfCollision;
};
const std::array kClumped{
    Clumped{"MPCG", conjugateGradients(SolverKind::Mpcg, PreconditionerKind::Jacobi), SelfCollision::Robust},
    Clumped{"CHOLMOD", direct(SolverKind::Cholesky, solvers::DirectForm::Reduced), SelfCollision::Robust},
    Clumped{"corePCG", corePcg(), SelfCollision::Robust},
    Clumped{"corePCG", corePcg(), SelfCollision::Repulsion},
};

/// The states of the frames, each stepped once with repulsion in the place of robust contact. What the
/// state knows of contact stays, so that the pairs alone make another system.
Expected<Frames> withRepulsion(const Frames& robust, Job& job) {
    auto made = simulationOf(clumpScene({"contact.self_collision=repulsion"}, job), job);
    if (!made) return fail(made.error());
    Frames out;
    for (const Frame& frame : robust.frames) {
        (*made)->setState(frame.start);
        // Layers that lie much closer than repulsion keeps them are thrown apart; their system counts all the same.
        auto frozen = experiments::freezeStep(**made, 1, {.stop = job.control.stop, .evenIfFailed = true});
        if (job.stopped()) return fail("stopped");
        if (!frozen) return fail(fmt::format("step {}: {}", frame.report.step, frozen.error().message));
        out.assembleMs += frozen->report.assembleMs / double(robust.frames.size());
        out.contactMs += frozen->report.contactMs / double(robust.frames.size());
        out.frames.push_back({std::move(frozen->system), frame.start, frozen->report});
    }
    return out;
}

Expected<void> addRow(const Clumped& m, const Frames& clump, Job& job, std::vector<ReproductionRow>& rows) {
    const auto ours = compare(m.method, clump, job);
    if (!ours) return fail(ours.error());
    const bool ownSize = job.side(81, 31) == 81;
    const records::Entries what{{"method", m.name}, {"self_collision", std::string(enumKey(m.selfCollision))}};
    const records::Entries printed = job.printed(what, ownSize);
    rows.push_back({what, joined(ours->solves, timesOf(ours->dynamicsMs, clump.contactMs)),
                    printed.empty() ? records::Entries{}
                                    : sumAndRatioOf(records::numberOf(printed, "dynamics_ms"),
                                                    records::numberOf(printed, "contact_ms")),
                    ownSize});
    return {};
}

}  // namespace

Expected<Reproduction> figure4(Job& job) {
    const std::vector<int> steps = clumpSteps(job.choose(5, 3, 3), job.choose(50, 20, 20));
    job.say("the motion", 0);
    const auto robust = walkFrames(clumpScene({}, job), steps, job);
    if (!robust) return fail(robust.error());
    const auto repulsion = withRepulsion(*robust, job);
    if (!repulsion) return fail(repulsion.error());
    tell(steps, job);
    job.tell("side", job.side(81, 31));
    return tableOfCases(
        kClumped, job, [](const Clumped& m) { return fmt::format("{}, {}", m.name, enumKey(m.selfCollision)); },
        [&](const Clumped& m, auto& rows) {
            return addRow(m, m.selfCollision == SelfCollision::Robust ? *robust : *repulsion, job, rows);
        });
}

}  // namespace clothlab::papers::ye
