#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/enum_table.hpp"
#include "worker/snapshot.hpp"

namespace clothlab::app {

/// What is laid over the cloth. Keys 1..8 of the keyboard follow this order.
enum class OverlayKind : int { None, Strain, SpringState, Contacts, Velocity, Residual, Components, Iterations };
/// Whether the overlay colours the cloth by a number a particle, or by what becomes of its component.
constexpr bool isParticleField(OverlayKind kind) { return kind == OverlayKind::Velocity || kind == OverlayKind::Residual; }
constexpr bool isByComponent(OverlayKind kind) { return kind == OverlayKind::Components || kind == OverlayKind::Iterations; }
constexpr bool isBySpring(OverlayKind kind) { return kind == OverlayKind::Strain || kind == OverlayKind::SpringState; }
inline constexpr std::array kOverlayKinds{
    EnumEntry{int(OverlayKind::None), "none", "None", "The cloth as it looks."},
    EnumEntry{int(OverlayKind::Strain), "strain", "Strain",
              "Stretch and shear springs by strain, as in the plot: violet is at rest, red about 5 %, pale yellow 10 % and more; slack ones are darker."},
    EnumEntry{int(OverlayKind::SpringState), "springs", "Springs",
              "Which springs are in the matrix (implicit), which only in the forces (explicit), which are slack (inactive)."},
    EnumEntry{int(OverlayKind::Contacts), "contacts", "Contacts",
              "Degrees of freedom that contact leaves to each particle, and the contact normals."},
    EnumEntry{int(OverlayKind::Velocity), "velocity", "Velocity", "Speed of each particle."},
    EnumEntry{int(OverlayKind::Residual), "residual", "Residual",
              "What the last solve has left undone at each particle, |S(b - A dv)|: its mean square is that of the plot."},
    EnumEntry{int(OverlayKind::Components), "components", "Components",
              "What implicit springs hold together, whether or not the solver makes use of it: a colour for each component, grey for a "
              "particle alone, white for a fixed one."},
    EnumEntry{int(OverlayKind::Iterations), "iterations", "Iterations", "Each component by the iterations that its own solve took."},
};
constexpr std::span<const EnumEntry> enumTable(OverlayKind) { return kOverlayKinds; }

/// Empty, or why the overlay has nothing to show with these settings.
std::string overlayRefusal(OverlayKind kind, const scene::Settings& settings);

/// What the simulation's side has to fill in for an overlay.
OverlayRequest requestFor(OverlayKind kind);

/// A colour as the screen shows it (sRGB, 0..255).
struct Rgb {
    std::uint8_t r = 0, g = 0, b = 0;
    bool operator==(const Rgb&) const = default;
};

/// One row of a legend: a swatch (or several) with a name, or a ramp from `from` to `to` in `unit` with equidistant `ramp`
/// colours.
struct LegendEntry {
    std::string label;
    Rgb color;
    std::vector<Rgb> ramp = {};
    double from = 0, to = 0;  ///< in `unit`; ramps only
    std::string unit = {};
    std::vector<Rgb> swatches = {};  ///< in place of the one swatch
};

/// The legend of an overlay on this snapshot (ranges follow the data where that makes sense).
std::vector<LegendEntry> legend(OverlayKind kind, const Snapshot& snapshot);

// --- the colours behind the pictures
/// Perceptually uniform sequential map (viridis, by a polynomial of degree 6), t in 0..1.
Rgb viridis(float t);
/// Colour of a strain (dimensionless): inferno over 0..10 %, brighter with strain for all kinds of eyes; a slack spring is darker.
Rgb strainColor(float strain);
/// Colour of a spring by its flags cloth::kSpringActive and cloth::kSpringImplicit.
Rgb springStateColor(std::uint8_t flags);
/// Colour of a constrained particle: 2 = slides in a plane, 1 = along a line, 0 = stuck.
Rgb ndofColor(int ndof);
/// The tones of tonesOf().
std::span<const Rgb> componentTones();
/// Colour of each particle under an overlay that colours the surface; empty when there is nothing to show.
void particleColors(OverlayKind kind, const Snapshot& snapshot, std::vector<Rgb>& out);

}  // namespace clothlab::app
