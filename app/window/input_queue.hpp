#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "widgets/keys.hpp"

struct ImGuiIO;

/// All user input, in order, from the window's callbacks or from a script: both take the same path.
namespace clothlab::app::window {

struct InputEvent {
    enum class Kind : std::uint8_t { Move, Button, Wheel, Key, Character, Leave };
    Kind kind = Kind::Move;
    float x = 0, y = 0;    ///< Move: window coordinates; Wheel: notches
    int code = 0;          ///< Button: 0 left, 1 right, 2 middle; Key: as GLFW numbers them; Character: Unicode
    bool down = false;     ///< Button, Key
    bool control = false;  ///< Button, Key: whether Ctrl was held
    bool shift = false;    ///< Button, Key: whether Shift was held

    static InputEvent move(float x, float y) { return {.kind = Kind::Move, .x = x, .y = y}; }
    static InputEvent button(int button, bool down) { return {.kind = Kind::Button, .code = button, .down = down}; }
    static InputEvent wheel(float x, float y) { return {.kind = Kind::Wheel, .x = x, .y = y}; }
    static InputEvent key(int key, bool down) { return {.kind = Kind::Key, .code = key, .down = down}; }
    static InputEvent character(int unicode) { return {.kind = Kind::Character, .code = unicode}; }
};

/// Hands events out frame by frame so that nothing shorter than a frame is lost: ImGui sees only the state at the
/// start of a frame, so a press and its release, or a click and a move after it, must not fall into the same one.
class InputQueue {
public:
    void push(InputEvent event);
    /// The events of the next frame, in order; the rest waits for later frames. `typing`: a text field has the
    /// keyboard.
    std::vector<InputEvent> takeFrame(bool typing = false);
    bool empty() const { return events_.empty(); }

private:
    std::deque<InputEvent> events_;
    bool controlHeld_ = false, shiftHeld_ = false;
};

/// Passes one frame's events to ImGuiIO, before ImGui::NewFrame.
void feedImGui(ImGuiIO& io, const std::vector<InputEvent>& events);

}  // namespace clothlab::app::window
