#include "window/glfw_window.hpp"

#include <glad/gl.h>
// after glad
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "base/platform.hpp"
#include "columns/regions.hpp"

namespace clothlab::app::window {

using columns::Regions;
using widgets::Key;

namespace {

static_assert(int(Key::Space) == GLFW_KEY_SPACE && int(Key::Digit1) == GLFW_KEY_1 && int(Key::Z) == GLFW_KEY_Z &&
              int(Key::Minus) == GLFW_KEY_MINUS && int(Key::Equal) == GLFW_KEY_EQUAL &&
              int(Key::Escape) == GLFW_KEY_ESCAPE && int(Key::Tab) == GLFW_KEY_TAB &&
              int(Key::Delete) == GLFW_KEY_DELETE && int(Key::End) == GLFW_KEY_END && int(Key::F1) == GLFW_KEY_F1 &&
              int(Key::F12) == GLFW_KEY_F12 && int(Key::KeypadEnter) == GLFW_KEY_KP_ENTER &&
              int(Key::LeftControl) == GLFW_KEY_LEFT_CONTROL && int(Key::RightAlt) == GLFW_KEY_RIGHT_ALT);

constexpr int kDefaultWidth = 1600, kDefaultHeight = 900;             // points
constexpr float kMostDefaultWidth = 1920, kMostDefaultHeight = 1080;  // points

Error glfwError(const std::string& what) {
    const char* text = nullptr;
    glfwGetError(&text);
    return Error{.message = fmt::format("{}{}{}", what, text ? ": " : "", text ? text : ""), .file = {}, .choices = {}};
}

/// GLFW numbers keys by their place on a US keyboard; plus and minus are where the user's own keyboard has them.
int typedKey(int key, int scancode) {
    if (key == GLFW_KEY_KP_ADD) return GLFW_KEY_EQUAL;
    if (key == GLFW_KEY_KP_SUBTRACT) return GLFW_KEY_MINUS;
    const char* name = glfwGetKeyName(key, scancode);
    if (!name || name[0] == 0 || name[1] != 0) return key;
    return name[0] == '+' || name[0] == '=' ? GLFW_KEY_EQUAL : name[0] == '-' ? GLFW_KEY_MINUS : key;
}

int cursorShape(int imguiCursor) {
    switch (imguiCursor) {
        case ImGuiMouseCursor_TextInput:
            return GLFW_IBEAM_CURSOR;
        case ImGuiMouseCursor_ResizeEW:
            return GLFW_HRESIZE_CURSOR;
        default:
            return GLFW_ARROW_CURSOR;
    }
}

InputQueue& windowQueue(GLFWwindow* window) {
    return static_cast<GlfwWindow*>(glfwGetWindowUserPointer(window))->input();
}

}  // namespace

Expected<std::unique_ptr<GlfwWindow>> GlfwWindow::create(const Options& options) {
    platform::leaveThreadsBesideSoftwareGl();
    if (!glfwInit()) {
        Error error = glfwError("no window can be opened here");
        error.message +=
            "\n  Without a display, draw off screen instead:  clothlab render SCENE --out film.mp4\n"
            "  or step without pictures:                    clothlab run SCENE";
        return fail(error);
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 1);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS, 24);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);  // it is shown when it has its size
    std::unique_ptr<GlfwWindow> window(new GlfwWindow());
    window->window_ = glfwCreateWindow(kDefaultWidth, kDefaultHeight, options.title.c_str(), nullptr, nullptr);
    window->scale_ = options.scale;
    if (!window->window_) {
        Error error = glfwError("no window with OpenGL 4.1 can be opened");
        error.message += "\n  'clothlab render SCENE --out film.mp4' draws without a window.";
        return fail(error);
    }
    glfwMakeContextCurrent(window->window_);
    if (gladLoadGL(reinterpret_cast<GLADloadfunc>(glfwGetProcAddress)) == 0)
        return fail(glfwError("OpenGL cannot be loaded"));
    glfwSwapInterval(1);
    window->fitSize(options);
    if (const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER))) window->rendererName_ = name;
    window->installCallbacks();
    return window;
}

/// Window coordinates a point: 1 where the system scales them itself (macOS), the content scale where they are pixels.
float GlfwWindow::unitsPerPoint() const {
    int width = 1, height = 1, framebufferWidth = 1, framebufferHeight = 1;
    windowSize(width, height);
    framebufferSize(framebufferWidth, framebufferHeight);
    return std::max(1.0f, contentScale() * float(std::max(width, 1)) / float(std::max(framebufferWidth, 1)));
}

/// Window coordinates per pixel of the monitor's video mode. Under Wayland the compositor scales windows, and GLFW
/// reports modes in pixels.
static float unitsPerModePixel([[maybe_unused]] GLFWmonitor* monitor) {
#if GLFW_VERSION_MAJOR > 3 || GLFW_VERSION_MINOR >= 4
    if (monitor != nullptr && glfwGetPlatform() == GLFW_PLATFORM_WAYLAND) {
        float x = 1, y = 1;
        glfwGetMonitorContentScale(monitor, &x, &y);
        return 1 / std::max({x, y, 1.0f});
    }
#endif
    return 1;
}

