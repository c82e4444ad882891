#pragma once

namespace clothlab::app::widgets {

/// Keys by the numbers that GLFW gives them (a static_assert beside the window checks that), so that panels and their
/// tests need no GLFW.
enum class Key : int {
    Space = 32,
    Digit1 = 49,
    Digit9 = 57,
    A = 65,
    B = 66,
    C = 67,
    F = 70,
    G = 71,
    K = 75,
    M = 77,
    N = 78,
    P = 80,
    R = 82,
    T = 84,
    U = 85,
    V = 86,
    W = 87,
    X = 88,
    Y = 89,
    Z = 90,
    Escape = 256,
    Enter = 257,
    Tab = 258,
    Backspace = 259,
    Insert = 260,
    Delete = 261,
    Right = 262,
    Left = 263,
    Down = 264,
    Up = 265,
    PageUp = 266,
    PageDown = 267,
    Home = 268,
    End = 269,
    F1 = 290,
    F12 = 301,
    KeypadEnter = 335,
    LeftShift = 340,
    LeftControl = 341,
    LeftAlt = 342,
    RightShift = 344,
    RightControl = 345,
    RightAlt = 346,
};

}  // namespace clothlab::app::widgets
