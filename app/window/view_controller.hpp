#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/tools/brush_tool.hpp"
#include "render/camera.hpp"
#include "render/picking.hpp"
#include "window/input_queue.hpp"
#include "worker/commands.hpp"

namespace clothlab::app::window {

/// Effects of the mouse on the cloth and the camera. No GL, no GLFW: events in, commands out.
///
///     left on cloth or a solid: grab    left beside them, Shift+left, middle: orbit    right: pan    wheel: zoom
///     Ctrl+click: pin            Ctrl+right click: menu of the particle           X held, left: cut
///     G held, left: paint
class ViewController {
public:
    struct Context {
        const worker::Snapshot& snapshot;
        render::Viewport viewport;          ///< of the picture, framebuffer pixels
        float pixelsPerPoint = 1;           ///< framebuffer pixels per window coordinate
        bool pointerTaken = false;          ///< a panel has the pointer: presses and wheel are ignored
        integrators::PinHold pinHold = {};  ///< of a new pin
        Vec3 pinVelocity = Vec3::Zero();    ///< m/s, of a new pin
        bool keysTaken = false;             ///< a text field has the keys
        bool scissors = false;              ///< a left drag cuts, as with X held
        bool throws = false;                ///< a left press throws a ball
        bool pins = false;                  ///< a left press pins, as with Ctrl
        float reach = 16;                   ///< points: a press this close to the cloth grabs its nearest particle
    };

    render::Camera camera;

    /// Appends commands to post to `out`.
    void handle(const InputEvent& event, const Context& context, std::vector<worker::Command>& out);
    /// Once per frame during a grab: its present target (the camera may have moved).
    std::optional<worker::PointerTarget> pointerTarget(const Context& context);
    /// The particle under the idle pointer, or -1.
    Index hovered(const Context& context) const;

    /// The particle whose menu was requested since the last call.
    std::optional<render::Pick> takeMenuRequest() { return std::exchange(menuRequest_, {}); }

    /// Where the brush has touched the cloth since the last call.
    std::vector<model::BrushTouch> takeTouches() { return std::exchange(touches_, {}); }
    /// Where the brush would touch, while its key is held.
    std::optional<render::Pick> brushAt(const Context& context) const;

    bool grabbing() const { return mode_ == Mode::Grab; }
    bool carrying() const { return mode_ == Mode::Carry; }  ///< a solid
    Index grabbedParticle() const { return grabbing() ? particle_ : -1; }
    glm::vec2 pointer() const { return pointer_; }  ///< framebuffer pixels
    /// Path of the pointer since a cut began, framebuffer pixels; empty without a cut.
    std::span<const glm::vec2> stroke() const { return stroke_; }

private:
    enum class Mode { None, Grab, Carry, Orbit, Pan, Cut, Paint };

    void press(const InputEvent& event, const Context& context, std::vector<worker::Command>& out);
    void throwBall(const Context& context, std::vector<worker::Command>& out) const;
    bool carry(const Context& context, std::vector<worker::Command>& out);
    std::optional<render::Pick> aim(const Context& context) const;
    void pin(const render::Pick& at, const Context& context, std::vector<worker::Command>& out) const;
    void cut(glm::vec2 to, const Context& context, std::vector<worker::Command>& out);
    void keepAboveFloor(const Context& context, bool targetMoved);
    void release(int button, std::vector<worker::Command>& out);
    void touch(glm::vec2 pixel, const Context& context);
    void move(glm::vec2 to, const Context& context, std::vector<worker::Command>& out);

    Mode mode_ = Mode::None;
    int held_ = -1;              ///< the button that began it
    bool knife_ = false;         ///< X is held
    bool brush_ = false;         ///< G is held
    bool strokeBegins_ = false;  ///< of the brush: it has not touched the cloth yet
    std::vector<model::BrushTouch> touches_;
    std::vector<glm::vec2> stroke_;
    std::optional<render::Pick> cutEnd_;  ///< where on the cloth the stroke has come to; none: beside it
    std::optional<render::Pick> menuRequest_;
    glm::vec2 pointer_{-1e6f};
    Index particle_ = -1;
    glm::vec3 anchor_{0};  ///< m, a point of the plane in which particle or solid follows
    std::uint64_t serial_ = 0;
};

}  // namespace clothlab::app::window
