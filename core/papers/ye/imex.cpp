#include "integrators/kind.hpp"
#include "linalg/distances.hpp"
#include "papers/ye/ye.hpp"
#include "solvers/kind.hpp"

/// [Y] §6: "increasing the shear coefficient makes the IMEX setup become unstable". The shear stiffness at which it
/// does.
namespace clothlab::papers::ye {
namespace {

constexpr int kSteps = 60, kSeeds = 5;
constexpr double kPapersShear = 0.3, kBeyond = 0.8;  // N/m
constexpr double kSpeedLimit = 30;                   // m/s; the ball moves at 2.5
constexpr double kMass = 9.5e-6;                     // kg
constexpr double kDt = 6.67e-3;                      // s

/// `limit`: shear stiffness of an independent computation of the same scene, N/m, median of five seeds of the same
/// noise.
struct Sheet {
    int side;
    double stiffness, limit;
};
constexpr std::array kSheets{Sheet{21, 60, 0.62}, Sheet{21, 600, 0.65}, Sheet{21, 6000, 0.60}, Sheet{41, 600, 0.67}};

Expected<scene::Scene> makeScene(const Sheet& c, const Job& job) {
    auto scene = paperScene("ball-hit", job, meshSettings(c.side, 1e3 * kDt, c.stiffness));
    if (!scene) return scene;
    scene->settings.integrator.kind =
        integrators::IntegratorKind::ImexEuler;  // its split is that of the paper by default
    scene->settings.solver.kind = solvers::SolverKind::Cholesky;
    scene->cloths.front().noise = 1e-3;
    scene->colliders.front().stopTime = 1e300;
    return scene;
}

/// Whether the sheet gets through the hit; a stop is an Error.
Expected<bool> stable(const scene::Scene& base, double shear, Job& job) {
    scene::Scene scene = base;
    scene.settings.material.shearStiffness = shear;
    auto made = startSimulation(std::move(scene), job);
    if (!made) return fail(made.error());
    Walker sheet{.simulation = made->get(),
                 .sound = [](const Simulation& s) { return linalg::largestNorm(s.state().v) <= kSpeedLimit; }};
    const auto walked = walk({&sheet, 1}, {.steps = kSteps, .failure = Walk::Failure::LeavesBehind}, job);
    if (!walked) return fail(walked.error());
    return !sheet.failed;
}

Expected<void> addRow(const Sheet& c, Job& job, std::vector<ReproductionRow>& rows) {
    const int seeds = job.choose(kSeeds, kSeeds, 1);
    auto scene = makeScene(c, job);
    if (!scene) return fail(scene.error());
    std::vector<double> limits;
    int stableAtPapers = 0, stableBeyond = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
        scene->cloths.front().noiseSeed = seed;
        const auto limit = bisect(0.02, 30, 1.03, [&](double shear) { return stable(*scene, shear, job); });
        if (!limit) return fail(limit.error());
        const auto atPapers = stable(*scene, kPapersShear, job), beyond = stable(*scene, kBeyond, job);
        for (const auto* each : {&atPapers, &beyond})
            if (!*each) return fail(each->error());
        limits.push_back(*limit);
        stableAtPapers += *atPapers;
        stableBeyond += *beyond;
    }
    const double scale = kDt * kDt / kMass;
    // The sum of methods §5.8 over 4 shear and 4 bend springs, at most 2.
    const double guaranteed = (2 / scale - 4 * scene->settings.material.bendStiffness) / 4;
    rows.push_back({{{"mesh", fmt::format("{0} x {0}", c.side)}, {"stretch_stiffness", c.stiffness}},
                    {{"largest_stable_shear", median(limits)},
                     {"least", quantile(limits, 0)},
                     {"most", quantile(limits, 1)},
                     {"h2k_over_m", scale * median(limits)},
                     {"guaranteed_shear", guaranteed},
                     {"twin", c.limit},
                     {"stable_at_0.3", double(stableAtPapers) / seeds},
                     {"stable_at_0.8", double(stableBeyond) / seeds}}});
    return {};
}

}  // namespace

Expected<Reproduction> section6Imex(Job& job) {
    std::vector<Sheet> sheets(kSheets.begin(), job.options.quick ? kSheets.end() - 1 : kSheets.end());
    if (job.options.side > 0) sheets = {{job.options.side, 600, 0}};
    job.tell("dt_ms", 1e3 * kDt, "steps", kSteps, "seeds", kSeeds, "speed", kSpeedLimit);
    return tableOfCases(
        sheets, job, [](const Sheet& c) { return fmt::format("{0} x {0}, k = {1:g}", c.side, c.stiffness); },
        [&](const Sheet& c, auto& rows) { return addRow(c, job, rows); });
}

}  // namespace clothlab::papers::ye
