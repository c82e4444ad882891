#include "film/film_panels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "canvas/imgui_canvas.hpp"
#include "columns/ui.hpp"

namespace clothlab::app::film {

using canvas::ImGuiCanvas;

namespace {

constexpr int kLeastWidth = 1280, kLeastHeight = 720;  // nothing is cut off

class UiFilmPanels final : public FilmPanels {
public:
    UiFilmPanels(std::unique_ptr<ImGuiCanvas> canvas, const scene::Scene& scene, int steps, float scale)
        : canvas_(std::move(canvas)) {
        model_.adopt(scene);
        model_.looks.interactive = false;
        showSteps(std::size_t(steps));
        ui_ = std::make_unique<columns::Ui>(model_, canvas_->makeTheme(scale));
    }

    void take(const worker::ReportEntry& entry) override { model_.history.push(entry); }

    void layOut(const worker::Snapshot& snapshot, render::ViewState& view, const render::DrawTarget& target) override {
        model_.settings = snapshot.settings;  // nobody wants anything but what is active
        model_.revision = snapshot.settingsRevision;
        model_.looks.overlay = view.overlay;
        model_.looks.theme = view.lightTheme ? widgets::ThemeKind::Light : widgets::ThemeKind::Dark;
        model_.legend = render::legend(view.overlay, snapshot, view.lightTheme);
        model_.receive(snapshot, true);
        if (!snapshot.playing) showSteps(model_.history.size());  // it has ended early
        canvas_->setSize(target.width, target.height, 1);
        panels::Region centre;
        // ImGui measures a window in the first frame that has it and shows it in the next one.
        for (int pass = 0; pass < 2; ++pass) {
            canvas_->beginFrame();
            centre = ui_->build();
            canvas_->endFrame();
        }
        view.viewport = canvas::toViewport(centre, 1);
        canvas_->clear(target, ui_->theme());
    }

    void paint(const render::DrawTarget& target) override { canvas_->paint(target); }

private:
    /// The plots of a short film are full when it ends.
    void showSteps(std::size_t steps) {
        model_.looks.stepsShown = std::clamp(double(steps), 10.0, model::Looks::kMostStepsShown);
    }

    std::unique_ptr<ImGuiCanvas> canvas_;
    model::UiModel model_;
    std::unique_ptr<columns::Ui> ui_;
};

}  // namespace

Expected<std::unique_ptr<FilmPanels>> makeFilmPanels(const scene::Scene& scene, int steps, int width, int height) {
    if (width < kLeastWidth || height < kLeastHeight)
        return fail(fmt::format("panels have no room in a picture of {} x {}: they need {} x {} or more", width, height,
                                kLeastWidth, kLeastHeight));
    auto canvas = ImGuiCanvas::create();
    if (!canvas) return fail(canvas.error());
    const float scale = std::min(float(width) / 1600.0f, float(height) / 900.0f);
    return std::make_unique<UiFilmPanels>(std::move(*canvas), scene, steps, std::max(scale, 1.0f));
}

}  // namespace clothlab::app::film
