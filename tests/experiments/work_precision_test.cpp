#include "experiments/sweep/work_precision.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "experiments/charts/chart.hpp"
#include "experiments/smooth_sheet.hpp"
#include "experiments/sweep/sweep.hpp"
#include "integrators/kind.hpp"
#include "integrators/methods/catalogue.hpp"
#include "records/json_line.hpp"
#include "simulation/scenes.hpp"
#include "support/sanitizers.hpp"

namespace clothlab::testing {

using namespace experiments;
namespace {

using integrators::IntegratorKind;
using records::Entries;

SweepPlan workPlan(const scene::Scene& scene, const WorkPrecisionRequest& request,
                   const std::shared_ptr<const integrators::SimulationState>& start = {}) {
    auto plan = planWorkPrecision(scene, start, request);
    EXPECT_TRUE(plan) << (plan ? "" : plan.error().text());
    return plan ? std::move(*plan) : SweepPlan{};
}

std::vector<SweepRow> allRows(const SweepPlan& plan) {
    SweepRunner runner(plan, 1, 1, {});
    std::vector<SweepRow> rows;
    for (int run = 0; run < plan.runs; ++run)
        if (auto row = runner.run(run)) rows.push_back(std::move(*row));
    return rows;
}

const WorkPrecisionRequest kTwoMethods{.integrators = {IntegratorKind::LinearizedBackwardEuler, IntegratorKind::Bdf2},
                                       .duration = 0.1,
                                       .largestDt = 0.0025,
                                       .sizes = 2,
                                       .tolerance = 1e-11};

TEST(WorkPrecision, TheCurvesHaveTheOrdersOfTheMethods) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    using enum IntegratorKind;
    WorkPrecisionRequest request = kTwoMethods;
    request.integrators = {LinearizedBackwardEuler, Bdf2,  NewtonBackwardEuler, NewtonBdf2,        FastMassSpring,
                           FastMassSpringMidpoint,  LBfgs, NonlinearCg,         VertexBlockDescent};
    auto sheet = smoothSheet();
    sheet.settings.integrator.fastMassSpring.iterations = sheet.settings.integrator.vbd.iterations = 60;
    const auto plan = workPlan(sheet, request);
    ASSERT_EQ(plan.runs, 18);
    records::RecordFile file{.name = "work", .records = {}};
    for (const auto& row : allRows(plan))
        file.records.push_back(*records::readJsonLine(toJsonLine(row, plan.identity)));
    ASSERT_TRUE(checkWorkPrecision(file));
    for (const char* y : {"error_m", "error_rms_m"}) {
        const auto charts = makeCharts({&file, 1}, {.y = {y}});
        ASSERT_TRUE(charts) << charts.error().text();
        ASSERT_EQ(charts->size(), 1u);
        EXPECT_TRUE(charts->front().logX && charts->front().logY);
        EXPECT_EQ(charts->front().xKey, "ms_per_simulated_s");
        ASSERT_EQ(charts->front().curves.size(), 9u);
        for (const ChartCurve& curve : charts->front().curves) {
            std::vector<double> dt;
            for (const std::size_t record : curve.records)
                dt.push_back(records::findNumber(file.records[record], "vary.integrator.dt"));
            const auto order = measuredOrder(dt, curve.y);
            ASSERT_TRUE(order);
            EXPECT_NEAR(*order, integrators::traitsFor(enumNamed<IntegratorKind>(curve.name)).order, 0.15)
                << curve.name << ", " << y;
            std::vector<const Entries*> runs;
            for (const std::size_t record : curve.records) runs.push_back(&file.records[record]);
            const CurveOrder said = orderOfCurve(runs, curve.y);
            EXPECT_EQ(said.order, order) << curve.name;
            EXPECT_EQ(said.why, "") << curve.name;
        }
    }
}

TEST(WorkPrecision, TheLargestStepsOfAllComeFirstAndEndTogether) {
    scene::Scene scene = smoothSheet();
    scene.settings.integrator.dtSchedule = integrators::DtSchedule::Sine;  // the last step would be unknown
    const auto plan = workPlan(scene, kTwoMethods);
    const double dt[] = {0.0025, 0.0025, 0.00125, 0.00125};
    for (int run = 0; run < 4; ++run) {
        const auto& s = plan.runScene(run).settings;
        EXPECT_EQ(s.integrator.dt, dt[run]);
        EXPECT_EQ(s.integrator.dtSchedule, integrators::DtSchedule::Fixed);
        EXPECT_EQ(s.solver.tolerance, 1e-11);
    }
    const auto steps = plannedSteps(plan);
    EXPECT_EQ(steps.runs, (std::vector<std::int64_t>{40, 40, 80, 80}));
    EXPECT_EQ(steps.reference, 640);
    EXPECT_EQ(steps.all(), 880);
    EXPECT_EQ(plan.referenceScene(0).settings.integrator.kind, IntegratorKind::Rk4);
    WorkPrecisionRequest loose = kTwoMethods;
    loose.tolerance = 0;
    EXPECT_EQ(workPlan(scene, loose).runScene(0).settings.solver.tolerance, scene.settings.solver.tolerance);
    loose.duration = 0.0999;
    EXPECT_FALSE(planWorkPrecision(scene, {}, loose)) << "does not end with a step";
    loose.integrators.clear();
    EXPECT_FALSE(planWorkPrecision(scene, {}, loose));
}

TEST(WorkPrecision, BeginsAtTheStateThatIsGivenWithoutItsPast) {
    scene::Scene scene = smoothSheet();
    scene.settings.integrator.kind = IntegratorKind::Bdf2;
    auto simulation = simulation::Simulation::create(scene, 1);
    ASSERT_TRUE(simulation);
    for (int i = 0; i < 6; ++i) (*simulation)->step();
    auto state = std::make_shared<integrators::SimulationState>((*simulation)->state());
    ASSERT_TRUE(state->previousValid);
    auto strange = std::make_shared<integrators::SimulationState>(*state);
    for (Index i = 0; i < strange->x.size(); ++i) strange->vPrevious[i] += Vec3(1, 2, 3);
    strange->grab = {.active = true, .particle = 12, .target = Vec3(5, 5, 5)};

    WorkPrecisionRequest request = kTwoMethods;
    request.integrators = {IntegratorKind::Bdf2};
    const auto fromState = allRows(workPlan(scene, request, state)),
               fromStrange = allRows(workPlan(scene, request, strange)), fromStart = allRows(workPlan(scene, request));
    ASSERT_EQ(fromState.size(), 2u);
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_EQ(fromState[k].summary.stateHash, fromStrange[k].summary.stateHash);
        EXPECT_NE(fromState[k].summary.stateHash, fromStart[k].summary.stateHash);
        EXPECT_NEAR(fromState[k].summary.timeSeconds, 0.1, 1e-12);
    }
    EXPECT_NEAR(std::log2(fromState[0].largestError / fromState[1].largestError), 2.0, 0.25)
        << "of second order from there, too";
    // The identity of a file includes the start state, so that two such sweeps are told apart.
    const auto plan = workPlan(scene, request, state);
    ASSERT_NE(records::findEntry(plan.identity, "start"), nullptr);
    EXPECT_EQ(records::findEntry(workPlan(scene, request).identity, "start"), nullptr);
    scene.cloths[0].rows += 1;
    for (const auto& row : allRows(workPlan(scene, request, state))) EXPECT_NE(row.refusal, "") << "another cloth";
}

