#pragma once

#include <string>
#include <vector>

#include "render/data_colors.hpp"
#include "scene/overlay.hpp"
#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::render {

using scene::kOverlayKinds;
using scene::OverlayKind;

/// Whether components colour the surface, each particle's cell in one tone.
bool isByComponent(OverlayKind kind);
/// Whether particles colour the surface between them.
bool isShaded(OverlayKind kind);
bool isBySpring(OverlayKind kind);
/// How much greyer the cloth is under the marks of an overlay, 0 .. 1.
float dimOf(OverlayKind kind);
/// Whether what hides the marks lets them through.
bool showsThrough(OverlayKind kind);

/// Empty, or why the overlay has nothing to show with these settings.
std::string overlayRefusal(OverlayKind kind, const scene::Settings& settings);

/// What the simulation's side has to fill in for an overlay.
worker::OverlayRequest requestFor(OverlayKind kind);

/// One row of a legend: a swatch (or several) with a name, or a ramp from `from` to `to` in `unit` with equidistant
/// `ramp` colours.
struct LegendEntry {
    std::string label;
    Rgb color;
    std::vector<Rgb> ramp = {};
    double from = 0, to = 0;  ///< in `unit`; ramps only
    std::string unit = {};
    bool orMore = false, orLess = false;  ///< what lies beyond an end has its colour
    std::vector<Rgb> swatches = {};       ///< in place of the one swatch
};

/// The legend of an overlay on this snapshot (ranges follow the data where that makes sense).
std::vector<LegendEntry> legend(OverlayKind kind, const worker::Snapshot& snapshot, bool lightTheme = false);

/// Colour of each particle under an overlay that colours the surface; empty when there is nothing to show.
void particleColors(OverlayKind kind, const worker::Snapshot& snapshot, std::vector<Rgb>& out);

}  // namespace clothlab::app::render
