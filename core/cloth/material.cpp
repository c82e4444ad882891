#include "cloth/material.hpp"

namespace clothlab::cloth {
namespace {

constexpr std::array kBendModels{
    EnumEntry{int(BendModel::ChoiKoPolynomial), "choi-ko-polynomial", "Choi-Ko, polynomial",
              "Immediate buckling, Boxerman's quartic fit (3.9), with the linear branch near the rest length."},
    EnumEntry{int(BendModel::ChoiKoExact), "choi-ko-exact", "Choi-Ko, exact",
              "Immediate buckling into a circular arc, evaluated exactly, with the linear branch."},
    EnumEntry{int(BendModel::LinearCompression), "linear-compression", "linear, compression only",
              "As read by Ye and others: k (l - L) while compressed, zero beyond the rest length."},
    EnumEntry{int(BendModel::LinearTension), "linear-tension", "linear, tension only",
              "For comparison: slack as soon as the cloth bends, so it resists no bending."},
    EnumEntry{int(BendModel::Linear), "linear", "linear, both ways", "Hooke's law, as used by Liu and others."},
};

constexpr std::array kMembraneModels{
    EnumEntry{int(MembraneModel::Springs), "springs", "stretch and shear springs",
              "Each edge resists by itself, as in all five papers."},
    EnumEntry{int(MembraneModel::Triangles), "triangles", "triangles of a thin shell",
              "Each triangle resists as a whole, by its two principal stretches, with the stretch stiffness."},
};

constexpr std::array kCompressionModels{
    EnumEntry{int(CompressionModel::Clamped), "clamped", "clamped",
              "Without the part across a compressed spring: A is positive definite."},
    EnumEntry{int(CompressionModel::Full), "full", "the full derivative",
              "A loses its definiteness where cloth is compressed, and conjugate gradients stop there."},
};

constexpr std::array kDampingModels{
    EnumEntry{int(DampingModel::Projected), "projected", "projected on the spring",
              "Damps only the rate of stretching: preserves rigid motion and angular momentum."},
    EnumEntry{int(DampingModel::Unprojected), "unprojected", "relative velocity",
              "Damps the whole relative velocity: also damps rotation and bending."},
    EnumEntry{int(DampingModel::Absolute), "absolute", "absolute velocity",
              "Damps each particle's velocity, like air."},
};

constexpr std::array kDampGates{
    EnumEntry{int(DampGate::Always), "always", "always"},
    EnumEntry{int(DampGate::SpringActive), "spring_active", "while the spring acts"},
    EnumEntry{int(DampGate::Elongating), "elongating", "while elongating",
              "Boxerman's rule: only while the spring lengthens."},
};

}  // namespace

std::span<const EnumEntry> enumTable(BendModel) { return kBendModels; }
std::span<const EnumEntry> enumTable(MembraneModel) { return kMembraneModels; }
std::span<const EnumEntry> enumTable(CompressionModel) { return kCompressionModels; }
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
              .help = "Resists stretching along the threads. The condition number of A grows with h^2 k / m, and so do "
                      "the iterations of conjugate gradients."});
    list.add("shear_stiffness", s.shearStiffness,
             {.label = "shear stiffness",
              .unit = "N/m",
              .min = 0,
              .max = 1e8,
              .sliderMin = 0.1,
              .sliderMax = 1e5,
              .logarithmic = true,
              .help = "Resists skewing of the weave. With small values the cloth drapes softly; values near the "
                      "stretch stiffness make the matrix core ineffective, since it leaves these springs out."});
    list.add(
        "bend_stiffness", s.bendStiffness,
        {.label = "bend stiffness",
         .unit = "N/m",
         .min = 0,
         .max = 1e6,
         .sliderMin = 1e-5,
         .sliderMax = 10,
         .logarithmic = true,
         .help = "kappa_b of the bend springs: larger values give fewer and wider folds. For Choi-Ko bend this is the "
                 "tangent stiffness, k_b = kappa_b L^3 / 4 in N m^2; for linear bend it is the spring constant."});
    list.add(
        "membrane", s.membrane,
        {.label = "membrane",
         .help = "Resistance to stretch and shear: by springs, or by triangles as a thin shell, k A/2 ((s1 - 1)^2 + "
                 "(s2 - 1)^2) with k the stretch stiffness and s the principal stretches; the shear stiffness then "
                 "has no effect. Not for pbd and xpbd; solids keep their springs."});
    list.add("tension_only", s.tensionOnly,
             {.label = "tension only",
              .help = "Stretch and shear springs act only when they are not shorter than at rest; compression turns "
                      "into folds. About two fifths of the blocks of A are then empty, others in every step."});
    list.add("compression", s.compression,
             {.label = "compression in A",
              .help = "The terms in A of linear implicit methods for a spring that is shorter than at rest. Its force "
                      "pushes its ends sideways, too, so that the full derivative is negative across it; the force is "
                      "the same either way. With tension only, only bend springs are ever compressed."});
    list.add("bend_model", s.bendModel,
             {.label = "bend model",
              .help = "Force law of the bend springs; their force in compression decides how the cloth folds."});
    list.add("bend_linear_branch", s.bendLinearBranch,
             {.label = "linear branch",
              .min = 0,
              .max = 1e6,
              .sliderMin = 8,
              .sliderMax = 1000,
              .logarithmic = true,
              .help = "gamma = c_b / kappa_b: slope of the Choi-Ko force next to the rest length. Below 7.9 the whole "
                      "law is linear; keep it at 20 or more. Explicit bend needs h^2 c_b / m <= 1/4."});
}

