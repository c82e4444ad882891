#pragma once

#include <memory>

#include "render/camera.hpp"
#include "scene/painting.hpp"
#include "scene/scene.hpp"
#include "worker/kept_motion.hpp"

namespace clothlab::app::model {

/// Sections of the left column that stand open. A scene opens those that it uses and folds the others; a change of
/// method opens what it brings into use.
struct Sections {
    bool scene = true, integrator = true, solver = true, preconditioner = true, material = true, contact = false,
         wind = false, threads = false, takeAway = false;
};

/// What the window itself holds of the scene that runs; the motion is the simulation's.
struct OpenScene {
    scene::Scene scene;  ///< as loaded
    scene::Settings settings;
    scene::ClothPatch patch, activePatch;  ///< in the making; as it was loaded last
    scene::Painting painting;
    scene::OverlayKind overlay = scene::OverlayKind::None;
    Sections sections;
    render::Camera camera;
};

}  // namespace clothlab::app::model
