#include "film/studio.hpp"

#include <algorithm>

#include "simulation/simulation.hpp"
#include "worker/snapshots/publish.hpp"

namespace clothlab::app::film {

Expected<Studio> openStudio(int width, int height, const std::string& shaderFolder) {
    Studio studio;
    auto context = EglContext::create();
    if (!context) return fail(context.error());
    studio.context = std::move(*context);
    auto target = render::OffscreenTarget::create(width, height);
    if (!target) return fail(target.error());
    studio.target = std::move(*target);
    auto renderer = render::Renderer::create(shaderFolder);
    if (!renderer) return fail(renderer.error());
    studio.renderer = std::move(*renderer);
    return studio;
}

worker::Snapshot firstSnapshot(const simulation::Simulation& simulation) {
    worker::Snapshot snapshot;
    snapshot.mesh = worker::makeTopology(simulation, 1);
    snapshot.settingsRevision = 1;
    snapshot.playing = true;
    return snapshot;
}

render::ViewState initialView(const worker::Snapshot& snapshot, int width, int height) {
    render::ViewState view;
    view.camera = render::Camera::fromHint(snapshot.mesh->camera);
    view.viewport = {0, 0, width, height};
    view.contentScale = std::max(1.0f, float(height) / 900.0f);
    return view;
}

}  // namespace clothlab::app::film