TEST(WorkPrecision, AnOrderIsASlopeOfTheSmallestSteps) {
    const double dt[] = {0.04, 0.01, 0.005, 0.0025};
    EXPECT_NEAR(*measuredOrder(dt, std::vector{9.0, 1e-2, 2.5e-3, 6.25e-4}), 2.0, 1e-12)
        << "the coarse one does not count";
    EXPECT_NEAR(*measuredOrder(dt, std::vector<double>{0.0, NAN, 4.0, 2.0}), 1.0, 1e-12);
    EXPECT_FALSE(measuredOrder(dt, std::vector<double>{0.0, NAN, 4.0, -2.0}));
}

TEST(WorkPrecision, StepsOfOneLengthHaveNoOrder) {
    const double same[] = {3.125e-4, 3.12e-4, 3.13e-4}, near[] = {7.7e-4, 6.25e-4, 6.24e-4};
    EXPECT_FALSE(measuredOrder(same, std::vector{1e-4, 1.1e-4, 0.9e-4}));
    EXPECT_FALSE(measuredOrder(near, std::vector{2e-4, 1e-4, 1e-4}));
    const double twice[] = {0.01, 0.005, 0.005, 0.0025};
    EXPECT_NEAR(*measuredOrder(twice, std::vector{4.0, 2.0, 2.0, 1.0}), 1.0, 1e-12) << "one length, one point";
}

