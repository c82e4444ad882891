#include <fmt/format.h>

#include <cmath>

#include "papers/boxerman/scenes.hpp"
#include "papers/stepped_system.hpp"

/// [B] figures 4.4 to 4.6: energies of a swinging sheet without damping, with unprojected and with projected damping.
namespace clothlab::simulation::energies {
namespace {

constexpr std::array kTimes{0.4, 1.0, 2.0};  // s

/// Totals at kTimes and the kinetic energy at the last of them, J, of an independent computation of the same set-up,
/// with another language, solver and code.
struct Twin {
    double branch;  ///< c_b / kappa_b
    std::array<double, 3> total;
    double kinetic;  ///< 0 = none
};

struct Damping {
    const char* name;
    cloth::DampingModel model;
    double coefficient;  ///< N s/m, of stretch and shear
    std::array<Twin, 2> twins;
};

constexpr Damping kNone{"none",
                        cloth::DampingModel::Projected,
                        0,
                        {{{50, {-0.345, -1.007, -1.604}, 0.219}, {5, {-0.338, -1.010, -1.616}, 0}}}};
constexpr Damping kUnprojected{"unprojected",
                               cloth::DampingModel::Unprojected,
                               0.1,
                               {{{50, {-0.734, -1.832, -2.241}, 0.095}, {5, {-0.736, -1.833, -2.234}, 0}}}};
constexpr Damping kProjected{"projected",
                             cloth::DampingModel::Projected,
                             10,
                             {{{50, {-0.402, -1.166, -1.734}, 0.205}, {5, {-0.392, -1.154, -1.745}, 0}}}};

scene::Scene swing(const Damping& damping, double branch, int side) {
    const boxerman::Cloth cloth{.side = side,
                                .spacing = 0.975 / (side - 1),
                                .density = 0.5,
                                .stretch = 1000,
                                .shear = 1000,
                                .bend = 0.01,
                                .stretchDamping = damping.coefficient,
                                .shearDamping = damping.coefficient,
                                .dt = 0.01};
    scene::Scene scene = boxerman::sceneOf(cloth, 0);
    scene.settings.material.dampingModel = damping.model;
    scene.settings.material.bendLinearBranch = branch;
    scene.settings.integrator.kind = integrators::IntegratorKind::ImexEuler;
    scene.settings.integrator.splitShear = integrators::SplitTerms::Implicit;
    scene.settings.solver.kind = solvers::SolverKind::Cholesky;
    return scene;
}

ReproductionRow rowOf(const Damping& damping, const Twin& twin, std::size_t t, const StepReport& report, double startJ,
                      double worst, bool compares) {
    ReproductionRow row;
    row.what = {{"damping", damping.name}, {"linear_branch", twin.branch}, {"time_s", kTimes[t]}};
    const double total = report.totalJ() - startJ;
    row.ours = {{"total_j", total},
                {"kinetic_j", report.kineticJ},
                {"gravity_j", report.gravityJ - startJ},
                {"stretch_j", report.stretchJ},
                {"shear_j", report.shearJ},
                {"bend_j", report.bendJ},
                {"max_strain", worst}};
    if (!compares) return row;
    row.ours.emplace_back("total_of_twin", total / twin.total[t]);
    if (t + 1 == kTimes.size() && twin.kinetic > 0)
        row.ours.emplace_back("kinetic_of_twin", report.kineticJ / twin.kinetic);
    return row;
}

Expected<void> addRun(Reproduction& out, const Damping& damping, const Twin& twin, int side, bool compares,
                      const ReproduceOptions& options, const ReproduceControl& control) {
    const scene::Scene scene = swing(damping, twin.branch, side);
    auto made = Simulation::create(scene, options.threads);
    if (!made) return tl::unexpected(made.error());
    Simulation& simulation = **made;
    const double startJ = simulation.lastReport().totalJ();
    double worst = 0;
    std::size_t t = 0;
    for (int k = 1; t < kTimes.size(); ++k) {
        const StepReport& report = simulation.step({.stop = control.stop, .hash = false});
        if (control.stop.stop_requested()) return fail("stopped");
        if (hasFailed(report.status)) return fail(fmt::format("step {}: {}", k, report.message));
        worst = std::max(worst, report.maxStrain);
        if (k == std::lround(kTimes[t] / scene.settings.integrator.dt)) {
            out.rows.push_back(rowOf(damping, twin, t, report, startJ, worst, compares));
            ++t;
        }
    }
    return {};
}

Expected<Reproduction> energiesOf(const Damping& damping, const ReproduceOptions& options,
                                  const ReproduceControl& control) {
    constexpr int kSide = 40;
    const int side = options.side > 0 ? options.side : kSide;
    Reproduction out;
    for (std::size_t k = 0; k < damping.twins.size(); ++k) {
        const Twin& twin = damping.twins[k];
        if (control.progress) control.progress(fmt::format("c_b = {:g} kappa_b", twin.branch), 0.5 * double(k));
        if (auto added = addRun(out, damping, twin, side, side == kSide, options, control); !added)
            return tl::unexpected(added.error());
    }
    out.notes = {
        fmt::format("{0} x {0} particles, 0.975 m, 0.5 kg/m2, stretch and shear 1000 N/m, bend 0.01 N/m, h = 10 ms, "
                    "two corners pinned, level at "
                    "the start, where the total is 0. Stretch and shear implicit, bend explicit. Damping of stretch "
                    "and shear: {1:g} N s/m.",
                    side, damping.coefficient),
        "The thesis plots, and prints no number. total_of_twin, kinetic_of_twin: against an independent computation of "
        "the same "
        "set-up (other language, direct solver, other code), which this one has to meet within 5 %.",
        "linear_branch: c_b / kappa_b of the linear branch of Choi and Ko; 5 is a bend spring that is linear "
        "throughout. max_strain: "
        "the largest of a stretch spring up to there.",
    };
    if (side != kSide) out.notes.emplace_back("Coarser than the thesis' 40 x 40: no values to compare with.");
    return out;
}

}  // namespace
}  // namespace clothlab::simulation::energies

namespace clothlab::simulation {

Expected<Reproduction> boxermanFigure44(const ReproduceOptions& options, const ReproduceControl& control) {
    return energies::energiesOf(energies::kNone, options, control);
}
Expected<Reproduction> boxermanFigure45(const ReproduceOptions& options, const ReproduceControl& control) {
    return energies::energiesOf(energies::kUnprojected, options, control);
}
Expected<Reproduction> boxermanFigure46(const ReproduceOptions& options, const ReproduceControl& control) {
    return energies::energiesOf(energies::kProjected, options, control);
}

}  // namespace clothlab::simulation
