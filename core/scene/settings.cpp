#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "integrators/traits.hpp"
#include "scene/scene_fields.hpp"
#include "solvers/catalogue.hpp"

namespace clothlab::scene {

void describe(Settings& s, FieldList& list) {
    list.add("gravity", s.gravity,
             {.label = "gravity",
              .unit = "m/s^2",
              .min = -1000,
              .max = 1000,
              .sliderMin = -20,
              .sliderMax = 20,
              .help = "Acceleration of gravity; y is up."});
    list.add("threads", s.threads,
             {.label = "threads",
              .min = 0,
              .max = 256,
              .sliderMin = 0,
              .sliderMax = 16,
              .help = "Threads that compute a step. They change the time, not a bit of the result. 'auto': all cores "
                      "without a window, one fewer with a window.",
              .autoWord = "auto"});
    list.nest("integrator", s.integrator);
    list.nest("solver", s.solver);
    list.nest("preconditioner", s.preconditioner);
    list.nest("material", s.material);
    list.nest("contact", s.contact);
    list.nest("after_solve", s.afterSolve);
    list.nest("wind", s.wind);
    list.nest("grab", s.grab);
    list.nest("newton", s.integrator.newton);
    list.nest("fast_mass_spring", s.integrator.fastMassSpring);
    list.nest("vbd", s.integrator.vbd);
    list.nest("pbd", s.integrator.pbd);
    list.nest("xpbd", s.integrator.xpbd);
}

void describe(CameraHint& s, FieldList& list) {
    list.add("target", s.target,
             {.label = "target", .unit = "m", .min = -1e6, .max = 1e6, .help = "Point that the camera looks at."});
    list.add("distance", s.distance,
             {.label = "distance",
              .unit = "m",
              .min = 1e-3,
              .max = 1e4,
              .sliderMin = 0.1,
              .sliderMax = 20,
              .logarithmic = true,
              .help = "Distance from the target to the camera."});
    list.add("azimuth", s.azimuth,
             {.label = "azimuth",
              .unit = "degrees",
              .min = -360,
              .max = 360,
              .help = "Turns the camera about the vertical; 0 looks from +z."});
    list.add("elevation", s.elevation,
             {.label = "elevation",
              .unit = "degrees",
              .min = -90,
              .max = 90,
              .help = "Angle of the camera above the horizontal."});
}

SettingsFault findFault(const Settings& s) {
    if (std::string reason = integrators::scheduleRefusal(s.integrator.kind, s.integrator.dtSchedule); !reason.empty())
        return {"integrator.dt_schedule", std::move(reason)};
    if (s.material.membrane == cloth::MembraneModel::Triangles)
        if (std::string reason = integrators::whyNoMembrane(s.integrator.kind); !reason.empty())
            return {"material.membrane", std::move(reason)};
    if (s.afterSolve.energyBudget > 0)
        if (std::string reason = integrators::whyNoBudget(s.integrator.kind); !reason.empty())
            return {"after_solve.energy_budget", std::move(reason)};
    if (!integrators::usesSolver(s.integrator.kind) || !solvers::usesPreconditioner(s.solver.kind)) return {};
    solvers::Refusal refusal = solvers::findRefusal({s.solver, s.preconditioner});
    return {refusal.key, std::move(refusal.reason)};
}

FieldList lengthFields(Scene& scene) {
    FieldList list;
    list.add("steps", scene.steps,
             {.label = "steps", .min = 1, .max = 100'000'000, .help = "Number of steps that `run` takes by default."});
    list.add("overlay", scene.overlay, {.label = "overlay", .help = "Overlay that the window shows at first."});
    list.add("fabric", scene.fabric, {.label = "fabric", .help = "The look of the cloth; no effect on the physics."});
    return list;
}

void settleMass(cloth::MaterialSettings& material, std::string_view key) {
    const cloth::MaterialSettings usual;
    if (key == "density" || key == "volume_density") material.particleMass = 0;
    if (key == "volume_density" && material.density == 0) material.density = usual.density;
    if (key == "particle_mass") {
        material.density = 0;
        material.volumeDensity = usual.volumeDensity;
    }
}

double impliedDensity(const cloth::MaterialSettings& material, double area) {
    return material.particleMass > 0 ? material.particleMass / area : material.density;
}

std::string settingsHelp() {
    Scene scene;
    ClothPatch cloth;
    std::string out;
    const auto write = [&out](const FieldList& list) {
        for (const Field& field : list.fields()) {
            const bool isAuto = !field.meta.autoWord.empty() && valueText(field.ref) == "0";
            const std::string value = isAuto ? std::string(field.meta.autoWord) : valueText(field.ref);
            out += fmt::format("{}  {}  default {}  {}  {}\n", field.key, field.meta.label, value, validText(field),
                               field.meta.help);
        }
    };
    write(lengthFields(scene));
    write(listFields(scene.settings));
    write(listFields(cloth, "cloth"));
    write(listFields(scene.camera, "camera"));
    return out;
}

}  // namespace clothlab::scene
