#include "render/renderer.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "render/cloth_mesh.hpp"
#include "render/collider_mesh.hpp"
#include "render/fabrics.hpp"
#include "render/glm_vectors.hpp"
#include "render/ground.hpp"
#include "render/occlusion.hpp"
#include "render/overlay_marks.hpp"
#include "render/shadow_map.hpp"

namespace clothlab::app::render {

using worker::Snapshot;

namespace {

constexpr float kOverlayPull = 0.0025f, kHandlePull = 0.006f;  // share of the way to the eye
constexpr float kHiddenFade = 0.35f;                           // of marks behind a surface
constexpr float kGhostAlpha = 0.42f;
constexpr float kOcclusionReach = 0.16f;  // of the radius of the scene
constexpr float kGroundShadow = 0.85f, kSurfaceShadow = 0.90f;

}  // namespace

struct Renderer::Impl {
    Impl(ShadowMap shadowMap, Ground groundAndBackground, Occlusion openness)
        : shadow(std::move(shadowMap)), ground(std::move(groundAndBackground)), occlusion(std::move(openness)) {}

    ShaderProgram clothProgram, solidProgram, lineProgram, pointProgram;
    ShadowMap shadow;
    Ground ground;
    Occlusion occlusion;
    MarkBatch overlay, handles;
    std::shared_ptr<const worker::MeshTopology> mesh;
    std::optional<ClothMesh> cloth;
    std::array<std::optional<ClothMesh>, worker::kMostGhosts> ghosts;
    std::optional<ColliderMeshes> solids;
    SceneFit fit;
    bool faceIsFront = true;
    /// Both of each mesh as it first came: one that comes back in the middle of its motion has the ground that it had.
    std::map<std::uint64_t, std::pair<SceneFit, bool>> looks;
    std::optional<float> floor;  ///< m, height of the level plane
    Sphere3 world;

    /// What one frame needs to know, so that the passes below take one argument.
    struct Frame {
        const Snapshot& snapshot;
        const ViewState& view;
        const SceneColors& colors;
        glm::mat4 viewProjection;
        glm::vec3 eye;
        float shadowStrength;
        bool hasCloth;
        std::size_t ghosts;  ///< that are drawn
        Ground::Rows rows = {};
        glm::vec2 place{0}, size{1};  // px, of the viewport in the framebuffer
    };

    Expected<void> loadPrograms(const std::string& folder);
    void updateMesh(const Snapshot& snapshot);
    void beginPicture(const Viewport& viewport, const DrawTarget& target, std::optional<float> backdrop) const;

