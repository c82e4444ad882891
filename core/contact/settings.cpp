#include "contact/settings.hpp"

namespace clothlab::contact {
namespace {

constexpr std::array kSelfCollisions{
    EnumEntry{int(SelfCollision::Off), "off", "off", "The cloth passes through itself."},
    EnumEntry{int(SelfCollision::Repulsion), "repulsion", "repulsion",
              "Particles closer than a share of the mesh spacing push each other apart (Boxerman). Layers hover; a "
              "fast particle, or one that meets the middle of a square, can still pass."},
    EnumEntry{int(SelfCollision::Robust), "robust", "robust",
              "No triangle goes through another: near layers repel each other, what would meet within the step is "
              "stopped, and what meets even so moves as one body (Bridson and others)."},
};

constexpr std::array kLastResorts{
    EnumEntry{int(LastResort::Zones), "zones", "rigid zones",
              "Particles that meet in spite of impulses move as one rigid body for the step; where that does not do, "
              "bounds take over."},
    EnumEntry{int(LastResort::Bounds), "bounds", "bounds",
              "They share a motion, and deviate from it by less than half of their distance to all others: softer than "
              "a rigid body, and always enough."},
};

constexpr std::array kLayerSolves{
    EnumEntry{int(LayerSolve::After), "after", "after the solve",
              "The solve knows of layers what the last step found; impulses correct it (Bridson and others)."},
    EnumEntry{int(LayerSolve::Within), "within", "within the solve",
              "Pairs that touch are springs in the matrix, beside their multipliers; the step is solved again until "
              "contact has nothing left to correct. Not under explicit methods, local/global, PBD and XPBD: there "
              "contact acts after the solve."},
};

constexpr std::array kStickings{
    EnumEntry{int(Sticking::Force), "force", "force",
              "It sticks when the force that would stop it is within the friction cone: no threshold, and nothing "
              "creeps down a slope."},
    EnumEntry{int(Sticking::Speed), "speed", "low speed",
              "It sticks when it is slow relative to the solid, and slides when its force leaves the cone "
              "(Boxerman, section 3.4.2). Decided once a step, before the solve."},
};

constexpr std::array kSolidResponses{
    EnumEntry{int(SolidResponse::Constraints), "constraints", "constraints",
              "The solve knows them: a touching particle loses the directions into the solid (Baraff and Witkin)."},
    EnumEntry{int(SolidResponse::Projection), "projection", "projection",
              "The solve does not know them: what ends inside is moved to the surface afterwards (Liu and others, "
              "section 4.1). Cheap; stiff cloth sinks in or stretches, and a thin solid can be jumped over."},
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
    list.add(
        "active_set", s.activeSet,
        {.label = "repeats of contact",
         .min = 0.0,
         .max = 50.0,
         .sliderMin = 0.0,
         .sliderMax = 10.0,
         .help = "A step's solve is repeated, at most so often, while what sticks would need more than the friction "
                 "cone, friction would turn a slide around, or a particle would end in a solid. Nothing is "
                 "repeated where nothing changes. 0: decided once, before the solve."});
    list.add("sticking", s.sticking,
             {.label = "sticks by", .help = "What decides whether a particle that slides on a solid comes to rest."});
    list.add("sticking_speed", s.stickingSpeed,
             {.label = "sticking speed",
              .unit = "m/s",
              .min = 0.0,
              .max = 100.0,
              .sliderMin = 0.001,
              .sliderMax = 1.0,
              .logarithmic = true,
              .help = "Sticking by low speed: below this speed relative to the solid a particle sticks to it. On a "
                      "slope that friction cannot hold, the cloth creeps with about this speed. The thesis prints no "
                      "number."});
    list.add("solids", s.solids, {.label = "solids act by", .help = "How solids keep the cloth out of themselves."});
    list.add("push_out", s.pushOut,
             {.label = "push-out",
              .min = 0.0,
              .max = 1.0,
              .help = "Share of the penetration removed per step, by moving the position alone. With 1 the particle "
                      "leaves the solid completely, loses contact and friction, and bounces."});
    list.add("self_collision", s.selfCollision,
             {.label = "self-collision", .help = "How the cloth collides with itself."});
    list.add("repulsion_distance", s.repulsionDistance,
             {.label = "repulsion distance",
              .min = 0.05,
              .max = 1.5,
              .sliderMin = 0.2,
              .sliderMax = 1.0,
              .help = "Distance below which two particles repel each other, as a share of the mesh spacing. Above 0.7 "
                      "no particle fits through a square of the mesh. Springs that are shorter at rest are left out."});
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
             {.label = "friction of layers",
              .min = 0.0,
              .max = 10.0,
              .sliderMin = 0.0,
              .sliderMax = 1.5,
              .help = "Robust: friction between layers of cloth, static and kinetic, as a share of the normal force."});
    list.add(
        "carry_forces", s.carryForces,
        {.label = "forces in the next solve",
         .help = "Robust: what held layers apart in a step acts in the solve of the next one, so that stiff layers "
                 "slide over each other. Off, as in the papers: contact corrects a solve that knows nothing of it, "
                 "and with a large h^2 k/m layers hook into each other."});
    list.add("solve", s.solve,
             {.label = "contact of layers", .help = "Robust: where contact between layers of cloth acts."});
    list.add("solve_repeats", s.solveRepeats,
             {.label = "repeats with layers",
              .min = 0.0,
              .max = 100.0,
              .sliderMin = 0.0,
              .sliderMax = 20.0,
              .help = "Contact within the solve: the step is solved again, at most so often, with the pairs that "
                      "contact has found and with their forces."});
    list.add("solve_tolerance", s.solveTolerance,
             {.label = "tolerance of layers",
              .min = 1e-6,
              .max = 1.0,
              .sliderMin = 1e-3,
              .sliderMax = 1.0,
              .logarithmic = true,
              .help = "Contact within the solve: the repeats end when contact, after the solve, moves no particle by "
                      "more than this share of the thickness."});
    list.add("solve_stiffness", s.solveStiffness,
             {.label = "stiffness of layers",
              .min = 1e-3,
              .max = 1e3,
              .sliderMin = 0.1,
              .sliderMax = 100.0,
              .logarithmic = true,
              .help = "Contact within the solve: stiffness of the spring between two layers, in units of the stretch "
                      "stiffness plus inertia, m/h^2. More needs fewer repeats and makes the matrix harder to solve."});
    list.add(
        "untangle", s.untangle,
        {.label = "untangle",
         .help = "Robust: where the cloth goes through itself at the start of a step, the smaller part that is cut "
                 "off is drawn back, and contact lets it pass; a slit is made shorter. Searches for intersections "
                 "in every step."});
    list.add("last_resort", s.lastResort,
             {.label = "last resort", .help = "Robust: what happens to particles that meet in spite of impulses."});
}

}  // namespace clothlab::contact
