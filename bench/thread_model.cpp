#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/stage_timer.hpp"
#include "base/statistics.hpp"
#include "bench.hpp"
#include "experiments/systems/freeze.hpp"
#include "factorizations.hpp"
#include "factors/cholmod_factor.hpp"
#include "linalg/reduced_system.hpp"
#include "preconditioners/incomplete_cholesky.hpp"
#include "preconditioners/kind.hpp"

/// Estimates the time of a step on more threads than this machine has.
///
/// The stages of a step are timed on one thread and on two. Factor and triangular solves are simulated on their real
/// schedule: that of the rows of an incomplete factor (SweepSchedule), or that of the fronts of a complete one
/// (Multifrontal). For everything else, Amdahl's law gives the serial share from the two times. The model ignores that
/// threads share the memory, so a real step takes at least as long.
namespace clothlab::bench {
namespace {

constexpr std::array kThreads{1, 2, 4, 8, 16};
using IncompleteFactor = preconditioners::IncompleteCholesky<float>;
using preconditioners::PreconditionerKind;

struct Case {
    const char* scene;
    std::vector<const char*> settings;
    int begin, steps;
    PreconditionerKind factor;  ///< identity if no schedule is known
};

/// Milliseconds per step.
struct Stages {
    double assembly = 0, analysis = 0, factor = 0, solve = 0, contacts = 0, other = 0;

    double step() const { return assembly + analysis + factor + solve + contacts + other; }
};

std::unique_ptr<simulation::Simulation> start(const Case& of, int threads) {
    auto scene = scene::findScene(of.scene, std::string(CLOTHLAB_SOURCE_DIR) + "/assets");
    for (const char* assignment : of.settings) require(scene && scene::applyOverride(*scene, assignment), assignment);
    auto simulation = simulation::Simulation::create(*scene, threads);
    require(bool(simulation), of.scene);
    return std::move(*simulation);
}

/// Medians over the steps of two simulations that take turns.
std::array<Stages, 2> measured(const Case& of) {
    const std::unique_ptr<simulation::Simulation> on[] = {start(of, 1), start(of, 2)};
    std::array<std::array<std::vector<double>, 6>, 2> times;
    for (int step = 0; step < of.begin + of.steps; ++step)
        for (std::size_t k = 0; k < 2; ++k) {
            const simulation::StepReport report = on[k]->step();
            if (step < of.begin) continue;
            const double each[] = {report.assembleMs, report.analyzeMs, report.factorMs,
                                   report.solveMs,    report.contactMs, report.otherMs};
            for (std::size_t stage = 0; stage < 6; ++stage) times[k][stage].push_back(each[stage]);
        }
    std::array<Stages, 2> stages;
    for (std::size_t k = 0; k < 2; ++k) {
        const auto at = [&](std::size_t stage) { return median(times[k][stage]); };
        stages[k] = {at(0), at(1), at(2), at(3), at(4), at(5)};
    }
    return stages;
}

/// The factor of a case, and the bytes that an iteration with it reads.
struct Factor {
    std::array<double, kThreads.size()> speedup;
    double sweepBytes = 0, productBytes = 0;
    /// The time of one application on one thread over that on two, with one domain: checks the simulated schedule.
    double measuredWave = 0, simulatedWave = 0;

