#include "model/step_note.hpp"

#include "live_fixture.hpp"

namespace clothlab::app::panels {

using model::StepNote;

namespace {

using widgets::Key;
using worker::RaceProgress;
using worker::StartDescent;
using worker::StartRace;
using Kind = StepNote::Kind;

/// A result computed for step 62, which is shown.
class StepNoteTest : public PanelTest {
protected:
    void SetUp() override {
        PanelTest::SetUp();
        auto mesh = std::make_shared<worker::MeshTopology>();
        mesh->revision = 4;
        snapshot.mesh = mesh;
        snapshot.step = 62;
        snapshot.identity = std::make_shared<int>(62);
        snapshot.madeWith = std::make_shared<const scene::Settings>(model.settings);
        model.receive(snapshot, true);
        of = {.mesh = 4, .step = 62, .shown = snapshot.identity, .made = snapshot.madeWith};
    }
    StepNote note() const { return stepNote(of, model); }
    /// Moves the motion to another step, made with the current settings.
    void moveTo(std::int64_t step) {
        snapshot.step = step;
        snapshot.identity = std::make_shared<int>(int(step));
        snapshot.madeWith = std::make_shared<const scene::Settings>(model.settings);
        model.receive(snapshot, true);
    }
    worker::StepOrigin of;
};

TEST_F(StepNoteTest, IsSilentOnTheStepShownAndNamesAnother) {
    EXPECT_EQ(note().kind, Kind::Same);
    EXPECT_EQ(note().words, "");
    moveTo(92);
    EXPECT_EQ(note().kind, Kind::MovedOn);
    EXPECT_EQ(note().words, "of step 62; the cloth is at step 92");
    EXPECT_TRUE(note().wantsAnother(false));
    EXPECT_FALSE(note().wantsAnother(true)) << "a moving cloth has another step at once";
    moveTo(62);
    EXPECT_EQ(note().kind, Kind::Changed) << "the motion began anew";
    EXPECT_EQ(note().words, "of step 62 of the motion before");
    snapshot.identity = of.shown;  // back in the history
    model.receive(snapshot, true);
    EXPECT_EQ(note().kind, Kind::Same);
}

TEST_F(StepNoteTest, AChangedSettingIsNamedAndAnotherMethodIsNone) {
    model.settings.solver.kind = solvers::kUsualSolver == enumNamed<solvers::SolverKind>("mpcg")
                                     ? enumNamed<solvers::SolverKind>("cholesky")
                                     : enumNamed<solvers::SolverKind>("mpcg");
    model.settings.threads = 3;
    EXPECT_EQ(note().kind, Kind::Same) << "another method does not change the step";
    model.settings.material.stretchStiffness = 50000;
    EXPECT_EQ(note().kind, Kind::Before);
    EXPECT_FALSE(note().stale()) << "it belongs to the step shown";
    EXPECT_EQ(note().words, "of step 62, before the change");
    EXPECT_NE(note().help.find("stretch stiffness"), std::string::npos) << note().help;
    EXPECT_NE(note().help.find("now 50,000 N/m"), std::string::npos) << note().help;
    moveTo(30);
    EXPECT_EQ(note().kind, Kind::Changed);
    EXPECT_EQ(note().words, "of step 62, before the change");
    EXPECT_TRUE(note().wantsAnother(true));
    model.settings.material.stretchStiffness = of.made->material.stretchStiffness;
    EXPECT_EQ(note().kind, Kind::Changed) << "the step shown was taken with the other one";
}

TEST_F(StepNoteTest, AStepToComeHasAChangeAtOnce) {
    of.toCome = true;
    model.settings.material.stretchStiffness = 50000;
    EXPECT_EQ(note().kind, Kind::Changed);
}

TEST_F(StepNoteTest, AnotherClothIsSaidAndAFileIsOfNoStep) {
    auto mesh = std::make_shared<worker::MeshTopology>(*snapshot.mesh);
    mesh->revision = 5;
    snapshot.mesh = mesh;
    model.receive(snapshot, true);
    EXPECT_EQ(note().words, "of step 62 of another cloth");
    EXPECT_TRUE(note().stale());
    of = {};
    EXPECT_EQ(note().kind, Kind::Same);
}

/// As in the window: a race for a soft cloth, then a stiffer cloth that starts anew.
class RaceOfTheStepShown : public LivePanelTest {
protected:
    const RaceProgress& raced(std::uint64_t serial) {
        do settle();
        while (!model.race() || model.race()->serial != serial || model.race()->running);
        frames(2);
        return *model.race();
    }
    void raceStep(int step) {
        steps(step);
        model.racing.choice = experiments::RaceChoice::Preconditioners;
        press(Key::T);
    }
};

TEST_F(RaceOfTheStepShown, IsHeadedWhenSettingsChangeAndRacedAnewWhenAskedFor) {
    raceStep(6);
    EXPECT_EQ(raced(1).result.step, 6);
    EXPECT_EQ(ui->layout().find("race/of"), nullptr);
    model.settings.material.stretchStiffness *= 1000;
    settle();
    EXPECT_EQ(ui->layout().wordsAt("race/of"), "of step 6, before the change");
    restart(model);
    steps(3);
    EXPECT_EQ(ui->layout().wordsAt("race/of"), "of step 6, before the change");
    EXPECT_NE(ui->layout().find("race/start"), nullptr);
    press(Key::T);
    press(Key::T);
    EXPECT_NE(posted<StartRace>(), nullptr) << "the race of the soft cloth is not this step's";
    settle();
    const RaceProgress& again = raced(2);
    EXPECT_EQ(again.result.step, 3);
    EXPECT_EQ(ui->layout().find("race/of"), nullptr);
    press(Key::T);
    press(Key::T);
    EXPECT_EQ(posted<StartRace>(), nullptr) << "the race belongs to this step";
    steps(2);
    EXPECT_EQ(ui->layout().wordsAt("race/of"), "of step 3; the cloth is at step 5");
    seek(model, 3);
    settle();
    EXPECT_EQ(ui->layout().find("race/of"), nullptr) << "the step of the race is shown again";
}

TEST_F(RaceOfTheStepShown, ADescentFollowsTheSameRule) {
    steps(2);
    press(Key::D);
    EXPECT_NE(posted<StartDescent>(), nullptr);
    do settle();
    while (!model.descent() || model.descent()->running);
    frames(2);
    EXPECT_EQ(ui->layout().find("descent/of"), nullptr);
    model.settings.integrator.dt *= 0.5;
    steps(1);
    EXPECT_EQ(ui->layout().wordsAt("descent/of"), "of step 2, before the change");
    press(Key::D);
    press(Key::D);
    EXPECT_NE(posted<StartDescent>(), nullptr);
}

}  // namespace
}  // namespace clothlab::app::panels
