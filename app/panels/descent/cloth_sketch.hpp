#pragma once

#include <imgui.h>

#include <span>
#include <vector>

#include "geometry/grid.hpp"
#include "render/camera.hpp"

namespace clothlab::app::panels {

/// A cloth as a small picture inside a panel, of ImGui's own triangles: seen from the side of a camera, without
/// perspective, so that several of them have one scale; the farther triangles are drawn first.
class ClothSketch {
public:
    /// Positions are #P x 3, m. Triangles with a corner that is not finite are left out.
    ClothSketch(std::span<const float> positions, std::span<const geometry::Triangle> triangles,
                const render::Camera& from);

    /// The corners of what is drawn, m, y down; min > max where that is nothing.
    ImVec2 min() const { return min_; }
    ImVec2 max() const { return max_; }
    /// `middle` is a point of the picture, m, that comes to lie at `centre`.
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
