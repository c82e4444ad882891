#pragma once

#include <memory>

#include "base/errors.hpp"

namespace clothlab::app::render {

/// A framebuffer object with colour (RGBA8) and depth, to draw into without a window, with MSAA when samples > 0.
class OffscreenTarget {
public:
    static Expected<std::unique_ptr<OffscreenTarget>> create(int width, int height, int samples = 0);
    ~OffscreenTarget();
    OffscreenTarget(const OffscreenTarget&) = delete;
    OffscreenTarget& operator=(const OffscreenTarget&) = delete;

    unsigned framebuffer() const { return framebuffer_; }
    int width() const { return width_; }
    int height() const { return height_; }
    int samples() const { return samples_; }

private:
    OffscreenTarget() = default;
    unsigned framebuffer_ = 0, color_ = 0, depth_ = 0;
    int width_ = 0, height_ = 0, samples_ = 0;
};

/// Copies a picture with samples into a framebuffer, its lower left corner at (x, y), through a target of the same size
/// without. Two blits: the resolve needs equal formats, which a window does not promise.
void resolveInto(const OffscreenTarget& multisampled, const OffscreenTarget& plain, unsigned framebuffer, int x, int y);

}  // namespace clothlab::app::render