// Springs of a hanging cloth go slack. The measured order is that of the steps that the runs really took.
TEST(WorkPrecision, SaysWhyAnOrderIsMissingOrLow) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    using enum IntegratorKind;
    WorkPrecisionRequest request{.integrators = {SymplecticEuler, Bdf2}, .duration = 0.1, .sizes = 3, .repeat = 1};
    const auto plan = workPlan(sceneNamed("hang", {"cloth.rows=11", "cloth.columns=11"}), request);
    std::map<IntegratorKind, std::vector<Entries>> records;
    std::map<IntegratorKind, std::vector<double>> errors;
    for (const SweepRow& row : allRows(plan)) {
        records[row.settings.integrator.kind].push_back(*records::readJsonLine(toJsonLine(row, plan.identity)));
        errors[row.settings.integrator.kind].push_back(row.largestError);
        EXPECT_GT(row.slackChanges, 0);
        EXPECT_EQ(row.contactSteps, 0);
        const bool implicit = row.settings.integrator.kind == Bdf2;
        EXPECT_EQ(row.stepTaken < 0.9 * row.settings.integrator.dt, !implicit) << row.stepTaken;
        const double parts = row.settings.integrator.dt / row.stepTaken;
        EXPECT_NEAR(parts, std::round(parts), 1e-6) << "a whole number of substeps";
    }
    const auto orderOf = [&](IntegratorKind kind) {
        std::vector<const Entries*> runs;
        for (const Entries& record : records[kind]) runs.push_back(&record);
        return orderOfCurve(runs, errors[kind]);
    };
    const CurveOrder symplectic = orderOf(SymplecticEuler), bdf2 = orderOf(Bdf2);
    EXPECT_FALSE(symplectic.order);
    EXPECT_TRUE(symplectic.why.starts_with("every step was cut to ")) << symplectic.why;
    ASSERT_TRUE(bdf2.order);
    EXPECT_LT(*bdf2.order, 1.75);
    EXPECT_EQ(bdf2.why, "of order 2 on a smooth motion: springs turned slack or taut");
}

TEST(WorkPrecision, ARunPutsInForceWhatItVariedAndNothingElse) {
    const auto record = records::readJsonLine(
        R"({"run":3,"vary":{"integrator.kind":"bdf2","integrator.dt":0.005,"cloth.rows":99,"no.such":1},)"
        R"("settings":{"integrator":{"dt_schedule":"fixed"},"solver":{"tolerance":1e-10}}})");
    scene::Scene scene = smoothSheet();
    scene.settings.integrator.dtSchedule = integrators::DtSchedule::Adaptive;
    scene.settings.solver.tolerance = 0.125;
    scene::Settings expected = scene.settings;
    expected.integrator.kind = IntegratorKind::Bdf2;
    expected.integrator.dt = 0.005;
    expected.integrator.dtSchedule = integrators::DtSchedule::Fixed;
    EXPECT_EQ(settingsOfRun(*record, scene), expected);
}

TEST(WorkPrecision, ABadFileNamesItsLine) {
    const auto path = std::filesystem::temp_directory_path() / "clothlab_work_precision.ndjson";
    const auto findProblem = [&](const char* content) {
        std::ofstream(path, std::ios::binary) << content;
        auto file = records::readRecords(path.string());
        if (!file) return file.error();
        const auto fits = checkWorkPrecision(*file);
        return fits ? Error{} : fits.error();
    };
    const Error broken = findProblem("{\"run\":0,\"error_m\":1}\n\n{\"run\":1,,}\n{\"run\":2}\n");
    EXPECT_EQ(broken.line, 3);
    EXPECT_EQ(broken.column, 10);
    EXPECT_EQ(broken.file, path.string());
    const Error report = findProblem("{\"run\":0,\"error_m\":1}\n\n{\"step\":1,\"time_s\":0.1}\n");
    EXPECT_EQ(report.line, 3) << "an empty line counts";
    EXPECT_NE(findProblem("{\"run\":0,\"mean_step_ms\":1}\n").message.find("--reference"), std::string::npos);
    EXPECT_EQ(findProblem("{\"run\":0,\"error_m\":null}\n").message, "");
    std::filesystem::remove(path);
}

TEST(WorkPrecision, SaysWhatTheTimesAreWorth) {
    const auto record = [](double repeats, double fastest, double slowest) {
        return records::Entries{{"repeats", repeats}, {"total_ms", fastest}, {"slowest_total_ms", slowest}};
    };
    const records::Entries quiet = record(3, 10, 12.9), disturbed = record(3, 10, 13.1), once = record(1, 10, 10),
                           refused = record(0, 0, 0);
    EXPECT_EQ(timesNote(std::vector<records::Entries>{quiet, quiet, refused}), "");
    EXPECT_EQ(timesNote(std::vector<records::Entries>{refused}), "");
    EXPECT_NE(timesNote(std::vector<records::Entries>{quiet, disturbed, refused}).find("of 1 of 2 runs"),
              std::string::npos);
    EXPECT_NE(timesNote(std::vector<records::Entries>{once, once}).find("made once"), std::string::npos);
}

}  // namespace
}  // namespace clothlab::testing
