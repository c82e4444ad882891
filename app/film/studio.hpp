#pragma once

#include <memory>
#include <string>

#include "film/egl_context.hpp"
#include "render/gl/offscreen_target.hpp"
#include "render/renderer.hpp"

namespace clothlab::simulation {
class Simulation;
}

namespace clothlab::app::film {

/// An OpenGL context without a window, its render target and a renderer.
struct Studio {
    std::unique_ptr<EglContext> context;
    std::unique_ptr<render::OffscreenTarget> target;
    std::unique_ptr<render::Renderer> renderer;
};
Expected<Studio> openStudio(int width, int height, const std::string& shaderFolder);

/// The first state, to which the view is fitted.
worker::Snapshot firstSnapshot(const simulation::Simulation& simulation);

/// The scene's own view of it.
render::ViewState initialView(const worker::Snapshot& snapshot, int width, int height);

}  // namespace clothlab::app::film
