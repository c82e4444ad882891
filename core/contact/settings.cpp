#include "contact/settings.hpp"

namespace clothlab::contact {
namespace {

constexpr std::array kSelfCollisions{
    EnumEntry{int(SelfCollision::Off), "off", "off", "The cloth passes through itself."},
    EnumEntry{int(SelfCollision::Repulsion), "repulsion", "repulsion",
              "Particles closer than a share of the mesh spacing push each other apart (Boxerman). Layers hover; a "
              "fast particle, or one that meets the middle of a square, can still pass."},
    EnumEntry{int(SelfCollision::Robust), "robust", "robust",
              "No triangle passes through another: near layers repel each other, pairs that would meet within the step "
              "are stopped, and pairs that still meet move as one body (Bridson and others)."},
};

constexpr std::array kLastResorts{
    EnumEntry{int(LastResort::Zones), "zones", "rigid zones",
              "Particles that still meet after the impulses move as one rigid body for the step; if that is not "
              "enough, bounds take over."},
    EnumEntry{int(LastResort::Bounds), "bounds", "bounds",
              "They share a motion and deviate from it by less than half their distance to all others: softer than a "
              "rigid body, and always sufficient."},
};

constexpr std::array kLayerSolves{
    EnumEntry{int(LayerSolve::After), "after", "after the solve",
              "The solve includes the layer forces of the last step; impulses correct it (Bridson and others)."},
    EnumEntry{int(LayerSolve::Within), "within", "within the solve",
              "Touching pairs are springs in the matrix, in addition to their multipliers; the step is solved again "
              "until contact has nothing left to correct. Explicit methods, local/global, PBD and XPBD always use "
              "contact after the solve."},
};

constexpr std::array kStickings{
    EnumEntry{int(Sticking::Force), "force", "force",
              "It sticks if the force that would stop it is within the friction cone: no threshold, and no creep "
              "down a slope."},
    EnumEntry{int(Sticking::Speed), "speed", "low speed",
              "It sticks if it is slow relative to the solid, and slides once its force leaves the cone (Boxerman, "
              "section 3.4.2). Decided once per step, before the solve."},
};

constexpr std::array kSolidResponses{
    EnumEntry{int(SolidResponse::Constraints), "constraints", "constraints",
              "Part of the solve: a touching particle loses the directions into the solid (Baraff and Witkin)."},
    EnumEntry{int(SolidResponse::Projection), "projection", "projection",
              "Not part of the solve: particles that end inside are moved to the surface afterwards (Liu and others, "
              "section 4.1). Cheap, but stiff cloth sinks in or stretches, and can jump over a thin solid."},
};

}  // namespace

std::span<const EnumEntry> enumTable(Sticking) { return kStickings; }
std::span<const EnumEntry> enumTable(LayerSolve) { return kLayerSolves; }
std::span<const EnumEntry> enumTable(SolidResponse) { return kSolidResponses; }
std::span<const EnumEntry> enumTable(SelfCollision) { return kSelfCollisions; }
std::span<const EnumEntry> enumTable(LastResort) { return kLastResorts; }

void describe(ContactSettings& s, FieldList& list) {
    list.add("mu_s", s.muS,
             {.label = "static friction",
              .min = 0.0,
              .max = 10.0,
              .sliderMin = 0.0,
              .sliderMax = 1.5,
              .help = "A touching particle sticks while its tangential force is below this share of the normal force: "
                      "on a slope up to tan(angle) = mu_s."});
    list.add("mu_k", s.muK,
             {.label = "kinetic friction",
              .min = 0.0,
              .max = 10.0,
              .sliderMin = 0.0,
              .sliderMax = 1.5,
              .help = "Friction force against sliding, as a share of the normal force. It never reverses the motion. "
                      "Real materials have mu_k <= mu_s."});
    list.add("active_set", s.activeSet,
             {.label = "contact repeats",
              .min = 0.0,
              .max = 50.0,
              .sliderMin = 0.0,
              .sliderMax = 10.0,
              .help = "Maximum number of repeats of a step's solve. It is repeated while a sticking particle needs "
                      "more than the friction cone allows, friction would reverse a slide, or a particle would end "
                      "in a solid. 0: contacts are decided once, before the solve."});
    list.add("sticking", s.sticking,
             {.label = "sticks by", .help = "The rule by which a particle that slides on a solid comes to rest."});
    list.add("sticking_speed", s.stickingSpeed,
             {.label = "sticking speed",
              .unit = "m/s",
              .min = 0.0,
              .max = 100.0,
              .sliderMin = 0.001,
              .sliderMax = 1.0,
              .logarithmic = true,
              .help = "Sticking by low speed: below this speed relative to the solid a particle sticks to it. On a "
                      "slope that friction cannot hold, the cloth creeps with about this speed. Boxerman's thesis "
                      "gives no value."});
    list.add("solids", s.solids, {.label = "solids act by", .help = "How solids keep the cloth out."});
    list.add("push_out", s.pushOut,
             {.label = "push-out",
              .min = 0.0,
              .max = 1.0,
              .help = "Share of the penetration removed per step, by moving only the position. With 1 the particle "
                      "leaves the solid completely, loses contact and friction, and bounces."});
    list.add("self_collision", s.selfCollision,
             {.label = "self-collision", .help = "How the cloth collides with itself."});
    list.add("repulsion_distance", s.repulsionDistance,
             {.label = "repulsion distance",
              .min = 0.05,
              .max = 1.5,
              .sliderMin = 0.2,
              .sliderMax = 1.0,
              .help = "Distance below which two particles repel each other, as a share of the mesh spacing. Above "
                      "0.7 no particle fits through a square of the mesh. The ends of a spring that is shorter at "
                      "rest do not repel."});
    list.add("repulsion_stiffness", s.repulsionStiffness,
             {.label = "repulsion stiffness",
              .min = 0.0,
              .max = 100.0,
              .sliderMin = 0.01,
              .sliderMax = 10.0,
              .logarithmic = true,
              .help = "Stiffness of the repulsion, as a share of the stretch stiffness. Stiff repulsion makes the "
                      "system as hard to solve as stretch springs do; the matrix core includes it."});
    list.add("repulsion_damping", s.repulsionDamping,
             {.label = "repulsion damping",
              .unit = "N s/m",
              .min = 0.0,
              .max = 100.0,
              .sliderMin = 0.0,
              .sliderMax = 0.1,
              .help = "Damping of the relative velocity of two particles that repel each other: removes the bounce, "
                      "and slows sliding as friction would."});
    list.add("thickness", s.thickness,
             {.label = "thickness",
              .min = 0.001,
              .max = 0.5,
              .sliderMin = 0.02,
              .sliderMax = 0.3,
              .help = "Robust: layers closer than this share of the mesh spacing repel each other."});
    list.add("cloth_friction", s.clothFriction,
             {.label = "layer friction",
              .min = 0.0,
              .max = 10.0,
              .sliderMin = 0.0,
              .sliderMax = 1.5,
              .help = "Robust: friction between layers of cloth, static and kinetic, as a share of the normal force."});
    list.add(
        "carry_forces", s.carryForces,
        {.label = "forces in the next solve",
         .help = "Robust: the forces that held layers apart in a step act in the solve of the next one, so that stiff "
                 "layers slide over each other. Off, as in the papers: contact corrects a solve without these forces, "
                 "and with a large h^2 k/m layers hook into each other."});
    list.add("solve", s.solve,
             {.label = "layer contact", .help = "Robust: where contact between layers of cloth acts."});
    list.add("solve_repeats", s.solveRepeats,
             {.label = "layer repeats",
              .min = 0.0,
              .max = 100.0,
              .sliderMin = 0.0,
              .sliderMax = 20.0,
              .help = "Contact within the solve: maximum number of repeats of a step's solve, each with the pairs "
                      "that contact has found and their forces."});
    list.add("solve_tolerance", s.solveTolerance,
             {.label = "layer tolerance",
              .min = 1e-6,
              .max = 1.0,
              .sliderMin = 1e-3,
              .sliderMax = 1.0,
              .logarithmic = true,
              .help = "Contact within the solve: the repeats end when contact, after the solve, moves no particle by "
                      "more than this share of the thickness."});
    list.add("solve_stiffness", s.solveStiffness,
             {.label = "layer stiffness",
              .min = 1e-3,
              .max = 1e3,
              .sliderMin = 0.1,
              .sliderMax = 100.0,
              .logarithmic = true,
              .help = "Contact within the solve: stiffness of the spring between two layers, in units of the stretch "
                      "stiffness plus inertia, m/h^2. A larger value needs fewer repeats, but a harder solve."});
    list.add(
        "untangle", s.untangle,
        {.label = "untangle",
         .help = "Robust: where the cloth intersects itself at the start of a step, the smaller part cut off is pulled "
                 "back, and contact lets it pass; an intersection that cuts off nothing is made shorter. Searches for "
                 "intersections in every step."});
    list.add("last_resort", s.lastResort,
             {.label = "last resort", .help = "Robust: how to treat particles that still meet after the impulses."});
}

}  // namespace clothlab::contact
