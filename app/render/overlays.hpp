#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/enum_table.hpp"
#include "worker/snapshot.hpp"

namespace clothlab::app {

/// What is laid over the cloth. Keys 1..6 of the keyboard follow this order.
enum class OverlayKind : int { None, Strain, SpringState, Contacts, Velocity, Residual };
/// Whether the overlay colours the cloth by a number a particle.
constexpr bool isParticleField(OverlayKind kind) { return kind == OverlayKind::Velocity || kind == OverlayKind::Residual; }
inline constexpr std::array kOverlayKinds{
    EnumEntry{int(OverlayKind::None), "none", "None", "The cloth as it looks."},
    EnumEntry{int(OverlayKind::Strain), "strain", "Strain",
              "Stretch and shear springs by strain: dark blue is at rest, yellow 5 %, red 8 % and more."},
    EnumEntry{int(OverlayKind::SpringState), "springs", "Springs",
              "Which springs are in the matrix (implicit), which only in the forces (explicit), which are slack."},
    EnumEntry{int(OverlayKind::Contacts), "contacts", "Contacts",
              "Degrees of freedom that contact leaves to each particle, and the contact normals."},
    EnumEntry{int(OverlayKind::Velocity), "velocity", "Velocity", "Speed of each particle."},
    EnumEntry{int(OverlayKind::Residual), "residual", "Residual",
              "What the last solve has left undone at each particle, |S(b - A dv)|: its mean square is that of the plot."},
};
constexpr std::span<const EnumEntry> enumTable(OverlayKind) { return kOverlayKinds; }

/// What the simulation's side has to fill in for an overlay.
OverlayRequest requestFor(OverlayKind kind);

/// A colour as the screen shows it (sRGB, 0..255).
struct Rgb {
    std::uint8_t r = 0, g = 0, b = 0;
    bool operator==(const Rgb&) const = default;
};

/// One row of a legend: a swatch with a name, or a ramp from `from` to `to` in `unit` with equidistant `ramp` colours.
struct LegendEntry {
    std::string label;
    Rgb color;
    std::vector<Rgb> ramp = {};
    double from = 0, to = 0;  ///< in `unit`; ramps only
    std::string unit = {};
};

/// The legend of an overlay on this snapshot (ranges follow the data where that makes sense).
std::vector<LegendEntry> legend(OverlayKind kind, const Snapshot& snapshot);

// --- the colours behind the pictures
/// Perceptually uniform sequential map (viridis, by a polynomial of degree 6), t in 0..1.
Rgb viridis(float t);
/// Colour of a strain (dimensionless): viridis over 0..5 %, to red at 8 %; a slack spring is grey.
Rgb strainColor(float strain);
/// Colour of a spring by its flags cloth::kSpringActive and cloth::kSpringImplicit.
Rgb springStateColor(std::uint8_t flags);
/// Colour of a constrained particle: 2 = slides in a plane, 1 = along a line, 0 = stuck.
Rgb ndofColor(int ndof);

}  // namespace clothlab::app
