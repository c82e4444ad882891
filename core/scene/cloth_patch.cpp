#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "geometry/fillings/lattice_filling.hpp"
#include "scene/length_units.hpp"
#include "scene/placement.hpp"
#include "scene/scene_fields.hpp"

namespace clothlab::scene {
namespace {

constexpr std::array kLayouts{
    EnumEntry{int(Layout::Flat), "flat", "flat", "A plane, or pleats when it is gathered."},
    EnumEntry{int(Layout::Knot), "knot", "knot",
              "A ribbon laid in a loose overhand knot along the column axis, its width along the row axis."},
};

constexpr std::array kSewnAs{
    EnumEntry{int(SewnAs::Springs), "springs", "springs", "Threads stay springs without length."},
    EnumEntry{int(SewnAs::Weld), "weld", "weld",
              "Both ends are in one place, with one velocity, at the end of each step."},
};

constexpr unsigned kGrid = 1, kMesh = 2, kSolid = 4, kAll = 7;

unsigned classify(const ClothPatch& cloth) { return cloth.mesh ? kMesh : cloth.solid ? kSolid : kGrid; }

/// Which kinds of cloth have a use for a key.
unsigned kindsForKey(std::string_view key) {
    struct Row {
        std::string_view key;
        unsigned kinds;
    };
    constexpr Row kRows[] = {
        {"rows", kGrid},
        {"columns", kGrid},
        {"side", kGrid},
        {"grading", kGrid},
        {"topology", kGrid},
        {"column_axis", kGrid},
        {"row_axis", kGrid},
        {"gather", kGrid},
        {"pleats", kGrid},
        {"layout", kGrid},
        {"noise", kGrid | kMesh},
        {"noise_seed", kGrid | kMesh},
        {"rotation", kMesh | kSolid},
        {"scale", kMesh | kSolid},
        {"weld", kMesh},
        {"sew", kMesh},
        {"sew_time", kMesh},
        {"sew_stiffness", kMesh},
        {"sew_then", kMesh},
        {"solid", kGrid | kSolid},
        {"spacing", kSolid},
        {"surface_spacing", kSolid},
    };
    const auto row = std::ranges::find(kRows, key, &Row::key);
    return row == std::end(kRows) ? kAll : row->kinds;
}

}  // namespace

std::span<const EnumEntry> enumTable(Layout) { return kLayouts; }
std::span<const EnumEntry> enumTable(SewnAs) { return kSewnAs; }

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
    list.add("grading", s.grading,
             {.label = "grading",
              .min = 0.01,
              .max = 100,
              .logarithmic = true,
              .help = "Last spacing over the first along the columns, in equal ratios from one to the next; the mean "
                      "stays side / (columns - 1). Other than 1, particles weigh density times their area: short "
                      "springs between light particles are stiff, and adaptive IMEX makes only them implicit."});
    list.add("topology", s.topology, {.label = "springs", .help = "Which neighbours are joined by springs."});
    list.add("origin", s.origin,
             {.label = "origin",
              .unit = "m",
              .min = -1e6,
              .max = 1e6,
              .help = "Position of the particle in row 0, column 0; of a mesh, where the origin of its file goes; of a "
                      "solid, the point on the ground below its middle."});
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
    list.add("layout", s.layout,
             {.label = "start shape", .help = "How the cloth lies at the start; its rest shape is flat."});
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
              .help = "Rotation vector: turns a mesh or a solid about this axis by its length, around its origin."});
    list.add("scale", s.scale,
             {.label = "scale",
              .unit = "m",
              .min = 1e-4,
              .max = 1e4,
              .sliderMin = 0.1,
              .sliderMax = 10,
              .logarithmic = true,
              .help = "Metres per unit of the mesh file, or the name of its unit; of "
                      "a solid, its size over that of the body.",
              .words = lengthUnits()});
    list.add("weld", s.weld.distance,
             {.label = "weld",
              .unit = "m",
              .min = 0,
              .max = 1,
              .sliderMin = 0,
              .sliderMax = 0.01,
              .help = "Points of a mesh closer to each other than this become one particle: this sews panels along "
                      "their seams. It has to be less than the shortest edge; 0: off."});
    list.add("sew", s.sewing.on,
             {.label = "sew", .help = "Lines (l) of an OBJ file are threads that pull their ends together."});
    list.add("sew_time", s.sewing.time,
             {.label = "sewing time",
              .unit = "s",
              .min = 1e-3,
              .max = 1000,
              .sliderMin = 0.1,
              .sliderMax = 10,
              .logarithmic = true,
              .help = "The time in which the rest length of a thread shrinks from its length at the start to 0."});
    list.add("sew_stiffness", s.sewing.stiffness,
             {.label = "stiffness of threads",
              .min = 1e-3,
              .max = 1e3,
              .logarithmic = true,
              .help = "In multiples of the stretch stiffness of the softer side."});
    list.add("sew_then", s.sewing.then,
             {.label = "sewn seams", .help = "What closed threads become after the sewing time."});
    list.add("solid", s.solid.body, {.label = "solid", .help = "Body that is filled with particles and springs."});
    list.add("spacing", s.solid.spacing,
             {.label = "spacing",
              .unit = "m",
              .min = 0.003,
              .max = 0.5,
              .sliderMin = 0.01,
              .sliderMax = 0.07,
              .logarithmic = true,
              .help = "Edge of the cubes inside a solid, each with a particle "
                      "at its corners and its centre, at scale 1."});
    list.add(
        "surface_spacing", s.solid.surfaceSpacing,
        {.label = "surface spacing",
         .unit = "m",
         .min = 0,
         .max = 0.5,
         .sliderMin = 0,
         .sliderMax = 0.07,
         .help = "Longest edge of the surface of a solid, at scale 1: a fine skin over a coarser inside. 0: as the "
                 "cubes have it."});
}

