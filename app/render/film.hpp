#pragma once

#include <functional>
#include <string>

#include "render/renderer.hpp"

namespace clothlab::app {

/// Draws the window's panels over a frame and may move the viewport of the cloth for the next ones; called with the
/// target bound, after the cloth.
using PanelPainter = std::function<void(const Snapshot& snapshot, ViewState& view, const DrawTarget& target)>;

struct FilmOptions {
    std::string out;  ///< .mp4, .png or a folder
    int steps = 0;
    int every = 1;   ///< a folder gets every n-th state
    double fps = 0;  ///< frames a second of simulated time; 0 = what dt gives, at most 60
    int width = 1280, height = 720;
    int samples = 4;  ///< MSAA
    OverlayKind overlay = OverlayKind::None;
    std::string shaderFolder;
    PanelPainter panels;  ///< empty = the cloth alone
};

struct FilmSummary {
    int steps = 0, frames = 0;
    bool diverged = false;  ///< the film ends at the last good state
    std::string message;    ///< of the step that stopped it
};

/// Steps the simulation and draws it off screen. Films play in real time: at each frame's time the newest state is
/// drawn, twice when none is newer. An Error is a file, an option or a driver.
Expected<FilmSummary> makeFilm(simulation::Simulation& simulation, const FilmOptions& options);

}  // namespace clothlab::app
