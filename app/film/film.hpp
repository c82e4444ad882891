#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "base/output.hpp"
#include "render/renderer.hpp"
#include "worker/commands.hpp"

namespace clothlab::simulation {
class Simulation;
}

namespace clothlab::app::film {

/// What a film shows beside the cloth.
class FilmPanels {
public:
    virtual ~FilmPanels() = default;
    /// Of every step, drawn or not: plots leave none out.
    virtual void take(const worker::ReportEntry& entry) = 0;
    /// Before the cloth: what the panels say of this snapshot, and where they leave room for the cloth.
    virtual void layOut(const worker::Snapshot& snapshot, render::ViewState& view,
                        const render::DrawTarget& target) = 0;
    /// After the cloth.
    virtual void paint(const render::DrawTarget& target) = 0;
};
/// Called once, with the film's OpenGL context current; the panels are gone before it is.
using PanelMaker = std::function<Expected<std::unique_ptr<FilmPanels>>()>;

struct FilmOptions {
    std::string out;  ///< .mp4, .png or a folder
    int steps = 0;
    int every = 1;   ///< a folder gets every n-th state
    double fps = 0;  ///< frames a second of simulated time; 0 = what dt gives, at most 60
    int width = 1280, height = 720;
    scene::OverlayKind overlay = scene::OverlayKind::None;
    bool lightTheme = false;
    std::string shaderFolder;
    PanelMaker panels;          ///< empty = the cloth alone
    InputFiles inputs = {};     ///< that `out` must not be
    std::stop_token stop = {};  ///< ends the step that is under way; frames stay, a film or picture is not written
};

struct FilmSummary {
    int steps = 0, frames = 0;
    bool stopped = false;   ///< by FilmOptions::stop
    bool diverged = false;  ///< the film ends at the last good state
    std::string message;    ///< of the step that stopped it
};

/// Steps the simulation and draws it off screen. Films play in real time: at each frame's time the newest state is
/// drawn, twice when none is newer. An Error is a file, an option or a driver.
Expected<FilmSummary> makeFilm(simulation::Simulation& simulation, const FilmOptions& options);

}  // namespace clothlab::app::film
