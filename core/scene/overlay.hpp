#pragma once

#include <array>

#include "base/enum_table.hpp"

namespace clothlab::scene {

/// The overlays of the cloth. The keys 1 to 9 and 0 follow this order.
enum class OverlayKind : int {
    None,
    Strain,
    SpringState,
    Contacts,
    Velocity,
    Residual,
    Components,
    Iterations,
    SelfContact,
    Intersections,
    Zones,
    Regions,
    Stress,
    Aggregates,
};
/// Strain from which an edge counts as under stress.
inline constexpr float kStressedStrain = 0.05f;
inline constexpr std::array kOverlayKinds{
    EnumEntry{int(OverlayKind::None), "none", "None", "The cloth as it looks."},
    EnumEntry{int(OverlayKind::Strain), "strain", "Strain",
              "Each particle by the largest strain of its stretch and shear springs, and from near by each spring by "
              "its own: violet is at rest, red about 5 %, pale yellow 10 % and more; slack ones are darker."},
    EnumEntry{
        int(OverlayKind::SpringState), "springs", "Springs",
        "Which springs are in the matrix (implicit), which only in the forces (explicit), which are slack (inactive)."},
    EnumEntry{int(OverlayKind::Contacts), "contacts", "Contacts",
              "Degrees of freedom that contact leaves to each particle, and the contact normals."},
    EnumEntry{int(OverlayKind::Velocity), "velocity", "Velocity", "Speed of each particle."},
    EnumEntry{int(OverlayKind::Residual), "residual", "Residual",
              "The residual of the last solve at each particle, |S(b - A dv)|: its mean square is that of the plot."},
    EnumEntry{int(OverlayKind::Components), "components", "Components",
              "Particles connected by implicit springs, whether or not the solver uses that: a colour for each "
              "component, grey for single particles, white for fixed ones."},
    EnumEntry{int(OverlayKind::Iterations), "iterations", "Iterations",
              "Each component by the iterations that its own solve took."},
    EnumEntry{int(OverlayKind::SelfContact), "self-contact", "Self-contact",
              "The effect of self-contact (robust) on each particle in the step shown, and pairs that were closer "
              "than the thickness at its start."},
    EnumEntry{int(OverlayKind::Intersections), "intersections", "Intersections",
              "Edges that go through triangles in the state shown, in red, also where hidden. The search is "
              "independent of contact, and takes its time in each picture."},
    EnumEntry{int(OverlayKind::Zones), "zones", "Impact zones",
              "Particles that moved together as a rigid body in the step shown, as the last resort of contact of the "
              "cloth with itself: a colour for each zone."},
    EnumEntry{
        int(OverlayKind::Regions), "regions", "Regions",
        "Parts of the cloth with a material of their own, of the scene or painted: each particle by the number of "
        "the uppermost region over it; 0 is the cloth."},
    EnumEntry{int(OverlayKind::Stress), "stress", "Stressed edges",
              "Stretch and shear springs that are longer than at rest by more than 5 %, in red, as in the figures of "
              "Sideris and others."},
    EnumEntry{int(OverlayKind::Aggregates), "aggregates", "Aggregates",
              "The pieces of the coarse space with which the last solve was deflated, each in a tone of its own: a "
              "coarse unknown moves or turns one of them as a whole."},
};
constexpr std::span<const EnumEntry> enumTable(OverlayKind) { return kOverlayKinds; }

}  // namespace clothlab::scene
