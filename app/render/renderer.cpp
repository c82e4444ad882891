#include "render/renderer.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "render/cloth_mesh.hpp"
#include "render/collider_mesh.hpp"
#include "render/fabrics.hpp"
#include "render/gl/offscreen_target.hpp"
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
constexpr float kLevel = 0.9f;            // cosine: a plane that counts as the ground
constexpr float kOcclusionReach = 0.16f;  // of the radius of the scene
constexpr float kGroundShadow = 0.85f, kSurfaceShadow = 0.90f;

bool isPlane(const contact::Collider& collider) { return std::holds_alternative<geometry::Plane>(collider.shape); }

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
    std::unique_ptr<OffscreenTarget> multisampled, resolved;
    int wantedSamples = 0, mostSamples = 0;
    float groundHeight = 0;

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
    void takeMesh(const Snapshot& snapshot);
    DrawTarget pictureTarget(const ViewState& view, const DrawTarget& target);
    void beginPicture(const Viewport& viewport, const DrawTarget& target, std::optional<float> backdrop) const;

    void drawCasters(const Frame& frame, const ShaderProgram& program) const;
    void setLight(const Frame& frame, const ShaderProgram& program) const;
    void drawCloth(const Frame& frame) const;
    void drawGhosts(const Frame& frame) const;
    void drawSolids(const Frame& frame) const;
    float levelGround(const Snapshot& snapshot) const;
    void drawGround(const Frame& frame) const;
    void drawMarks(const Frame& frame, const MarkBatch& batch, float pull, float fade) const;
    void drawPicture(const Frame& frame) const;
};

Renderer::Renderer() = default;
Renderer::~Renderer() = default;

