#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scene/overlay.hpp"
#include "worker/snapshot.hpp"

namespace clothlab::app::render {

using scene::kOverlayKinds;
using scene::OverlayKind;

/// Whether the overlay colours the cloth by a number a particle, or by what becomes of its component.
constexpr bool isParticleField(OverlayKind kind) {
    return kind == OverlayKind::Velocity || kind == OverlayKind::Residual;
}
constexpr bool isByComponent(OverlayKind kind) {
    return kind == OverlayKind::Components || kind == OverlayKind::Iterations;
}
/// Whether particles colour the surface between them.
constexpr bool isShaded(OverlayKind kind) { return isParticleField(kind) || kind == OverlayKind::Strain; }
constexpr bool isBySpring(OverlayKind kind) { return kind == OverlayKind::Strain || kind == OverlayKind::SpringState; }

/// Empty, or why the overlay has nothing to show with these settings.
std::string overlayRefusal(OverlayKind kind, const scene::Settings& settings);

/// What the simulation's side has to fill in for an overlay.
worker::OverlayRequest requestFor(OverlayKind kind);

/// A colour as the screen shows it (sRGB, 0..255).
struct Rgb {
    std::uint8_t r = 0, g = 0, b = 0;
    bool operator==(const Rgb&) const = default;
};

/// One row of a legend: a swatch (or several) with a name, or a ramp from `from` to `to` in `unit` with equidistant
/// `ramp` colours.
struct LegendEntry {
    std::string label;
    Rgb color;
    std::vector<Rgb> ramp = {};
    double from = 0, to = 0;  ///< in `unit`; ramps only
    std::string unit = {};
    std::vector<Rgb> swatches = {};  ///< in place of the one swatch
};

/// The legend of an overlay on this snapshot (ranges follow the data where that makes sense).
std::vector<LegendEntry> legend(OverlayKind kind, const worker::Snapshot& snapshot);

// --- the colours behind the pictures
/// Perceptually uniform sequential map (viridis, by a polynomial of degree 6), t in 0..1.
Rgb viridis(float t);
/// Colour of a strain (dimensionless): inferno over 0..10 %, brighter with strain for all kinds of eyes; a slack spring
/// is darker.
Rgb strainColor(float strain);
/// Colour of a spring by its flags cloth::kSpringActive and cloth::kSpringImplicit.
Rgb springStateColor(std::uint8_t flags);
/// Colour of a constrained particle: 2 = slides in a plane, 1 = along a line, 0 = stuck.
Rgb ndofColor(int ndof);
/// The tones of tonesOf().
std::span<const Rgb> componentTones();
/// Colour of each particle under an overlay that colours the surface; empty when there is nothing to show.
void particleColors(OverlayKind kind, const worker::Snapshot& snapshot, std::vector<Rgb>& out);

}  // namespace clothlab::app::render
