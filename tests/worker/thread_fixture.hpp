#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "worker/simulation_thread.hpp"

namespace clothlab::app::worker {

namespace edits = simulation::edits;

inline PinParticle pinned(Index particle, std::uint64_t mesh, const integrators::PinHold& hold = {},
                          const Vec3& velocity = Vec3::Zero()) {
    PinParticle command{{particle, hold, {}}, mesh};
    command.pin.motion.velocity = velocity;
    return command;
}
/// Pins the particle, or unpins it if it is pinned.
inline PinParticle toggled(Index particle, std::uint64_t mesh, SharedMotionSlot before = {}) {
    return {{particle, {}, {}}, mesh, true, std::move(before)};
}

/// A square sheet of 1 m that hangs by one edge.
inline scene::Scene hangingSheet(int side) {
    scene::Scene scene;
    scene.name = "hang";
    scene::ClothPatch cloth;
    cloth.rows = cloth.columns = side;
    cloth.side = 1;
    cloth.columnAxis = {1, 0, 0};
    cloth.rowAxis = {0, 0, 1};
    scene.cloths.push_back(cloth);
    scene.pins.push_back({.where = {.cloth = 0, .rowFrom = 0, .rowTo = 0, .columnFrom = 0, .columnTo = -1}});
    return scene;
}

inline scene::Scene anotherSheet() {
    scene::Scene scene = hangingSheet(7);
    scene.name = "another";
    return scene;
}

/// A simulation on its thread, observed as by the window.
class ThreadTest : public ::testing::Test {
protected:
    void start(const scene::Scene& scene, bool playing, double speed = 0) {
        auto started =
            SimulationThread::start(scene, {.playing = playing, .speed = speed, .overlay = {}, .problem = {}});
        ASSERT_TRUE(started.has_value()) << started.error().text();
        thread = std::move(*started);
        thread->update();
    }
    /// Polls; the time limit only ends a test that hangs.
    bool until(const std::function<bool()>& wanted) {
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(120);
        while (std::chrono::steady_clock::now() < limit) {
            thread->update();
            thread->takeReports(reports);
            if (wanted()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return false;
    }
    /// Waits until all posted commands are executed.
    bool done() {
        return until([&] { return now().commands == thread->posted(); });
    }
    const Snapshot& now() const { return thread->snapshot(); }

    std::unique_ptr<SimulationThread> thread;
    std::vector<ReportEntry> reports;
};

}  // namespace clothlab::app::worker
