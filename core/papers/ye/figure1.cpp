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

/// The scene's shear springs are stiffer than those of the paper's sheets, beyond what its core is made for.
const std::vector<std::string> kMaterial{"material.particle_mass=9.5e-6", "material.stretch_stiffness=600",
                                         "material.shear_stiffness=0.3", "material.bend_stiffness=0.05",
                                         "material.bend_model=linear-compression"};

struct Dressed {
    const char *name, *from;
    Method method;
    Kernel kernel = Kernel::Ours;
};

const std::array kDressed{
    Dressed{"MPCG", "paper", mpcg()},
    Dressed{"MPCG, plain", "paper", mpcg(), Kernel::Plain},
    Dressed{"CHOLMOD", "paper", direct(SolverKind::Cholesky, DirectForm::Reduced)},
    Dressed{"corePCG", "paper", corePcg()},
    Dressed{"multifrontal", "ours",
            direct(SolverKind::Cholesky, DirectForm::Reduced, factors::Factorization::Multifrontal)},
    Dressed{"block Jacobi", "ours", conjugateGradients(SolverKind::ReducedPcg, PreconditionerKind::BlockJacobi)},
    Dressed{"incomplete Cholesky", "ours",
            conjugateGradients(SolverKind::ReducedPcg, PreconditionerKind::IncompleteCholesky)},
};

}  // namespace

Expected<Reproduction> figure1(Job& job) {
    const std::vector<int> steps = stepsFrom(60, job.choose(6, 3, 3), job.choose(60, 100, 20));
    job.say("the motion", 0);
    const auto dressed = walkFrames(shirtScene(job.side(41, 21), Worn::ShirtAndSheet, job, kMaterial), steps, job);
    if (!dressed) return fail(dressed.error());
    tell(steps, job);
    return tableOfCases(
        kDressed, job, [](const Dressed& d) { return std::string(d.name); },
        [&](const Dressed& d, auto& rows) -> Expected<void> {
            const auto ours = compare(d.method, *dressed, job, d.kernel);
            if (!ours) return fail(ours.error());
            rows.push_back(
                {{{"particles", double(dressed->frames.front().system.A.rows())}, {"method", d.name}, {"from", d.from}},
                 joined(ours->solves, timeEntries(ours->dynamicsMs, dressed->contactMs))});
            return {};
        });
}

}  // namespace clothlab::papers::ye
