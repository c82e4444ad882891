#pragma once

#include <cmath>
#include <memory>

#include "actions/actions.hpp"
#include "columns/ui.hpp"
#include "widgets/imgui_fixture.hpp"
#include "widgets/imgui_keys.hpp"
#include "widgets/keys.hpp"
#include "window/input_queue.hpp"

namespace clothlab::app::panels {

/// Panels driven only by ImGuiIO, with a snapshot made by hand instead of a simulation.
class PanelTest : public widgets::ImGuiTest {
protected:
    void SetUp() override {
        widgets::ImGuiTest::SetUp();
        widgets::prepareKeys(ImGui::GetIO());

        scene::Scene scene;
        scene.name = "hang";
        scene.title = "Hang from two corners";
        scene.cloths.push_back({});
        model.scenes = {{"hang", "Hang from two corners", "Watch the folds.", {}},
                        {"flag", "Flag in the wind", "", {}}};
        model.adopt(scene);
        snapshot.settings = model.settings;
        snapshot.settingsRevision = model.revision;
        snapshot.historyLast = snapshot.step = 100;
        snapshot.playing = true;
        model.receive(snapshot, true);
        ui = std::make_unique<columns::Ui>(model, theme_);
        frame();
    }
    void TearDown() override {
        ui.reset();
        widgets::ImGuiTest::TearDown();
    }

    /// Draws one frame; events that the queue holds back come with the next frames.
    void frame() {
        const auto events =
            ui->fieldComing() ? std::vector<window::InputEvent>() : queue.takeFrame(ImGui::GetIO().WantTextInput);
        window::feedImGui(ImGui::GetIO(), events);
        ImGui::NewFrame();
        const bool keysFree = !ImGui::GetIO().WantTextInput;
        for (const window::InputEvent& event : events)
            if (event.kind == window::InputEvent::Kind::Key && event.down && keysFree)
                actions::handleShortcut(model, static_cast<widgets::Key>(event.code), event.control, event.shift);
        ui->build();
        ImGui::Render();
    }
    void frames(int count) {
        for (int i = 0; i < count; ++i) frame();
    }
    /// Receives the snapshot of a step made with the model's settings, and draws a frame.
    void receiveStep(std::int64_t step) {
        snapshot.step = snapshot.historyLast = step;
        snapshot.settings = model.settings;
        snapshot.settingsRevision = model.revision;
        model.receive(snapshot, true);
        frame();
    }
    void drain() {
        while (!queue.empty()) frame();
        frame();
    }
    ImVec2 at(std::string_view id, float fx = 0.5f, float fy = 0.5f) {
        const widgets::LayoutMap::Rect* rect = ui->layout().find(id);
        EXPECT_NE(rect, nullptr) << id;
        return rect ? rect->at(fx, fy) : ImVec2{0, 0};
    }
    void moveTo(ImVec2 p) {
        queue.push(window::InputEvent::move(p.x, p.y));
        drain();
    }
    void click(ImVec2 p) {
        queue.push(window::InputEvent::move(p.x, p.y));
        queue.push(window::InputEvent::button(0, true));
        queue.push(window::InputEvent::button(0, false));
        drain();
    }
    void press(widgets::Key key) {
        queue.push(window::InputEvent::key(int(key), true));
        queue.push(window::InputEvent::key(int(key), false));
        drain();
    }
    void chooseOverlay(const std::string& key) {
        frames(2);
        click(at("overlay"));
        frames(2);
        click(at("overlay/" + key));
        frames(2);
    }
    Field solverField(std::string_view key) {
        FieldList list;
        describe(model.settings, list);
        return *list.find(key);
    }
    void pressControl(widgets::Key key) {
        queue.push(window::InputEvent::key(int(widgets::Key::LeftControl), true));
        press(key);
        queue.push(window::InputEvent::key(int(widgets::Key::LeftControl), false));
        drain();
    }
    /// The only command of the type in the outbox, or null.
    template <class T>
    const T* posted() const {
        const T* found = nullptr;
        for (const worker::Command& command : model.editor.outbox)
            if (const T* c = std::get_if<T>(&command)) found = c;
        return found;
    }
    /// The last edit of the type in the outbox, or null.
    template <class T>
    const T* edited() const {
        const T* found = nullptr;
        for (const worker::Command& command : model.editor.outbox)
            if (const T* edit = worker::editIn<T>(command)) found = edit;
        return found;
    }
    void addReports(int count) {
        for (int i = 1; i <= count; ++i) {
            worker::ReportEntry entry;
            entry.report.step = i;
            entry.report.iterations = entry.report.linearIterations = 10 + i % 5;
            entry.report.contactMs = 0.5;
            entry.report.assembleMs = 1;
            entry.report.solveMs = 2;
            entry.report.kineticJ = std::sin(0.1 * i) + 1;
            entry.report.maxStrain = 0.02;
            entry.report.methods.integrator = integrators::kUsualIntegrator;
            entry.report.methods.preconditioner.kind = preconditioners::kUsualPreconditioner;
            model.history.push(entry);
        }
    }

    model::UiModel model;
    worker::Snapshot snapshot;
    std::unique_ptr<columns::Ui> ui;
    window::InputQueue queue;
};

}  // namespace clothlab::app::panels