    void drawCasters(const Frame& frame, const ShaderProgram& program) const;
    void setLight(const Frame& frame, const ShaderProgram& program) const;
    void setCloth(const Frame& frame) const;
    void drawCloth(const Frame& frame) const;
    void drawGhosts(const Frame& frame) const;
    void drawSolids(const Frame& frame) const;
    void drawOutlines(const Frame& frame) const;
    bool shows(const Frame& frame, std::size_t solid) const;
    void drawGround(const Frame& frame) const;
    void drawMarks(const Frame& frame, const MarkBatch& batch, float pull, float fade) const;
    void drawPicture(const Frame& frame) const;
};

Renderer::Renderer() = default;
Renderer::~Renderer() = default;

Expected<std::unique_ptr<Renderer>> Renderer::create(const std::string& shaderFolder) {
    auto shadow = ShadowMap::create(shaderFolder);
    if (!shadow) return fail(shadow.error());
    auto ground = Ground::create(shaderFolder);
    if (!ground) return fail(ground.error());
    auto occlusion = Occlusion::create(shaderFolder);
    if (!occlusion) return fail(occlusion.error());
    auto self = std::unique_ptr<Renderer>(new Renderer);
    self->impl_ = std::make_unique<Impl>(std::move(*shadow), std::move(*ground), std::move(*occlusion));
    if (auto loaded = self->impl_->loadPrograms(shaderFolder); !loaded) return fail(loaded.error());
    return self;
}

Expected<void> Renderer::Impl::loadPrograms(const std::string& folder) {
    for (const auto& [program, name] : {std::pair{&clothProgram, "cloth"}, std::pair{&solidProgram, "solid"},
                                        std::pair{&lineProgram, "line"}, std::pair{&pointProgram, "point"}}) {
        auto loaded = ShaderProgram::load(folder, std::string(name) + ".vert", std::string(name) + ".frag");
        if (!loaded) return fail(loaded.error());
        *program = std::move(*loaded);
    }
    return {};
}

void Renderer::fitTo(const Snapshot& snapshot) { impl_->updateMesh(snapshot); }

Sphere3 Renderer::world(const Snapshot& snapshot) {
    impl_->updateMesh(snapshot);
    return worldNow(impl_->fit, snapshot);
}

void Renderer::Impl::updateMesh(const Snapshot& snapshot) {
    if (snapshot.mesh == mesh) return;
    const bool torn = mesh && snapshot.mesh && mesh->revision == snapshot.mesh->revision;
    if (torn && mesh->colliders.size() != snapshot.mesh->colliders.size()) solids.reset();  // a ball came, or is gone
    mesh = snapshot.mesh;
    cloth.reset();
    for (auto& ghost : ghosts) ghost.reset();
    if (mesh && mesh->particles > 0) cloth.emplace(*mesh);
    if (!torn) solids.reset();
    if (!mesh) return;
    if (!solids) solids.emplace(mesh->colliders, largestSpacing(*mesh));
    const auto [known, first] = looks.try_emplace(mesh->revision);
    if (first) known->second = {fitScene(snapshot), frontFacesCamera(snapshot)};
    std::tie(fit, faceIsFront) = known->second;
    overlay.reserve(mesh->springs.size(), std::size_t(mesh->particles));
    handles.reserve(4, std::max<std::size_t>(snapshot.pins.size(), 64));
}

void Renderer::Impl::beginPicture(const Viewport& viewport, const DrawTarget& target,
                                  std::optional<float> backdrop) const {
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    const int low = target.height - viewport.y - viewport.height;
    glViewport(viewport.x, low, viewport.width, viewport.height);
    glScissor(viewport.x, low, viewport.width, viewport.height);
    glEnable(GL_SCISSOR_TEST);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glDisable(GL_CULL_FACE);
    glDisable(GL_STENCIL_TEST);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LEQUAL);
    glClearDepth(1);
    if (backdrop) glClearColor(*backdrop, *backdrop, *backdrop, 1);
    glClear(GL_DEPTH_BUFFER_BIT | (backdrop ? GL_COLOR_BUFFER_BIT : 0));
}

bool Renderer::Impl::shows(const Frame& frame, std::size_t solid) const {
    return solids->drawable(solid) && solid < frame.snapshot.colliderPoses.size() &&
           isWithin(world, toGlm(frame.snapshot.colliderPoses[solid].position),
                    float(geometry::boundingRadius(mesh->colliders[solid].shape)));
}

void Renderer::Impl::drawCasters(const Frame& frame, const ShaderProgram& program) const {
    if (frame.hasCloth) {
        program.set("uModel", glm::mat4(1));
        cloth->draw();
    }
    if (!frame.view.showColliders) return;
    for (std::size_t k = 0; k < solids->count(); ++k) {
        if (!shows(frame, k)) continue;
        program.set("uModel", modelMatrix(frame.snapshot.colliderPoses[k]));
        solids->draw(k);
    }
}

void Renderer::Impl::setLight(const Frame& frame, const ShaderProgram& program) const {
    program.set("uViewProjection", frame.viewProjection);
    program.set("uToLight", fit.toLight);
    program.set("uEye", frame.eye);
    program.set("uShadowMatrix", shadow.worldToMap());
    program.set("uShadowMap", 0);
    program.set("uShadowTexel", shadow.texel());
    program.set("uShadowStrength", frame.shadowStrength * kSurfaceShadow);
    program.set("uNormalOffset", 2.5f * shadow.metresPerTexel());
    program.set("uBounce", frame.colors.bounce);
    program.set("uWorld", glm::vec4(world.centre, world.radius));
    program.set("uScreen", frame.size);
    program.set("uOpen", 4);
    program.set("uOpenStrength", frame.view.effects.occlusion && mesh ? 1.0f : 0.0f);
    program.set("uOpenSize", glm::vec4(frame.place, frame.size));
    glActiveTexture(GL_TEXTURE4);
    glBindTexture(GL_TEXTURE_2D, occlusion.texture());
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, shadow.depthTexture());
}

void Renderer::Impl::drawCloth(const Frame& frame) const {
    if (!frame.hasCloth) return;
    setCloth(frame);
    cloth->draw();
}

