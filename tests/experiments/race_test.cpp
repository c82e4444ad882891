#include "experiments/race/race.hpp"

#include <fmt/format.h>

#include "experiments/race/race_text.hpp"
#include "preconditioners/kind.hpp"
#include "simulation/scenes.hpp"
#include "solvers/ritz.hpp"
#include "support/random_systems.hpp"

namespace clothlab::experiments {
namespace {

using solvers::SolveStatus;

struct Frozen {
    linalg::FrozenSystem system, earlier;
    scene::Settings settings;
};

Frozen freeze(const char* scene, std::initializer_list<const char*> overrides, int step) {
    const auto simulation = testing::simulate(scene, overrides);
    Frozen out;
    for (int k = 1; k <= step; ++k) {
        simulation->step({.keepSystem = k >= step - 1});
        if (k >= step - 1) (k == step ? out.system : out.earlier) = *simulation->systemOfLastStep();
    }
    out.settings = simulation->settings();
    return out;
}

RaceResult run(const Frozen& f, const RaceOptions& options, const RaceControl& control = {}) {
    WorkerPool pool(1);
    return race(f.system, &f.earlier, raceField(f.settings), options, control, pool);
}

TEST(Race, EveryMethodIsARowAndAllThatArriveAgree) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const Frozen f = freeze("drape-sphere", {"cloth.rows=15", "cloth.columns=15"}, 80);
    ASSERT_GT(f.system.constraints.constrained().size(), 5u) << "no contacts: the race would be too easy";
    const RaceOptions options{.tolerances = {1e-3, 1e-6}, .runs = 2};
    const RaceResult result = run(f, options);
    EXPECT_EQ(result.rows.size(), 2 * result.field.size());
    int kinds = 0;
    for (const EnumEntry& kind : enumTable(preconditioners::PreconditionerKind{}))
        kinds += std::any_of(result.field.begin(), result.field.end(), [&](const Contestant& c) {
            return solvers::usesPreconditioner(c.method.solver.kind) && int(c.method.preconditioner.kind) == kind.value;
        });
    EXPECT_EQ(kinds, int(enumTable(preconditioners::PreconditionerKind{}).size()));
    for (const EnumEntry& kind : enumTable(solvers::SolverKind{}))
        EXPECT_TRUE(std::any_of(result.field.begin(), result.field.end(),
                                [&](const Contestant& c) { return int(c.method.solver.kind) == kind.value; }));
    for (const RaceRow& row : result.rows) {
        const Contestant& who = result.field[row.contestant];
        const std::string name = who.solverKey() + " " + who.methodText();
        if (who.method.preconditioner.variant == preconditioners::Variant::Published)
            continue;  // may stall or report a problem
        EXPECT_EQ(row.status, SolveStatus::Converged) << name << row.message;
        EXPECT_LE(row.trueRelativeResidual, row.tolerance) << name;
        EXPECT_GT(row.totalMs, 0) << name;
        EXPECT_GE(row.coldMs, row.totalMs) << name;
        if (!solvers::usesPreconditioner(who.method.solver.kind)) continue;
        EXPECT_EQ(row.residuals.size(), std::size_t(row.iterations) + 1) << name;
        EXPECT_EQ(row.milliseconds.size(), row.residuals.size()) << name;
        EXPECT_EQ(row.errors.size(), row.residuals.size()) << name;
        EXPECT_TRUE(std::ranges::is_sorted(row.errors, std::greater())) << name;
        EXPECT_TRUE(std::is_sorted(row.milliseconds.begin(), row.milliseconds.end())) << name;
        if (row.iterations > 0 && row.totalMs > row.setUpMs && row.milliseconds.back() > row.milliseconds.front()) {
            EXPECT_NEAR(row.milliseconds.front(), row.setUpMs, 1e-5 * row.totalMs) << name;
            EXPECT_NEAR(row.milliseconds.back(), row.totalMs, 1e-5 * row.totalMs) << name << ": table and curve agree";
        }
        if (row.iterations > 0 && row.message.empty()) {  // one preconditioner throughout
            EXPECT_GE(row.condition(), 1) << name;
        }
    }
}

// A method that does not converge is a row with its status, not a gap.
TEST(Race, WhatDoesNotArriveIsARow) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const Frozen f = freeze("ball-hit", {"cloth.rows=17", "cloth.columns=17", "material.stretch_stiffness=6000"}, 50);
    const RaceResult result = run(f, {.tolerances = {1e-8}, .runs = 3, .maxIterations = 40});
    int limited = 0;
    for (const RaceRow& row : result.rows)
        if (row.status == SolveStatus::MaxIterations) {
            ++limited;
            EXPECT_EQ(row.iterations, 40);
            EXPECT_EQ(row.runs, 1);  // more runs would say nothing
            EXPECT_GT(row.trueRelativeResidual, 1e-8);
        }
    EXPECT_GE(limited, 5);
    // A slow method is cut. Without patience, this is any that exceeds the given multiple of the best time.
    const RaceResult cut = run(f, {.tolerances = {1e-8}, .runs = 1, .slowFactor = 1e-6, .patienceSeconds = 0});
    EXPECT_TRUE(
        std::any_of(cut.rows.begin(), cut.rows.end(), [](const RaceRow& r) { return r.cut && !r.message.empty(); }));
}

