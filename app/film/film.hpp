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

/// The part of a film beside the cloth.
class FilmPanels {
public:
    virtual ~FilmPanels() = default;
    /// Called with the report of every step, drawn or not: plots show all of them.
    virtual void take(const worker::ReportEntry& entry) = 0;
    /// Before the cloth: lays out the panels for this snapshot, and sets the region of the cloth.
    virtual void layOut(const worker::Snapshot& snapshot, render::ViewState& view,
                        const render::DrawTarget& target) = 0;
    /// After the cloth.
    virtual void paint(const render::DrawTarget& target) = 0;
};
/// Called once, with the film's OpenGL context current, which outlives the panels.
using PanelMaker = std::function<Expected<std::unique_ptr<FilmPanels>>()>;

struct FilmOptions {
    std::string out;  ///< .mp4, .png or a folder
    int steps = 0;
    int every = 1;   ///< a folder gets every n-th state
    double fps = 0;  ///< frames per second of simulated time; 0 = by dt, at most 60
    int width = 1280, height = 720;
    scene::OverlayKind overlay = scene::OverlayKind::None;
    bool lightTheme = false;
    std::string shaderFolder;
    PanelMaker panels;          ///< empty = only the cloth
    InputFiles inputs = {};     ///< files that `out` must not overwrite
    std::stop_token stop = {};  ///< ends the current step; frames stay, a film or picture is not written
};

struct FilmSummary {
    int steps = 0, frames = 0;
    bool stopped = false;   ///< by FilmOptions::stop
    bool diverged = false;  ///< the film ends at the last good state
    std::string message;    ///< message of the step that ended it
};

/// Steps the simulation and draws it off screen. Films play in real time: at each frame's time the newest state is
/// drawn, twice when none is newer. An Error is about a file, an option or a driver.
Expected<FilmSummary> makeFilm(simulation::Simulation& simulation, const FilmOptions& options);

}  // namespace clothlab::app::film
