#include "window/input_queue.hpp"

#include <imgui.h>

#include <algorithm>

#include "widgets/imgui_keys.hpp"

namespace clothlab::app::window {

using widgets::Key;

namespace {

bool isControl(int code) { return code == int(Key::LeftControl) || code == int(Key::RightControl); }

bool isShift(int code) { return code == int(Key::LeftShift) || code == int(Key::RightShift); }

/// Keys whose character is what a text field takes of them.
bool isPrinting(const InputEvent& event) {
    return event.kind == InputEvent::Kind::Key && event.code >= int(Key::Space) && event.code < int(Key::Escape) &&
           !event.control;
}

/// Whether the event must wait for the next frame, given what this frame already has. While a text field has the
/// keyboard, printing keys are their characters alone, and Shift has done its work in them: all that was typed comes in
/// one frame.
bool conflicts(const InputEvent& event, const std::vector<InputEvent>& frame, bool typing) {
    using enum InputEvent::Kind;
    const auto idle = [&](const InputEvent& e) {
        return typing && (isPrinting(e) || (e.kind == Key && isShift(e.code)));
    };
    if (idle(event)) return false;
    return std::any_of(frame.begin(), frame.end(), [&](const InputEvent& earlier) {
        if (idle(earlier)) return false;
        if (event.kind == Move) return earlier.kind == Button || earlier.kind == Wheel;
        if (event.kind == Button) return earlier.kind == Button || earlier.kind == Wheel || earlier.kind == Character;
        if (event.kind == Key) return (earlier.kind == Key && earlier.code == event.code) || earlier.kind == Character;
        if (event.kind == Character) return earlier.kind == Key && !isControl(earlier.code) && !isShift(earlier.code);
        return false;
    });
}

}  // namespace

void InputQueue::push(InputEvent event) {
    if (event.kind == InputEvent::Kind::Key && isControl(event.code)) controlHeld_ = event.down;
    if (event.kind == InputEvent::Kind::Key && isShift(event.code)) shiftHeld_ = event.down;
    event.control = controlHeld_;
    event.shift = shiftHeld_;
    // A fast mouse sends many moves a frame; only the last one of a run matters.
    if (event.kind == InputEvent::Kind::Move && !events_.empty() && events_.back().kind == InputEvent::Kind::Move)
        events_.back() = event;
    else
        events_.push_back(event);
}

std::vector<InputEvent> InputQueue::takeFrame(bool typing) {
    std::vector<InputEvent> frame;
    while (!events_.empty() && !conflicts(events_.front(), frame, typing)) {
        frame.push_back(events_.front());
        events_.pop_front();
    }
    return frame;
}

void feedImGui(ImGuiIO& io, const std::vector<InputEvent>& events) {
    for (const InputEvent& event : events) {
        switch (event.kind) {
            case InputEvent::Kind::Move:
                io.MousePos = {event.x, event.y};
                break;
            case InputEvent::Kind::Leave:  // a drag that leaves the window goes on
                if (!io.MouseDown[0] && !io.MouseDown[1]) io.MousePos = {-FLT_MAX, -FLT_MAX};
                break;
            case InputEvent::Kind::Button:
                if (event.code >= 0 && event.code < 5) io.MouseDown[event.code] = event.down;
                break;
            case InputEvent::Kind::Wheel:
                io.MouseWheelH += event.x;
                io.MouseWheel += event.y;
                break;
            case InputEvent::Kind::Key:
                widgets::setKey(io, event.code, event.down);
                break;
            case InputEvent::Kind::Character:
                io.AddInputCharacter(unsigned(event.code));
                break;
        }
    }
    const auto down = [&](Key key) {
        const auto last = std::find_if(events.rbegin(), events.rend(), [&](const InputEvent& event) {
            return event.kind == InputEvent::Kind::Key && event.code == int(key);
        });
        return last != events.rend() ? last->down : widgets::keyDown(key);
    };
    const auto held = [&](Key left, Key right) { return down(left) || down(right); };
    widgets::setModifiers(io, held(Key::LeftControl, Key::RightControl), held(Key::LeftShift, Key::RightShift),
                          held(Key::LeftAlt, Key::RightAlt));
}

}  // namespace clothlab::app::window
