#include "integrators/settings.hpp"

#include "integrators/traits.hpp"

namespace clothlab::integrators {
namespace {

constexpr std::array kSplitTerms{
    EnumEntry{int(SplitTerms::Implicit), "implicit", "implicit", "Stiffness and damping enter the matrix."},
    EnumEntry{int(SplitTerms::Explicit), "explicit", "explicit",
              "Neither stiffness nor damping enters the matrix, only the force enters the right-hand side."},
    EnumEntry{int(SplitTerms::ElasticImplicit), "elastic", "elastic implicit",
              "Stiffness enters the matrix, damping does not."},
    EnumEntry{int(SplitTerms::DampingImplicit), "damping", "damping implicit",
              "Damping enters the matrix, stiffness does not (Bridson and others): pays where damping is stiffer."},
};

constexpr std::array kAimexRules{
    EnumEntry{int(AimexRule::Safe), "safe", "safe",
              "Boxerman's test, and a bound on the sum over each particle's explicit springs: stable by proof. Stiff "
              "bend is implicit."},
    EnumEntry{int(AimexRule::Paper), "paper", "as in the paper",
              "Boxerman's test spring by spring, bend always explicit: diverges where bend is stiff."},
};

constexpr std::array kDtSchedules{
    EnumEntry{int(DtSchedule::Fixed), "fixed", "fixed", "Every step has the length dt."},
    EnumEntry{int(DtSchedule::Alternate), "alternate", "alternating",
              "dt_min and dt in turn, so springs change between explicit and implicit at every step."},
    EnumEntry{int(DtSchedule::Sine), "sine", "smooth",
              "From dt_min to dt and back in 100 steps, smoothly in the logarithm."},
    EnumEntry{int(DtSchedule::Adaptive), "adaptive", "adaptive",
              "A step that stretches a spring by more than 10 %, or whose solve fails, is repeated at half the length, "
              "down to dt_min; after ten good steps the length grows by a fifth, up to dt."},
};

constexpr std::array kGrabModes{
    EnumEntry{int(GrabMode::Constraint), "constraint", "constraint",
              "The grabbed particle follows the pointer exactly: its velocity is prescribed (ndof 0)."},
    EnumEntry{int(GrabMode::Spring), "spring", "spring", "A damped implicit spring pulls the particle to the pointer."},
};

}  // namespace

std::span<const EnumEntry> enumTable(SplitTerms) { return kSplitTerms; }
std::span<const EnumEntry> enumTable(AimexRule) { return kAimexRules; }
std::span<const EnumEntry> enumTable(DtSchedule) { return kDtSchedules; }
std::span<const EnumEntry> enumTable(GrabMode) { return kGrabModes; }

void describe(IntegratorSettings& s, FieldList& list) {
    list.add("kind", s.kind,
             {.label = "integrator", .help = "Method that advances velocity and position by one step."});
    list.add(
        "dt", s.dt,
        {.label = "time step",
         .unit = "s",
         .min = 1e-6,
         .max = 0.2,
         .sliderMin = 1e-4,
         .sliderMax = 0.05,
         .logarithmic = true,
         .display = kMilliseconds,
         .help = "Simulated time per step. Implicit: a longer step makes the matrix stiffer (h^2 K), so CG needs more "
                 "iterations, and damps the motion. Explicit: a longer step takes more substeps, or diverges."});
    list.add("dt_schedule", s.dtSchedule,
             {.label = "schedule", .help = "How the step length changes. Methods of two steps need a fixed length."});
    list.add("dt_min", s.dtMin,
             {.label = "shortest step",
              .unit = "s",
              .min = 1e-6,
              .max = 0.2,
              .sliderMin = 1e-5,
              .sliderMax = 0.02,
              .logarithmic = true,
              .display = kMilliseconds,
              .help = "Smallest step of a variable schedule."});
    const auto addSplit = [&list](const char* key, SplitTerms& terms, const char* family) {
        list.add(key, terms, {.label = family, .help = "IMEX: which terms of this family of springs are implicit."});
    };
    addSplit("split_stretch", s.splitStretch, "stretch");
    addSplit("split_shear", s.splitShear, "shear");
    addSplit("split_bend", s.splitBend, "bend");
    list.add("aimex_threshold", s.aimexThreshold,
             {.label = "threshold",
              .min = 0,
              .max = 1,
              .help = "Adaptive IMEX: a spring is explicit where (h/m)(h k + 2 d) is below this threshold. Above 0.5 "
                      "even a flat sheet of stretch springs can diverge."});
    list.add("aimex_rule", s.aimexRule,
             {.label = "rule", .help = "Adaptive IMEX: how the explicit springs are chosen."});
    list.add("active_set", s.activeSet,
             {.label = "repeats",
              .min = 0,
              .max = 100,
              .sliderMin = 0,
              .sliderMax = 10,
              .help = "Most repeats of a linear implicit step whose result finds springs taut that were slack, or the "
                      "other way round: the step is linearized there and solved again. 0: never. Keeps fine and stiff "
                      "sheets from being thrown."});
    list.add("substeps", s.substeps,
             {.label = "substeps",
              .min = 0,
              .max = 256,
              .help = "Explicit integrators only. 'auto' divides the step until the method's own stability limit holds "
                      "(forward Euler has none: 1 substep). With 1 the method can diverge.",
              .autoWord = "auto"});
}

std::string scheduleRefusal(IntegratorKind kind, DtSchedule schedule) {
    if (traitsFor(kind).steps() == 1 || schedule == DtSchedule::Fixed) return {};
    return std::string(enumLabel(kind)) + " looks back over two steps of the same length: its schedule is fixed.";
}

void describe(AfterSolveSettings& s, FieldList& list) {
    list.add("strain_limit", s.strainLimit,
             {.label = "strain limit",
              .min = 0,
              .max = 10,
              .sliderMin = 0,
              .sliderMax = 0.5,
              .help = "After the solve, stretch and shear springs that are longer than 1 + limit times their rest "
                      "length are shortened to that, one after the other (Provot). 0: off. Not part of the solve: soft "
                      "springs then stretch no further, but the motion no longer follows an energy."});
    list.add("strain_passes", s.strainPasses,
             {.label = "passes",
              .min = 1,
              .max = 10000,
              .sliderMin = 1,
              .sliderMax = 100,
              .help = "Most passes over all springs. Shortening one lengthens its neighbours: a step ends with "
                      "springs beyond the limit if there are too few passes."});
    list.add("rigid_drag", s.rigidDrag,
             {.label = "drag that spares rigid motion",
              .unit = "1/s",
              .min = 0,
              .max = 1e4,
              .sliderMin = 0,
              .sliderMax = 20,
              .help = "After the solve, the non-rigid motion of a piece of cloth decays at this rate (Mueller and "
                      "others). A piece that flies or spins is not slowed; wrinkles and waves are."});
    list.add(
        "energy_budget", s.energyBudget,
        {.label = "energy budget",
         .min = 0,
         .max = 1,
         .help =
             "After the solve, velocities regain this fraction of the energy that the method lost, or lose that "
             "which it gained (Su and others). Losses by damping and air remain. With 1 a swing never stops. Off in "
             "steps in which something touches, a pin moves, the pointer holds the cloth, or the strain limit "
             "shortens a spring."});
}

void describe(GrabSettings& s, FieldList& list) {
    list.add("mode", s.mode, {.label = "drag by", .help = "How the pointer moves the grabbed particle."});
    list.add("max_speed", s.maxSpeed,
             {.label = "drag speed limit",
              .unit = "m/s",
              .min = 0.01,
              .max = 100,
              .sliderMin = 0.5,
              .sliderMax = 20,
              .help = "Largest speed of the grabbed particle, so that a jump of the pointer does not overstretch the "
                      "springs around it."});
    list.add(
        "solid_max_speed", s.solidMaxSpeed,
        {.label = "speed limit of solids",
         .unit = "m/s",
         .min = 0.01,
         .max = 10,
         .sliderMin = 0.1,
         .sliderMax = 5,
         .help = "Largest speed of a dragged solid. A small one that moves further in a step than it is thick goes "
                 "through the cloth."});
    list.add("max_stretch", s.maxStretch,
             {.label = "pull limit",
              .unit = "x length",
              .min = 1,
              .max = 10,
              .help = "The pointer lengthens the springs of the grabbed particle to this many times their rest length "
                      "and no further: cloth held elsewhere holds it back, and the step does not fail."});
    list.add("stiffness", s.stiffness,
             {.label = "drag stiffness",
              .unit = "N/m",
              .min = 0,
              .max = 1e6,
              .sliderMin = 1,
              .sliderMax = 1e4,
              .logarithmic = true,
              .help = "Stiffness of the spring between particle and pointer (drag by spring)."});
    list.add("damping", s.damping,
             {.label = "drag damping",
              .unit = "N s/m",
              .min = 0,
              .max = 1e4,
              .sliderMin = 0,
              .sliderMax = 20,
              .help = "Damping of the spring between particle and pointer (drag by spring)."});
}

}  // namespace clothlab::integrators
