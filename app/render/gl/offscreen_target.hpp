#pragma once

#include <memory>

#include "base/errors.hpp"

namespace clothlab::app::render {

/// A framebuffer object with colour (RGBA8) and depth, to draw into without a window.
class OffscreenTarget {
public:
    static Expected<std::unique_ptr<OffscreenTarget>> create(int width, int height);
    ~OffscreenTarget();
    OffscreenTarget(const OffscreenTarget&) = delete;
    OffscreenTarget& operator=(const OffscreenTarget&) = delete;

    unsigned framebuffer() const { return framebuffer_; }
    int width() const { return width_; }
    int height() const { return height_; }

private:
    OffscreenTarget() = default;
    unsigned framebuffer_ = 0, color_ = 0, depth_ = 0;
    int width_ = 0, height_ = 0;
};

}  // namespace clothlab::app::render
