#pragma once

#include <memory>

#include "render/camera.hpp"
#include "scene/painting.hpp"
#include "scene/scene.hpp"
#include "worker/motion_slot.hpp"

namespace clothlab::app::model {

/// Open sections of the left column. A scene opens those that it uses and folds the others; a change of method opens
/// those that it needs.
struct Sections {
    bool scene = true, integrator = true, solver = true, preconditioner = true, material = true, contact = false,
         wind = false, threads = false, takeAway = false;
};

/// The window's own data of the current scene; the motion is the simulation's.
struct OpenScene {
    scene::Scene scene;  ///< as loaded
    scene::Settings settings;
    scene::ClothPatch patch, activePatch;  ///< being edited; as loaded last
    scene::Painting painting;
    scene::OverlayKind overlay = scene::OverlayKind::None;
    Sections sections;
    render::Camera camera;
};

}  // namespace clothlab::app::model
