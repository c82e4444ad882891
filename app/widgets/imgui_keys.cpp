#include "widgets/imgui_keys.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace clothlab::app::widgets {
namespace {

#if IMGUI_VERSION_NUM < 18700
constexpr ImGuiKey kKeypadEnter = ImGuiKey_KeyPadEnter;
#else
constexpr ImGuiKey kKeypadEnter = ImGuiKey_KeypadEnter;
#endif

/// The keys that edit text, move a mark and answer.
const std::pair<ImGuiKey, Key> kKeys[] = {{ImGuiKey_Tab, Key::Tab},
                                          {ImGuiKey_LeftArrow, Key::Left},
                                          {ImGuiKey_RightArrow, Key::Right},
                                          {ImGuiKey_UpArrow, Key::Up},
                                          {ImGuiKey_DownArrow, Key::Down},
                                          {ImGuiKey_PageUp, Key::PageUp},
                                          {ImGuiKey_PageDown, Key::PageDown},
                                          {ImGuiKey_Home, Key::Home},
                                          {ImGuiKey_End, Key::End},
                                          {ImGuiKey_Insert, Key::Insert},
                                          {ImGuiKey_Delete, Key::Delete},
                                          {ImGuiKey_Backspace, Key::Backspace},
                                          {ImGuiKey_Space, Key::Space},
                                          {ImGuiKey_Enter, Key::Enter},
                                          {ImGuiKey_Escape, Key::Escape},
                                          {kKeypadEnter, Key::KeypadEnter},
                                          {ImGuiKey_A, Key::A},
                                          {ImGuiKey_C, Key::C},
                                          {ImGuiKey_V, Key::V},
                                          {ImGuiKey_X, Key::X},
                                          {ImGuiKey_Y, Key::Y},
                                          {ImGuiKey_Z, Key::Z}
#if IMGUI_VERSION_NUM >= 18700
                                          ,
                                          {ImGuiKey_LeftShift, Key::LeftShift},
                                          {ImGuiKey_RightShift, Key::RightShift},
                                          {ImGuiKey_LeftCtrl, Key::LeftControl},
                                          {ImGuiKey_RightCtrl, Key::RightControl},
                                          {ImGuiKey_LeftAlt, Key::LeftAlt},
                                          {ImGuiKey_RightAlt, Key::RightAlt}
#endif
};

}  // namespace

void focusNextField() {
    ImGui::SetWindowFocus();  // 1.90.1 finds the field in the window that has the focus already, and nowhere else
    ImGui::SetKeyboardFocusHere();
}

void leaveField() { ImGui::ClearActiveID(); }

#if IMGUI_VERSION_NUM < 18700

void prepareKeys(ImGuiIO& io) {
    for (const auto& [imgui, ours] : kKeys) io.KeyMap[imgui] = int(ours);
}

void setKey(ImGuiIO& io, int code, bool down) {
    if (code >= 0 && code < int(std::size(io.KeysDown))) io.KeysDown[code] = down;
}

void setModifiers(ImGuiIO& io, bool control, bool shift, bool alt) {
    io.KeyCtrl = control;
    io.KeyShift = shift;
    io.KeyAlt = alt;
    io.KeyMods =
        (control ? ImGuiKeyModFlags_Ctrl : 0) | (shift ? ImGuiKeyModFlags_Shift : 0) | (alt ? ImGuiKeyModFlags_Alt : 0);
}

bool keyDown(Key key) { return ImGui::IsKeyDown(int(key)); }

bool keyPressed(Key key, bool repeat) { return ImGui::IsKeyPressed(int(key), repeat); }

#else

namespace {

ImGuiKey imguiKey(int code) {
    const auto* found = std::find_if(std::begin(kKeys), std::end(kKeys),
                                     [&](const std::pair<ImGuiKey, Key>& pair) { return int(pair.second) == code; });
    return found == std::end(kKeys) ? ImGuiKey_None : found->first;
}

}  // namespace

void prepareKeys(ImGuiIO& io) {
    // InputQueue hands out frames in which nothing is lost; ImGui would spread them over frames a second time.
    io.ConfigInputTrickleEventQueue = false;
}

void setKey(ImGuiIO& io, int code, bool down) {
    if (const ImGuiKey key = imguiKey(code); key != ImGuiKey_None) io.AddKeyEvent(key, down);
}

void setModifiers(ImGuiIO& io, bool control, bool shift, bool alt) {
    io.AddKeyEvent(ImGuiMod_Ctrl, control);
    io.AddKeyEvent(ImGuiMod_Shift, shift);
    io.AddKeyEvent(ImGuiMod_Alt, alt);
}

bool keyDown(Key key) { return ImGui::IsKeyDown(imguiKey(int(key))); }

bool keyPressed(Key key, bool repeat) { return ImGui::IsKeyPressed(imguiKey(int(key)), repeat); }

#endif

}  // namespace clothlab::app::widgets
