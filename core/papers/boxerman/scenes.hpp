#pragma once

#include <array>

#include "scene/scene.hpp"

/// The cloth of [B] Boxerman 2003, chapter 4: one set of parameters, three configurations. Made in memory: level, at
/// rest, all particles of the same mass, density times the square of the mesh spacing.
namespace clothlab::papers::boxerman {

enum class Configuration : int { TwoCorners, Table, Sphere };
inline constexpr std::array kConfigurations{
    EnumEntry{int(Configuration::TwoCorners), "two-corners", "held at two corners"},
    EnumEntry{int(Configuration::Table), "table", "on a square table"},
    EnumEntry{int(Configuration::Sphere), "sphere", "on a sphere, off its middle"},
};
constexpr std::span<const EnumEntry> enumTable(Configuration) { return kConfigurations; }

struct Cloth {
    Configuration configuration = Configuration::TwoCorners;
    int side = 10;                                      ///< particles
    double spacing = 0.1;                               ///< m
    double density = 0.3;                               ///< kg/m^2
    double stretch = 1000, shear = 1000, bend = 0.001;  ///< N/m
    double stretchDamping = 0, shearDamping = 0;        ///< N s/m
    double drag = 0;                                    ///< N s/m per particle
    double dt = 0.01;                                   ///< s
    int noiseSeed = 1;                                  ///< of the displacement that starts its folds

    double mass() const { return density * spacing * spacing; }
    double height() const { return spacing * side; }  ///< m, by which it can fall
    /// m g L of all particles, J: the unit of energies.
    double energyScale() const { return mass() * 9.81 * height() * side * side; }
};

/// (4.8): (h/m)(h k + 2 d).
double numericalStiffness(const Cloth& cloth, double stiffness, double damping, double dt);

/// Applies material, drag and step of the cloth; the other settings of these tables become the defaults.
void applyCloth(scene::Settings& settings, const Cloth& cloth);

/// Solids of half-width or radius 0.3 of the side, friction 0.5 and 0.4, as the thesis gives none; the sphere is off
/// the middle by 3 and 5 % of the side. `noise` (of the spacing) is the amplitude of a displacement out of the plane:
/// without it a level sheet stays level.
scene::Scene makeScene(const Cloth& cloth, double noise = 1e-4);
/// The same, with an integrator and solved directly.
scene::Scene makeDirectScene(const Cloth& cloth, const integrators::IntegratorSettings& integrator,
                             double noise = 1e-4);

}  // namespace clothlab::papers::boxerman
