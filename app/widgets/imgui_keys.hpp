#pragma once

#include "widgets/keys.hpp"

struct ImGuiIO;

/// Keyboard input of Dear ImGui. ImGui 1.86 uses the numbers of the window's library and a map of the keys that it
/// needs itself; from 1.87 on it uses one event per change, with its own names. Only this file depends on which of the
/// two it is.
namespace clothlab::app::widgets {

/// Once for each context.
void prepareKeys(ImGuiIO& io);
/// A key goes down or up, before ImGui::NewFrame; `code` is as in Key. Keys that ImGui does not use are ignored.
void setKey(ImGuiIO& io, int code, bool down);
/// Which modifiers are held, before ImGui::NewFrame.
void setModifiers(ImGuiIO& io, bool control, bool shift, bool alt);

/// The field that comes next takes the keyboard.
void focusNextField();
/// The field that has the keyboard gives it up, with what is typed so far.
void leaveField();

bool keyDown(Key key);
/// Pressed in this frame; with `repeat`, also when it repeats while it is held.
bool keyPressed(Key key, bool repeat = true);

}  // namespace clothlab::app::widgets
