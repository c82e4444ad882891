#include "papers/ye/frames.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"

/// [Y] Ye, Webber, Wang 2009, figure 1: its caption has the numbers of nodes, its text that corePCG keeps what it
/// saves.
namespace clothlab::papers::ye {
namespace {

using preconditioners::PreconditionerKind;
using solvers::DirectForm;
using solvers::SolverKind;

struct Dressed {
    const char *name, *from;
    Method method;
    Worn worn = Worn::ShirtAndSheet;
};

Method coreWithShear() {
    Method out = corePcg();
    out.preconditioner.shearInCore = true;
    return out;
}

const std::array kDressed{
    Dressed{"MPCG", "paper", conjugateGradients(SolverKind::Mpcg, PreconditionerKind::Jacobi)},
    Dressed{"CHOLMOD", "paper", direct(SolverKind::Cholesky, DirectForm::Reduced)},
    Dressed{"corePCG", "paper", corePcg()},
    Dressed{"corePCG, shear in the core", "ours", coreWithShear()},
    Dressed{"multifrontal", "ours",
            direct(SolverKind::Cholesky, DirectForm::Reduced, factors::Factorization::Multifrontal)},
    Dressed{"block Jacobi", "ours", conjugateGradients(SolverKind::ReducedPcg, PreconditionerKind::BlockJacobi)},
    Dressed{"incomplete Cholesky", "ours",
            conjugateGradients(SolverKind::ReducedPcg, PreconditionerKind::IncompleteCholesky)},
    Dressed{"corePCG", "paper", corePcg(), Worn::ShirtAlone},
};

}  // namespace

Expected<Reproduction> figure1(Job& job) {
    const std::vector<int> steps = stepsFrom(60, job.choose(6, 3, 3), job.choose(60, 100, 20));
    job.say("the motions", 0);
    const auto dressed = walkFrames(shirtScene(job.side(41, 21), Worn::ShirtAndSheet, job), steps, job),
               shirt = walkFrames(shirtScene(job.side(41, 21), Worn::ShirtAlone, job), steps, job);
    if (!dressed || !shirt) return fail((dressed ? shirt : dressed).error());
    tell(steps, job);
    return tableOfCases(
        kDressed, job, [](const Dressed& d) { return std::string(d.name); },
        [&](const Dressed& d, auto& rows) -> Expected<void> {
            const Frames& frames = d.worn == Worn::ShirtAlone ? *shirt : *dressed;
            const auto ours = compare(d.method, frames, job);
            if (!ours) return fail(ours.error());
            rows.push_back(
                {{{"particles", double(frames.frames.front().system.A.rows())}, {"method", d.name}, {"from", d.from}},
                 joined(ours->solves, timesOf(ours->dynamicsMs, frames.contactMs))});
            return {};
        });
}

}  // namespace clothlab::papers::ye
