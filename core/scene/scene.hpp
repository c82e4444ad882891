#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/errors.hpp"
#include "cloth/forces.hpp"
#include "contact/collider.hpp"
#include "contact/settings.hpp"
#include "geometry/files/mesh_file.hpp"
#include "geometry/fillings/body.hpp"
#include "geometry/fillings/tetrahedral_mesh.hpp"
#include "geometry/fillings/weld.hpp"
#include "geometry/triangle_mesh.hpp"
#include "integrators/settings.hpp"
#include "integrators/state/pin.hpp"
#include "preconditioners/settings.hpp"
#include "scene/fabric.hpp"
#include "scene/overlay.hpp"
#include "scene/paper_values.hpp"
#include "solvers/settings.hpp"

namespace clothlab::scene {

/// All settings that change live, between two steps, without a reset. The window posts them as a whole.
struct Settings {
    integrators::IntegratorSettings integrator;
    solvers::SolverSettings solver;
    preconditioners::PreconditionerSettings preconditioner;
    cloth::MaterialSettings material;  ///< of every cloth without its own material
    contact::ContactSettings contact;
    cloth::WindSettings wind;
    integrators::GrabSettings grab;
    integrators::AfterSolveSettings afterSolve;
    Vec3 gravity{0, -9.81, 0};  ///< m/s^2
    int threads = 0;            ///< 0 = auto: all in `run`, one fewer than the cores in the window

    bool operator==(const Settings&) const = default;
};

/// The description table of everything above: keys "integrator.dt", "material.density", "gravity", "threads", ...
void describe(Settings& s, FieldList& list);

/// A combination of valid settings that is refused: the reason, and the key to change. Empty message: no fault.
struct SettingsFault {
    std::string_view key;
    std::string message;
};
SettingsFault findFault(const Settings& settings);

/// An OBJ or PLY file of a scene, and its contents when the scene was read: rebuilding the world reads no file. Or a
/// garment that the program makes.
struct MeshSource {
    std::string path;                                   ///< absolute; for a garment its name
    double garmentSpacing = 0;                          ///< m, for a garment; 0: a file
    bool strict = false;                                ///< nothing of the file was skipped or repaired
    std::shared_ptr<const geometry::FileMesh> content;  ///< null: no mesh

    explicit operator bool() const { return content != nullptr; }
    std::string name() const;  ///< "disc.obj"
    bool operator==(const MeshSource& other) const;
};

/// A body that the program fills with tetrahedra, and the filling once it is made, which rebuilding the world reuses.
struct SolidSource {
    struct Content {
        geometry::BodyKind body;
        double spacing, surfaceSpacing;  ///< with which it was made
        geometry::TetrahedralMesh mesh;
    };

    geometry::BodyKind body = geometry::BodyKind::None;
    double spacing = 0.05;                   ///< m at scale 1, edge of the lattice's cubes inside
    double surfaceSpacing = 0;               ///< m at scale 1, longest edge of the surface; 0: that of the lattice
    std::shared_ptr<const Content> content;  ///< null, or made from these values or earlier ones

    explicit operator bool() const { return body != geometry::BodyKind::None; }
    std::string_view name() const { return enumKey(body); }
    bool isMade() const {
        return content && content->body == body && content->spacing == spacing &&
               content->surfaceSpacing == surfaceSpacing;
    }
    bool operator==(const SolidSource& other) const {
        return body == other.body && spacing == other.spacing && surfaceSpacing == other.surfaceSpacing;
    }
};

/// Merges close points of a mesh; with the welded mesh once it is made.
struct Weld {
    struct Content {
        std::shared_ptr<const geometry::FileMesh> of;  ///< its source mesh, and the values used:
        double distance, scale;
        geometry::WeldedMesh welded;
    };

    double distance = 0;                     ///< m, after scaling; 0: every point of the file is a particle
    std::shared_ptr<const Content> content;  ///< null, or made from these values or earlier ones

    bool operator==(const Weld& other) const { return distance == other.distance; }
};

/// The result of a thread once it is closed.
enum class SewnAs : int { Springs, Weld };
std::span<const EnumEntry> enumTable(SewnAs);

/// How the lines (`l`) of a mesh's file sew its points together (cloth/sewing.hpp).
struct SewingSettings {
    bool on = false;
    double time = 1;       ///< s
    double stiffness = 1;  ///< times that of the stretch springs at its ends
    SewnAs then = SewnAs::Springs;

