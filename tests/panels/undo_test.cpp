#include <fmt/format.h>

#include "live_fixture.hpp"
#include "render/positions.hpp"

// Every change of settings, scene and pins is undone, one by one, and redone.
namespace clothlab::app::panels {

using actions::runAction;
using model::Change;
using model::changedWords;

namespace {

namespace edits = simulation::edits;
using widgets::Key;

/// The values that undo must restore.
struct Moment {
    scene::Settings settings;
    std::string scene;
    int rows = 0;
    scene::Painting painting;
    std::uint64_t hash = 0;
};

class UndoTest : public LivePanelTest {
protected:
    Moment moment() {
        const std::uint64_t hash = this->hash();
        EXPECT_EQ(now().settings, model.settings) << "active";
        EXPECT_EQ(now().mesh->sceneName, model.scene.name);
        const auto simulated = kept();
        EXPECT_EQ(simulated->content()->simulation.painting, model.brushTool.painting);
        return {model.settings, model.scene.name, model.activePatch.rows, model.brushTool.painting, hash};
    }
    static void expectSame(const Moment& is, const Moment& was, bool hashToo, const std::string& what) {
        EXPECT_EQ(is.settings, was.settings) << what << ": " << changedWords(was.settings, is.settings);
        EXPECT_EQ(is.scene, was.scene) << what;
        EXPECT_EQ(is.rows, was.rows) << what;
        EXPECT_EQ(is.painting, was.painting) << what;
        if (!hashToo) return;
        EXPECT_EQ(is.hash, was.hash) << what;
    }
    /// Changes the value of a field.
    void turn(const Field& field) {
        if (const auto* b = std::get_if<bool*>(&field.ref)) {
            **b = !**b;
        } else if (const auto* e = std::get_if<EnumRef>(&field.ref)) {
            const std::size_t at =
                std::size_t(std::ranges::find(e->table, e->value(), &EnumEntry::value) - e->table.begin());
            e->assign(e->table[(at + 1) % e->table.size()].value);
        } else if (const auto* v = std::get_if<Vec3*>(&field.ref)) {
            (**v).x() += 0.5;
        } else if (const auto* i = std::get_if<int*>(&field.ref)) {
            if (!assignNumber(field, **i + 1, true)) **i -= 1;
        } else if (const auto* d = std::get_if<double*>(&field.ref)) {
            const bool fits = assignNumber(field, **d * 0.75 + 1e-3, false) || assignNumber(field, **d / 2, false);
            EXPECT_TRUE(fits) << field.key;
        }
    }
    void touch(Index particle, bool begins) {
        const auto x = render::particlePosition(now(), particle);
        paint(model, {particle, Vec3(x.x, x.y, x.z), now().mesh->revision, begins});
    }
    void cutThroughTheMiddle() {
        const Vec3 eye(0.03, 5, 0.5);
        for (const double z : {-0.1, 0.3, 0.7}) {
            const Vec3 a = Vec3(0.03, 1, z) - eye, b = Vec3(0.03, 1, z + 0.4) - eye;
            model.editor.post(worker::Apply{edits::Cut{{eye, a.normalized(), b.normalized()}}, now().mesh->revision});
        }
    }
};

TEST_F(UndoTest, FiftyChangesAreTakenBackOneByOneAndDoneAgain) {
    FieldList fields;
    describe(model.settings, fields);
    std::size_t field = 0;
    std::vector<Moment> before, after;
    std::vector<bool> alone, wentOn;  // alone: the motion stays; wentOn: steps followed
    const auto change = [&](int k) {
        mechanics::Motion upward;
        upward.velocity = Vec3(0, 0.2, 0);
        switch (k) {
            case 4:
                return model.editor.post(worker::PinParticle{
                    {40, integrators::PinHold::line(Vec3::UnitY()), upward}, now().mesh->revision, true});
            case 7:
                return model.editor.post(worker::Apply{edits::Unpin{0}, now().mesh->revision});
            case 11:
                touch(20, true);
                return touch(21, false);
            case 13:
                clearPaint(model);
                return;
            case 14:
                return touch(60, true);
            case 17:
                return cutThroughTheMiddle();
            case 21:
                return model.loadScene(sheet("flag", 11));
            case 24:
                return restart(model);
            case 28:
                model.patch.rows = 7;
                return model.applyAndRestart();
            case 33:
                return model.editor.post(
                    worker::PinParticle{{3, integrators::PinHold::plane(Vec3::UnitZ()), {}}, now().mesh->revision});
            case 37:
                return model.loadScene(sheet("drape-sphere", 11));
            case 41:
                return model.loadScene(sheet("hang", 9));
            default:
                while (fields.fields()[field].key.starts_with("threads")) ++field;
                return turn(fields.fields()[field++]);
        }
    };
    steps(4);
    for (int k = 0; k < 50; ++k) {
        before.push_back(moment());
        change(k);
        settle();
        after.push_back(moment());
        ASSERT_NE(model.editor.changes.last(), nullptr) << k;
        const auto of = model.editor.changes.last()->of;
        alone.push_back(of == Change::Of::Settings || of == Change::Of::Pins || of == Change::Of::Painting);
        const bool goesOn = k == 2 || k == 22 || k == 23 || k == 30 || k == 38;
        if (goesOn) {
            // Settings of all kinds have been changed by now: these steps use those of the scene.
            const scene::Settings turned = now().settings;
            live->post(worker::SetSettings{model.scene.settings, model.revision});
            steps(3);
            live->post(worker::SetSettings{turned, model.revision});
            settle();
        }
        wentOn.push_back(goesOn);
    }
    bool later = false;  // whether the state is later than at the change
    for (int k = 49; k >= 0; --k) {
        later = alone[k] && (later || wentOn[k]);
        ASSERT_NE(model.editor.changes.last(), nullptr) << k;
        const std::string words = model.editor.changes.last()->words();
        EXPECT_FALSE(words.empty()) << k;
        pressControl(Key::Z);
        EXPECT_EQ(model.said.text, "Taken back: " + words);
        expectSame(moment(), before[k], !later, fmt::format("{} {}", k, words));
    }
    EXPECT_EQ(model.editor.changes.last(), nullptr) << "nothing more";
    pressControl(Key::Z);
    EXPECT_EQ(model.said.text, runAction(model, "undo"));
    for (int k = 0; k < 50; ++k) {
        ASSERT_NE(model.editor.changes.next(), nullptr) << k;
        const std::string words = model.editor.changes.next()->words();
        k % 2 == 0 ? pressControl(Key::Y) : pressControl(Key::Z, true);
        // Redo of a change that leaves the motion as it is does not repeat the steps after it.
        expectSame(moment(), after[k], false, fmt::format("{} {}", k, words));
    }
    EXPECT_EQ(model.editor.changes.next(), nullptr);
}

TEST_F(UndoTest, RedoOfWhatDidNotMoveOnIsTheSameToTheLastBit) {
    steps(5);
    std::vector<Moment> moments{moment()};
    const auto then = [&] {
        settle();
        moments.push_back(moment());
    };
    model.settings.material.stretchStiffness = 321;
    then();
    model.editor.post(worker::PinParticle{{40, integrators::PinHold::point(), {}}, now().mesh->revision});
    then();
    touch(60, true);
    then();
    model.loadScene(sheet("drape-sphere", 11));
    then();
    model.settings.integrator.dt = 0.004;
    then();
    model.patch.columns = 7;
    model.applyAndRestart();
    then();
    for (int round = 0; round < 2; ++round) {
        for (std::size_t k = moments.size() - 1; k-- > 0;) {
            pressControl(Key::Z);
            expectSame(moment(), moments[k], true, fmt::format("back to {}", k));
        }
        for (std::size_t k = 1; k < moments.size(); ++k) {
            pressControl(Key::Y);
            expectSame(moment(), moments[k], true, fmt::format("forth to {}", k));
        }
    }
}

TEST_F(UndoTest, ADragIsOneChangeAndItsButtonSaysWhich) {
    settle();
    const double before = model.settings.material.stretchStiffness;
    queue.push(window::InputEvent::move(at("material.stretch_stiffness", 0.3f).x, at("material.stretch_stiffness").y));
    queue.push(window::InputEvent::button(0, true));
    settle();
    for (const float x : {0.4f, 0.5f, 0.6f, 0.7f}) {
        const ImVec2 p = at("material.stretch_stiffness", x);
        queue.push(window::InputEvent::move(p.x, p.y));
        settle();
    }
    queue.push(window::InputEvent::button(0, false));
    drain();
    settle();
    const double dragged = model.settings.material.stretchStiffness;
    ASSERT_NE(dragged, before);
    ASSERT_NE(model.editor.changes.last(), nullptr);
    EXPECT_EQ(model.editor.changes.last()->subject.rfind("stretch stiffness 1,000 → ", 0), 0u)
        << model.editor.changes.last()->subject;
    click(at("undo"));
    settle();
    EXPECT_EQ(model.settings.material.stretchStiffness, before);
    EXPECT_EQ(now().settings.material.stretchStiffness, before) << "active";
    EXPECT_EQ(model.editor.changes.last(), nullptr) << "one drag, one change";
    click(at("redo"));
    settle();
    EXPECT_EQ(model.settings.material.stretchStiffness, dragged);
    moveTo(at("undo"));
    frames(60);
    EXPECT_NE(ui->layout().find("tooltip:undo"), nullptr);
    click(at("undo"));
    settle();
    for (const double density : {0.5, 0.7, model.scene.settings.material.density}) {  // as during one drag
        model.settings.material.density = density;
        model.postSettings();
    }
    settle();
    EXPECT_EQ(model.editor.changes.last(), nullptr) << "the drag ended at its first value";
}

TEST_F(UndoTest, WhatChangesNothingIsNoChangeAndLeavesRedoAlone) {
    steps(3);
    model.settings.material.density = 0.5;
    settle();
    pressControl(Key::Z);
    ASSERT_NE(model.editor.changes.next(), nullptr);
    stepBack(model);
    settle();
    model.editor.post(worker::PinParticle{{9999, {}, {}}, now().mesh->revision, true});
    model.editor.post(
        worker::Apply{edits::Cut{{Vec3(0, 9, 0), Vec3(0, 1, 0), Vec3(0.1, 1, 0).normalized()}}, now().mesh->revision});
    scene::Scene broken = sheet("hang", 9);
    broken.pins.front().where.rowFrom = broken.pins.front().where.rowTo = 99;
    settle();
    model.loadScene(broken);
    settle();
    EXPECT_EQ(model.scene.pins.front().where.rowFrom, 0) << "the scene that runs";
    EXPECT_EQ(model.editor.changes.last(), nullptr);
    EXPECT_NE(model.editor.changes.next(), nullptr);
    EXPECT_EQ(runAction(model, "redo"), "");
    settle();
    EXPECT_EQ(now().settings.material.density, 0.5);
}

TEST_F(UndoTest, NothingIsLostWithoutAWord) {
    steps(6);
    const std::uint64_t sixth = hash();
    seek(model, 2);
    settle();
    EXPECT_EQ(model.said.text, "") << "scrubbing loses nothing";
    stepOnce(model);
    settle();
    EXPECT_EQ(model.said.text, "Steps 3 to 6 dropped. Ctrl + Z brings that back.");
    EXPECT_FALSE(model.said.isError);
    EXPECT_EQ(now().historyLast, 3);
    pressControl(Key::Z);
    EXPECT_EQ(now().historyLast, 6);
    seek(model, 6);
    settle();
    EXPECT_EQ(hash(), sixth);
    restart(model);
    settle();
    EXPECT_EQ(model.said.text, "Steps 1 to 6 dropped. Ctrl + Z brings that back.");
    pressControl(Key::Z);
    EXPECT_EQ(hash(), sixth);
    model.loadScene(sheet("flag", 11));
    settle();
    EXPECT_NE(model.said.text.find(", 9 × 9, at step 6."), std::string::npos) << model.said.text;
    pressControl(Key::Z);
    EXPECT_EQ(hash(), sixth);
    model.patch.rows = 7;
    model.applyAndRestart();
    settle();
    EXPECT_NE(model.said.text.find("at step 6. Ctrl + Z brings that back."), std::string::npos);
    EXPECT_EQ(model.editor.changes.last()->words(), "cloth 9 × 9 → 7 × 9");
    pressControl(Key::Z);
    EXPECT_EQ(hash(), sixth);
    EXPECT_EQ(model.patch, model.activePatch) << "nothing is left to apply";
}

TEST_F(UndoTest, AStrokeIsTakenBackByItsOwnKeyPastLaterSettings) {
    touch(20, true);
    touch(21, false);
    settle();
    touch(60, true);
    settle();
    const auto two = model.brushTool.painting;
    model.settings.material.density = 0.5;
    settle();
    press(Key::Z);
    settle();
    EXPECT_EQ(model.settings.material.density, 0.5) << "the setting stays";
    EXPECT_LT(model.brushTool.particles(), 40);
    EXPECT_NE(model.brushTool.painting, two);
    EXPECT_FALSE(model.brushTool.painting.empty());
    pressControl(Key::Y);
    EXPECT_EQ(model.brushTool.painting, two);
    press(Key::Z);
    press(Key::Z);
    settle();
    EXPECT_TRUE(model.brushTool.painting.empty());
    press(Key::Z);
    settle();
    EXPECT_EQ(model.settings.material.density, 0.5) << "without Ctrl, Z undoes only strokes";
    pressControl(Key::Z);
    EXPECT_NE(model.settings.material.density, 0.5);
}

TEST_F(UndoTest, AMotionThatComesBackHasTheMarksOfItsPlots) {
    steps(3);
    model.settings.material.stretchStiffness = 4321;
    frame();
    settle();
    steps(3);
    ASSERT_EQ(model.history.notes().size(), 1u);
    const std::string words = model.history.notes()[0].words;
    actions::runAction(model, "motion.restart");
    settle();
    steps(1);
    EXPECT_TRUE(model.history.notes().empty());
    pressControl(Key::Z);
    settle();
    ASSERT_EQ(model.history.notes().size(), 1u);
    EXPECT_EQ(model.history.notes()[0].from, 4);
    EXPECT_EQ(model.history.notes()[0].words, words);
}

TEST_F(UndoTest, PinsComeBackWhileTheMotionGoesOn) {
    steps(3);
    model.editor.post(worker::Apply{edits::Unpin{0}, now().mesh->revision});
    settle();
    EXPECT_EQ(model.editor.changes.last()->words(), "particle 0 unpinned");
    steps(5);
    pressControl(Key::Z);
    EXPECT_EQ(now().step, 8) << "the motion stays";
    EXPECT_EQ(now().pins.size(), 2u);
    const auto held = now().positions[1];
    steps(4);
    EXPECT_FLOAT_EQ(now().positions[1], held) << "held where the pin was restored";
}

TEST_F(UndoTest, AWorkplaceComesBackToTheLastBit) {
    model.settings.material.stretchStiffness = 700;
    settle();
    steps(5);
    model.editor.post(worker::PinParticle{{40, integrators::PinHold::point(), {}}, now().mesh->revision});
    touch(20, true);
    model.patch.rows = 31;  // not applied yet
    model.looks.overlay = scene::OverlayKind::Strain;
    setSpeed(model, 0.5);
    model.view.camera.azimuth = 77;
    settle();
    const Moment then = moment();
    const auto changes = model.editor.changes.last()->words();

    model::StoredWorkspace mine = model.storeWorkspace();
    EXPECT_EQ(model.editor.changes.last(), nullptr) << "the stored workspace has the user's changes";
    settle();
    expectSame(moment(), then, true, "taking it changes nothing");
    model.loadScene(sheet("drape-sphere", 11));
    settle();
    model.settings.integrator.dt = 0.02;
    setSpeed(model, 4);
    steps(3);
    restart(model);
    settle();
    model.returnTo(std::move(mine));
    settle();
    expectSame(moment(), then, true, "and back");
    EXPECT_EQ(now().step, 5);
    EXPECT_EQ(now().historyFirst, 0);
    EXPECT_EQ(now().pins.size(), 3u);
    EXPECT_EQ(now().speed, 0.5);
    EXPECT_FALSE(now().playing);
    EXPECT_EQ(model.patch.rows, 31);
    EXPECT_EQ(model.looks.overlay, scene::OverlayKind::Strain);
    ASSERT_TRUE(model.view.wanted);
    EXPECT_EQ(model.view.wanted->azimuth, 77);
    EXPECT_EQ(model.history.steps().size(), 5u) << "its plots";
    ASSERT_NE(model.editor.changes.last(), nullptr);
    EXPECT_EQ(model.editor.changes.last()->words(), changes) << "the user's changes can be undone again";
    pressControl(Key::Z);
    EXPECT_TRUE(model.brushTool.painting.empty());
}

}  // namespace
}  // namespace clothlab::app::panels