bool takesKey(const ClothPatch& cloth, std::string_view key) { return (kindsForKey(key) & classify(cloth)) != 0; }

std::string displayName(const ClothPatch& cloth) {
    if (cloth.mesh) return (cloth.mesh.garmentSpacing > 0 ? "a " : "the mesh ") + shownPath(cloth.mesh.name());
    return cloth.solid ? "the solid " + std::string(cloth.solid.name()) : "a grid";
}

std::string refusalOfKey(const ClothPatch& cloth, std::string_view key) {
    std::string takers;
    for (const auto& [kind, words] : {std::pair{kGrid, "a grid"}, {kMesh, "a mesh"}, {kSolid, "a solid"}})
        if (kindsForKey(key) & kind) takers += (takers.empty() ? "" : " or ") + std::string(words);
    return "the cloth is " + displayName(cloth) + ", and only " + takers + " has this";
}

namespace {

Expected<void> makeWeld(ClothPatch& cloth) {
    Weld& weld = cloth.weld;
    if (isWelded(cloth)) return {};
    auto welded = geometry::weldPoints(*cloth.mesh.content, weld.distance, cloth.scale, cloth.mesh.content->numberOf);
    if (!welded) return fail("cloth.weld: " + shownPath(cloth.mesh.name()) + ": " + welded.error().message);
    weld.content = std::make_shared<const Weld::Content>(
        Weld::Content{cloth.mesh.content, weld.distance, cloth.scale, std::move(*welded)});
    return {};
}

}  // namespace

bool isWelded(const ClothPatch& cloth) {
    const auto& made = cloth.weld.content;
    return made && made->of == cloth.mesh.content && made->distance == cloth.weld.distance &&
           made->scale == cloth.scale;
}

Expected<void> makeCloth(ClothPatch& cloth) {
    SolidSource& solid = cloth.solid;
    if (cloth.mesh && cloth.weld.distance > 0) return makeWeld(cloth);
    if (!solid || cloth.mesh || solid.isMade()) return {};
    if (ClothFault fault = findSolidFault(cloth); !fault.key.empty()) return fail(std::move(fault.message));
    auto mesh = geometry::fillBody(
        geometry::makeBody(solid.body),
        {.spacing = solid.spacing, .surfaceSpacing = solid.surfaceSpacing, .mostPoints = Index(kMaxParticles)});
    if (!mesh) return fail("cloth.spacing: the " + std::string(solid.name()) + ": " + mesh.error().message);
    solid.content = std::make_shared<const SolidSource::Content>(
        SolidSource::Content{solid.body, solid.spacing, solid.surfaceSpacing, std::move(*mesh)});
    return {};
}

long particleCount(const ClothPatch& cloth) {
    if (!cloth.mesh && !cloth.solid) return long{cloth.rows} * cloth.columns;
    ClothPatch made = cloth;
    return makeCloth(made) ? long(patchPoints(made).size()) : 0;
}

long numberCount(const ClothPatch& cloth) {
    return cloth.mesh ? long(cloth.mesh.content->filePoints) : particleCount(cloth);
}

std::string MeshSource::name() const { return std::filesystem::path(path).filename().string(); }

bool MeshSource::operator==(const MeshSource& other) const {
    if (path != other.path || garmentSpacing != other.garmentSpacing || strict != other.strict ||
        !content != !other.content)
        return false;
    return content == other.content || *content == *other.content;
}

}  // namespace clothlab::scene
