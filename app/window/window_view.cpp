#include <algorithm>

#include "actions/showing.hpp"
#include "render/positions.hpp"
#include "render/scene_fit.hpp"
#include "window/playground_view.hpp"
#include "window/window_loop.hpp"
#include "worker/snapshots/publish.hpp"

// What the window shows of the cloth: where the picture stands, what the pointer meets there, and the drawing.
namespace clothlab::app::window {

using worker::Snapshot;

namespace {

/// Points within which a press beside the cloth is meant for it.
constexpr float kReach = 16, kPlayingReach = 44;

}  // namespace

ViewController::Context WindowLoop::context(bool pointerTaken) const {
    static const Snapshot kNothing;  // an iterate is no cloth to take hold of
    return {slowShown_ ? kNothing : simulation_->snapshot(),
            view_.viewport,
            screen_.pixelsPerPoint,
            pointerTaken,
            model::toPinHold(model_.pinTool.kind),
            model_.pinTool.velocity,
            ImGui::GetIO().WantTextInput,
            model_.playground.scissors(),
            model_.playground.throws(),
            model_.playground.pins(),
            model_.playground.on ? kPlayingReach : kReach};
}

/// Words at the top of the picture, the legend in its corner.
render::Covered WindowLoop::coveredPicture() const {
    render::Covered covered{.top =
                                std::max(ui_->wordsBottom() * screen_.pixelsPerPoint - float(view_.viewport.y), 0.0f)};
    if (const auto* legend = ui_->layout().find("legend"))
        covered.corner = {legend->max.x * screen_.pixelsPerPoint - float(view_.viewport.x),
                          float(view_.viewport.y + view_.viewport.height) - legend->min.y * screen_.pixelsPerPoint};
    return covered;
}

/// Whether a panel leaves the cloth no room.
bool WindowLoop::coversCloth() const { return view_.viewport.height <= 1; }

void WindowLoop::reframe() {
    const Snapshot& shown = slowShown_ ? slowView_.side(0) : simulation_->snapshot();
    render::Viewport viewport = view_.viewport;
    if (slowShown_) viewport.width /= slowView_.sides();
    using model::Panel;
    using model::Place;
    const Place place = model_.panelOpen() ? model::entryFor(model_.panel).place : Place::Under;
    const bool takes = (place == Place::Beside || place == Place::Over) && !coversCloth();
    const Panel open = slowShown_ ? Panel::SlowMotion : takes ? model_.panel : Panel::None;
    reframing_.update(
        open, open == Panel::None ? std::vector<float>() : render::shownPositions(shown, renderer_->world(shown)),
        viewport, coveredPicture(), controller_.camera);
}

void WindowLoop::draw(const render::Effects& effects) {
    view_.effects = effects;
    view_.camera = controller_.camera;
    view_.dye = dyeColor(model_.playground);
    view_.fabric = model_.looks.fabric;
    view_.overlay = model_.looks.overlay;
    view_.wireframe = model_.looks.wireframe;
    view_.lightTheme = model_.looks.theme == widgets::ThemeKind::Light;
    std::copy(std::begin(model_.looks.showSprings), std::end(model_.looks.showSprings), view_.showSprings);
    view_.contentScale = screen_.scale * screen_.zoom;
    const render::DrawTarget target{0, screen_.width, screen_.height};
    canvas_->clear(target, ui_->theme());
    drawScene(view_, target);
    canvas_->paint(target);
}

void WindowLoop::drawScene(render::ViewState view, const render::DrawTarget& target) {
    if (slowShown_)
        drawSlowMotion(view, target);
    else if (!coversCloth() && ghostShown_)
        drawBeside(view, target);
    else if (!coversCloth())
        renderer_->draw(simulation_->snapshot(), view, target);
}

/// The cloth, and at its right the ghost, seen by the same camera: that is the half that the pointer does not meet.
void WindowLoop::drawBeside(const render::ViewState& view, const render::DrawTarget& target) {
    const Snapshot& now = simulation_->snapshot();
    render::ViewState half = view;
    half.showGhost = false;
    renderer_->draw(now, half, target);
    worker::ghostAlone(now, besideGhost_);
    half.overlay = scene::OverlayKind::None;  // its numbers are of the cloth
    half.hovered = -1;
    half.linked = {-1, -1};
    half.viewport.x += half.viewport.width;
    renderer_->draw(besideGhost_, half, target);
}

/// The sides next to each other, seen by the same camera.
void WindowLoop::drawSlowMotion(const render::ViewState& view, const render::DrawTarget& target) {
    render::ViewState half = view;
    half.overlay = scene::OverlayKind::Residual;
    half.hovered = -1;
    half.linked = {-1, -1};
    half.viewport.width /= slowView_.sides();
    for (int side = 0; side < slowView_.sides(); ++side) {
        renderer_->draw(slowView_.side(side), half, target);
        half.viewport.x += half.viewport.width;
    }
}

std::optional<ImVec2> WindowLoop::particleOnScreen(Index particle) const {
    const auto& snapshot = simulation_->snapshot();
    if (particle < 0 || 3 * std::size_t(particle) >= snapshot.positions.size()) return {};
    const auto pixel = controller_.camera.toPixel(render::particlePosition(snapshot, particle), view_.viewport);
    if (!pixel) return {};
    return ImVec2{pixel->x / screen_.pixelsPerPoint, pixel->y / screen_.pixelsPerPoint};
}

}  // namespace clothlab::app::window
