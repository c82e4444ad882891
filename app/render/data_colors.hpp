#pragma once

#include <cstdint>
#include <span>

#include "contact/robust/self_contact_picture.hpp"
#include "worker/snapshots/strain_scale.hpp"

/// The colours of data on the cloth, the same in both themes: they lie on the lit cloth, never on the ground.
namespace clothlab::app::render {

/// A colour as the screen shows it (sRGB, 0..255).
struct Rgb {
    std::uint8_t r = 0, g = 0, b = 0;
    bool operator==(const Rgb&) const = default;
};

/// Perceptually uniform sequential map (viridis, by a polynomial of degree 6), t in 0..1.
Rgb viridis(float t);
/// Colour of a strain (dimensionless): inferno from 0 to the end of the scale, brighter with strain also for
/// colour-blind eyes; a slack spring is darker.
Rgb strainColor(float strain, float end = worker::kUsualStrainEnd);
Rgb slackColor();
/// Colour of a spring by its flags cloth::kSpringActive and cloth::kSpringImplicit.
Rgb springStateColor(std::uint8_t flags);
/// Colour of missing data.
Rgb nothingColor();
/// Colour of a constrained particle: 2 = slides in a plane, 1 = along a line, 0 = stuck.
Rgb ndofColor(int ndof);
/// Colour of a particle by the effect of self-contact on it.
Rgb selfContactColor(contact::SelfContactKind kind);
/// The tones of assignTones().
std::span<const Rgb> componentTones();
/// Colours of a component of one particle, and of a particle in none.
Rgb aloneColor();
Rgb fixedColor();

}  // namespace clothlab::app::render