    bool operator==(const SewingSettings&) const = default;
};

/// The shape of a grid at the start.
enum class Layout : int { Flat, Knot };
std::span<const EnumEntry> enumTable(Layout);

/// A cloth: a grid, a mesh when `mesh` is given, or a solid when `solid` names a body.
///
///                   |<-------- side ------->|
///     origin (0, 0) o-------o-------o-------o --> columnAxis       rows x columns particles (row, column); the
///                   |       |       |       |                      spacing is side / (columns - 1) in both directions,
///            (1, 0) o-------o-------o-------o                      the mean along columnAxis
///                   |
///                   v rowAxis
///
/// A mesh is scaled, turned about its own origin, and moved by `origin`; so is a solid. Members of one kind have no
/// effect on another: see takesKey.
struct ClothPatch {
    int rows = 41, columns = 41;
    double side = 1.0;     ///< m, length along the columns
    double grading = 1.0;  ///< last spacing along the columns over the first, in equal ratios from one to the next
    cloth::Topology topology = cloth::Topology::Provot12;
    Vec3 origin = Vec3::Zero();  ///< m, position of particle (0, 0)
    Vec3 columnAxis{1, 0, 0};    ///< unit, direction of increasing column
    Vec3 rowAxis{0, -1, 0};      ///< unit, direction of increasing row
    double noise = 0;            ///< m, amplitude of a random displacement normal to the cloth at the start
    int noiseSeed = 1;
    double gather = 1;  ///< width at the start over `side`: less than 1 starts the cloth in pleats
    int pleats = 3;     ///< waves along the columns when it is gathered
    Layout layout = Layout::Flat;
    Vec3 velocity = Vec3::Zero();  ///< m/s, at the start
    MeshSource mesh;
    Weld weld;              ///< of a mesh
    SewingSettings sewing;  ///< of a mesh
    SolidSource solid;
    Vec3 rotation = Vec3::Zero();                     ///< of a mesh or a solid: rotation vector, degrees
    double scale = 1;                                 ///< mesh: metres per unit of its file; solid: its size
    std::optional<cloth::MaterialSettings> material;  ///< own material, or the scene's

    bool operator==(const ClothPatch&) const = default;
};

void describe(ClothPatch& s, FieldList& list);
/// Whether `key` applies to this kind of cloth: "rows" only to a grid, "origin" to all.
bool takesKey(const ClothPatch& cloth, std::string_view key);
/// "the mesh disc.obj", "the solid hippo", "a grid".
std::string displayName(const ClothPatch& cloth);
/// Why it does not: "the cloth is the mesh disc.obj, and only a grid has this".
std::string refusalOfKey(const ClothPatch& cloth, std::string_view key);
/// Fills the body of a solid and welds a mesh, unless that is done; does nothing to grids. An Error if it cannot be
/// filled or welded.
Expected<void> makeCloth(ClothPatch& cloth);
/// Fills a solid or welds a mesh first if necessary; 0 if that is impossible.
long particleCount(const ClothPatch& cloth);
/// How many particle numbers a set may use: for a mesh the points of its file, welded or not.
long numberCount(const ClothPatch& cloth);

/// Denotes the middle row or column, count / 2, whatever the size.
inline constexpr int kMiddle = 1'000'000'000;

/// Particles of one cloth by rows and columns of a grid, or by the name of a set. Negative numbers count from the end
/// (-1 = last).
struct ParticleRange {
    int cloth = 0;
    int rowFrom = 0, rowTo = 0, columnFrom = 0, columnTo = 0;
    int rowStep = 1, columnStep = 1;
    std::string set;  ///< name of a ParticleSet, which has the cloth too; empty: the rows and columns above

    bool operator==(const ParticleRange&) const = default;
};

/// Particles that a scene pins: at points, on lines or on planes, at rest or carried.
struct ScenePin {
    ParticleRange where;
    integrators::PinHold hold = {};
    mechanics::Motion motion = {};
    bool ownCenter = false;  ///< motion.center is given; otherwise the mean place of these particles

    bool operator==(const ScenePin&) const = default;
};

/// Named particles of one cloth: listed ones, the one that starts nearest to a point, or all that start in a box.
struct ParticleSet {
    struct Near {
        Vec3 point;  ///< m
        bool operator==(const Near&) const = default;
    };
    struct Box {
        Vec3 low, high;  ///< m; its faces count as inside
        bool operator==(const Box&) const = default;
    };

    std::string name;
    int cloth = 0;
    /// Listed particles have the cloth's own numbers, from 0: row * columns + column of a grid, points of a mesh's
    /// file, of which several are one particle when they are welded.
    std::variant<std::vector<Index>, Near, Box> which;

