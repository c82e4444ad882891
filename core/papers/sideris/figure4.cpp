#include <algorithm>

#include "linalg/distances.hpp"
#include "papers/sideris/sideris.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"

/// [P] figures 3 and 4: four scenes of 200 frames, each stepped with each preconditioner. The paper compares the
/// results by eye ("of similar quality"); here their last frames are compared with that of an exact solve.
namespace clothlab::papers::sideris {
namespace {

using preconditioners::PreconditionerKind;
using solvers::SolverKind;

/// Cloth as [P] table 1 has it is so heavy that only a fraction of gravity leaves it in one piece; the scenes that
/// swing and tangle within 200 frames make it light instead.
struct Benchmark {
    const char* scene;
    bool heavy;  ///< with the paper's mass

    const char* weight() const { return heavy ? "1 kg a particle, g 0.3" : "10 g a particle, g 9.81"; }
};
constexpr std::array kBenchmarks{
    Benchmark{"sideris-free-fall", true},       Benchmark{"sideris-curtain", true},
    Benchmark{"sideris-moving-collider", true}, Benchmark{"sideris-tangling", true},
    Benchmark{"sideris-curtain", false},        Benchmark{"sideris-moving-collider", false},
    Benchmark{"sideris-tangling", false},
};

/// A scene of another mass gets the cloth and the gravity of `sideris-free-fall`.
Expected<scene::Scene> makeScene(const Benchmark& benchmark, int side, const Job& job) {
    auto scene = paperScene(benchmark.scene, job, square(side));
    const auto heavy = paperScene(kBenchmarks.front().scene, job);
    if (!scene || !heavy) return scene ? heavy : scene;
    if (benchmark.heavy) {
        scene->settings.material = heavy->settings.material;
        scene->settings.gravity = heavy->settings.gravity;
    }
    return scene;
}

/// What steps a scene.
struct Stepper {
    std::string name;
    Method method;
};

/// The first is exact, and what the others are measured by; the second differs from it by rounding alone.
std::vector<Stepper> steppers() {
    std::vector<Stepper> out{{"exact", {{.kind = SolverKind::Cholesky}, {}}},
                             {"exact, other rounding",
                              {{.kind = SolverKind::Cholesky,
                                .form = solvers::DirectForm::Reduced,
                                .factorization = factors::Factorization::Supernodal},
                               {}}}};
    for (const Contender& c : contenders())
        if (!c.times) out.push_back({c.name, {untilBelow(kThreshold), c.settings}});
    out.push_back(
        {"incomplete-poisson, ours", {untilBelow(kThreshold), {.kind = PreconditionerKind::IncompletePoisson}}});
    return out;
}

/// What became of a scene.
struct Film {
    int frames = 0, mostIterations = 0, unconverged = 0;
    double iterations = 0, solveMs = 0;  ///< sums
    linalg::BlockVector last;            ///< positions
    std::string end;                     ///< why there are fewer frames
};

Expected<Film> film(scene::Scene scene, const Method& method, int frames, Job& job) {
    scene.settings.solver = method.solver;
    scene.settings.preconditioner = method.preconditioner;
    auto made = startSimulation(std::move(scene), job);
    if (!made) return fail(made.error());
    Film out;
    const auto after = [&](const Simulation& simulation) {
        const simulation::StepReport& report = simulation.lastReport();
        ++out.frames;
        out.mostIterations = std::max(out.mostIterations, report.iterations);
        out.unconverged += !solvers::converged(report.solveStatus);
        out.iterations += report.iterations;
        out.solveMs += report.factorMs + report.solveMs;
    };
    const auto walked = walk(**made, {.steps = frames, .after = after}, job);
    if (job.stopped()) return fail(walked.error());
    if (!walked) out.end = walked.error().message;
    out.last = (*made)->state().x;
    return out;
}

records::Entries measured(const Stepper& who, const Film& of, const Film& exact, double spacing) {
    records::Entries out;
    if (!of.end.empty()) out = {{"status", of.end}, {"frames", double(of.frames)}};
    if (of.unconverged > 0) out.emplace_back("unconverged", double(of.unconverged));
    const double frames = std::max(1, of.frames);
    if (solvers::usesPreconditioner(who.method.solver.kind))
        out = joined(std::move(out),
                     {{"iterations", of.iterations / frames}, {"most_iterations", double(of.mostIterations)}});
    out.emplace_back("solve_ms", of.solveMs / frames);
    if (of.frames != exact.frames) return out;
    const linalg::Distances apart = linalg::distances(of.last, exact.last);
    return joined(std::move(out), {{"distance_m", apart.largest},
                                   {"distance_spacings", apart.largest / spacing},
                                   {"rms_spacings", apart.rms / spacing}});
}

}  // namespace

Expected<Reproduction> figure4(Job& job) {
    struct Case {
        Benchmark benchmark;
        Stepper who;
    };
    std::vector<Case> cases;
    for (const Benchmark& benchmark : kBenchmarks)
        for (Stepper& who : steppers()) cases.push_back({benchmark, std::move(who)});
    const int side = job.side(50, 25), frames = job.choose(200, 100, 60);
    Film exact;
    job.tell("side", side, "frames", frames);
    return tableOfCases(
        cases, job,
        [](const Case& c) { return fmt::format("{}, {}, {}", c.benchmark.scene, c.benchmark.weight(), c.who.name); },
        [&](const Case& c, auto& rows) -> Expected<void> {
            const auto scene = makeScene(c.benchmark, side, job);
            if (!scene) return fail(scene.error());
            const double spacing = scene->cloths.front().side / (side - 1);
            auto shot = film(*scene, c.who.method, frames, job);
            if (!shot) return fail(shot.error());
            if (c.who.name == "exact") exact = *shot;
            rows.push_back({{{"scene", c.benchmark.scene}, {"cloth", c.benchmark.weight()}, {"method", c.who.name}},
                            measured(c.who, *shot, exact, spacing),
                            {},
                            side == 50});
            return {};
        });
}

}  // namespace clothlab::papers::sideris
