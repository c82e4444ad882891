#include <fmt/format.h>

#include "color_vision.hpp"
#include "panel_fixture.hpp"
#include "solvers/kind.hpp"
#include "window/slow_view.hpp"

namespace clothlab::app::panels {

using model::Panel;
using model::SlowState;
using render::legend;
using scene::OverlayKind;
using widgets::applyTheme;
using widgets::Key;
using widgets::LayoutMap;
using window::SlowView;
using worker::MeshTopology;
using worker::SlowMotionResult;
using worker::StartSlowMotion;

namespace {

using experiments::SlowMotion;
using preconditioners::PreconditionerKind;
using solvers::SolverKind;
using Measure = SlowState::Measure;

/// Two recorded solves of one particle: eleven iterates and three.
class SlowPanelTest : public PanelTest {
protected:
    void SetUp() override {
        PanelTest::SetUp();
        auto mesh = std::make_shared<MeshTopology>();
        mesh->particles = 1;
        mesh->revision = 4;
        snapshot.mesh = mesh;
        SlowMotion& motion = result.motion;
        motion.step = 100;
        motion.reach = 0.01;
        motion.inertial = motion.solution = {0, 0, 0};
        for (const int last : {10, 2}) {
            SlowMotion::Method method;
            method.status = solvers::SolveStatus::Converged;
            for (int k = 0; k <= last; ++k) {
                method.iteration.push_back(k);
                method.deltaV.push_back({1.0 / (1 + k), 0, 0});
                method.undone.push_back({2.0f / float(1 + k * k)});
                method.residuals.push_back(1.0 / (1 + k * k));
            }
            motion.methods.push_back(method);
        }
        motion.waves = std::make_shared<const experiments::ErrorWaves>(experiments::ErrorWaves::ofGrid(1, 1, 1));
        result.origin.mesh = mesh->revision;
        model.results.set(&result);
    }
    /// Sets the methods that made the step shown.
    void madeBy(SolverKind solver, preconditioners::PreconditionerSettings preconditioner) {
        scene::Settings made = model.settings;
        made.solver.kind = solver;
        made.preconditioner = preconditioner;
        snapshot.madeWith = std::make_shared<const scene::Settings>(made);
    }
    void open() {
        press(Key::K);
        answer();
    }
    /// The job has solved the requested step with the requested methods.
    void answer() {
        result.request = model.slow.request;
        for (std::size_t side = 0; side < 2; ++side) result.motion.methods[side].who = model.slow.methods[side];
        frames(3);
    }
    void choose(int side, const std::string& method) {
        const std::string id = "slow/method/" + std::to_string(side);
        click(at(id));
        frames(2);
        click(at(id + "/" + method));
        frames(2);
    }
    bool listed(const std::string& id) const { return ui->layout().find(id) != nullptr; }
    SlowMotionResult result;
    SlowView view;
};

TEST_F(SlowPanelTest, OpensWithTheMethodOfTheStepBesideASimpleOne) {
    madeBy(SolverKind::ReducedPcg, {.kind = enumNamed<PreconditionerKind>("ssor")});
    model.settings.preconditioner.kind =
        enumNamed<PreconditionerKind>("chebyshev");  // set later: no step was made with it
    open();
    EXPECT_TRUE(model.isOpen(Panel::SlowMotion));
    const auto* start = posted<StartSlowMotion>();
    ASSERT_NE(start, nullptr);
    ASSERT_EQ(start->methods.size(), 2u);
    EXPECT_EQ(start->methods[0].method.preconditioner.kind, enumNamed<PreconditionerKind>("ssor"));
    EXPECT_EQ(start->methods[1].method.preconditioner.kind, enumNamed<PreconditionerKind>("jacobi"));
    EXPECT_LE(at("view", 0.5f, 1).y, at("slow", 0.5f, 0).y + 1);
    press(Key::K);
    EXPECT_FALSE(model.isOpen(Panel::SlowMotion));
}

TEST_F(SlowPanelTest, TheSliderGoesOverTheIteratesOfTheLongerSolve) {
    open();
    click(at("slow/iterate", 0.999f));
    EXPECT_EQ(model.slow.frame, 10u);
    EXPECT_EQ(model.slow.sideFrame(0), 10u);
    EXPECT_EQ(model.slow.sideFrame(1), 2u);  // it has converged earlier, and waits
    click(at("slow/iterate", 0.001f));
    EXPECT_EQ(model.slow.frame, 0u);
    EXPECT_EQ(model.slow.sideFrame(1), 0u);
    model.slow.frame = 1;
    EXPECT_EQ(model.slow.sideFrame(1), 1u);
}

TEST_F(SlowPanelTest, TheCurvesHaveAMarkAtTheIterateAndTheWavesAreThoseOfItsError) {
    open();
    const auto mark = [&](int frame) {
        return ui->layout().find(
            fmt::format("slow.residual/{}/meant/{}", result.motion.methods[0].who.fullLabel(), frame));
    };
    EXPECT_NE(mark(0), nullptr);
    model.slow.frame = 4;
    frames(2);
    EXPECT_EQ(mark(0), nullptr);
    ASSERT_NE(mark(4), nullptr);
    const std::string bar = fmt::format("slow.waves/{}/0", result.motion.methods[0].who.fullLabel());
    const float after4 = at(bar).y;
    model.slow.frame = 0;
    frames(2);
    EXPECT_LT(at(bar).y, after4) << "at first the error is larger";
}

TEST_F(SlowPanelTest, PlaysToTheEndAndStops) {
    open();
    click(at("slow/play"));
    EXPECT_TRUE(model.slow.playing);
    frames(400);
    EXPECT_FALSE(model.slow.playing);
    EXPECT_EQ(model.slow.frame, 10u);
    click(at("slow/play"));  // from the beginning again
    EXPECT_TRUE(model.slow.playing);
    EXPECT_LT(model.slow.frame, 3u);
}

TEST_F(SlowPanelTest, AnotherMethodIsRecordedAnew) {
    open();
    model.editor.outbox.clear();
    choose(1, "reduced-pcg/ssor");
    const auto* start = posted<StartSlowMotion>();
    ASSERT_NE(start, nullptr);
    EXPECT_EQ(start->methods[1].method.preconditioner.kind, enumNamed<PreconditionerKind>("ssor"));
    EXPECT_EQ(start->methods[0].method.preconditioner.kind, model.settings.preconditioner.kind);
    EXPECT_TRUE(start->sameStep) << "methods are compared on one step, although the cloth moves on";
    click(at("slow/again"));
    EXPECT_FALSE(posted<StartSlowMotion>()->sameStep);
    click(at("slow/exaggerate/100"));
    EXPECT_EQ(model.slow.exaggeration, 100);
    press(Key::T);  // the race replaces the panel
    EXPECT_FALSE(model.isOpen(Panel::SlowMotion));
    EXPECT_TRUE(model.isOpen(Panel::Race));
}

// The purpose of the constrained block shows in MPCG's own system, compared with block Jacobi.
TEST_F(SlowPanelTest, MpcgStandsBesideMpcgWithAllItsPreconditioners) {
    madeBy(SolverKind::Mpcg, {.kind = enumNamed<PreconditionerKind>("constrained-block")});
    open();
    EXPECT_EQ(posted<StartSlowMotion>()->methods[0].fullLabel(), "MPCG · Constrained block");
    EXPECT_EQ(posted<StartSlowMotion>()->methods[1].fullLabel(), "MPCG · Block Jacobi");
    for (const int side : {0, 1}) {
        choose(side, "reduced-pcg/jacobi");
        EXPECT_EQ(model.slow.methods[side].fullLabel(), "Reduced PCG · Jacobi");
        answer();
        const std::string id = "slow/method/" + std::to_string(side);
        click(at(id));
        frames(2);
        for (const SolverKind solver : {SolverKind::Mpcg, SolverKind::ReducedPcg})
            for (const EnumEntry& entry : enumTable(preconditioners::PreconditionerKind{})) {
                const bool taken = solvers::refusal(solver, {.kind = PreconditionerKind(entry.value)}).empty();
                EXPECT_EQ(listed(id + "/" + std::string(enumKey(solver)) + "/" + std::string(entry.key)), taken)
                    << entry.key;
            }
        click(at(id + "/mpcg/constrained-block"));
        frames(2);
        EXPECT_EQ(model.slow.methods[side].fullLabel(), "MPCG · Constrained block");
        answer();
    }
    EXPECT_EQ(model.slow.methods[1].method.solver.tolerance, model.settings.solver.tolerance);
}

TEST_F(SlowPanelTest, AMethodWithParametersOfItsOwnStaysInTheList) {
    madeBy(SolverKind::Mpcg, {.kind = enumNamed<PreconditionerKind>("incomplete-cholesky"), .fillLevel = 1});
    open();
    const std::string own = model.slow.own.fullLabel();
    EXPECT_EQ(own, "MPCG · Incomplete Cholesky, fill level 1");
    choose(0, "mpcg/identity");
    ASSERT_EQ(model.slow.choices().front().fullLabel(), own);
    madeBy(SolverKind::Cholesky, {});
    snapshot.step = 101;
    click(at("slow/again"));
    EXPECT_EQ(model.slow.choices().front().fullLabel(), "Cholesky (CHOLMOD)") << "direct solvers are choices as well";
    EXPECT_EQ(model.slow.methods[0].fullLabel(), "MPCG · Identity") << "the choice stays";
}

TEST_F(SlowPanelTest, AllMethodsAreHeldToTheToleranceOfTheStep) {
    model.settings.solver.toleranceRule = solvers::ToleranceRule::StepSquared;
    madeBy(SolverKind::ReducedPcg, {});
    open();
    for (const auto& method : posted<StartSlowMotion>()->methods)
        EXPECT_EQ(method.method.solver.toleranceRule, solvers::ToleranceRule::StepSquared);
    model.settings.solver.toleranceRule = solvers::ToleranceRule::Fixed;
    madeBy(SolverKind::ReducedPcg, {});
    snapshot.step = 101;
    click(at("slow/again"));
    for (const auto& method : posted<StartSlowMotion>()->methods)
        EXPECT_EQ(method.method.solver.toleranceRule, solvers::ToleranceRule::Fixed);
}

TEST_F(SlowPanelTest, SaysWhichStepItShowsAndDrawsNoOther) {
    madeBy(SolverKind::ReducedPcg, {});
    const auto hundred = std::make_shared<int>(100);
    snapshot.identity = hundred;
    result.origin = {.mesh = 4, .step = 100, .shown = hundred, .made = snapshot.madeWith};
    open();
    EXPECT_TRUE(view.update(model));
    EXPECT_EQ(ui->layout().wordsAt("slow/note"), "step 100, its solve from zero");
    snapshot.step = 97;
    snapshot.identity = std::make_shared<int>(97);
    frames(2);
    EXPECT_EQ(ui->layout().wordsAt("slow/note"), "of step 100; the cloth is at step 97");
    snapshot.step = 100;
    snapshot.identity = hundred;
    model.settings.integrator.dt *= 2;
    frames(2);
    EXPECT_EQ(ui->layout().wordsAt("slow/note"), "of step 100, before the change");
    // When the panel opens again, the earlier result is not shown as that of this step.
    press(Key::K);
    press(Key::K);
    EXPECT_FALSE(view.update(model));
    EXPECT_EQ(ui->layout().wordsAt("slow/note"), "freezing the step …");
    answer();
    EXPECT_TRUE(view.update(model));
    // Another scene, even with the same number of particles.
    auto mesh = std::make_shared<MeshTopology>(*snapshot.mesh);
    mesh->revision = 5;
    snapshot.mesh = mesh;
    EXPECT_FALSE(view.update(model));
    frames(2);
    EXPECT_EQ(ui->layout().wordsAt("slow/note"), "of step 100 of another cloth");
    EXPECT_EQ(ui->layout().wordsAt("slow/words/0/0"), "press This step") << "no numbers of the previous cloth";
    EXPECT_EQ(ui->layout().wordsAt("overlay"), "None") << "the overlay can be chosen again";
}

TEST_F(SlowPanelTest, WhileAnotherMethodIsSolvedTheNamesAreThoseOfWhatIsDrawn) {
    open();
    const std::string before = model.slow.methods[0].fullLabel();
    choose(0, "mpcg/jacobi");
    EXPECT_EQ(ui->layout().wordsAt("slow/words/0/0"), "solving …");
    EXPECT_EQ(ui->layout().wordsAt("slow/words/0/1"), "shown: " + before);
    answer();
    EXPECT_EQ(ui->layout().wordsAt("slow/words/0/0"), "iterate 0 of 10");
}

// One scale for both sides, in the unit of the words below.
TEST_F(SlowPanelTest, ColoursAreErrorsInMillimetresASecondOrResiduals) {
    open();
    click(at("slow/iterate", 0.999f));
    ASSERT_TRUE(view.update(model));
    const auto& error = view.side(0).field;
    EXPECT_EQ(error.unit, "mm/s");
    EXPECT_TRUE(error.logarithmic);
    EXPECT_DOUBLE_EQ(error.to, 500) << "the next round number above 1000 / 3, the error at the right";
    EXPECT_DOUBLE_EQ(error.from, 5);
    EXPECT_FLOAT_EQ(error.values[0], 1000.0f / 11);
    EXPECT_EQ(view.side(1).field.to, error.to);
    frames(2);
    EXPECT_EQ(ui->layout().wordsAt("slow/words/0/2"), "largest error 91 mm/s");
    click(at("slow/colour/residual"));
    EXPECT_EQ(model.slow.measure, Measure::Residual);
    ASSERT_TRUE(view.update(model));
    EXPECT_FLOAT_EQ(view.side(0).field.values[0], 2.0f / 101);
    EXPECT_DOUBLE_EQ(view.side(1).field.to, 0.5) << "the next round number above 2 / 5";
    // The legend says that it is logarithmic.
    EXPECT_NE(legend(OverlayKind::Residual, view.side(0)).front().label.find("logarithmic"), std::string::npos);
}

// Iterate 22 of 163 and iterate 22 of 94, with residuals 0.044 and 0.009, once had the same green.
TEST_F(SlowPanelTest, ResidualsAFactorOfFiveApartHaveColoursThatAreToldApart) {
    for (auto& undone : result.motion.methods[0].undone) undone = {0.044f};
    for (auto& undone : result.motion.methods[1].undone) undone = {0.009f};
    result.motion.methods[0].undone[0] = {8.0f};  // at the start
    open();
    model.slow.measure = Measure::Residual;
    model.slow.frame = 5;
    frames(2);
    ASSERT_TRUE(view.update(model));
    std::vector<render::Rgb> left, right;
    render::particleColors(OverlayKind::Residual, view.side(0), left);
    render::particleColors(OverlayKind::Residual, view.side(1), right);
    for (const testing::Matrix& vision : testing::kVisions)
        EXPECT_GE(testing::ciede2000(testing::labOf(left[0].r, left[0].g, left[0].b, vision),
                                     testing::labOf(right[0].r, right[0].g, right[0].b, vision)),
                  20);
}

// Once the method at the right was dashed here, whereas the race dashes MPCG.
TEST_F(SlowPanelTest, AMethodLooksAsInTheRace) {
    madeBy(SolverKind::ReducedPcg, {.kind = enumNamed<PreconditionerKind>("ssor")});
    open();
    const auto dashedCurves = [&] {
        const ImVec2 p = at("slow.residual");
        queue.push(window::InputEvent::move(p.x, p.y));
        queue.push(window::InputEvent::button(1, true));
        queue.push(window::InputEvent::button(1, false));
        drain();
        frames(3);
        click(at("slow.residual/menu/svg"));
        const std::string svg = model.plotViews.takeAsked()->text;
        int curves = 0, dashed = 0;
        for (std::size_t at = 0; (at = svg.find("<polyline", at)) != svg.npos; ++at) {
            const std::string line = svg.substr(at, svg.find("/>", at) - at);
            if (std::ranges::count(line.substr(0, line.find(" fill")), ',') < 3) continue;  // no curve
            ++curves;
            dashed += line.find("dasharray") != line.npos;
        }
        return std::pair(curves, dashed);
    };
    EXPECT_EQ(dashedCurves(), std::pair(2, 0));
    choose(0, "mpcg/jacobi");
    answer();
    EXPECT_EQ(dashedCurves(), std::pair(2, 1));
}

/// The panel at a window's size.
struct Size {
    float width, height, scale;
};
class SlowPanelSizeTest : public SlowPanelTest, public ::testing::WithParamInterface<Size> {};

TEST_P(SlowPanelSizeTest, NothingIsCutAndNothingLiesOverAnother) {
    const auto [width, height, scale] = GetParam();
    ImGui::GetIO().DisplaySize = {width, height};
    ImGui::GetIO().Fonts->Clear();
    theme_ = applyTheme(scale);
    unsigned char* pixels = nullptr;
    int w = 0, h = 0;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &w, &h);
    ui = std::make_unique<columns::Ui>(model, theme_);
    for (auto& method : result.motion.methods)
        for (int& k : method.iteration) k += 1094;  // long words
    madeBy(SolverKind::Mpcg, {.kind = enumNamed<PreconditionerKind>("constrained-block")});
    snapshot.step = 1234;
    open();
    const LayoutMap& layout = ui->layout();
    std::vector<std::string> ids{"slow/note",           "slow/close",        "slow/again",
                                 "slow/play",           "slow/iterate",      "slow/method/0",
                                 "slow/method/1",       "slow/exaggerate/1", "slow/exaggerate/10",
                                 "slow/exaggerate/100", "slow/colour/error", "slow/colour/residual"};
    for (const int side : {0, 1})
        for (const int part : {0, 1, 2})
            ids.push_back("slow/words/" + std::to_string(side) + "/" + std::to_string(part));
    const LayoutMap::Rect panel = *layout.find("slow");
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const LayoutMap::Rect* rect = layout.find(ids[i]);
        ASSERT_NE(rect, nullptr) << ids[i];
        EXPECT_GE(rect->min.x, panel.min.x) << ids[i];
        EXPECT_GE(rect->min.y, panel.min.y) << ids[i];
        EXPECT_LE(rect->max.x, panel.max.x) << ids[i];
        EXPECT_LE(rect->max.y, panel.max.y) << ids[i];
        for (std::size_t j = 0; j < i; ++j) {
            const LayoutMap::Rect& other = *layout.find(ids[j]);
            const bool apart = rect->min.x >= other.max.x - 1 || other.min.x >= rect->max.x - 1 ||
                               rect->min.y >= other.max.y - 1 || other.min.y >= rect->max.y - 1;
            EXPECT_TRUE(apart) << ids[i] << " over " << ids[j];
        }
    }
    EXPECT_LE(panel.max.x - panel.min.x, width);
    EXPECT_LT(panel.max.y - panel.min.y, 0.5f * height) << "the cloth keeps the larger part";
}
INSTANTIATE_TEST_SUITE_P(Sizes, SlowPanelSizeTest,
                         ::testing::Values(Size{960, 600, 1}, Size{1100, 640, 1}, Size{1280, 720, 1},
                                           Size{1920, 1080, 1}, Size{1650, 960, 1.5f}, Size{3840, 2160, 2}));

}  // namespace
}  // namespace clothlab::app::panels
