#pragma once

#include "base/fields.hpp"

namespace clothlab::contact {

enum class SelfCollision : int { Off, Repulsion, Robust };
std::span<const EnumEntry> enumTable(SelfCollision);

/// How `robust` treats particles that still meet after the impulses.
enum class LastResort : int { Zones, Bounds };
std::span<const EnumEntry> enumTable(LastResort);

/// When a particle that slides on a solid comes to rest.
enum class Sticking : int { Force, Speed };
std::span<const EnumEntry> enumTable(Sticking);

/// Where contact between layers acts, with `robust`.
enum class LayerSolve : int { After, Within };
std::span<const EnumEntry> enumTable(LayerSolve);

/// How solids act on the cloth.
enum class SolidResponse : int { Constraints, Projection };
std::span<const EnumEntry> enumTable(SolidResponse);

struct ContactSettings {
    double muS = 0.5;   ///< static friction coefficient
    double muK = 0.4;   ///< kinetic friction coefficient
    int activeSet = 8;  ///< maximum repeats of a step's solve while contacts change or are found; 0 = none
    Sticking sticking = Sticking::Force;
    double stickingSpeed = 0.01;  ///< m/s, for Sticking::Speed
    SolidResponse solids = SolidResponse::Constraints;
    double pushOut = 0.9;  ///< share of the penetration removed per step; 1 would bounce and lose friction
    SelfCollision selfCollision = SelfCollision::Off;
    double repulsionDistance = 0.6;  ///< of the mesh spacing: closer particles repel each other ([B] §3.4.2)
    double repulsionStiffness = 1;   ///< of the stretch stiffness
    double repulsionDamping = 0.01;  ///< N s/m, of the whole relative velocity
    double thickness = 0.1;          ///< robust: of the mesh spacing; closer layers repel each other
    double clothFriction = 0.3;      ///< robust: between layers
    bool carryForces = true;         ///< robust: forces between layers enter the solve of the next step
    LayerSolve solve = LayerSolve::After;
    int solveRepeats = 12;         ///< within: maximum solves of a step beyond the first
    double solveTolerance = 0.02;  ///< within: of the thickness; repeats end once contact moves nothing further
    double solveStiffness = 1;     ///< within: of a pair, relative to stretch stiffness plus m/h^2
    bool untangle = false;         ///< robust: pulls apart cloth that intersects itself at the start of a step
    LastResort lastResort = LastResort::Zones;

    /// Whether the solve is repeated to correct friction.
    bool repeatsFriction() const { return activeSet > 0 && sticking == Sticking::Force; }
    bool operator==(const ContactSettings&) const = default;
};

void describe(ContactSettings& s, FieldList& list);

}  // namespace clothlab::contact