void describeDamping(MaterialSettings& s, FieldList& list) {
    list.add(
        "stretch_damping", s.stretchDamping,
        {.label = "stretch damping",
         .unit = "N s/m",
         .min = 0,
         .max = 1e5,
         .sliderMin = 0,
         .sliderMax = 10,
         .help = "Damper parallel to each stretch spring; with absolute damping, the drag on each particle. Adds h k_d "
                 "to the blocks of A."});
    list.add("shear_damping", s.shearDamping,
             {.label = "shear damping",
              .unit = "N s/m",
              .min = 0,
              .max = 1e5,
              .sliderMin = 0,
              .sliderMax = 10,
              .help = "Damper parallel to each shear spring; calms skewing oscillations."});
    list.add("bend_damping", s.bendDamping,
             {.label = "bend damping",
              .unit = "N s/m",
              .min = 0,
              .max = 1e5,
              .sliderMin = 0,
              .sliderMax = 10,
              .help = "Damper parallel to each bend spring; calms flutter and stiffens folding."});
    list.add("damping_model", s.dampingModel,
             {.label = "damping model",
              .help = "Velocity that the dampers act on: along the spring, the whole relative velocity, or the "
                      "velocity of each particle. Only the first preserves rigid motion."});
    list.add(
        "damp_gate", s.dampGate,
        {.label = "dampers act",
         .help = "When the dampers act. With tension-only springs, \"while the spring acts\" leaves folds undamped."});
    list.add("jac_slack", s.jacSlack,
             {.label = "keep slack Jacobians",
              .help = "Keeps k n n^T in K for slack stretch and shear springs: steadier at large steps, but it resists "
                      "compression and occupies all blocks of A."});
}

}  // namespace

void describe(MaterialSettings& s, FieldList& list) {
    describeStiffness(s, list);
    describeDamping(s, list);
    list.add("tear_strain", s.tearStrain,
             {.label = "tears at",
              .min = 0,
              .max = 1000,
              .sliderMin = 0,
              .sliderMax = 2,
              .help = "A spring breaks at the end of a step in which (l - L)/L passes this, until a restart; 0: none "
                      "breaks. A triangle with a broken edge is not drawn."});
    list.add("density", s.density,
             {.label = "density",
              .unit = "kg/m^2",
              .min = 0,
              .max = 1e5,
              .sliderMin = 0.01,
              .sliderMax = 10,
              .logarithmic = true,
              .help = "Mass per square metre; a particle of a grid weighs density times spacing squared, one of a mesh "
                      "density times a third of the area of its triangles. Set this or the particle mass. Heavier "
                      "particles make A better conditioned."});
    list.add("volume_density", s.volumeDensity,
             {.label = "volume density",
              .unit = "kg/m^3",
              .min = 1e-3,
              .max = 1e6,
              .sliderMin = 10,
              .sliderMax = 2000,
              .logarithmic = true,
              .help = "Mass per cubic metre of a solid: a particle weighs it times a quarter of the volume of its "
                      "tetrahedra. Grids and meshes have a density per square metre instead."});
    list.add("particle_mass", s.particleMass,
             {.label = "particle mass",
              .unit = "kg",
              .min = 0,
              .max = 1e4,
              .sliderMin = 1e-6,
              .sliderMax = 1,
              .logarithmic = true,
              .help = "Mass of every particle, whatever the grid, as used by Ye and others. Set this or the density."});
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
    list.add("gust", s.gust,
             {.label = "gusts", .min = 0, .max = 1, .help = "Amplitude of the gusts, as a share of the wind speed."});
    list.add("seed", s.seed,
             {.label = "gust seed",
              .min = 0,
              .max = 1000000,
              .sliderMin = 0,
              .sliderMax = 100,
              .help = "Chooses the sequence of gusts; the same seed gives the same gusts."});
    list.add("drag_coefficient", s.dragCoefficient,
             {.label = "drag coefficient",
              .min = 0,
              .max = 100,
              .sliderMin = 0,
              .sliderMax = 3,
              .help = "c_w of the pressure drag 1/2 rho c_w A |n.v| v against the relative velocity; 0 switches it "
                      "off. An explicit force, which does not change A."});
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
              .help = "Drag on each particle in proportion to its velocity relative to the wind; implicit: it adds to "
                      "the diagonal of A."});
}

}  // namespace clothlab::cloth
