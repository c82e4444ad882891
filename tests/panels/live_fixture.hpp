#pragma once

#include <chrono>
#include <thread>

#include "panel_fixture.hpp"
#include "worker/simulation_thread.hpp"

namespace clothlab::app::panels {

/// Panels with a simulation thread, as in the window, but without a picture.
class LivePanelTest : public PanelTest {
protected:
    void SetUp() override {
        PanelTest::SetUp();
        start(sheet("hang", 9));
    }

    /// A built-in scene, small enough for a test.
    static scene::Scene sheet(const std::string& name, int side) {
        auto scene = scene::findScene(name, CLOTHLAB_SOURCE_DIR "/assets");
        EXPECT_TRUE(scene) << name;
        scene->cloths.front().rows = scene->cloths.front().columns = side;
        scene->settings.threads = 1;
        return *scene;
    }
    void start(const scene::Scene& scene) {
        model.adopt(scene);
        auto started = worker::SimulationThread::start(
            scene, {.playing = false, .speed = 0, .settingsRevision = model.revision, .overlay = {}, .problem = {}});
        ASSERT_TRUE(started) << started.error().text();
        live = std::move(*started);
        settle();
    }
    /// Draws frames until every command is executed and its result has arrived.
    void settle() {
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(120);
        do {
            frame();
            for (worker::Command& command : model.editor.outbox) live->post(std::move(command));
            model.editor.outbox.clear();
            live->update();
            std::this_thread::sleep_for(std::chrono::microseconds(200));
            model.receive(live->snapshot(), live->snapshot().commands == live->posted());
            std::vector<worker::ReportEntry> reports;
            live->takeReports(reports);
            for (const worker::ReportEntry& entry : reports) {
                model.editor.noteTear(entry);
                model.history.push(entry);
                model.lessons.push(entry);
            }
            model.results = live->results();
            ASSERT_LT(std::chrono::steady_clock::now(), limit);
        } while (live->snapshot().commands != live->posted() || !model.settingsActive() ||
                 !model.editor.outbox.empty());
        frame();
    }
    void steps(int count) {
        for (int n = 0; n < count; ++n) stepOnce(model);
        settle();
    }
    /// Stores the current motion.
    std::shared_ptr<worker::MotionSlot> kept() {
        auto here = std::make_shared<worker::MotionSlot>();
        live->post(worker::StoreMotion{here});
        settle();
        return here;
    }
    std::uint64_t hash() { return integrators::stateHash(kept()->content()->simulation.state); }
    const worker::Snapshot& now() const { return live->snapshot(); }
    void pressControl(widgets::Key key, bool shift = false) {
        queue.push(window::InputEvent::key(int(widgets::Key::LeftControl), true));
        if (shift) queue.push(window::InputEvent::key(int(widgets::Key::LeftShift), true));
        press(key);
        if (shift) queue.push(window::InputEvent::key(int(widgets::Key::LeftShift), false));
        queue.push(window::InputEvent::key(int(widgets::Key::LeftControl), false));
        drain();
        settle();
    }

    std::unique_ptr<worker::SimulationThread> live;
};

}  // namespace clothlab::app::panels