// The race checks what a solver claims: a senseless system has no row that converged.
TEST(Race, ASystemThatIsNoneHasNoRowThatArrives) {
    const Frozen sound = freeze("hang", {"cloth.rows=9", "cloth.columns=9"}, 10);
    const auto nobodyArrives = [&](const char* what, const std::function<void(linalg::FrozenSystem&)>& spoil) {
        Frozen f = sound;
        spoil(f.system);
        spoil(f.earlier);
        for (const RaceRow& row : run(f, {.tolerances = {1e-3, 1e-6}, .runs = 1}).rows) {
            EXPECT_FALSE(row.converged()) << what << row.contestant << row.message;
            EXPECT_NE(row.status, SolveStatus::NotRun) << what;
            EXPECT_FALSE(row.message.empty()) << what;
        }
    };
    nobodyArrives("ndof 2 without a normal",
                  [](linalg::FrozenSystem& s) { s.constraints.set({.particle = 40, .ndof = 2}); });
    nobodyArrives("b of 1e308", [](linalg::FrozenSystem& s) { s.b.flat().setConstant(1e308); });
    nobodyArrives("b infinite", [](linalg::FrozenSystem& s) { s.b[40][1] = INFINITY; });
    nobodyArrives("A infinite", [](linalg::FrozenSystem& s) { s.A.diagonal(40)(1, 1) = INFINITY; });
    nobodyArrives("A not a number", [](linalg::FrozenSystem& s) {
        s.A.setOccupied(s.A.pattern().diagonal[40] + 1, true);
        s.A.block(s.A.pattern().diagonal[40] + 1)(0, 0) = NAN;
    });
    nobodyArrives("z of 1e308", [](linalg::FrozenSystem& s) {
        s.constraints.set({.particle = 40, .ndof = 0, .z = Vec3(1e308, 0, 0)});
    });
    nobodyArrives("z infinite", [](linalg::FrozenSystem& s) {
        s.constraints.set({.particle = 40, .ndof = 0, .z = Vec3(INFINITY, 0, 0)});
    });
}

// Round-off may keep a direct solver above the first tolerance; then its row for it has not converged.
TEST(Race, ADirectRowIsHeldToEachTolerance) {
    const Frozen f = freeze("hang", {"cloth.rows=9", "cloth.columns=9"}, 5);
    for (const RaceRow& row : run(f, {.tolerances = {1e-14, 1e-3}, .runs = 1}).rows)
        if (row.converged()) {
            EXPECT_LE(row.trueRelativeResidual, std::max(row.tolerance, 1e-12));
        }
}

RaceRow timed(double least, double median, double most, double tolerance = 1e-3,
              SolveStatus status = SolveStatus::Converged) {
    RaceRow row;
    row.status = status;
    row.tolerance = tolerance;
    row.runs = 5;
    row.totalMinMs = row.middleMinMs = least, row.totalMs = median, row.totalMaxMs = row.middleMaxMs = most;
    return row;
}

TEST(Race, RowsWhoseRunsOverlapShareARank) {
    RaceResult race;
    race.options.tolerances = {1e-3, 1e-6};
    race.rows = {timed(8, 9, 10),
                 timed(1, 2, 3),
                 timed(2.5, 4, 5),    // overlaps with the one before
                 timed(4.5, 5.5, 6),  // and this one with that
                 timed(0.1, 0.2, 0.3, 1e-3, SolveStatus::Stalled),
                 timed(7, 7, 7, 1e-6)};  // of another tolerance
    EXPECT_EQ(raceRanks(race), (std::vector<int>{4, 1, 1, 1, 0, 1}));
    EXPECT_EQ(busyNote(race), "the machine was busy: the runs of 4 of 6 rows differ by more than 30 %");
    race.rows[1].totalMaxMs = 100;  // one run of five; the others stay
    EXPECT_EQ(raceRanks(race), (std::vector<int>{4, 1, 1, 1, 0, 1}));
    race.rows = {timed(10, 11, 13), timed(14, 14, 14)};
    EXPECT_EQ(raceRanks(race), (std::vector<int>{1, 2}));
    EXPECT_EQ(busyNote(race), "");
}

