#pragma once

#include <glm/glm.hpp>
#include <optional>

#include "scene/scene.hpp"

namespace clothlab::app::render {

/// Where the picture lies in a framebuffer, in pixels; (x, y) is its upper left corner and y runs down, as pointers do.
struct Viewport {
    int x = 0, y = 0, width = 1, height = 1;

    float aspect() const { return float(width) / float(height > 0 ? height : 1); }
    bool contains(glm::vec2 pixel) const {
        return pixel.x >= float(x) && pixel.y >= float(y) && pixel.x < float(x + width) && pixel.y < float(y + height);
    }
    bool operator==(const Viewport&) const = default;
};

/// A half line: origin + t direction, t >= 0 in metres (the direction is a unit vector).
struct Ray {
    glm::vec3 origin{0};
    glm::vec3 direction{0, 0, -1};

    glm::vec3 at(float t) const { return origin + t * direction; }
};

/// An orbit camera: it looks at `target` from `distance`; azimuth 0 is the side of +z, 90 that of +x, elevation 90 is
/// straight above. y is up. A value: copying it is remembering a view.
///
/// All pixels are those of the framebuffer (window coordinates times the content scale), y down, and may carry
/// fractions; the centre of the upper left pixel is (0.5, 0.5).
struct Camera {
    glm::vec3 target{0};        ///< m
    float distance = 2.5f;      ///< m
    float azimuth = 30.0f;      ///< degrees
    float elevation = 15.0f;    ///< degrees, -89 .. 89
    float fieldOfView = 36.0f;  ///< degrees, of the shorter side of the viewport

    static Camera fromHint(const scene::CameraHint& hint);

    glm::vec3 eye() const;
    glm::vec3 forward() const;  ///< unit, from the eye to the target
    glm::vec3 right() const;    ///< unit
    glm::vec3 up() const;       ///< unit
    glm::mat4 view() const;
    glm::mat4 projection(float aspect) const;
    glm::mat4 viewProjection(const Viewport& viewport) const { return projection(viewport.aspect()) * view(); }

    /// The ray from the eye through a pixel.
    Ray rayThrough(glm::vec2 pixel, const Viewport& viewport) const;
    /// The pixel of a point, or nothing when the point is behind the eye.
    std::optional<glm::vec2> toPixel(glm::vec3 point, const Viewport& viewport) const;
    /// The point under `pixel` in the plane through `anchor` that faces the camera: where a grabbed particle should go.
    glm::vec3 dragPoint(glm::vec2 pixel, const Viewport& viewport, glm::vec3 anchor) const;
    /// Metres that one pixel spans at a point (for marks of constant size on the screen).
    float metresPerPixel(glm::vec3 point, const Viewport& viewport) const;

    /// Pointer moved by (dx, dy) pixels: a full turn takes two viewport widths.
    void orbit(glm::vec2 deltaPixels, const Viewport& viewport);
    /// Moves the target with the pointer, in the view plane.
    void pan(glm::vec2 deltaPixels, const Viewport& viewport);
    /// Wheel notches, positive = nearer. Distance stays within 0.05 .. 60 m.
    void zoom(float notches);

    /// Keeps the eye above a floor at this height (m): by looking down at the target more steeply, or, where the target
    /// has been moved, by moving it no further.
    void stayAbove(float floor, bool targetMoved);

    bool operator==(const Camera&) const = default;
};

}  // namespace clothlab::app::render