    bool operator==(const ParticleSet&) const = default;
};

/// Particles of a cloth with another material. Keys that a region does not give follow the cloth's material, also when
/// that changes live.
struct MaterialRegion {
    ParticleRange where;
    std::vector<std::string> given;  ///< its keys of the material, in the order of the description table
    cloth::MaterialSettings values;  ///< of those keys; the others are defaults

    bool operator==(const MaterialRegion&) const = default;
};

struct ScenePointForce {
    ParticleRange where;
    Vec3 force = Vec3::Zero();  ///< N, on each of the particles

    bool operator==(const ScenePointForce&) const = default;
};

/// A start camera with a good view of the scene.
struct CameraHint {
    Vec3 target = Vec3::Zero();           ///< m
    double distance = 2.5;                ///< m
    double azimuth = 30, elevation = 15;  ///< degrees

    bool operator==(const CameraHint&) const = default;
};

void describe(CameraHint& s, FieldList& list);

/// A scene as plain data: the contents of a TOML file.
struct Scene {
    std::string name;   ///< file name without ending, "hang"
    std::string file;   ///< the file it was read from; empty = made in memory
    std::string title;  ///< "Hang from two corners"
    std::string watch;  ///< a sentence on what to watch
    int steps = 300;    ///< the scene's own length for `run`
    Settings settings;
    std::vector<ClothPatch> cloths;
    std::vector<ParticleSet> sets;
    std::vector<MaterialRegion> regions;  ///< a later one wins if both give the same key
    std::vector<ScenePin> pins;
    std::vector<ScenePointForce> pointForces;
    std::vector<contact::Collider> colliders;
    CameraHint camera;
    PaperSource paper;                        ///< values that come from a paper
    OverlayKind overlay = OverlayKind::None;  ///< that the window begins with
    Fabric fabric = Fabric::Cotton;           ///< of the picture
    std::vector<std::string> notes;           ///< what was skipped in reading it, one sentence each

    bool operator==(const Scene&) const = default;
};

/// What was skipped or repaired in reading a scene and its meshes, one sentence each.
std::vector<std::string> readingNotes(const Scene& scene);

/// The solid of a scene that only catches falling things: a cut piece, a ball. No cloth of the scene reaches it.
inline constexpr std::string_view kRoomFloor = "room floor";
/// For the tables of the papers, whose scenes have none.
void removeRoomFloor(Scene& scene);
/// Whether it has other solids.
bool hasSolids(const Scene& scene);

/// Reads a scene file. Every mistake is an Error with file, line, column and what would be valid: TOML syntax, unknown
/// keys, wrong types, values out of range, density and particle mass together, pins outside the grid.
Expected<Scene> readScene(const std::string& path);
/// The same from text; `file` names it in errors.
Expected<Scene> readSceneText(std::string_view text, const std::string& file);

/// Finds "hang" among the built-in scenes, or takes a path that ends in .toml.
Expected<Scene> findScene(const std::string& nameOrPath, const std::string& assetsFolder);
/// Names of the built-in scenes, the default first, then alphabetical.
std::vector<std::string> builtInScenes(const std::string& assetsFolder);
inline constexpr std::string_view kDefaultScene = "hang";

/// `--set key=value`: wins over every table; "cloth.x" goes to all cloths, "material.x" to the scene's and to every
/// cloth's own material, "region.rim.x" to the regions on the set "rim"; "collider.x" is refused with a hint. An
/// unknown key lists similar ones. `option` names the source of the assignment in messages; empty = no source.
Expected<void> applyOverride(Scene& scene, std::string_view assignment, std::string_view option = "--set");
/// The field that `--set key=` assigns to, bound to this scene (the first one of a key of all cloths): its label, unit,
/// range and current value. An unknown key is the Error of applyOverride.
Expected<Field> overrideField(Scene& scene, std::string_view key);

/// The scene as TOML, in the order of the description tables, only what differs from the defaults unless `all`.
std::string writeScene(const Scene& scene, bool all = false);
/// `[integrator] ... ` of the settings only: the file that `system` writes with the matrices.
std::string writeSettings(const Settings& settings);
/// "integrator.dt  time step  s  0.000001 .. 0.2  help" for every key.
std::string settingsHelp();
/// The density implied by a material for particles of `area` m^2 each.
double impliedDensity(const cloth::MaterialSettings& material, double area);

/// Indices of a range in one cloth's grid numbering (0-based), row by row. An Error if outside.
Expected<std::vector<Index>> resolve(const ParticleRange& range, const ClothPatch& cloth);
/// Indices of a set in its cloth's own numbering (0-based), ascending. An Error if outside, or for an empty box.
Expected<std::vector<Index>> resolve(const ParticleSet& set, const ClothPatch& cloth);

}  // namespace clothlab::scene