TEST(Race, ByIterationsTiesShareARankAndDirectSolversHaveNone) {
    const auto row = [](int iterations, bool converged, double ms) {
        RaceRow out;
        out.status = converged ? solvers::SolveStatus::Converged : solvers::SolveStatus::Stalled;
        out.iterations = iterations;
        out.middleMinMs = out.middleMaxMs = ms;
        return out;
    };
    const std::vector<RaceRow> rows{row(477, true, 9),  row(779, true, 1), row(570, true, 3),
                                    row(570, true, 30), row(12, false, 1), row(0, true, 1)};
    std::vector<const RaceRow*> all;
    for (const RaceRow& each : rows) all.push_back(&each);
    EXPECT_EQ(iterationRanks(all), (std::vector{1, 4, 2, 2, 0, 0}));
}

// A curve of a single run was once bent by one iteration that was held up for 30 ms.
TEST(Race, AnIterationThatWasHeldUpInOneRunDoesNotBendTheCurve) {
    const std::vector<std::vector<float>> runs{{1, 2, 3, 4}, {1, 2, 33, 34}, {1.5f, 2.5f, 3.5f, 4.5f}, {1, 2, 3}};
    EXPECT_EQ(medianTimes(runs), (std::vector<float>{1, 2, 3.5f, 4.5f}));
    EXPECT_TRUE(medianTimes({}).empty());
}

TEST(Race, ARowKeepsTheLeastAndTheMostOfItsRuns) {
    const Frozen f = freeze("hang", {"cloth.rows=9", "cloth.columns=9"}, 5);
    const RaceResult result = run(f, {.tolerances = {1e-3}, .runs = 4});
    int several = 0;
    for (const RaceRow& row : result.rows) {
        EXPECT_GT(row.totalMinMs, 0);
        EXPECT_LE(row.totalMinMs, row.totalMs);
        EXPECT_LE(row.totalMs, row.totalMaxMs);
        EXPECT_LE(row.totalMinMs, row.middleMinMs);
        EXPECT_LE(row.middleMinMs, row.middleMaxMs);
        EXPECT_LE(row.middleMaxMs, row.totalMaxMs);
        several += row.runs > 1 && row.totalMinMs < row.totalMaxMs;
        if (row.runs == 1) {
            EXPECT_EQ(row.totalMinMs, row.totalMaxMs);
        }
    }
    EXPECT_GT(several, 0);
}

TEST(Race, TheActiveMethodComesFirstWithItsParametersAndOnce) {
    scene::Settings settings;
    settings.preconditioner = {.kind = preconditioners::PreconditionerKind::Ssor, .omega = 1.3};
    auto field = raceField(settings);
    EXPECT_TRUE(field.front().active);
    EXPECT_EQ(field.front().methodText(), "ssor omega=1.3");
    const std::size_t size = field.size();
    settings.preconditioner = {};  // block Jacobi is in the field anyway
    field = raceField(settings);
    EXPECT_EQ(field.size(), size - 1);
    EXPECT_EQ(std::count_if(field.begin(), field.end(), [](const Contestant& c) { return c.active; }), 1);
}

TEST(Race, HoldsAndReleasesInTurnAndStops) {
    const Frozen f = freeze("hang", {"cloth.rows=9", "cloth.columns=9"}, 5);
    int held = 0, most = 0, rows = 0;
    std::stop_source stop;
    const RaceControl control{.stop = stop.get_token(),
                              .hold = [&] { most = std::max(most, ++held); },
                              .release = [&] { --held; },
                              .onRow =
                                  [&](const RaceResult&, double) {
                                      if (++rows == 3) stop.request_stop();
                                  }};
    const RaceResult result = run(f, {.runs = 1}, control);
    EXPECT_EQ(held, 0);
    EXPECT_EQ(most, 1);
    EXPECT_EQ(result.rows.size(), 3u);
}

