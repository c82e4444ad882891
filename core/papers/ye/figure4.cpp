#include "papers/ye/frames.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"

/// [Y] Ye, Webber, Wang 2009, figure 4: its caption has times of a step, dynamics and contact apart.
namespace clothlab::papers::ye {
namespace {

using contact::SelfCollision;
using preconditioners::PreconditionerKind;
using solvers::SolverKind;

/// A row. `seconds`: what the paper prints for the dynamics of a step; 0: nothing.
struct Clumped {
    const char* name;
    Method method;
    SelfCollision selfCollision;
    double seconds;
};
const std::array kClumped{
    Clumped{"MPCG", conjugateGradients(SolverKind::Mpcg, PreconditionerKind::Jacobi), SelfCollision::Robust, 0.75},
    Clumped{"CHOLMOD", direct(SolverKind::Cholesky, solvers::DirectForm::Reduced), SelfCollision::Robust, 0.36},
    Clumped{"corePCG", corePcg(), SelfCollision::Robust, 0.21},
    Clumped{"corePCG", corePcg(), SelfCollision::Repulsion, 0},
};
constexpr double kContactSeconds = 1.08;

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
    const bool printed = m.seconds > 0 && job.side(81, 31) == 81;
    rows.push_back({{{"method", m.name}, {"self_collision", std::string(enumKey(m.selfCollision))}},
                    joined(ours->solves, timesOf(ours->dynamicsMs, clump.contactMs)),
                    printed ? timesOf(1e3 * m.seconds, 1e3 * kContactSeconds) : records::Entries{}});
    return {};
}

std::vector<std::string> notesOfFigure4(const std::vector<int>& steps, const Job& job) {
    std::vector<std::string> notes{
        fmt::format("`ye-clump`, {0} x {0} particles, h = 2.2 ms. The motion is walked once, with corePCG and robust "
                    "contact; each method then solves the systems of steps {1} to {2}, {3} apart. The paper names "
                    "neither its mesh, its stiffness nor its frames, so that its seconds do not compare with ours: "
                    "ratios and orders do.",
                    job.side(81, 31), steps.front(), steps.back(), steps[1] - steps[0]),
    };
    for (std::string& note : notesOfComparison()) notes.push_back(std::move(note));
    notes.emplace_back(
        "repulsion: the same states, stepped once each with forces between particles. Its contact_ms is that of the "
        "solids; the search for pairs is part of the assembly.");
    if (job.options.quick)
        notes.emplace_back("--quick: 31 x 31 particles, three frames; the paper's values are left out.");
    return notes;
}

}  // namespace

Expected<Reproduction> figure4(Job& job) {
    const std::vector<int> steps = clumpSteps(job.choose(5, 3, 3), job.choose(50, 20, 20));
    job.say("the motion", 0);
    const auto robust = walkFrames(clumpScene({}, job), steps, job);
    if (!robust) return fail(robust.error());
    const auto repulsion = withRepulsion(*robust, job);
    if (!repulsion) return fail(repulsion.error());
    return tableOfCases(
        kClumped, job, [](const Clumped& m) { return fmt::format("{}, {}", m.name, enumKey(m.selfCollision)); },
        [&](const Clumped& m, auto& rows) {
            return addRow(m, m.selfCollision == SelfCollision::Robust ? *robust : *repulsion, job, rows);
        },
        notesOfFigure4(steps, job));
}

}  // namespace clothlab::papers::ye
