#pragma once

#include "base/fields.hpp"

namespace clothlab::cloth {

enum class BendModel : int { ChoiKoPolynomial, ChoiKoExact, LinearCompression, LinearTension, Linear };
enum class MembraneModel : int { Springs, Triangles };
enum class DampingModel : int { Projected, Unprojected, Absolute };
enum class CompressionModel : int { Clamped, Full };
enum class DampGate : int { Always, SpringActive, Elongating };
std::span<const EnumEntry> enumTable(BendModel);
std::span<const EnumEntry> enumTable(MembraneModel);
std::span<const EnumEntry> enumTable(DampingModel);
std::span<const EnumEntry> enumTable(CompressionModel);
std::span<const EnumEntry> enumTable(DampGate);

/// The material of a cloth.
struct MaterialSettings {
    double stretchStiffness = 1000;                   ///< N/m
    double shearStiffness = 10;                       ///< N/m
    double bendStiffness = 0.01;                      ///< kappa_b, N/m (tangent form: k_b = kappa_b L^3 / 4 in N m^2)
    double stretchDamping = 0;                        ///< N s/m
    double shearDamping = 0;                          ///< N s/m
    double bendDamping = 0;                           ///< N s/m
    MembraneModel membrane = MembraneModel::Springs;  ///< what resists stretch and shear
    bool tensionOnly = true;                          ///< stretch and shear act only for l >= L(1 - 1e-9)
    CompressionModel compression = CompressionModel::Clamped;  ///< treatment of compressed springs in A
    BendModel bendModel = BendModel::ChoiKoPolynomial;
    double bendLinearBranch = 50;  ///< gamma = c_b / kappa_b of the Choi-Ko linear branch
    DampingModel dampingModel = DampingModel::Projected;
    DampGate dampGate = DampGate::SpringActive;
    bool jacSlack = false;       ///< keep k n n^T in A for slack springs
    double tearStrain = 0;       ///< springs break above this strain (l - L)/L; 0 = never
    double density = 0.2;        ///< kg/m^2; 0 when the particle mass is given instead
    double volumeDensity = 200;  ///< kg/m^3, of solids, unless the particle mass is given
    double particleMass = 0;     ///< kg; 0 when the density is given instead

    bool operator==(const MaterialSettings&) const = default;
};

void describe(MaterialSettings& s, FieldList& list);

/// Air and wind, acting on the particles through their share of area.
struct WindSettings {
    Vec3 velocity = Vec3::Zero();  ///< m/s, of the undisturbed air
    double gust = 0;               ///< relative strength of the gusts, 0..1
    int seed = 1;                  ///< of the gusts
    double dragCoefficient = 0;    ///< c_w in f = -1/2 rho c_w A |n.v_rel| v_rel; 0 = no pressure drag
    double airDensity = 1.2;       ///< kg/m^3
    double linearDrag = 0;         ///< k_air, N s/m per particle: f = -k_air (v - wind); implicit in A

    bool operator==(const WindSettings&) const = default;
};

void describe(WindSettings& s, FieldList& list);

}  // namespace clothlab::cloth
