#include "actions/showing.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "integrators/methods/catalogue.hpp"
#include "solvers/catalogue.hpp"

namespace clothlab::app::actions {

using model::Column;
using model::UiModel;
using widgets::Key;

namespace {

constexpr double kLeastZoomedWidth = 640, kLeastZoomedHeight = 360;  // points that have room for everything
constexpr double kPresenterWidth = 850, kPresenterHeight = 480;      // points that the presenter's mode leaves
constexpr double kLeastPresented = 1.18;  // times the points that have room, with larger type
constexpr double kPresenterLeast = 1.5, kPresenterMost = 2;

/// To a grain, so that a window that is being resized does not make its fonts anew in every frame.
double grained(double zoom) { return std::floor(zoom * 20 + 1e-6) / 20; }

template <int Direction>
bool stepTypeSize(UiModel& model) {
    const auto next = Direction > 0 ? std::ranges::upper_bound(kTypeSizes, model.looks.typeSize + 1e-6)
                                    : std::ranges::lower_bound(kTypeSizes, model.looks.typeSize - 1e-6);
    if (Direction > 0 ? next == kTypeSizes.end() : next == kTypeSizes.begin()) return false;
    model.looks.typeSize = Direction > 0 ? *next : *(next - 1);
    return true;
}

bool usualTypeSize(UiModel& model) {
    model.looks.typeSize = 1;
    return true;
}

/// Shows the left column, which has the search field.
bool askForSearch(UiModel& model) {
    model.looks.presenter = false;
    model.looks.column = Column::Controls;
    model.folds.allControls |= model.lessons.isOn();  // it is below a lesson
    return model.popups.searchAsked = true;
}

bool toggleBeside(UiModel& model) {
    model.looks.ghostBeside = !model.looks.ghostBeside;
    return model.view.wholeInView = true;
}

bool toggleFit(UiModel& model) {
    model.looks.fitStrain = !model.looks.fitStrain;
    return true;
}

bool togglePresenter(UiModel& model) {
    model.looks.presenter = !model.looks.presenter;
    model.looks.controlsOut = false;
    if (model.looks.presenter && model.lessons.isOn() && !model.panelOpen()) model.lessons.showPlot(model);
    model.popups.close = model.popups.open;  // a list that hangs on a column goes with it
    return true;
}

bool toggleControls(UiModel& model) {
    model.looks.controlsOut = !model.looks.controlsOut;
    return true;
}

}  // namespace

bool controlsFolded(const UiModel& model) {
    return model.looks.presenter && model.panelOpen() && !model.looks.controlsOut;
}

bool toolsFolded(const UiModel& model) {
    return model.looks.presenter && (model.panelOpen() || model.lessons.isOn()) && !model.looks.controlsOut;
}

double zoomFor(const UiModel& model, ImVec2 points) {
    const double room = std::min(points.x / kLeastZoomedWidth, points.y / kLeastZoomedHeight) /
                        (model.looks.presenter ? kLeastPresented : 1);
    double zoom = model.looks.typeSize;
    if (model.looks.presenter)
        zoom *= std::clamp(grained(std::min(points.x / kPresenterWidth, points.y / kPresenterHeight)), kPresenterLeast,
                           kPresenterMost);
    return std::min(zoom, std::max(1.0, grained(room)));
}

std::vector<std::string> listKeyControls(const UiModel& model) {
    std::vector<std::string> keys = model.looks.keyControls;
    if (keys.empty()) {
        const auto& settings = model.settings;
        if (!integrators::usesSolver(settings.integrator.kind))
            keys = {"integrator.kind", "integrator.dt"};
        else if (solvers::usesPreconditioner(settings.solver.kind))
            keys = {"solver.kind", "preconditioner.kind"};
        else
            keys = {"solver.kind", "integrator.dt"};
        const bool blows = settings.wind.dragCoefficient > 0 && !settings.wind.velocity.isZero(0.0);
        keys.emplace_back(blows ? "wind.velocity" : "material.stretch_stiffness");
    }
    if (keys.size() > kMostKeyControls) keys.resize(kMostKeyControls);
    return keys;
}

std::vector<Action> showingActions() {
    return {
        {.name = "search.focus",
         .label = "Search",
         .help = "searches all settings, panels and lessons: Enter goes to the best match",
         .key = Key::F,
         .run = askForSearch,
         .control = true},
        {.name = "presenter.toggle",
         .label = "Present",
         .help = "presenter: large type and a few controls instead of the columns",
         .key = Key::Tab,
         .run = togglePresenter},
        {.name = "presenter.controls",
         .label = "Controls",
         .help = "presenter: the controls that a panel or a lesson folds away, or not",
         .run = toggleControls,
         .refusal =
             [](const UiModel& model) {
                 return !model.looks.presenter                      ? "The columns have all controls."
                        : model.panelOpen() || model.lessons.isOn() ? ""
                                                                    : "Nothing is folded.";
             }},
        {.name = "strain.fit",
         .label = "Fit",
         .help = "the scale of strains ends beyond the largest, or at 10 %",
         .run = toggleFit,
         .refusal =
             [](const UiModel& model) {
                 return model.looks.overlay == scene::OverlayKind::Strain ? "" : "The overlay of strains is not on.";
             }},
        {.name = "branch.further",
         .label = "Another ghost",
         .help = "another ghost continues from here with the present settings",
         .run = [](UiModel& model) { return addBranch(model), true; },
         .refusal =
             [](const UiModel& model) {
                 return !model.snapshot->ghost.present                    ? "there is no ghost"
                        : model.snapshot->ghosts() == worker::kMostGhosts ? "there are four ghosts"
                                                                          : "";
             }},
        {.name = "branch.beside",
         .label = "Side by side",
         .help = "the ghost beside the cloth, or over it",
         .run = toggleBeside,
         .refusal = [](const UiModel& model) { return model.snapshot->ghost.present ? "" : "there is no ghost"; }},
        {.name = "type.larger",
         .label = "Larger type",
         .help = "larger type",
         .key = Key::Equal,
         .run = stepTypeSize<1>,
         .group = "type",
         .control = true},
        {.name = "type.smaller",
         .label = "Smaller type",
         .help = "smaller",
         .key = Key::Minus,
         .run = stepTypeSize<-1>,
         .group = "type",
         .control = true},
        {.name = "type.usual",
         .label = "Usual type",
         .help = "type of the default size",
         .key = Key::Digit0,
         .run = usualTypeSize,
         .control = true},
    };
}

}  // namespace clothlab::app::actions
