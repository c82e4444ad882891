#pragma once

#include <vector>

#include "scene/painting.hpp"
#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::model {

/// Where the brush touched the cloth.
struct BrushTouch {
    Index particle = -1;
    Vec3 place = Vec3::Zero();  ///< m
    std::uint64_t topologyRevision = 0;
    bool begins = false;  ///< a stroke
};

/// Particles of the touched cloth within the radius (m) of a touch, in the cloth's own numbers, ascending.
struct Touched {
    int cloth = -1;
    std::vector<Index> particles;
};
Touched touchedBy(const BrushTouch& touch, double radius, const worker::Snapshot& snapshot);

/// The brush and its painting, which is posted whole.
struct BrushTool {
    scene::Brush brush;
    scene::Painting painting;

    Index particles() const;  ///< painted
};

}  // namespace clothlab::app::model