void Renderer::Impl::setCloth(const Frame& frame) const {
    const OverlayKind kind = frame.view.overlay;
    clothProgram.use();
    setLight(frame, clothProgram);
    const FabricLook& look = fabricLook(frame.view.fabric.value_or(mesh->fabric));
    clothProgram.set("uDye", frame.view.dye          ? asLight(*frame.view.dye)
                             : frame.view.lightTheme ? look.light
                                                     : look.dark);
    clothProgram.set("uSecond", look.second);
    clothProgram.set("uWeave", glm::vec4(look.threads, look.depth, look.stripes, look.twill));
    clothProgram.set("uCheckShare", look.checks);
    clothProgram.set("uSheen", glm::vec4(look.sheen, look.gloss, look.sharpness, look.wrap));
    clothProgram.set("uDimColor", frame.colors.clothDim);
    clothProgram.set("uFaceIsFront", faceIsFront ? 1 : 0);
    clothProgram.set("uCellColors", 1);
    clothProgram.set("uTriangles", 2);
    clothProgram.set("uChecks", 3);
    cloth->bindCells(GL_TEXTURE1);
    glActiveTexture(GL_TEXTURE0);
    clothProgram.set("uCells", isByComponent(kind) ? 1 : 0);
    clothProgram.set("uColored", isShaded(kind) ? 1 : 0);
    clothProgram.set("uDim", desaturation(kind));
    clothProgram.set("uAlpha", 1.0f);
}

/// The other cloths of a branch, over all else and without a shadow: of each its nearest surface alone, so that folds
/// do not add up.
void Renderer::Impl::drawGhosts(const Frame& frame) const {
    if (frame.ghosts == 0) return;
    clothProgram.use();
    setLight(frame, clothProgram);
    clothProgram.set("uShadowStrength", 0.0f);
    clothProgram.set("uColored", 0);
    clothProgram.set("uCells", 0);
    clothProgram.set("uDim", 1.0f);
    clothProgram.set("uAlpha", kGhostAlpha);
    glDepthMask(GL_TRUE);
    for (std::size_t k = 0; k < frame.ghosts; ++k) {
        clothProgram.set("uDimColor", frame.colors.ghosts[k]);
        glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
        ghosts[k]->draw();
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        ghosts[k]->draw();
    }
    glDepthMask(GL_FALSE);
}

void Renderer::Impl::drawSolids(const Frame& frame) const {
    if (!solids || !frame.view.showColliders) return;
    solidProgram.use();
    setLight(frame, solidProgram);
    solidProgram.set("uAlbedo", frame.colors.solid);
    constexpr float kNoFloor = -1e9f;
    solidProgram.set("uGround", floor.value_or(kNoFloor));
    // Where cloth lies on a solid, the cloth wins.
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.0f, 4.0f);
    for (std::size_t k = 0; k < solids->count(); ++k) {
        if (!shows(frame, k)) continue;
        solidProgram.set("uModel", modelMatrix(frame.snapshot.colliderPoses[k]));
        solids->draw(k);
    }
    glDisable(GL_POLYGON_OFFSET_FILL);
}

/// Over what is behind them, once that is there.
void Renderer::Impl::drawOutlines(const Frame& frame) const {
    if (!frame.view.effects.outlines) return;
    if (frame.hasCloth) {
        setCloth(frame);
        cloth->drawOutline();
    }
    if (!solids || !frame.view.showColliders) return;
    solidProgram.use();
    for (std::size_t k = 0; k < solids->count(); ++k) {
        if (!shows(frame, k)) continue;
        solidProgram.set("uModel", modelMatrix(frame.snapshot.colliderPoses[k]));
        solids->drawOutline(k);
    }
}

void Renderer::Impl::drawGround(const Frame& frame) const {
    const Ground::Sight sight{frame.viewProjection, frame.eye, frame.colors, frame.rows};
    const Ground::Light light{shadow.worldToMap(), shadow.coverTexture(), frame.shadowStrength * kGroundShadow};
    if (!mesh || !frame.view.showColliders) return;
    for (std::size_t k = 0; k < std::min(mesh->colliders.size(), frame.snapshot.colliderPoses.size()); ++k)
        if (isPlane(mesh->colliders[k])) ground.drawPlane(planeAt(frame.snapshot.colliderPoses[k]), fit, sight, light);
}

