#pragma once

#include <imgui.h>

#include <span>
#include <vector>

#include "geometry/grid.hpp"
#include "render/camera.hpp"

namespace clothlab::app::panels {

/// A cloth as a small picture inside a panel, of ImGui's own triangles: orthographic from the side of a camera, so that
/// several of them share one scale; farther triangles are drawn first.
class ClothSketch {
public:
    /// Positions are #P x 3, m. Triangles with a corner that is not finite are left out.
    ClothSketch(std::span<const float> positions, std::span<const geometry::Triangle> triangles,
                const render::Camera& from);

    /// The corners of the picture, m, y down; min > max if it is empty.
    ImVec2 min() const { return min_; }
    ImVec2 max() const { return max_; }
    /// `middle` is the point of the picture, m, that is placed at `centre`.
    struct Place {
        ImVec2 centre, middle;
        float pixelsPerMetre = 1;
    };
    void draw(ImDrawList& list, const Place& place, ImU32 shadow, ImU32 lit) const;

private:
    void writeVertex(ImDrawList& list, Index i, const Place& place, ImU32 shadow, ImU32 lit) const;

    std::vector<ImVec2> at_;                 ///< m
    std::vector<float> light_;               ///< 0 .. 1
    std::vector<geometry::Triangle> order_;  ///< the farthest first
    ImVec2 min_{FLT_MAX, FLT_MAX}, max_{-FLT_MAX, -FLT_MAX};
};

}  // namespace clothlab::app::panels
