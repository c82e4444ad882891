#include <cmath>

#include "integrators/kind.hpp"
#include "papers/boxerman/boxerman.hpp"

/// [B] figures 4.4 to 4.6: energies of a swinging sheet without damping, with unprojected and with projected damping.
namespace clothlab::papers::boxerman {
namespace {

constexpr int kSide = 40;
constexpr std::array kTimes{0.4, 1.0, 2.0};  // s

constexpr std::array kBranches{50.0, 5.0};  // c_b / kappa_b

/// With the totals at kTimes by branch, and the kinetic energy at the last of them with the first branch, J, of an
/// independent computation of the same set-up, with another language, solver and code.
struct Damping {
    const char* name;
    cloth::DampingModel model;
    double coefficient;  ///< N s/m, of stretch and shear
    std::array<std::array<double, 3>, 2> twinTotal;
    double twinKinetic;
};

using enum cloth::DampingModel;
constexpr std::array kDampings{
    Damping{"none", Projected, 0, {{{-0.345, -1.007, -1.604}, {-0.338, -1.010, -1.616}}}, 0.219},
    Damping{"unprojected", Unprojected, 0.1, {{{-0.734, -1.832, -2.241}, {-0.736, -1.833, -2.234}}}, 0.095},
    Damping{"projected", Projected, 10, {{{-0.402, -1.166, -1.734}, {-0.392, -1.154, -1.745}}}, 0.205},
};

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
    scene::Scene scene = makeDirectScene(cloth,
                                         {.kind = integrators::IntegratorKind::ImexEuler,
                                          .dt = cloth.dt,
                                          .splitShear = integrators::SplitTerms::Implicit},
                                         0);
    scene.settings.material.dampingModel = damping.model;
    scene.settings.material.bendLinearBranch = branch;
    return scene;
}

records::Entries energiesIn(const simulation::StepReport& report, double startJ) {
    return {
        {"total_j", report.totalJ() - startJ}, {"kinetic_j", report.kineticJ}, {"gravity_j", report.gravityJ - startJ},
        {"stretch_j", report.stretchJ},        {"shear_j", report.shearJ},     {"bend_j", report.bendJ}};
}

Expected<void> addSwing(const Damping& damping, std::size_t b, int side, Job& job, std::vector<ReproductionRow>& rows) {
    const scene::Scene scene = swing(damping, kBranches[b], side);
    const auto stepAt = [&](double time) { return int(std::lround(time / scene.settings.integrator.dt)); };
    auto made = startSimulation(scene, job);
    if (!made) return fail(made.error());
    const double startJ = (*made)->lastReport().totalJ();
    double worst = 0;
    std::size_t t = 0;
    const auto after = [&](const Simulation& simulation) {
        const simulation::StepReport& report = simulation.lastReport();
        worst = std::max(worst, report.maxStrain);
        if (report.step != stepAt(kTimes[t])) return;
        records::Entries ours = joined(energiesIn(report, startJ), {{"max_strain", worst}});
        // Only the thesis' own size has a twin to compare with.
        if (side == kSide)
            ours.emplace_back("total_of_twin", records::findNumber(ours, "total_j") / damping.twinTotal[b][t]);
        if (side == kSide && b == 0 && t + 1 == kTimes.size())
            ours.emplace_back("kinetic_of_twin", report.kineticJ / damping.twinKinetic);
        rows.push_back(
            {{{"damping", damping.name}, {"linear_branch", kBranches[b]}, {"time_s", kTimes[t++]}}, std::move(ours)});
    };
    return walk(**made, {.steps = stepAt(kTimes.back()), .after = after}, job);
}

}  // namespace

Expected<Reproduction> energiesOfSwing(SwingDamping which, Job& job) {
    const Damping& damping = kDampings[int(which)];
    const int side = job.side(kSide, kSide);
    job.tell("side", side, "damping", damping.coefficient);
    if (side != kSide) job.tell("coarser", true);
    return tableOfCases(
        std::array<std::size_t, 2>{0, 1}, job,
        [](std::size_t b) { return fmt::format("c_b = {:g} kappa_b", kBranches[b]); },
        [&](std::size_t b, auto& rows) { return addSwing(damping, b, side, job, rows); });
}

}  // namespace clothlab::papers::boxerman