Expected<std::unique_ptr<Renderer>> Renderer::create(const std::string& shaderFolder, int msaa) {
    auto shadow = ShadowMap::create(shaderFolder);
    if (!shadow) return fail(shadow.error());
    auto ground = Ground::create(shaderFolder);
    if (!ground) return fail(ground.error());
    auto occlusion = Occlusion::create(shaderFolder);
    if (!occlusion) return fail(occlusion.error());
    auto self = std::unique_ptr<Renderer>(new Renderer);
    self->impl_ = std::make_unique<Impl>(std::move(*shadow), std::move(*ground), std::move(*occlusion));
    if (auto loaded = self->impl_->loadPrograms(shaderFolder); !loaded) return fail(loaded.error());
    GLint most = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    self->impl_->mostSamples = most;
    self->setSamples(msaa);
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

int Renderer::samples() const { return impl_->wantedSamples; }

void Renderer::setSamples(int msaa) {
    impl_->wantedSamples = std::clamp(msaa < 2 ? 0 : msaa, 0, std::min(4, impl_->mostSamples));
}

void Renderer::fitTo(const Snapshot& snapshot) { impl_->takeMesh(snapshot); }

void Renderer::Impl::takeMesh(const Snapshot& snapshot) {
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

/// With samples the picture goes to a framebuffer of the viewport's size, at its origin.
DrawTarget Renderer::Impl::pictureTarget(const ViewState& view, const DrawTarget& target) {
    if (wantedSamples == 0) return target;
    const int width = view.viewport.width, height = view.viewport.height;
    if (!multisampled || multisampled->width() != width || multisampled->height() != height ||
        multisampled->samples() != wantedSamples) {
        auto fresh = OffscreenTarget::create(width, height, wantedSamples);
        auto plain = OffscreenTarget::create(width, height, 0);
        multisampled = fresh && plain ? std::move(*fresh) : nullptr;
        resolved = multisampled ? std::move(*plain) : nullptr;
    }
    if (!multisampled) {  // the driver has less than it says: go on without
        wantedSamples = 0;
        return target;
    }
    return {multisampled->framebuffer(), width, height};
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

void Renderer::Impl::drawCasters(const Frame& frame, const ShaderProgram& program) const {
    if (frame.hasCloth) {
        program.set("uModel", glm::mat4(1));
        cloth->draw();
    }
    if (!frame.view.showColliders) return;
    const std::size_t count = std::min(solids->count(), frame.snapshot.colliderPoses.size());
    for (std::size_t k = 0; k < count; ++k) {
        if (!solids->drawable(k)) continue;
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
    program.set("uOpen", 4);
    program.set("uOpenStrength", frame.shadowStrength);
    program.set("uOpenSize", glm::vec4(frame.place, frame.size));
    glActiveTexture(GL_TEXTURE4);
    glBindTexture(GL_TEXTURE_2D, occlusion.texture());
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, shadow.depthTexture());
}

void Renderer::Impl::drawCloth(const Frame& frame) const {
    if (!frame.hasCloth) return;
    const OverlayKind kind = frame.view.overlay;
    clothProgram.use();
    setLight(frame, clothProgram);
    const FabricLook& look = lookOf(frame.view.fabric.value_or(mesh->fabric));
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
    clothProgram.set("uDim", dimOf(kind));
    clothProgram.set("uAlpha", 1.0f);
    cloth->draw();
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
    solidProgram.set("uGround", groundHeight);
    const std::size_t count = std::min(solids->count(), frame.snapshot.colliderPoses.size());
    // Where cloth lies on a solid, the cloth wins.
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.0f, 4.0f);
    for (std::size_t k = 0; k < count; ++k) {
        if (!solids->drawable(k)) continue;
        solidProgram.set("uModel", modelMatrix(frame.snapshot.colliderPoses[k]));
        solids->draw(k);
    }
    glDisable(GL_POLYGON_OFFSET_FILL);
}

/// The height of a plane that lies level, or the one fitted to the scene.
float Renderer::Impl::levelGround(const Snapshot& snapshot) const {
    const std::size_t count = mesh ? std::min(mesh->colliders.size(), snapshot.colliderPoses.size()) : 0;
    for (std::size_t k = 0; k < count; ++k)
        if (isPlane(mesh->colliders[k]))
            if (const GroundPlane plane = planeAt(snapshot.colliderPoses[k]); plane.normal.y > kLevel)
                return plane.point.y;
    return fit.ground;
}

void Renderer::Impl::drawGround(const Frame& frame) const {
    const Ground::Sight sight{frame.viewProjection, frame.eye, frame.colors, frame.rows};
    const Ground::Light light{shadow.worldToMap(), shadow.coverTexture(), frame.shadowStrength * kGroundShadow};
    bool level = false;
    const std::size_t count = mesh ? std::min(mesh->colliders.size(), frame.snapshot.colliderPoses.size()) : 0;
    for (std::size_t k = 0; k < count; ++k) {
        if (!isPlane(mesh->colliders[k])) continue;
        const GroundPlane plane = planeAt(frame.snapshot.colliderPoses[k]);
        level = level || plane.normal.y > kLevel;
        if (frame.view.showColliders) ground.drawPlane(plane, fit, sight, light);
    }
    if (level || !frame.view.showGround) return;
    GroundPlane below;
    below.point.y = fit.ground;
    ground.drawPlane(below, fit, sight, light);
}

void Renderer::Impl::drawMarks(const Frame& frame, const MarkBatch& batch, float pull, float fade) const {
    const Viewport& v = frame.view.viewport;
    for (const ShaderProgram* program : {&lineProgram, &pointProgram}) {
        program->use();
        program->set("uViewProjection", frame.viewProjection);
        program->set("uEye", frame.eye);
        program->set("uScreen", glm::vec2(v.width, v.height));
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
    drawCloth(frame);
    drawSolids(frame);
    const bool above = frame.eye.y > groundHeight;
    if (above && !frame.view.backdrop) drawGround(frame);
    glDisable(GL_BLEND);
    glDepthMask(GL_FALSE);
    if (!frame.view.backdrop) ground.drawBackground(frame.colors);
    if (!above && !frame.view.backdrop) drawGround(frame);
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    if (frame.hasCloth) {
        drawMarks(frame, overlay, kOverlayPull, 1);
        drawMarks(frame, handles, kHandlePull, 1);
        glDepthFunc(GL_GREATER);
        if (showsThrough(frame.view.overlay)) drawMarks(frame, overlay, kOverlayPull, kHiddenFade);
        drawMarks(frame, handles, kHandlePull, kHiddenFade);
        glDepthFunc(GL_LEQUAL);
    }
    drawGhosts(frame);
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
    r.takeMesh(snapshot);
    const bool hasCloth = r.cloth && snapshot.positions.size() == 3 * std::size_t(r.mesh->particles);
    const SceneColors& colors = sceneColors(view.lightTheme);
    Impl::Frame frame{snapshot,
                      view,
                      colors,
                      view.camera.viewProjection(view.viewport),
                      view.camera.eye(),
                      view.shadows && r.mesh ? 1.0f : 0.0f,
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
    r.groundHeight = r.levelGround(snapshot);
    if (frame.shadowStrength > 0) {
        const Sphere3 bounds = boundsNow(snapshot);
        const auto casters = [&](const ShaderProgram& program) { r.drawCasters(frame, program); };
        r.shadow.update(bounds, r.fit.toLight, casters);
        if (view.showGround) r.ground.updateContact(bounds, r.groundHeight, casters);
        r.occlusion.update(view.camera, view.viewport, bounds, kOcclusionReach * r.fit.radius, casters);
    }
    const DrawTarget picture = r.pictureTarget(view, target);
    const bool direct = picture.framebuffer == target.framebuffer && r.wantedSamples == 0;
    const Viewport place = direct ? view.viewport : Viewport{0, 0, view.viewport.width, view.viewport.height};
    frame.rows = {picture.height - place.y - place.height, place.height};
    frame.place = {place.x, frame.rows.low};
    frame.size = {place.width, place.height};
    r.beginPicture(place, picture, view.backdrop);
    r.drawPicture(frame);
    if (!direct)
        resolveInto(*r.multisampled, *r.resolved, target.framebuffer, view.viewport.x,
                    target.height - view.viewport.y - view.viewport.height);
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    glViewport(0, 0, target.width, target.height);
}

}  // namespace clothlab::app::render
