#include <fmt/format.h>

#include "base/text.hpp"
#include "live_fixture.hpp"
#include "scratch_folder.hpp"
#include "simulation/recording.hpp"

/// The command that Ctrl + C copies leads to the state shown.
namespace clothlab::app::panels {
namespace {

using widgets::Key;

class CopiedCommandTest : public LivePanelTest {
protected:
    void SetUp() override {
        LivePanelTest::SetUp();
        model.lessons.assets = CLOTHLAB_SOURCE_DIR "/assets";
        model.files.recordings = folder.file("recordings");
    }
    std::string copied() {
        ImGui::SetClipboardText("");
        pressControl(Key::C);
        settle();
        return ImGui::GetClipboardText();
    }
    static std::uint64_t motionHash(const simulation::Simulation& simulation) {
        integrators::SimulationState state = simulation.state();
        integrators::forget(state, integrators::StateRole::Hand);
        return integrators::stateHash(state);
    }
    /// The hash to which `clothlab run` comes with this command.
    static std::uint64_t computeHash(const std::string& command) {
        const std::vector<std::string> words = splitText(command, ' ');
        EXPECT_GE(words.size(), 4u) << command;
        if (words.size() < 4) return 0;
        std::unique_ptr<simulation::Simulation> simulation;
        const std::int64_t steps = *parseWhole(words.back());
        if (words[2] == "--replay") {
            auto events = simulation::loadRecording(words[3]);
            EXPECT_TRUE(events) << events.error().text();
            simulation::Replay replay(std::move(events->events));
            EXPECT_EQ(steps, replay.allSteps()) << command;
            simulation::Session session(1);
            for (auto more = replay.step(session, {}); more && *more;) more = replay.step(session, {});
            return motionHash(session.simulation());
        } else {
            auto scene = scene::findScene(words[2], CLOTHLAB_SOURCE_DIR "/assets");
            EXPECT_TRUE(scene) << command;
            for (std::size_t k = 3; k + 1 < words.size(); ++k)
                if (words[k] == "--set") {
                    EXPECT_TRUE(scene::applyOverride(*scene, words[k + 1])) << command;
                }
            simulation = std::move(*simulation::Simulation::create(*scene, 1));
            for (std::int64_t n = 0; n < steps; ++n) simulation->step();
        }
        return motionHash(*simulation);
    }
    void expectSame(bool plain) {
        const std::uint64_t shown = hash();
        const std::string command = copied();
        EXPECT_EQ(command.starts_with("clothlab run --replay"), !plain) << command;
        EXPECT_EQ(computeHash(command), shown) << command;
    }
    void drag(Index particle) {
        model.editor.post(worker::GrabParticle{particle, now().mesh->revision, ++serial, {0.1f, 0.2f, 0.3f}});
        for (int n = 0; n < 4; ++n) {
            live->setPointerTarget({serial, {0.1f, 0.2f + 0.05f * float(n), 0.3f}});
            steps(1);
        }
        model.editor.post(worker::ReleaseGrab{});
        settle();
    }

    tests::ScratchFolder folder;
    std::uint64_t serial = 0;
};

TEST_F(CopiedCommandTest, ComesToTheSameBitsFromTenMoments) {
    expectSame(true);  // 1: the start
    model.settings.material.stretchStiffness = 444;
    model.settings.gravity = {0.5, -8, 0};
    settle();
    steps(7);
    expectSame(true);  // 2
    stepBack(model);
    settle();
    expectSame(false);  // 3: after going back
    steps(3);
    drag(40);
    expectSame(false);  // 4
    steps(5);
    expectSame(false);  // 5
    model.settings.integrator.kind = integrators::IntegratorKind::FastMassSpring;
    settle();
    drag(72);
    expectSame(false);  // 6
    pressControl(Key::Z);
    steps(2);
    expectSame(false);  // 7
    restart(model);
    settle();
    drag(12);
    expectSame(false);  // 8
    model.loadScene(sheet("drape-sphere", 7));
    settle();
    steps(4);
    expectSame(true);  // 9: another scene
    drag(20);
    expectSame(false);  // 10
}

}  // namespace
}  // namespace clothlab::app::panels