// In the whole Krylov space the Ritz values are the eigenvalues; before that, they lie within the spectrum.
TEST(RitzValues, AreTheSpectrumOfThePreconditionedMatrix) {
    const auto system = testing::randomSystem(10, 81, 0.0);
    using testing::DenseMatrix;
    const DenseMatrix A(system.A), D = DenseMatrix::diagonalOf(A.diagonal().cwiseSqrt().cwiseInverse());
    const DenseMatrix expected = (D * A * D).symmetricEigenvalues();
    solvers::RitzValues all, few;
    WorkerPool pool;
    solvers::SolveSummary summary;
    linalg::BlockVector dv;
    solvers::makeSolver({.tolerance = 1e-13, .warmStart = false}, {.kind = preconditioners::PreconditionerKind::Jacobi})
        ->solve(system.view(), dv, summary,
                {.observer =
                     [&](const solvers::Iterate& it) {
                         all.observe(it);
                         if (it.k <= 8) few.observe(it);
                     }},
                pool);
    const auto values = all.values(), early = few.values();
    ASSERT_GE(values.size(), 20u);
    EXPECT_NEAR(values.front(), expected.minCoeff(), 1e-9);
    EXPECT_NEAR(values.back(), expected.maxCoeff(), 1e-9);
    ASSERT_EQ(early.size(), 8u);
    EXPECT_GE(early.front(), expected.minCoeff() - 1e-12);
    EXPECT_LE(early.back(), expected.maxCoeff() + 1e-12);
    EXPECT_GT(early.front(), values.front());  // early on, only a lower bound of the condition
}

// A restart begins a second Lanczos run, whose values lie within the spectrum, too.
TEST(RitzValues, ARestartIsTwoRuns) {
    const linalg::BlockVector nothing;
    solvers::RitzValues ritz;
    for (const auto& [k, alpha, beta, restarted] :
         {std::tuple{0, 0.0, 0.0, false}, {1, 0.5, 3.0, false}, {2, 0.25, 7.0, true}})
        ritz.observe({k, nothing, nothing, alpha, beta, 1.0, restarted});
    const auto values = ritz.values();
    ASSERT_EQ(values.size(), 2u);
    EXPECT_DOUBLE_EQ(values[0], 2.0);
    EXPECT_DOUBLE_EQ(values[1], 4.0);
}

TEST(RaceText, IsOneLineARowInCsvAndSortedByTimeInTheTable) {
    const Frozen f = freeze("hang", {"cloth.rows=9", "cloth.columns=9"}, 5);
    RaceResult result = run(f, {.tolerances = {1e-4}, .runs = 1});
    result.scene = "hang";
    const std::string csv = raceCsv(result), table = raceTable(result);
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), std::ptrdiff_t(result.rows.size()) + 1);
    std::istringstream lines(csv);
    std::string first;
    std::getline(lines, first);
    EXPECT_NE(table.find("hang, step 5: 81 particles"), std::string::npos);
    EXPECT_NE(table.find(" *"), std::string::npos);
    const std::string json = toJson(result);
    for (const char* key : {"ritz", "total_min_ms", "total_max_ms", "rank", "note"})
        EXPECT_NE(json.find(fmt::format("\"{}\"", key)), std::string::npos) << key;
    EXPECT_NE(first.find("total_min_ms,total_max_ms,rank,"), std::string::npos);
    EXPECT_NE(table.find("rank"), std::string::npos);
}

// A program may claim any time, so that measured rows come first.
TEST(RaceText, WhatAProgramClaimsComesBehindWhatWasMeasured) {
    RaceResult result;
    result.field = {{.program = {.name = "liar", .command = "liar {dir}"}}, {}};
    result.rows.resize(2);
    for (std::size_t k = 0; k < 2; ++k) {
        result.rows[k].contestant = k;
        result.rows[k].tolerance = result.options.tolerances[0];
        result.rows[k].status = solvers::SolveStatus::Converged;
        result.rows[k].trueRelativeResidual = 1e-4;
        result.rows[k].totalMs = k == 0 ? 1e-3 : 5;
        result.rows[k].claimed = k == 0;
    }
    const std::string table = raceTable(result);
    const std::size_t claimed = table.find("liar"), measured = table.find(result.field[1].solverKey());
    ASSERT_NE(claimed, table.npos);
    EXPECT_LT(measured, claimed) << table;
}

}  // namespace
}  // namespace clothlab::experiments
