#pragma once

#include "base/fields.hpp"

namespace clothlab::cloth {

enum class BendModel : int { ChoiKoPolynomial, ChoiKoExact, LinearCompression, LinearTension, Linear };
enum class DampingModel : int { Projected, Unprojected, Absolute };
enum class DampGate : int { Always, SpringActive, Elongating };

inline constexpr std::array kBendModels{
    EnumEntry{int(BendModel::ChoiKoPolynomial), "choi-ko-polynomial", "Choi-Ko, polynomial",
              "Immediate buckling, the quartic fit of [B] (3.9), with the linear branch near the rest length."},
    EnumEntry{int(BendModel::ChoiKoExact), "choi-ko-exact", "Choi-Ko, exact",
              "Immediate buckling into a circular arc, evaluated exactly, with the linear branch."},
    EnumEntry{int(BendModel::LinearCompression), "linear-compression", "linear, compression only",
              "Ye's reading: k (l - L) while compressed, nothing beyond the rest length."},
    EnumEntry{int(BendModel::LinearTension), "linear-tension", "linear, tension only",
              "For comparison: slack as soon as the cloth bends, so it resists no bending."},
    EnumEntry{int(BendModel::Linear), "linear", "linear, both ways", "Hooke's spring, as in Liu's paper."},
};
constexpr std::span<const EnumEntry> enumTable(BendModel) { return kBendModels; }

inline constexpr std::array kDampingModels{
    EnumEntry{int(DampingModel::Projected), "projected", "projected on the spring",
              "Damps only the rate of stretching: keeps rigid motion and angular momentum."},
    EnumEntry{int(DampingModel::Unprojected), "unprojected", "relative velocity",
              "Damps the whole relative velocity: also damps rotation and bending."},
    EnumEntry{int(DampingModel::Absolute), "absolute", "absolute velocity",
              "Damps each particle's velocity, like air."},
};
constexpr std::span<const EnumEntry> enumTable(DampingModel) { return kDampingModels; }

inline constexpr std::array kDampGates{
    EnumEntry{int(DampGate::Always), "always", "always"},
    EnumEntry{int(DampGate::SpringActive), "spring_active", "while the spring acts"},
    EnumEntry{int(DampGate::Elongating), "elongating", "while elongating",
              "[B]'s rule: only while the spring lengthens."},
};
constexpr std::span<const EnumEntry> enumTable(DampGate) { return kDampGates; }

/// What the springs of a cloth are made of.
struct MaterialSettings {
    double stretchStiffness = 1000;  ///< N/m
    double shearStiffness = 10;      ///< N/m
    double bendStiffness = 0.01;     ///< kappa_b, N/m (tangent form: k_b = kappa_b L^3 / 4 in N m^2)
    double stretchDamping = 0;       ///< N s/m
    double shearDamping = 0;         ///< N s/m
    double bendDamping = 0;          ///< N s/m
    bool tensionOnly = true;         ///< stretch and shear act only for l >= L(1 - 1e-9)
    BendModel bendModel = BendModel::ChoiKoPolynomial;
    double bendLinearBranch = 50;  ///< gamma = c_b / kappa_b of the Choi-Ko linear branch
    DampingModel dampingModel = DampingModel::Projected;
    DampGate dampGate = DampGate::SpringActive;
    bool jacSlack = false;    ///< keep k n n^T in A for slack springs
    double density = 0.2;     ///< kg/m^2; 0 when the particle mass is given instead
    double particleMass = 0;  ///< kg; 0 when the density is given instead

    bool operator==(const MaterialSettings&) const = default;
};

void describe(MaterialSettings& s, FieldList& list);

/// Air and wind, acting on the particles through their share of area.
struct WindSettings {
    Vec3 velocity = Vec3::Zero();  ///< m/s, of the undisturbed air
    double gust = 0;               ///< relative strength of the gusts, 0..1
    int seed = 1;                  ///< of the gusts
    double dragCoefficient = 0;    ///< c_w of f = -1/2 rho c_w A |n.v_rel| v_rel; 0 = no pressure drag
    double airDensity = 1.2;       ///< kg/m^3
    double linearDrag = 0;         ///< k_air, N s/m a particle: f = -k_air (v - wind); implicit in A

    bool operator==(const WindSettings&) const = default;
};

void describe(WindSettings& s, FieldList& list);

}  // namespace clothlab::cloth
