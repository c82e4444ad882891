#pragma once

#include <memory>
#include <optional>
#include <string>

#include "render/camera.hpp"
#include "render/overlays.hpp"
#include "render/scene_fit.hpp"
#include "worker/snapshots/snapshot.hpp"

/// Drawing a snapshot.
///
///     snapshot ──> cloth, colliders ──> shadow map ──> ground shadow (blurred)
///                        │                  │                │
///                        └──────────────────┴──> picture <───┘ <── overlays, pins, grab (screen-space quads)
///
/// The shaders light in linear colour and encode sRGB themselves, so that any RGBA8 framebuffer will do:
/// GL_FRAMEBUFFER_SRGB stays off here and while ImGui draws. Edges are smooth without multisampling
/// (render/outline.hpp).
namespace clothlab::app::render {

/// Optional effects that cost time. They show no data.
struct Effects {
    bool occlusion = true, shadows = true, outlines = true;
    bool operator==(const Effects&) const = default;
};

/// The window's view of a snapshot: a value, owned by the window.
struct ViewState {
    Camera camera;
    Viewport viewport;  ///< pixels inside the framebuffer, y down
    OverlayKind overlay = OverlayKind::None;
    bool wireframe = false;  ///< edges of the mesh over the cloth
    bool showColliders = true;
    bool showPins = true;
    bool showGhost = true;
    Effects effects;
    bool lightTheme = false;                                   ///< for projectors
    std::optional<float> backdrop;                             ///< grey, 0 .. 1, in place of ground and background
    std::optional<scene::Fabric> fabric;                       ///< none: the scene's own
    std::optional<glm::vec3> dye;                              ///< of the cloth, sRGB; none: the fabric's
    bool showSprings[cloth::kFamilies] = {true, true, false};  ///< stretch, shear, bend in the spring overlays
    float contentScale = 1;                                    ///< pixels per point: marks and lines keep their size
    Index hovered = -1;                                        ///< the particle under the pointer, or -1
    std::array<Index, 2> linked{-1, -1};                       ///< two particles to mark, and the line between them
};

/// Where to draw: a framebuffer object (0 = the window) and its size in pixels. It needs a depth buffer.
struct DrawTarget {
    unsigned framebuffer = 0;
    int width = 0, height = 0;
};

class Renderer {
public:
    /// Needs a current OpenGL 4.1 core context with glad loaded. An Error has the shader file and the compiler's
    /// message.
    static Expected<std::unique_ptr<Renderer>> create(const std::string& shaderFolder);
    ~Renderer();

    /// Draws the snapshot into the viewport of the target; pixels outside are unchanged. A snapshot without a mesh
    /// gives the background. Buffers are made only when the mesh changes.
    void draw(const worker::Snapshot& snapshot, const ViewState& view, const DrawTarget& target);

    /// Takes the snapshot's mesh and fits light and grid to it, without drawing. `draw` does so by itself with
    /// the first snapshot of a mesh; a film that shows only later states passes its first state here.
    void fitTo(const worker::Snapshot& snapshot);

    /// The part of the snapshot that is drawn, and that a camera should see.
    Sphere3 world(const worker::Snapshot& snapshot);

private:
    Renderer();
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace clothlab::app::render
