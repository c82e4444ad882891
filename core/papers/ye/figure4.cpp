#include "papers/ye/frames.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"

/// [Y] Ye, Webber, Wang 2009, figure 4: its caption has times of a step, dynamics and contact apart.
namespace clothlab::papers::ye {
namespace {

using contact::SelfCollision;
using preconditioners::PreconditionerKind;
using solvers::SolverKind;

/// The paper names no mesh. Its seconds per iteration in table 2 are linear in the nodes, so that those of figure 4 fit
/// some 4,200 nodes and 240 iterations of MPCG: this sheet, with this stiffness and tolerance.
constexpr int kClumpSide = 65, kQuickClumpSide = 31;
constexpr double kClumpTolerance = 1e-4, kClumpStiffness = 6000;
std::vector<std::string> clumpSettings() {
    return {fmt::format("material.stretch_stiffness={:g}", kClumpStiffness),
            fmt::format("solver.tolerance={:g}", kClumpTolerance)};
}

/// A row.
struct Clumped {
    const char *name, *from;
    Method method;
    SelfCollision selfCollision = SelfCollision::Robust;
    Kernel kernel = Kernel::Ours;
};

std::vector<Clumped> clumped() {
    const Method incomplete = conjugateGradients(SolverKind::ReducedPcg, PreconditionerKind::IncompleteCholesky);
    std::vector<Clumped> rows{
        {"MPCG", "paper", mpcg()},
        {"MPCG, plain", "paper", mpcg(), SelfCollision::Robust, Kernel::Plain},
        {"CHOLMOD", "paper", direct(SolverKind::Cholesky, solvers::DirectForm::Reduced)},
        {"corePCG", "paper", corePcg()},
        {"incomplete Cholesky", "ours", incomplete},
        {"corePCG", "paper", corePcg(), SelfCollision::Repulsion},
    };
    for (Clumped& row : rows) row.method.solver.tolerance = kClumpTolerance;
    return rows;
}

/// The states of the frames, each stepped once with repulsion in the place of robust contact. What the
/// state knows of contact stays, so that the pairs alone make another system.
Expected<Frames> withRepulsion(const Frames& robust, Job& job) {
    std::vector<std::string> settings = clumpSettings();
    settings.emplace_back("contact.self_collision=repulsion");
    auto made = startSimulation(clumpScene(kClumpSide, kQuickClumpSide, settings, job), job);
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
    const auto ours = compare(m.method, clump, job, m.kernel);
    if (!ours) return fail(ours.error());
    const bool ownSize = job.side(kClumpSide, kQuickClumpSide) == kClumpSide;
    const records::Entries what{
        {"method", m.name}, {"from", m.from}, {"self_collision", std::string(enumKey(m.selfCollision))}};
    const records::Entries printed = job.printed(what, ownSize);
    rows.push_back({what, joined(ours->solves, timeEntries(ours->dynamicsMs, clump.contactMs)),
                    printed.empty() ? records::Entries{}
                                    : sumAndRatio(records::findNumber(printed, "dynamics_ms"),
                                                  records::findNumber(printed, "contact_ms")),
                    ownSize});
    return {};
}

}  // namespace

Expected<Reproduction> figure4(Job& job) {
    const std::vector<int> steps = stepsFrom(75, job.choose(4, 3, 3), job.choose(25, 20, 20));
    job.say("the motion", 0);
    const auto robust = walkFrames(clumpScene(kClumpSide, kQuickClumpSide, clumpSettings(), job), steps, job);
    if (!robust) return fail(robust.error());
    const auto repulsion = withRepulsion(*robust, job);
    if (!repulsion) return fail(repulsion.error());
    tell(steps, job);
    job.tell("side", job.side(kClumpSide, kQuickClumpSide), "stretch", kClumpStiffness, "tolerance", kClumpTolerance);
    return tableOfCases(
        clumped(), job, [](const Clumped& m) { return fmt::format("{}, {}", m.name, enumKey(m.selfCollision)); },
        [&](const Clumped& m, auto& rows) {
            return addRow(m, m.selfCollision == SelfCollision::Robust ? *robust : *repulsion, job, rows);
        });
}

}  // namespace clothlab::papers::ye
