#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

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
    list.nest("wind", s.wind);
    list.nest("grab", s.grab);
    list.nest("newton", s.integrator.newton);
    list.nest("fast_mass_spring", s.integrator.fastMassSpring);
}

void describe(ClothPatch& s, FieldList& list) {
    list.add("rows", s.rows,
             {.label = "rows",
              .min = 2,
              .max = 4000,
              .sliderMin = 5,
              .sliderMax = 161,
              .help = "Particles along the row axis."});
    list.add("columns", s.columns,
             {.label = "columns",
              .min = 2,
              .max = 4000,
              .sliderMin = 5,
              .sliderMax = 161,
              .help = "Particles along the column axis."});
    list.add("side", s.side,
             {.label = "side",
              .unit = "m",
              .min = 1e-4,
              .max = 1000,
              .sliderMin = 0.1,
              .sliderMax = 5,
              .logarithmic = true,
              .help = "Length along the columns; the spacing is side / (columns - 1) both ways."});
    list.add("topology", s.topology, {.label = "springs", .help = "Which neighbours are joined by springs."});
    list.add("origin", s.origin,
             {.label = "origin",
              .unit = "m",
              .min = -1e6,
              .max = 1e6,
              .help = "Position of the particle in row 0, column 0; of a mesh, where the origin of its file goes."});
    list.add("column_axis", s.columnAxis,
             {.label = "column axis", .min = -1, .max = 1, .help = "Unit vector in which the column number grows."});
    list.add("row_axis", s.rowAxis,
             {.label = "row axis",
              .min = -1,
              .max = 1,
              .help = "Unit vector in which the row number grows, at a right angle to the column axis."});
    list.add("noise", s.noise,
             {.label = "start noise",
              .unit = "m",
              .min = 0,
              .max = 1,
              .sliderMin = 0,
              .sliderMax = 0.01,
              .help = "Amplitude of a random displacement along the normal at the start: breaks the symmetry that "
                      "keeps a perfect sheet from folding."});
    list.add("noise_seed", s.noiseSeed,
             {.label = "noise seed",
              .min = 0,
              .max = 2147483647,
              .sliderMin = 1,
              .sliderMax = 100,
              .help = "The same seed gives the same noise."});
    list.add("gather", s.gather,
             {.label = "initial width",
              .min = 0.3,
              .max = 1,
              .help = "Width at the start as a share of the side. Below 1 the cloth starts pleated, unstretched, with "
                      "its corners nearer to each other than the side."});
    list.add("pleats", s.pleats,
             {.label = "pleats",
              .min = 1,
              .max = 100,
              .sliderMin = 1,
              .sliderMax = 10,
              .help = "Number of waves along the columns of a cloth with an initial width below 1."});
    list.add("velocity", s.velocity,
             {.label = "start velocity",
              .unit = "m/s",
              .min = -1000,
              .max = 1000,
              .help = "Velocity at the start of every particle that is not pinned."});
    list.add("rotation", s.rotation,
             {.label = "rotation",
              .unit = "degrees",
              .min = -360,
              .max = 360,
              .help = "Rotation vector: turns a mesh about this axis by its length, around the origin of its file."});
    list.add("scale", s.scale,
             {.label = "scale",
              .unit = "m",
              .min = 1e-4,
              .max = 1e4,
              .sliderMin = 0.1,
              .sliderMax = 10,
              .logarithmic = true,
              .help = "Metres per unit of the mesh file."});
}

bool takesKey(const ClothPatch& cloth, std::string_view key) {
    constexpr std::string_view kOfGrids[] = {"rows",        "columns",  "side",   "topology",
                                             "column_axis", "row_axis", "gather", "pleats"};
    constexpr std::string_view kOfMeshes[] = {"rotation", "scale"};
    const auto isOf = [key](std::span<const std::string_view> keys) {
        return std::find(keys.begin(), keys.end(), key) != keys.end();
    };
    return cloth.mesh ? !isOf(kOfGrids) : !isOf(kOfMeshes);
}

long particleCount(const ClothPatch& cloth) {
    return cloth.mesh ? long(cloth.mesh.content->points.size()) : long{cloth.rows} * cloth.columns;
}

std::string MeshSource::name() const { return std::filesystem::path(path).filename().string(); }

bool MeshSource::operator==(const MeshSource& other) const {
    if (path != other.path || !content != !other.content) return false;
    return content == other.content || *content == *other.content;
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
    if (!integrators::usesSolver(s.integrator.kind) || !solvers::usesPreconditioner(s.solver.kind)) return {};
    solvers::Refusal refusal = solvers::catalogue().refusal({s.solver, s.preconditioner});
    return {refusal.key, std::move(refusal.reason)};
}

FieldList lengthFields(Scene& scene) {
    FieldList list;
    list.add("steps", scene.steps,
             {.label = "steps", .min = 1, .max = 100'000'000, .help = "Number of steps that `run` takes by default."});
    list.add("overlay", scene.overlay, {.label = "overlay", .help = "Overlay that the window shows at first."});
    return list;
}

void settleMass(cloth::MaterialSettings& material, std::string_view key) {
    if (key == "density") material.particleMass = 0;
    if (key == "particle_mass") material.density = 0;
}

double densityOf(const cloth::MaterialSettings& material, double area) {
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
    write(fieldsOf(scene.settings));
    write(fieldsOf(cloth, "cloth"));
    write(fieldsOf(scene.camera, "camera"));
    return out;
}

}  // namespace clothlab::scene
