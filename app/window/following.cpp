#include "window/following.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include "window/glfw_window.hpp"

namespace clothlab::app::window {
namespace {

constexpr auto kPatience = std::chrono::seconds(10);  // for a step that is being taken, and the way to the other side

/// The scene without what a copy follows by itself.
scene::Scene withoutSettings(scene::Scene scene) {
    scene.settings = {};
    scene.file.clear();
    return scene;
}

}  // namespace

Following::Following(std::shared_ptr<ProgramLink> link, std::uint64_t first)
    : link_(std::move(link)), told_(first - 1) {
    link_->onNews([] { GlfwWindow::wake(); });
}

void Following::show(model::UiModel& model, const ProgramLink::State& state) const {
    const simulation::SavedState& saved = state.shown->saved;
    if (!(withoutSettings(saved.scene) == withoutSettings(model.scene)))
        model.loadState(saved.scene, std::shared_ptr<const integrators::SimulationState>(state.shown, &saved.state));
    model.editor.post(worker::FollowState{state.shown, state.serial});
}

void Following::update(model::UiModel& model, const worker::Snapshot& now) {
    if (now.followed > told_) link_->send('F', told_ = now.followed);
    if (const auto state = link_->takeState()) show(model, *state);
    if (const auto question = link_->takeQuestion())
        model.editor.post(worker::HandBack{[link = link_, question = *question](const simulation::HandOver& hand) {
            link->send('H', question, simulation::handOverBytes(hand));
        }});
}

void Following::finish(worker::SimulationThread& simulation) {
    link_->onNews({});
    if (!link_->ended()) {
        const auto done = std::make_shared<std::atomic<bool>>(false);
        simulation.post(worker::ReleaseGrab{});
        simulation.post(worker::HandBack{[link = link_, done](const simulation::HandOver& hand) {
            link->send('H', 0, simulation::handOverBytes(hand));
            *done = true;
        }});
        const auto end = std::chrono::steady_clock::now() + kPatience;
        while (!*done && std::chrono::steady_clock::now() < end) {
            simulation.update();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    link_->send('C', 0);
    link_->flush(std::chrono::duration<double>(kPatience).count());
}

}  // namespace clothlab::app::window
