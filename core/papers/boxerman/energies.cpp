#include <cmath>

#include "papers/boxerman/boxerman.hpp"

/// [B] figures 4.4 to 4.6: energies of a swinging sheet without damping, with unprojected and with projected damping.
namespace clothlab::simulation::boxerman {
namespace {

constexpr int kSide = 40;
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

constexpr std::array kDampings{Damping{"none",
                                       cloth::DampingModel::Projected,
                                       0,
                                       {{{50, {-0.345, -1.007, -1.604}, 0.219}, {5, {-0.338, -1.010, -1.616}, 0}}}},
                               Damping{"unprojected",
                                       cloth::DampingModel::Unprojected,
                                       0.1,
                                       {{{50, {-0.734, -1.832, -2.241}, 0.095}, {5, {-0.736, -1.833, -2.234}, 0}}}},
                               Damping{"projected",
                                       cloth::DampingModel::Projected,
                                       10,
                                       {{{50, {-0.402, -1.166, -1.734}, 0.205}, {5, {-0.392, -1.154, -1.745}, 0}}}}};

scene::Scene swing(const Damping& damping, double branch, int side) {
    const Cloth cloth{.side = side,
                      .spacing = 0.975 / (side - 1),
                      .density = 0.5,
                      .stretch = 1000,
                      .shear = 1000,
                      .bend = 0.01,
                      .stretchDamping = damping.coefficient,
                      .shearDamping = damping.coefficient,
                      .dt = 0.01};
    scene::Scene scene = sceneOf(cloth, 0);
    scene.settings.material.dampingModel = damping.model;
    scene.settings.material.bendLinearBranch = branch;
    scene.settings.integrator.kind = integrators::IntegratorKind::ImexEuler;
    scene.settings.integrator.splitShear = integrators::SplitTerms::Implicit;
    scene.settings.solver.kind = solvers::SolverKind::Cholesky;
    return scene;
}

/// `worst`: strain so far. Only the thesis' own size has a twin to compare with.
ReproductionRow rowOf(const Damping& damping, const Twin& twin, std::size_t t, const StepReport& report, double startJ,
                      double worst) {
    return {{{"damping", damping.name}, {"linear_branch", twin.branch}, {"time_s", kTimes[t]}},
            {{"total_j", report.totalJ() - startJ},
             {"kinetic_j", report.kineticJ},
             {"gravity_j", report.gravityJ - startJ},
             {"stretch_j", report.stretchJ},
             {"shear_j", report.shearJ},
             {"bend_j", report.bendJ},
             {"max_strain", worst}},
            {}};
}

Entries besideTwin(const Twin& twin, std::size_t t, const Entries& ours) {
    Entries out{{"total_of_twin", numberOf(ours, "total_j") / twin.total[t]}};
    if (t + 1 == kTimes.size() && twin.kinetic > 0)
        out.emplace_back("kinetic_of_twin", numberOf(ours, "kinetic_j") / twin.kinetic);
    return out;
}

Expected<void> addSwing(const Damping& damping, const Twin& twin, int side, Job& job,
                        std::vector<ReproductionRow>& rows) {
    const scene::Scene scene = swing(damping, twin.branch, side);
    const auto stepAt = [&](double time) { return int(std::lround(time / scene.settings.integrator.dt)); };
    auto made = Simulation::create(scene, job.options.threads);
    if (!made) return tl::unexpected(made.error());
    const double startJ = (*made)->lastReport().totalJ();
    double worst = 0;
    std::size_t t = 0;
    return walk(**made, stepAt(kTimes.back()), job, [&](const StepReport& report) {
        worst = std::max(worst, report.maxStrain);
        if (report.step != stepAt(kTimes[t])) return;
        rows.push_back(rowOf(damping, twin, t, report, startJ, worst));
        if (side == kSide) rows.back().ours = joined(rows.back().ours, besideTwin(twin, t, rows.back().ours));
        ++t;
    });
}

}  // namespace

Expected<Reproduction> energiesOfSwing(SwingDamping which, Job& job) {
    const Damping& damping = kDampings[static_cast<std::size_t>(which)];
    const int side = job.side(kSide, kSide);
    auto out = tableOfCases(
        damping.twins, job, [](const Twin& twin) { return fmt::format("c_b = {:g} kappa_b", twin.branch); },
        [&](const Twin& twin, auto& rows) { return addSwing(damping, twin, side, job, rows); });
    if (!out) return out;
    out->notes = {
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
    if (side != kSide) out->notes.emplace_back("Coarser than the thesis' 40 x 40: no values to compare with.");
    return out;
}

}  // namespace clothlab::simulation::boxerman
