#include "window/view_controller.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/picking.hpp"
#include "render/positions.hpp"

namespace clothlab::app::window {

using worker::Command;

namespace {

Vec3 toVec3(glm::vec3 v) { return {v.x, v.y, v.z}; }

glm::vec3 positionOrOrigin(const worker::Snapshot& snapshot, Index particle) {
    const bool there = particle >= 0 && 3 * std::size_t(particle) < snapshot.positions.size();
    return there ? render::positionOf(snapshot, particle) : glm::vec3(0);
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
            if (!context.pointerTaken && context.viewport.contains(pointer_)) camera.zoom(event.y);
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
        menuRequest_ = render::pick(context.snapshot, camera, context.viewport, pointer_);
        return;
    }
    if (event.code == 1 || turns) {
        mode_ = turns ? Mode::Orbit : Mode::Pan;
        return;
    }
    const auto hit = render::pick(context.snapshot, camera, context.viewport, pointer_);
    if (event.control) {
        if (!hit) return;
        worker::PinParticle command{{hit->particle, context.pinHold, {}}, hit->topologyRevision, true};
        command.pin.motion.velocity = context.pinVelocity;
        out.push_back(std::move(command));
        return;
    }
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
    if (mode_ == Mode::Paint) {
        // A quick hand skips pixels: it touches what lies between, too.
        constexpr float kStride = 12, kMostTouches = 16;  // pixels
        const float touches = std::clamp(std::ceil(glm::length(delta) / kStride), 1.0f, kMostTouches);
        for (float k = 1; k <= touches; ++k) touch(to - delta * (1 - k / touches), context);
    }
    if (mode_ != Mode::Cut || to == stroke_.back()) return;
    const render::Ray from = camera.rayThrough(stroke_.back(), context.viewport),
                      through = camera.rayThrough(to, context.viewport);
    stroke_.push_back(to);
    if (context.snapshot.mesh)
        out.push_back(worker::Apply{
            simulation::edits::Cut{{toVec3(from.origin), toVec3(from.direction), toVec3(through.direction)}},
            context.snapshot.mesh->revision});
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
    const auto hit = render::pick(context.snapshot, camera, context.viewport, pointer_);
    return hit ? hit->particle : -1;
}

}  // namespace clothlab::app::window
