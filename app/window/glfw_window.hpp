#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/errors.hpp"
#include "window/input_queue.hpp"

struct GLFWwindow;
struct GLFWcursor;

namespace clothlab::app::window {

/// A GLFW window with an OpenGL 4.1 core context, glad loaded. Its callbacks only push into the queue. ImGui's own GLFW
/// backend is not used: it reads states, and would miss short presses.
class GlfwWindow {
public:
    struct Options {
        int width = 0, height = 0;  ///< points; 0 = by the screen
        bool fits = false;          ///< no larger than the screen
        double scale = 0;           ///< pixels per point, 1 .. 4; 0 = the monitor's
        std::string title;
    };
    /// Without a display the Error says so and names what works without one.
    static Expected<std::unique_ptr<GlfwWindow>> create(const Options& options);
    ~GlfwWindow();
    GlfwWindow(const GlfwWindow&) = delete;
    GlfwWindow& operator=(const GlfwWindow&) = delete;

    InputQueue& input() { return input_; }
    /// Files that were dropped on the window since the last call.
    std::vector<std::string> takeDropped() { return std::exchange(dropped_, {}); }
    /// Waits for events at most so long, then collects them.
    void poll(double waitSeconds);
    /// Ends a wait of `poll`, from any thread.
    static void wake();
    void swap();
    bool closing() const;
    void setTitle(const std::string& title);
    void framebufferSize(int& width, int& height) const;
    void windowSize(int& width, int& height) const;
    /// The same in points.
    void pointSize(int& width, int& height) const;
    /// Resizes it to the size of the options.
    void fitSize(const Options& options);
    /// Pixels per point: of the option, else of the monitor.
    float contentScale() const;
    /// "llvmpipe (LLVM 15.0.6, 256 bits)"
    const std::string& rendererName() const { return rendererName_; }
    bool softwareRendering() const;
    static double seconds();
    /// The shape of the pointer, as ImGui numbers them.
    void showCursor(int imguiCursor);
    /// Connects ImGui to the clipboard of the window system.
    void connectClipboard();

private:
    GlfwWindow() = default;
    void installCallbacks();
    float unitsPerPoint() const;

    GLFWwindow* window_ = nullptr;
    std::map<int, GLFWcursor*> cursors_;  ///< by GLFW's number of the shape; GLFW frees them
    int cursor_ = 0;
    double scale_ = 0;
    InputQueue input_;
    std::vector<std::string> dropped_;
    std::string rendererName_;
};

}  // namespace clothlab::app::window
