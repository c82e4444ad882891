#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <glm/glm.hpp>

#include "render/gl/gl_handles.hpp"
#include "render/overlays.hpp"

namespace clothlab::app::render {

struct Rgba {
    std::uint8_t r, g, b, a;
};
inline Rgba withAlpha(Rgb c, std::uint8_t alpha = 255) { return {c.r, c.g, c.b, alpha}; }

/// Lines and round marks of constant size on the screen, collected anew each frame and drawn as instanced quads.
/// `reserve` makes room for a mesh at once; the buffers, a ring of three, grow only when a frame needs more.
class MarkBatch {
public:
    struct Line {
        glm::vec3 from, to;
        Rgba color;
        float width, dash;  ///< pixels; dash 0 = solid
    };
    struct Point {
        glm::vec3 centre;
        float radius, hole;  ///< pixels; hole 0 = a disc
        Rgba color, rim;
    };

    MarkBatch();
    void reserve(std::size_t lines, std::size_t points);
    void clear();
    void line(const glm::vec3& from, const glm::vec3& to, Rgba color, float width, float dash = 0) {
        lines_.push_back({from, to, color, width, dash});
    }
    void point(const glm::vec3& centre, float radius, Rgba color, Rgba rim, float hole = 0) {
        points_.push_back({centre, radius, hole, color, rim});
    }
    /// Moves the collected marks to the GPU. Then each may be drawn several times, with its program in use.
    void upload();
    void drawLines() const;
    void drawPoints() const;
    std::size_t lines() const { return lines_.size(); }
    std::size_t points() const { return points_.size(); }

private:
    struct Ring {
        std::array<gl::Buffer, gl::kRing> buffers;
        std::array<gl::VertexArray, gl::kRing> arrays;
        std::size_t capacity = 0;  ///< bytes
    };
    static void grow(Ring& ring, std::size_t bytes);
    static void write(Ring& ring, std::size_t slot, const void* data, std::size_t bytes);

    std::vector<Line> lines_;
    std::vector<Point> points_;
    Ring lineRing_, pointRing_;
    std::size_t current_ = 0;
};

}  // namespace clothlab::app::render
