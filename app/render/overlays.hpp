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
/// Desaturation of the cloth under the marks of an overlay, 0 .. 1.
float desaturation(OverlayKind kind);
/// Whether marks show through surfaces in front of them.
bool showsThrough(OverlayKind kind);

/// Empty, or why the overlay has nothing to show with these settings.
std::string overlayRefusal(OverlayKind kind, const scene::Settings& settings);

/// The data that an overlay needs from the simulation.
worker::OverlayRequest requestFor(OverlayKind kind);

/// One row of a legend: a swatch (or several) with a name, or a ramp from `from` to `to` in `unit` with equidistant
/// `ramp` colours.
struct LegendEntry {
    std::string label;
    Rgb color;
    std::vector<Rgb> ramp = {};
    double from = 0, to = 0;  ///< in `unit`; ramps only
    std::string unit = {};
    bool orMore = false, orLess = false;  ///< values beyond an end have its colour
    std::vector<Rgb> swatches = {};       ///< instead of the single swatch
};

/// The legend of an overlay on this snapshot (some ranges follow the data).
std::vector<LegendEntry> legend(OverlayKind kind, const worker::Snapshot& snapshot, bool lightTheme = false);

/// Colour of each particle under an overlay that colours the surface; empty when there is nothing to show.
void particleColors(OverlayKind kind, const worker::Snapshot& snapshot, std::vector<Rgb>& out);

}  // namespace clothlab::app::render