/// Sizes are points: what fits on one monitor fits on another of twice the resolution.
void GlfwWindow::fitSize(const Options& options) {
    const float unit = unitsPerPoint();
    const auto units = [unit](float points) { return int(std::lround(points * unit)); };
    float width = float(options.width), height = float(options.height);
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();  // none where a display has no output yet
    const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
    const float screenWidth = mode != nullptr ? float(mode->width) * unitsPerModePixel(monitor) / unit : 0,
                screenHeight = mode != nullptr ? float(mode->height) * unitsPerModePixel(monitor) / unit : 0;
    if (options.fits && mode) {
        width = std::min(width, screenWidth);
        height = std::min(height, screenHeight);
    }
    if (width <= 0 || height <= 0) {
        // Most of the screen, with both columns where it has room for them.
        const auto most = [](float screen, float share, float full, float limit) {
            return std::min({std::max(share * screen, full), screen, limit});
        };
        width = mode ? most(screenWidth, 0.9f, Regions::kFullWidth, kMostDefaultWidth) : kDefaultWidth;
        height = mode ? most(screenHeight, 0.85f, Regions::kFullHeight, kMostDefaultHeight) : kDefaultHeight;
    }
    glfwSetWindowSizeLimits(window_, units(Regions::kLeastWidth), units(Regions::kLeastHeight), GLFW_DONT_CARE,
                            GLFW_DONT_CARE);
    glfwSetWindowSize(window_, units(std::max(width, Regions::kLeastWidth)),
                      units(std::max(height, Regions::kLeastHeight)));
    glfwShowWindow(window_);
}

GlfwWindow::~GlfwWindow() {
    if (window_) glfwDestroyWindow(window_);
    glfwTerminate();
}

void GlfwWindow::installCallbacks() {
    glfwSetWindowUserPointer(window_, this);
    glfwSetCursorPosCallback(
        window_, [](GLFWwindow* w, double x, double y) { windowQueue(w).push(InputEvent::move(float(x), float(y))); });
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int) {
        windowQueue(w).push(InputEvent::button(button, action == GLFW_PRESS));
    });
    glfwSetScrollCallback(
        window_, [](GLFWwindow* w, double x, double y) { windowQueue(w).push(InputEvent::wheel(float(x), float(y))); });
    glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int scancode, int action, int) {
        if (action != GLFW_REPEAT) windowQueue(w).push(InputEvent::key(typedKey(key, scancode), action == GLFW_PRESS));
    });
    glfwSetCharCallback(
        window_, [](GLFWwindow* w, unsigned unicode) { windowQueue(w).push(InputEvent::character(int(unicode))); });
    glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
        auto& dropped = static_cast<GlfwWindow*>(glfwGetWindowUserPointer(w))->dropped_;
        dropped.insert(dropped.end(), paths, paths + count);
    });
    glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int entered) {
        if (!entered) windowQueue(w).push({.kind = InputEvent::Kind::Leave});
    });
}

void GlfwWindow::poll(double waitSeconds) {
    if (waitSeconds > 1e-4)
        glfwWaitEventsTimeout(waitSeconds);
    else
        glfwPollEvents();
}

void GlfwWindow::wake() { glfwPostEmptyEvent(); }
void GlfwWindow::swap() { glfwSwapBuffers(window_); }
bool GlfwWindow::closing() const { return glfwWindowShouldClose(window_) != 0; }
void GlfwWindow::setTitle(const std::string& title) { glfwSetWindowTitle(window_, title.c_str()); }
void GlfwWindow::framebufferSize(int& width, int& height) const { glfwGetFramebufferSize(window_, &width, &height); }
void GlfwWindow::windowSize(int& width, int& height) const { glfwGetWindowSize(window_, &width, &height); }
void GlfwWindow::pointSize(int& width, int& height) const {
    windowSize(width, height);
    const float unit = unitsPerPoint();
    width = int(std::lround(float(width) / unit));
    height = int(std::lround(float(height) / unit));
}

double GlfwWindow::seconds() { return glfwGetTime(); }

float GlfwWindow::contentScale() const {
    if (scale_ > 0) return float(scale_);
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    return std::clamp(std::max(x, y), 1.0f, 4.0f);
}

bool GlfwWindow::softwareRendering() const {
    return rendererName_.find("llvmpipe") != std::string::npos || rendererName_.find("softpipe") != std::string::npos;
}

void GlfwWindow::showCursor(int imguiCursor) {
    const int shape = cursorShape(imguiCursor);
    if (shape == cursor_) return;
    cursor_ = shape;
    const auto [made, isNew] = cursors_.try_emplace(shape, nullptr);
    if (isNew) made->second = glfwCreateStandardCursor(shape);
    glfwSetCursor(window_, made->second);  // null is the usual one
}

void GlfwWindow::connectClipboard() {
    ImGuiIO& io = ImGui::GetIO();
    io.ClipboardUserData = window_;
    io.SetClipboardTextFn = [](void* w, const char* text) {
        glfwSetClipboardString(static_cast<GLFWwindow*>(w), text);
    };
    io.GetClipboardTextFn = [](void* w) { return glfwGetClipboardString(static_cast<GLFWwindow*>(w)); };
}

}  // namespace clothlab::app::window
