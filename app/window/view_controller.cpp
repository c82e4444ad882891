#include "window/view_controller.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/ground.hpp"
#include "render/picking.hpp"
#include "render/positions.hpp"

namespace clothlab::app::window {

using worker::Command;

namespace {

Vec3 toVec3(glm::vec3 v) { return {v.x, v.y, v.z}; }

glm::vec3 positionOrOrigin(const worker::Snapshot& snapshot, Index particle) {
    const bool there = particle >= 0 && 3 * std::size_t(particle) < snapshot.positions.size();
    return there ? render::particlePosition(snapshot, particle) : glm::vec3(0);
}

}  // namespace

void ViewController::handle(const InputEvent& event, const Context& context, std::vector<Command>& out) {
    switch (event.kind) {
        case InputEvent::Kind::Move:
            move(glm::vec2(event.x, event.y) * context.pixelsPerPoint, context, out);
            break;
        case InputEvent::Kind::Leave:
            break;
        case InputEvent::Kind::Button:
            if (event.down)
                press(event, context, out);
            else
                release(event.code, out);
            break;
        case InputEvent::Kind::Wheel:
            if (context.pointerTaken || !context.viewport.contains(pointer_)) break;
            camera.zoom(event.y);
            keepAboveFloor(context, false);
            break;
        case InputEvent::Kind::Key:
            if (event.code == int(widgets::Key::X)) knife_ = event.down && !context.keysTaken;
            if (event.code == int(widgets::Key::G)) brush_ = event.down && !context.keysTaken;
            break;
        default:
            break;
    }
}

void ViewController::press(const InputEvent& event, const Context& context, std::vector<Command>& out) {
    if (mode_ != Mode::None || context.pointerTaken || !context.viewport.contains(pointer_)) return;
    if (event.code < 0 || event.code > 2) return;
    held_ = event.code;
    if (event.code == 0 && (knife_ || (context.scissors && !event.shift && !event.control))) {
        mode_ = Mode::Cut;
        stroke_ = {pointer_};
        cutEnd_ = render::pickRay(context.snapshot, camera.rayThrough(pointer_, context.viewport));
        return;
    }
    if (event.code == 0 && context.throws && !event.shift && !event.control) return throwBall(context, out);
    if (event.code == 0 && brush_) {
        mode_ = Mode::Paint;
        strokeBegins_ = true;
        touch(pointer_, context);
        return;
    }
    // Zoomed in, the cloth is everywhere: the middle button and Shift turn the view over it, too.
    const bool turns = event.code == 2 || (event.code == 0 && event.shift && !event.control);
    if (event.code == 1 && event.control) {
        menuRequest_ = aim(context);
        return;
    }
    if (event.code == 1 || turns) {
        mode_ = turns ? Mode::Orbit : Mode::Pan;
        return;
    }
    const auto hit = aim(context);
    if (event.control) {
        if (hit) pin(*hit, context, out);
        return;
    }
    if (context.pins && hit) return pin(*hit, context, out);
    if (!hit) {
        if (!carry(context, out)) mode_ = Mode::Orbit;
        return;
    }
    mode_ = Mode::Grab;
    particle_ = hit->particle;
    anchor_ = positionOrOrigin(context.snapshot, hit->particle);
    const glm::vec3 target = camera.dragPoint(pointer_, context.viewport, anchor_);
    out.push_back(
        worker::GrabParticle{hit->particle, hit->topologyRevision, ++serial_, {target.x, target.y, target.z}});
}

/// What a press takes: the cloth under the pointer, else a solid there (nothing is returned), else the particle that is
/// nearest on the screen. A view that turns where somebody has just missed the cloth is no help.
std::optional<render::Pick> ViewController::aim(const Context& context) const {
    if (auto hit = render::pick(context.snapshot, camera, context.viewport, pointer_)) return hit;
    if (render::pickCollider(context.snapshot, camera, context.viewport, pointer_)) return {};
    return render::pick(context.snapshot, camera, context.viewport, pointer_, context.reach * context.pixelsPerPoint);
}

void ViewController::pin(const render::Pick& at, const Context& context, std::vector<Command>& out) const {
    worker::PinParticle command{{at.particle, context.pinHold, {}}, at.topologyRevision, true};
    command.pin.motion.velocity = context.pinVelocity;
    out.push_back(std::move(command));
}

/// The eye stays above what is drawn as a floor.
void ViewController::keepAboveFloor(const Context& context, bool targetMoved) {
    if (const auto floor = render::floorHeight(context.snapshot)) camera.stayAbove(*floor, targetMoved);
}

/// From beside the camera to what is under the pointer, or else to the middle of the picture in depth.
void ViewController::throwBall(const Context& context, std::vector<Command>& out) const {
    if (!context.snapshot.mesh) return;
    constexpr double kSeconds = 0.4;                 // of its flight
    constexpr float kNear = 0.35f, kBelow = 0.12f;   // of the distance of the camera
    constexpr double kRadius = 0.04, kDensity = 75;  // of the distance of the scene's own camera; kg/m^3
    const auto cloth = render::pick(context.snapshot, camera, context.viewport, pointer_);
    const glm::vec3 to = cloth ? cloth->point : camera.dragPoint(pointer_, context.viewport, camera.target);
    const glm::vec3 from = camera.eye() + camera.distance * (kNear * camera.forward() - kBelow * camera.up());
    simulation::edits::Ball thrown{.from = toVec3(from), .ball = {}};
    thrown.ball.radius = kRadius * context.snapshot.mesh->camera.distance;
    thrown.ball.mass = kDensity * 4.0 / 3.0 * std::numbers::pi * std::pow(thrown.ball.radius, 3);
    thrown.ball.velocity = (toVec3(to) - thrown.from) / kSeconds - kSeconds / 2 * context.snapshot.settings.gravity;
    out.push_back(worker::Apply{thrown, context.snapshot.mesh->revision});
    if (!context.snapshot.playing) out.push_back(worker::Play{});
}

/// Takes the solid under the pointer, if there is one that can be moved.
bool ViewController::carry(const Context& context, std::vector<Command>& out) {
    const auto hit = render::pickCollider(context.snapshot, camera, context.viewport, pointer_);
    if (!hit) return false;
    mode_ = Mode::Carry;
    anchor_ = camera.rayThrough(pointer_, context.viewport).at(hit->distance);
    out.push_back(worker::GrabCollider{
        hit->collider, context.snapshot.mesh->revision, ++serial_, {anchor_.x, anchor_.y, anchor_.z}});
    return true;
}

void ViewController::release(int button, std::vector<Command>& out) {
    if (button != held_) return;
    if (grabbing() || carrying()) out.push_back(worker::ReleaseGrab{});
    mode_ = Mode::None;
    held_ = -1;
    stroke_.clear();
}

void ViewController::move(glm::vec2 to, const Context& context, std::vector<Command>& out) {
    const glm::vec2 delta = to - pointer_;
    pointer_ = to;
    if (mode_ == Mode::Orbit) camera.orbit(delta, context.viewport);
    if (mode_ == Mode::Pan) camera.pan(delta, context.viewport);
    if (mode_ == Mode::Orbit || mode_ == Mode::Pan) keepAboveFloor(context, mode_ == Mode::Pan);
    if (mode_ == Mode::Paint) {
        // A quick hand skips pixels: it touches what lies between, too.
        constexpr float kStride = 12, kMostTouches = 16;  // pixels
        const float touches = std::clamp(std::ceil(glm::length(delta) / kStride), 1.0f, kMostTouches);
        for (float k = 1; k <= touches; ++k) touch(to - delta * (1 - k / touches), context);
    }
    if (mode_ == Mode::Cut && to != stroke_.back()) cut(to, context, out);
}

/// From where the cloth has taken the end of the stroke since, so that a cut through moving cloth has no gaps where
/// frames are long. The cloth moves on until the cut is made: a short cut along its way joins the two.
void ViewController::cut(glm::vec2 to, const Context& context, std::vector<Command>& out) {
    constexpr float kMoved = 1;       // pixels; less is no motion
    constexpr float kOnward = 0.35f;  // of its way since the last cut
    const auto sweep = [&](glm::vec2 a, glm::vec2 b) {
        const render::Ray from = camera.rayThrough(a, context.viewport),
                          through = camera.rayThrough(b, context.viewport);
        if (context.snapshot.mesh)
            out.push_back(worker::Apply{
                simulation::edits::Cut{{toVec3(from.origin), toVec3(from.direction), toVec3(through.direction)}},
                context.snapshot.mesh->revision});
    };
    glm::vec2 from = stroke_.back();
    const auto place = cutEnd_ ? cutEnd_->placeIn(context.snapshot) : std::nullopt;
    const auto now = place ? camera.toPixel(*place, context.viewport) : std::nullopt;
    if (now && glm::distance(*now, from) > kMoved) {
        const glm::vec2 onward = *now + kOnward * (*now - from);
        sweep(*now, onward);
        from = onward;
    }
    sweep(from, to);
    stroke_.push_back(to);
    cutEnd_ = render::pickRay(context.snapshot, camera.rayThrough(to, context.viewport));
}

void ViewController::touch(glm::vec2 pixel, const Context& context) {
    const auto hit = render::pick(context.snapshot, camera, context.viewport, pixel);
    if (!hit) return;
    touches_.push_back({hit->particle, toVec3(hit->point), hit->topologyRevision, std::exchange(strokeBegins_, false)});
}

std::optional<render::Pick> ViewController::brushAt(const Context& context) const {
    if (!brush_ || context.pointerTaken || !context.viewport.contains(pointer_)) return {};
    return render::pick(context.snapshot, camera, context.viewport, pointer_);
}

std::optional<worker::PointerTarget> ViewController::pointerTarget(const Context& context) {
    if (!grabbing() && !carrying()) return {};
    const glm::vec3 target = camera.dragPoint(pointer_, context.viewport, anchor_);
    return worker::PointerTarget{serial_, {target.x, target.y, target.z}};
}

Index ViewController::hovered(const Context& context) const {
    if (mode_ != Mode::None || context.pointerTaken || !context.viewport.contains(pointer_)) return -1;
    const auto hit = aim(context);
    return hit ? hit->particle : -1;
}

}  // namespace clothlab::app::window