void Renderer::Impl::drawMarks(const Frame& frame, const MarkBatch& batch, float pull, float fade) const {
    const Viewport& v = frame.view.viewport;
    for (const ShaderProgram* program : {&lineProgram, &pointProgram}) {
        program->use();
        program->set("uViewProjection", frame.viewProjection);
        program->set("uEye", frame.eye);
        program->set("uScreen", glm::vec2(v.width, v.height));
        program->set("uWorld", glm::vec4(world.centre, world.radius));
        program->set("uPull", pull);
        program->set("uFade", fade);
        program == &lineProgram ? batch.drawLines() : batch.drawPoints();
    }
}

void Renderer::Impl::drawPicture(const Frame& frame) const {
    // Front to back, as far as that is known: on software GL each pixel that is shaded once counts.
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    const auto clip = [&](bool on) {
        on&& world.radius < kNoEnd ? glEnable(GL_CLIP_DISTANCE0) : glDisable(GL_CLIP_DISTANCE0);
    };
    clip(true);
    drawCloth(frame);
    drawSolids(frame);
    clip(false);
    const bool above = !floor || frame.eye.y > *floor;
    if (above && !frame.view.backdrop) drawGround(frame);
    glDisable(GL_BLEND);
    glDepthMask(GL_FALSE);
    if (!frame.view.backdrop) ground.drawBackground(frame.colors);
    if (!above && !frame.view.backdrop) drawGround(frame);
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    clip(true);
    drawOutlines(frame);
    if (frame.hasCloth) {
        drawMarks(frame, overlay, kOverlayPull, 1);
        drawMarks(frame, handles, kHandlePull, 1);
        glDepthFunc(GL_GREATER);
        if (showsThrough(frame.view.overlay)) drawMarks(frame, overlay, kOverlayPull, kHiddenFade);
        drawMarks(frame, handles, kHandlePull, kHiddenFade);
        glDepthFunc(GL_LEQUAL);
    }
    drawGhosts(frame);
    clip(false);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_SCISSOR_TEST);
    glBindVertexArray(0);
    glUseProgram(0);
}

void Renderer::draw(const Snapshot& snapshot, const ViewState& view, const DrawTarget& target) {
    if (view.viewport.width < 1 || view.viewport.height < 1) return;
    Impl& r = *impl_;
    r.updateMesh(snapshot);
    const bool hasCloth = r.cloth && snapshot.positions.size() == 3 * std::size_t(r.mesh->particles);
    const SceneColors& colors = sceneColors(view.lightTheme);
    Impl::Frame frame{snapshot,
                      view,
                      colors,
                      view.camera.viewProjection(view.viewport),
                      view.camera.eye(),
                      view.effects.shadows && r.mesh ? 1.0f : 0.0f,
                      hasCloth,
                      hasCloth && view.showGhost ? snapshot.ghosts() : 0};
    if (hasCloth) {
        r.cloth->update(snapshot, view.overlay);
        for (std::size_t k = 0; k < frame.ghosts; ++k) {
            if (!r.ghosts[k]) r.ghosts[k].emplace(*r.mesh);
            r.ghosts[k]->update(snapshot.ghostAt(k).positions);
        }
        collectOverlay(snapshot, view, colors, r.overlay);
        collectHandles(snapshot, view, colors, r.handles);
        r.overlay.upload();
        r.handles.upload();
    }
    r.floor = floorHeight(snapshot);
    r.world = worldNow(r.fit, snapshot);
    const Sphere3 bounds = boundsNow(snapshot, r.world);
    const auto casters = [&](const ShaderProgram& program) { r.drawCasters(frame, program); };
    if (frame.shadowStrength > 0) {
        r.shadow.update(bounds, r.fit.toLight, casters);
        if (r.floor) r.ground.updateContact(bounds, *r.floor, casters);
    }
    if (view.effects.occlusion && r.mesh)
        r.occlusion.update(view.camera, view.viewport, bounds, kOcclusionReach * r.fit.radius, casters);
    if (view.effects.outlines) {
        if (hasCloth) r.cloth->updateOutline(snapshot.positions, frame.eye, frame.viewProjection, view.viewport);
        if (r.solids) r.solids->updateOutlines(snapshot.colliderPoses, frame.eye, frame.viewProjection, view.viewport);
    }
    const Viewport& place = view.viewport;
    frame.rows = {target.height - place.y - place.height, place.height};
    frame.place = {place.x, frame.rows.low};
    frame.size = {place.width, place.height};
    r.beginPicture(place, target, view.backdrop);
    r.drawPicture(frame);
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    glViewport(0, 0, target.width, target.height);
}

}  // namespace clothlab::app::render