    double shareOfSweeps() const { return sweepBytes > 0 ? sweepBytes / (sweepBytes + productBytes) : 0; }
};

/// The fastest application on one thread over the fastest on two, measured in turn.
double waveOnTwoThreads(const linalg::BlockMatrix& A, const linalg::BlockVector& b) {
    struct Side {
        WorkerPool pool;
        IncompleteFactor factor{{.kind = PreconditionerKind::IncompleteCholesky, .domains = 1}};
        double best = 1e300;

        explicit Side(int threads) : pool(threads) {}
    };
    Side one(1), two(2);
    for (Side* side : {&one, &two}) {
        side->factor.analyze(A, nullptr, side->pool);
        require(side->factor.update({.matrix = A}, side->pool).usable, "an incomplete factor");
    }
    linalg::BlockVector z(b.size());
    for (int k = 0; k < 41; ++k)
        for (Side* side : {&one, &two}) {
            StageTimer timer;
            side->factor.applyDot(b, z, side->pool);
            side->best = std::min(side->best, timer.lap());
        }
    return one.best / two.best;
}

Factor factorOf(const Case& of) {
    Factor found;
    found.speedup.fill(1);
    if (of.factor == PreconditionerKind::Identity) return found;
    const auto simulation = start(of, 1);
    const auto frozen = experiments::freezeStep(*simulation, of.begin + 1);
    require(bool(frozen), "a frame");
    WorkerPool one;
    linalg::ReducedSystem reduced;
    reduced.build(frozen->system.view(), one);
    const linalg::BlockMatrix& A = reduced.matrix();
    const auto rows = double(A.rows()), upper = (double(A.occupiedBlocks()) - rows) / 2;
    found.productBytes = 4 * 9 * (upper + rows) + 8 * upper + 10 * 24 * rows;  // ten vectors
    if (of.factor == PreconditionerKind::MatrixCore) {
        preconditioners::CorePart part(preconditioners::FactorOf::Core, linalg::CoreMask::kUsual);
        part.analyze(A, &reduced.core());
        factors::CholmodFactor factor(linalg::Precision::Single);
        require(factor.analyze(part.pattern(), factors::Ordering::Best, factors::Factorization::Multifrontal),
                "a core");
        for (std::size_t k = 0; k < kThreads.size(); ++k) found.speedup[k] = factor.speedup(kThreads[k]);
        found.sweepBytes = 2 * 4 * factor.fill();
        return found;
    }
    IncompleteFactor factor({.kind = of.factor});
    factor.analyze(A, nullptr, one);
    require(factor.update({.matrix = A}, one).usable, "an incomplete factor");
    factors::SweepSchedule schedule;
    for (std::size_t k = 0; k < kThreads.size(); ++k) {
        schedule.make(factor.triangle().structure(), kThreads[k]);
        found.speedup[k] = schedule.speedup();
    }
    found.sweepBytes = 2 * (40.0 * factor.triangle().blocks() + 36 * rows);
    IncompleteFactor uncut({.kind = of.factor, .domains = 1});
    uncut.analyze(A, nullptr, one);
    require(uncut.update({.matrix = A}, one).usable, "an incomplete factor");
    schedule.make(uncut.triangle().structure(), 2);
    found.simulatedWave = schedule.speedup();
    found.measuredWave = waveOnTwoThreads(A, reduced.rhs());
    return found;
}

/// The time of a stage on `threads` threads: `share` of it has the factor's speedup, the rest follows Amdahl's law.
double modelled(double one, double two, double share, double speedupOfTwo, double speedup, int threads) {
    if (threads == 1 || one <= 0) return one;
    const double rest = 1 - share;
    const double serial = rest > 0 ? std::clamp(2 * (two / one - share / speedupOfTwo) / rest - 1, 0.0, 1.0) : 0;
    return one * (share / speedup + rest * (serial + (1 - serial) / threads));
}

void print(const Case& of) {
    const std::array<Stages, 2> times = measured(of);
    const Factor factor = factorOf(of);
    std::string settings;
    for (const char* each : of.settings) settings += fmt::format(" {}", each);
    fmt::print("{}{}, steps {} to {}\n", of.scene, settings, of.begin + 1, of.begin + of.steps);
    if (factor.sweepBytes > 0)
        fmt::print("  an iteration reads {:.1f} MB of the factor and {:.1f} MB of matrix and vectors\n",
                   factor.sweepBytes / 1e6, factor.productBytes / 1e6);
    if (factor.simulatedWave > 0)
        fmt::print("  both sweeps of an uncut order on two threads: {:.2f} times as fast as on one, simulated {:.2f}\n",
                   factor.measuredWave, factor.simulatedWave);
    fmt::print("  {:<22}{:>9}", "ms per step, threads", "2 timed");
    for (const int threads : kThreads) fmt::print("{:>9}", threads);
    fmt::print("\n");
    Stages total[kThreads.size()];
    const auto row = [&](const char* name, double Stages::*stage, double share) {
        fmt::print("  {:<22}{:>9.2f}", name, times[1].*stage);
        for (std::size_t k = 0; k < kThreads.size(); ++k) {
            total[k].*stage =
                modelled(times[0].*stage, times[1].*stage, share, factor.speedup[1], factor.speedup[k], kThreads[k]);
            fmt::print("{:>9.2f}", total[k].*stage);
        }
        fmt::print("\n");
    };
    row("assembly", &Stages::assembly, 0);
    row("analysis", &Stages::analysis, 0);
    row("factor", &Stages::factor, factor.sweepBytes > 0 ? 1 : 0);
    row("solve", &Stages::solve, factor.shareOfSweeps());
    row("contacts", &Stages::contacts, 0);
    row("other", &Stages::other, 0);
    fmt::print("  {:<22}{:>9.2f}", "step", times[1].step());
    for (const Stages& each : total) fmt::print("{:>9.2f}", each.step());
    fmt::print("\n  {:<31}", "speedup of the factor");
    for (const double speedup : factor.speedup) fmt::print("{:>9.2f}", speedup);
    fmt::print("\n\n");
}

}  // namespace

void printThreadModel() {
    const std::vector<const char*> ic{"material.stretch_stiffness=6000", "solver.kind=reduced-pcg",
                                      "preconditioner.kind=incomplete-cholesky"};
    const auto sheet = [&](const char* rows, const char* columns, int begin, int steps) {
        std::vector<const char*> settings{rows, columns};
        settings.insert(settings.end(), ic.begin(), ic.end());
        print({"hang", settings, begin, steps, PreconditionerKind::IncompleteCholesky});
    };
    sheet("cloth.rows=81", "cloth.columns=81", 4, 20);
    sheet("cloth.rows=161", "cloth.columns=161", 4, 12);
    sheet("cloth.rows=321", "cloth.columns=321", 2, 6);
    print({"ye-clump", {}, 200, 40, PreconditionerKind::MatrixCore});
    print({"liu-frog", {}, 20, 40, PreconditionerKind::Identity});
}

}  // namespace clothlab::bench
