#include "cloth/material.hpp"

namespace clothlab::cloth {
namespace {

constexpr std::array kBendModels{
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

constexpr std::array kDampingModels{
    EnumEntry{int(DampingModel::Projected), "projected", "projected on the spring",
              "Damps only the rate of stretching: keeps rigid motion and angular momentum."},
    EnumEntry{int(DampingModel::Unprojected), "unprojected", "relative velocity",
              "Damps the whole relative velocity: also damps rotation and bending."},
    EnumEntry{int(DampingModel::Absolute), "absolute", "absolute velocity",
              "Damps each particle's velocity, like air."},
};

constexpr std::array kDampGates{
    EnumEntry{int(DampGate::Always), "always", "always"},
    EnumEntry{int(DampGate::SpringActive), "spring_active", "while the spring acts"},
    EnumEntry{int(DampGate::Elongating), "elongating", "while elongating",
              "[B]'s rule: only while the spring lengthens."},
};

}  // namespace

std::span<const EnumEntry> enumTable(BendModel) { return kBendModels; }
std::span<const EnumEntry> enumTable(DampingModel) { return kDampingModels; }
std::span<const EnumEntry> enumTable(DampGate) { return kDampGates; }
namespace {

void describeStiffness(MaterialSettings& s, FieldList& list) {
    list.add("stretch_stiffness", s.stretchStiffness,
             {.label = "stretch stiffness",
              .unit = "N/m",
              .min = 0,
              .max = 1e8,
              .sliderMin = 1,
              .sliderMax = 1e5,
              .logarithmic = true,
              .effect = Effect::Matrix,
              .help = "Resists lengthening along the threads. The condition number of A grows with h^2 k / m, and with "
                      "it the iterations of conjugate gradients."});
    list.add(
        "shear_stiffness", s.shearStiffness,
        {.label = "shear stiffness",
         .unit = "N/m",
         .min = 0,
         .max = 1e8,
         .sliderMin = 0.1,
         .sliderMax = 1e5,
         .logarithmic = true,
         .effect = Effect::Matrix,
         .help = "Resists skewing of the weave. Small values drape softly; values near the stretch stiffness spoil "
                 "the matrix core, which leaves these springs out."});
    list.add("bend_stiffness", s.bendStiffness,
             {.label = "bend stiffness",
              .unit = "N/m",
              .min = 0,
              .max = 1e6,
              .sliderMin = 1e-5,
              .sliderMax = 10,
              .logarithmic = true,
              .effect = Effect::Matrix,
              .help = "kappa_b of the bend springs: larger gives fewer and wider folds. For Choi-Ko bend this is the "
                      "tangent stiffness, k_b = kappa_b L^3 / 4 in N m^2; for linear bend the spring constant."});
    list.add("tension_only", s.tensionOnly,
             {.label = "tension only",
              .effect = Effect::Matrix,
              .help = "Stretch and shear springs act only when not shorter than at rest; compression turns into folds. "
                      "About two fifths of the blocks of A are then empty, and change every step."});
    list.add("bend_model", s.bendModel,
             {.label = "bend model",
              .effect = Effect::Matrix,
              .help = "Force law of the bend springs; what they do in compression decides how the cloth folds."});
    list.add("bend_linear_branch", s.bendLinearBranch,
             {.label = "linear branch",
              .min = 0,
              .max = 1e6,
              .sliderMin = 8,
              .sliderMax = 1000,
              .logarithmic = true,
              .effect = Effect::Matrix,
              .help = "gamma = c_b / kappa_b: slope of the Choi-Ko force next to the rest length. Below 7.9 the whole "
                      "law is linear; keep it at 20 or more. Explicit bend needs h^2 c_b / m <= 1/4."});
}

void describeDamping(MaterialSettings& s, FieldList& list) {
    list.add("stretch_damping", s.stretchDamping,
             {.label = "stretch damping",
              .unit = "N s/m",
              .min = 0,
              .max = 1e5,
              .sliderMin = 0,
              .sliderMax = 10,
              .effect = Effect::Matrix,
              .help = "Damper beside each stretch spring; under absolute damping the drag on each particle. Adds h k_d "
                      "to the blocks of A."});
    list.add("shear_damping", s.shearDamping,
             {.label = "shear damping",
              .unit = "N s/m",
              .min = 0,
              .max = 1e5,
              .sliderMin = 0,
              .sliderMax = 10,
              .effect = Effect::Matrix,
              .help = "Damper beside each shear spring; calms skewing oscillations."});
    list.add("bend_damping", s.bendDamping,
             {.label = "bend damping",
              .unit = "N s/m",
              .min = 0,
              .max = 1e5,
              .sliderMin = 0,
              .sliderMax = 10,
              .effect = Effect::Matrix,
              .help = "Damper beside each bend spring; calms flutter and stiffens folding."});
    list.add(
        "damping_model", s.dampingModel,
        {.label = "damping model",
         .effect = Effect::Matrix,
         .help = "Which velocity the dampers see: along the spring, the whole relative one, or each particle's own. "
                 "Only the first leaves rigid motion alone."});
    list.add(
        "damp_gate", s.dampGate,
        {.label = "dampers act",
         .effect = Effect::Matrix,
         .help = "When the spring dampers act. With tension-only springs the spring's own rule keeps folds free."});
    list.add("jac_slack", s.jacSlack,
             {.label = "keep slack Jacobians",
              .effect = Effect::Matrix,
              .help = "Keeps k n n^T in K for slack stretch and shear springs: steadier at large steps, but resists "
                      "compression and fills all blocks of A."});
}

}  // namespace

void describe(MaterialSettings& s, FieldList& list) {
    describeStiffness(s, list);
    describeDamping(s, list);
    list.add(
        "density", s.density,
        {.label = "density",
         .unit = "kg/m^2",
         .min = 0,
         .max = 1e5,
         .sliderMin = 0.01,
         .sliderMax = 10,
         .logarithmic = true,
         .effect = Effect::Matrix,
         .help = "Mass of a square metre; a particle of a grid weighs density times spacing squared, one of a mesh "
                 "density times a third of its triangles. Give this or the particle mass. Heavier particles make A "
                 "better conditioned."});
    list.add("particle_mass", s.particleMass,
             {.label = "particle mass",
              .unit = "kg",
              .min = 0,
              .max = 1e4,
              .sliderMin = 1e-6,
              .sliderMax = 1,
              .logarithmic = true,
              .effect = Effect::Matrix,
              .help = "Mass of every particle whatever the grid, as in Ye's scenes. Give this or the density."});
}

void describe(WindSettings& s, FieldList& list) {
    list.add(
        "velocity", s.velocity,
        {.label = "wind velocity",
         .unit = "m/s",
         .min = -200,
         .max = 200,
         .sliderMin = -20,
         .sliderMax = 20,
         .help = "Velocity of the air far from the cloth. It acts through the drag coefficient and the linear drag."});
    list.add(
        "gust", s.gust,
        {.label = "gusts", .min = 0, .max = 1, .help = "How much the wind swells and fades, as a share of its speed."});
    list.add("seed", s.seed,
             {.label = "gust seed",
              .min = 0,
              .max = 1000000,
              .sliderMin = 0,
              .sliderMax = 100,
              .help = "Chooses the sequence of gusts; the same seed gives the same gusts."});
    list.add(
        "drag_coefficient", s.dragCoefficient,
        {.label = "drag coefficient",
         .min = 0,
         .max = 100,
         .sliderMin = 0,
         .sliderMax = 3,
         .help = "c_w of the pressure drag 1/2 rho c_w A |n.v| v against the relative velocity; 0 switches it off. "
                 "It is an explicit force and leaves A alone."});
    list.add("air_density", s.airDensity,
             {.label = "air density",
              .unit = "kg/m^3",
              .min = 0,
              .max = 2000,
              .sliderMin = 0,
              .sliderMax = 10,
              .help = "Scales the pressure drag: 1.2 is air, 1000 is water."});
    list.add("linear_drag", s.linearDrag,
             {.label = "linear drag",
              .unit = "N s/m",
              .min = 0,
              .max = 1000,
              .sliderMin = 0,
              .sliderMax = 0.05,
              .effect = Effect::Matrix,
              .help = "Drag on each particle in proportion to its velocity against the wind; implicit, it adds to the "
                      "diagonal of A."});
}

}  // namespace clothlab::cloth
