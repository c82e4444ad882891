#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "scene/builder.hpp"
#include "scene/cloth_facts.hpp"
#include "scene/field_cache.hpp"
#include "scratch_folder.hpp"

namespace clothlab::scene {
namespace {

const std::string kAssetFolder = CLOTHLAB_SOURCE_DIR "/assets";
/// Two triangles, 1 unit high: points 0 (0, 0), 1 (2, 0), 2 (2, 1), 3 (0, 1).
const std::string kQuad = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nf 1 2 3 4\n";

struct MeshScene : ::testing::Test {
    tests::ScratchFolder folder;

    void SetUp() override { write("quad.obj", kQuad); }
    void write(const std::string& name, const std::string& text) const { std::ofstream(folder.file(name)) << text; }
    Expected<Scene> read(const std::string& text) const { return readSceneText(text, folder.file("s.toml")); }
    /// The world of a valid scene.
    World build(const std::string& text) const {
        const auto scene = read(text);
        EXPECT_TRUE(scene) << (scene ? "" : scene.error().text());
        auto world = buildWorld(*scene);
        EXPECT_TRUE(world) << (world ? "" : world.error().text());
        return std::move(*world);
    }
    void refuses(const std::string& text, int line, int column, const std::string& fragment) const {
        const auto scene = read(text);
        ASSERT_FALSE(scene) << text;
        EXPECT_EQ(std::pair(scene.error().line, scene.error().column), std::pair(line, column)) << scene.error().text();
        EXPECT_NE(scene.error().message.find(fragment), std::string::npos) << scene.error().text();
    }
};

/// The particle with this `number` in scenes.
Index findParticle(const World& world, Index number) {
    const auto& numbers = world.model->outsideNumber;
    return Index(std::find(numbers.begin(), numbers.end(), number) - numbers.begin());
}

std::vector<Index> pinNumbers(const World& world) {
    std::vector<Index> numbers;
    for (const integrators::Pin& pin : world.start.pins)
        numbers.push_back(world.model->outsideNumber.empty() ? pin.particle : world.model->outsideNumber[pin.particle]);
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

TEST_F(MeshScene, IsScaledTurnedAndMoved) {
    const World world = build("[cloth]\nmesh = \"quad.obj\"\norigin = [1, 2, 3]\nrotation = [0, 0, 90]\nscale = 0.5\n");
    const linalg::BlockVector& x = world.start.x;
    ASSERT_EQ(x.size(), 4);
    EXPECT_LT((x[findParticle(world, 0)] - Vec3(1, 2, 3)).norm(), 1e-15);
    EXPECT_LT((x[findParticle(world, 1)] - Vec3(1, 3, 3)).norm(), 1e-15);
    EXPECT_LT((x[findParticle(world, 3)] - Vec3(0.5, 2, 3)).norm(), 1e-15);
    EXPECT_NEAR(world.model->patches[0].area, 0.5, 1e-15);
    EXPECT_EQ(world.model->springs.size(), 6u) << "five edges, one hinge";
}

TEST_F(MeshScene, ItsFileLiesBesideTheSceneWhateverTheWorkingFolder) {
    std::filesystem::create_directory(folder.file("in"));
    write("in/s.toml", "[cloth]\nmesh = \"../quad.obj\"\n");
    const auto scene = readScene(folder.file("in/s.toml"));
    ASSERT_TRUE(scene) << scene.error().text();
    EXPECT_EQ(scene->cloths[0].mesh.path, folder.file("quad.obj"));
    EXPECT_EQ(scene->cloths[0].mesh.name(), "quad.obj");
    // The file is read once: later changes to it do not change a world.
    std::filesystem::remove(folder.file("quad.obj"));
    EXPECT_TRUE(buildWorld(*scene));
}

TEST_F(MeshScene, SetsNameParticles) {
    const std::string head = "[cloth]\nmesh = \"quad.obj\"\norigin = [10, 0, 0]\n";
    const auto pinned = [&](const std::string& which) {
        return pinNumbers(build(head + "[[set]]\nname = \"s\"\n" + which + "\n[[pins]]\nset = \"s\"\n"));
    };
    EXPECT_EQ(pinned("particles = [3, 1, 3]"), (std::vector<Index>{1, 3}));
    EXPECT_EQ(pinned("near = [13, 1.2, 0.5]"), (std::vector<Index>{2}));
    EXPECT_EQ(pinned("box = [[10, -1, -1], [10, 2, 1]]"), (std::vector<Index>{0, 3})) << "its faces belong to it";
    const World world =
        build(head + "[[set]]\nname = \"a\"\nparticles = [2]\n[[point_force]]\nset = \"a\"\nforce = [0, 1, 0]\n");
    ASSERT_EQ(world.pointForces.size(), 1u);
    EXPECT_EQ(world.pointForces[0].particle, findParticle(world, 2));
}

TEST_F(MeshScene, SetsOfAGridAreTheSame) {
    const std::string head =
        "pins = [{ set = \"s\" }]\n[cloth]\nrows = 3\ncolumns = 3\ngather = 0.8\n[[set]]\nname = \"s\"\n";
    EXPECT_EQ(pinNumbers(build(head + "particles = [0, 8]")), (std::vector<Index>{0, 8}));
    EXPECT_EQ(pinNumbers(build(head + "near = [1, -1, 0]")), (std::vector<Index>{8}));
    EXPECT_EQ(pinNumbers(build(head + "box = [[-9, -0.6, -9], [9, -0.4, 9]]")), (std::vector<Index>{3, 4, 5}));
    const std::string two = "[[cloth]]\nrows = 2\ncolumns = 2\n[[cloth]]\nrows = 2\ncolumns = 2\n";
    EXPECT_EQ(pinNumbers(build(two + "[[set]]\nname = \"s\"\ncloth = 1\nparticles = [0]\n[[pins]]\nset = \"s\"\n")),
              (std::vector<Index>{4}));
    refuses(two + "[[set]]\nname = \"s\"\nparticles = [0]\n", 7, 1, "no cloth is given, and there are 2");
}

TEST_F(MeshScene, RefusesWhatDoesNotGoTogether) {
    const std::string head = "[cloth]\nmesh = \"quad.obj\"\n", set = head + "[[set]]\nname = \"s\"\n";
    refuses(head + "rows = 5\n", 3, 1, "cloth.rows: the cloth is the mesh quad.obj, and only a grid has this");
    for (const char* key : {"columns = 5", "side = 1.0", "topology = \"liu\"", "column_axis = [1, 0, 0]",
                            "row_axis = [0, 1, 0]", "gather = 0.9", "pleats = 2"})
        refuses(head + key + "\n", 3, 1, "only a grid has this");
    refuses("[cloth]\nscale = 2\n", 2, 1, "cloth.scale: the cloth is a grid, and only a mesh or a solid has this");
    refuses("[cloth]\nmesh = 3\n", 2, 8, "the path of an OBJ or PLY file is needed");
    refuses("[cloth]\nmesh = \"\"\n", 2, 8, "the path of an OBJ or PLY file is needed");
    refuses("[cloth]\nmesh = \"none.obj\"\n", 2, 8, "none.obj: cannot read: No such file");
    refuses("[cloth]\nmesh = \".\"\n", 2, 8, "this is a folder");
    refuses(head + "scale = 0\n", 3, 9, "cloth.scale");
    refuses(head + "[[pins]]\nrow = 0\ncolumn = 0\n", 4, 1, "the cloth is the mesh quad.obj, which has no rows");
    refuses(head + "[[pins]]\n", 3, 1, "no particles are given");
    refuses(set + "particles = [4]\n", 5, 13, "lists particle 4; the cloth has 4");
    refuses(set + "particles = [-1]\n", 5, 14, "out of range");
    refuses(set + "particles = []\n", 5, 13, "a list of numbers is needed");
    refuses(set + "particles = [0.5]\n", 5, 14, "a whole number is needed");
    refuses(set + "near = [0, 1]\n", 5, 8, "2 numbers where three are needed");
    refuses(set + "near = [0, nan, 1]\n", 5, 8, "set.near");
    refuses(set + "box = [[5, 5, 5], [6, 6, 6]]\n", 5, 7, "is empty: no particle starts in its box");
    refuses(set + "box = [[5, 5, 5], [6, 4, 6]]\n", 5, 7, "the first corner is to be the low one");
    refuses(set + "box = [1, 2, 3]\n", 5, 7, "a low corner and a high one");
    refuses(set, 3, 1, "does not say which particles");
    refuses(set + "particles = [0]\nnear = [0, 0, 0]\n", 6, 1, "in one way");
    refuses(set + "particles = [0]\nrow = 0\n", 6, 1, "unknown key 'row' in set");
    refuses(set + "particles = [0]\n[[set]]\nname = \"s\"\nparticles = [1]\n", 7, 8, "there is a set 's' already");
    refuses(head + "[[set]]\nparticles = [0]\n", 3, 1, "the set has no name");
    refuses(head + "[[pins]]\nset = \"rim\"\n", 4, 7, "there is no set 'rim'");
    refuses(set + "particles = [0]\n[[pins]]\nset = \"s\"\nrow = 1\n", 8, 1,
            "'set' and 'row' both say which particles");
    refuses(set + "particles = [0]\n[[pins]]\nset = 3\n", 7, 7, "the name of a set is needed");
}

TEST_F(MeshScene, AMistakeInTheMeshPointsIntoTheMesh) {
    write("bad.obj", "v 0 0 0\nv 1 abc 0\n");
    const auto scene = read("[cloth]\nmesh = \"bad.obj\"\n");
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().file, folder.file("bad.obj"));
    EXPECT_EQ(std::pair(scene.error().line, scene.error().column), std::pair(2, 5));
    write("small.obj", "v 0 0 0\nv 1e-7 0 0\nv 0 1e-7 0\nf 1 2 3\n");
    refuses("[cloth]\nmesh = \"small.obj\"\nscale = 0.01\n", 3, 9,
            "the shortest edge of small.obj becomes 1e-09 m long");
}

// Points 0 and 3 of the file belong to no face.
TEST_F(MeshScene, SetsCountThePointsInNoFace) {
    write("loose.obj", "v 9 9 9\nv 0 0 0\nv 2 0 0\nv 8 8 8\nv 2 1 0\nv 0 1 0\nf 2 3 5 6\n");
    for (const std::string& weld : {std::string(), std::string("weld = 0.001\n")}) {
        const std::string head = "[cloth]\nmesh = \"loose.obj\"\n" + weld + "[[set]]\nname = \"s\"\n";
        const World world = build(head + "particles = [2, 5]\n[[pins]]\nset = \"s\"\n");
        ASSERT_EQ(world.model->particles(), 4);
        ASSERT_EQ(world.start.pins.size(), 2u);
        std::vector<double> places;
        for (const integrators::Pin& pin : world.start.pins) places.push_back(pin.place.x() + 10 * pin.place.y());
        std::sort(places.begin(), places.end());
        EXPECT_EQ(places, (std::vector<double>{2, 10})) << "at (2, 0) and (0, 1)";
        const int line = weld.empty() ? 5 : 6;
        refuses(head + "particles = [3]\n", line, 13, "lists point 3 of loose.obj, which is in no face");
        refuses(head + "particles = [6]\n", line, 13, "lists particle 6; the cloth has 6");
    }
    const auto scene = read("[cloth]\nmesh = \"loose.obj\"\n");
    EXPECT_EQ(readingNotes(*scene),
              std::vector<std::string>{"loose.obj: 2 points are in no face and become no particles, "
                                       "the first is point 1"});
}

TEST_F(MeshScene, AStrictReadingRefusesWhatATolerantOneNotes) {
    write("more.obj", kQuad + "ny 0 0 1\n");
    const std::string head = "[cloth]\nmesh = \"more.obj\"\n";
    ASSERT_TRUE(read(head));
    EXPECT_EQ(readingNotes(*read(head + "strict = false\n")),
              std::vector<std::string>{"more.obj: words passed over: ny 1"});
    const auto strict = read(head + "strict = true\n");
    ASSERT_FALSE(strict);
    EXPECT_NE(strict.error().text().find("more.obj:6:1: unknown keyword 'ny'"), std::string::npos);
    refuses(head + "strict = 1\n", 3, 10, "cloth.strict");
    refuses("[cloth]\nstrict = true\n", 2, 1, "cloth.strict: there is no file to read");
    const auto quad = read("[cloth]\nmesh = \"quad.obj\"\nstrict = true\n");
    ASSERT_TRUE(quad);
    EXPECT_NE(writeScene(*quad).find("strict = true"), std::string::npos);
    EXPECT_TRUE(readSceneText(writeScene(*quad), "/t.toml")->cloths[0].mesh.strict);
}

TEST_F(MeshScene, AScaleMayBeTheNameOfAUnit) {
    const std::string head = "[cloth]\nmesh = \"quad.obj\"\n";
    const std::pair<const char*, double> units[] = {{"m", 1},      {"dm", 0.1},    {"cm", 0.01},
                                                    {"mm", 0.001}, {"in", 0.0254}, {"ft", 0.3048}};
    for (const auto& [unit, metres] : units) {
        auto scene = read(head + "scale = \"" + unit + "\"\n");
        ASSERT_TRUE(scene) << scene.error().text();
        EXPECT_EQ(scene->cloths[0].scale, metres);
        scene->cloths[0].scale = 7;
        ASSERT_TRUE(applyOverride(*scene, std::string("cloth.scale=") + unit));
        EXPECT_EQ(scene->cloths[0].scale, metres);
    }
    refuses(head + "scale = \"inch\"\n", 3, 9, "cloth.scale: 'inch' does not fit here");
    EXPECT_NE(read(head + "scale = \"inch\"\n").error().text().find("\"in\""), std::string::npos);
    write("t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    const auto solid = read(head + "[[collider]]\nshape = \"mesh\"\nfile = \"t.obj\"\nscale = \"cm\"\nstrict = true\n");
    ASSERT_TRUE(solid) << solid.error().text();
    EXPECT_EQ(std::get<geometry::MeshSolid>(solid->colliders[0].shape).scale, 0.01);
    const auto again = readSceneText(writeScene(*solid), "/t.toml");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_TRUE(again->colliders == solid->colliders);
}

TEST_F(MeshScene, APlyIsTakenWhereAnObjIs) {
    write("quad.ply",
          "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face "
          "1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n2 0 0\n2 1 0\n0 1 0\n4 0 1 2 3\n");
    EXPECT_EQ(build("[cloth]\nmesh = \"quad.ply\"\n").start.x, build("[cloth]\nmesh = \"quad.obj\"\n").start.x);
}

TEST_F(MeshScene, FactsOfAClothAreThoseOfItsMesh) {
    const World world = build("[[cloth]]\nmesh = \"quad.obj\"\nscale = 100\n[[cloth]]\nrows = 3\ncolumns = 5\n");
    const ClothFacts quad = clothFacts(*world.model, 0), grid = clothFacts(*world.model, 1);
    EXPECT_EQ(toText(quad),
              "200 x 100 x 0 m; 4 points, 2 triangles, 1 component, 1 boundary loop; shortest edge 100 m, smallest "
              "triangle 1e+04 m^2; mass 4000 kg");
    EXPECT_EQ(std::pair(grid.points, grid.triangles), std::pair(15, 16));
    EXPECT_EQ(std::pair(grid.patches.components, grid.patches.boundaryLoops), std::pair(1, 1));
    EXPECT_NEAR(grid.size.x(), 1, 1e-15);
    EXPECT_NEAR(grid.smallestTriangle, 0.25 * 0.25 / 2, 1e-15);
    ClothPatch mesh;
    mesh.mesh.content = std::make_shared<geometry::FileMesh>();
    const auto note = [&](double size, double scale) {
        mesh.scale = scale;
        return sizeNote({.size = Vec3(0, size, 0)}, mesh);
    };
    EXPECT_EQ(note(0.01, 1), "");
    EXPECT_EQ(note(100, 1), "");
    EXPECT_EQ(note(170, 1), "it is 170 m large; scale = \"cm\" would mend that");
    EXPECT_EQ(note(1700, 1), "it is 1700 m large; scale = \"mm\" would mend that");
    EXPECT_EQ(note(0.0017, 0.001), "it is 0.0017 m large; scale = \"m\" would mend that");
    EXPECT_EQ(note(2e-4, 1), "it is 0.0002 m large; scale = 10000 would mend that");
    EXPECT_EQ(sizeNote({.size = Vec3(0, 170, 0)}, ClothPatch{}), "it is 170 m large");
}

TEST_F(MeshScene, ComesBackFromTheWriter) {
    const auto scene = read(
        "[[cloth]]\nmesh = \"quad.obj\"\nrotation = [0, 30, 0]\nscale = 1.5\nnoise = 0.001\n[cloth.material]\ndensity "
        "= 0.3\n"
        "[[cloth]]\nrows = 4\n"
        "[[set]]\nname = \"a \\\"b\\\"\"\ncloth = 0\nparticles = [2, 0]\n[[set]]\nname = \"n\"\ncloth = 1\nnear = "
        "[0.1, 0, -0.0]\n"
        "[[set]]\nname = \"box\"\ncloth = 0\nbox = [[-9, -9, -9], [9, 9, 9.5]]\n"
        "[[pins]]\nset = \"a \\\"b\\\"\"\n[[pins]]\ncloth = 1\nrow = 0\ncolumn = 0\n[[point_force]]\nset = "
        "\"n\"\nforce = [1, 0, 0]\n");
    ASSERT_TRUE(scene) << scene.error().text();
    for (const bool all : {false, true}) {
        const std::string text = writeScene(*scene, all);
        auto again = readSceneText(text, "/elsewhere/t.toml");  // the mesh is found from everywhere
        ASSERT_TRUE(again) << again.error().text() << text;
        again->file = scene->file;
        again->name = scene->name;
        EXPECT_EQ(*again, *scene) << text;
    }
    Scene other = *scene;
    other.cloths[0].mesh.content = std::make_shared<geometry::FileMesh>();
    EXPECT_FALSE(other == *scene) << "another mesh under the same name is another scene";
}

TEST_F(MeshScene, OverridesGoToTheClothsThatHaveTheKey) {
    auto scene = read("[[cloth]]\nmesh = \"quad.obj\"\n[[cloth]]\nrows = 4\n");
    ASSERT_TRUE(scene);
    ASSERT_TRUE(applyOverride(*scene, "cloth.rows=9"));
    ASSERT_TRUE(applyOverride(*scene, "cloth.scale=2"));
    ASSERT_TRUE(applyOverride(*scene, "cloth.noise=0.25"));
    EXPECT_EQ(scene->cloths[0].rows, ClothPatch{}.rows);
    EXPECT_EQ(scene->cloths[1].rows, 9);
    EXPECT_EQ(scene->cloths[0].scale, 2);
    EXPECT_EQ(scene->cloths[1].scale, 1);
    EXPECT_EQ(scene->cloths[0].noise, 0.25);
    EXPECT_EQ(scene->cloths[1].noise, 0.25);
    scene->cloths.pop_back();
    const auto refusal = [&](const char* assignment) { return applyOverride(*scene, assignment).error().message; };
    EXPECT_NE(refusal("cloth.rows=9").find("the cloth is the mesh quad.obj, and only a grid has this"),
              std::string::npos);
    EXPECT_NE(refusal("cloth.mesh=b.obj").find("a mesh belongs to its scene file"), std::string::npos);
    EXPECT_NE(refusal("set.near=0,0,0").find("[[set]]"), std::string::npos);
    EXPECT_FALSE(overrideField(*scene, "cloth.rows"));
    EXPECT_TRUE(overrideField(*scene, "cloth.scale"));
    scene->cloths = {ClothPatch{}};
    EXPECT_NE(refusal("cloth.scale=2").find("only a mesh or a solid has this"), std::string::npos);
}

Index bandwidth(const cloth::ClothModel& model, bool outside) {
    Index widest = 0;
    for (const cloth::Spring& s : model.springs)
        widest = std::max(widest, outside ? std::abs(model.outsideNumber[s.j] - model.outsideNumber[s.i]) : s.j - s.i);
    return widest;
}

// The builder renumbers points for a narrow band; names by the file's numbers keep their meaning.
TEST(Disc, HasANarrowBandAndKeepsItsNames) {
    const auto scene = findScene("disc", kAssetFolder);
    ASSERT_TRUE(scene) << scene.error().text();
    const auto world = buildWorld(*scene);
    ASSERT_TRUE(world) << world.error().text();
    EXPECT_GT(bandwidth(*world->model, true), 550) << "the order of the file has no narrow band";
    EXPECT_LT(bandwidth(*world->model, false), 80);
    const std::vector<Vec3>& points = scene->cloths[0].mesh.content->points;
    for (Index i = 0; i < world->model->particles(); ++i)
        EXPECT_LT((world->model->rest[i] - points[world->model->outsideNumber[i]] - scene->cloths[0].origin).norm(),
                  1e-15);
    ASSERT_FALSE(world->start.pins.empty());
    for (const integrators::Pin& pin : world->start.pins)
        EXPECT_EQ(pin.place, Vec3(world->model->rest[pin.particle])) << "pinned where it starts, without noise";
}

/// A tetrahedron, closed and turned outwards.
const std::string kTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
const std::string kOnTetrahedron =
    "[cloth]\nrows = 3\ncolumns = 3\n[[collider]]\nshape = \"mesh\"\nfile = \"t.obj\"\nscale = 0.5\ncells = 20\n";

TEST_F(MeshScene, AColliderMayBeAMesh) {
    write("t.obj", kTetrahedron);
    const World world = build(kOnTetrahedron);
    ASSERT_EQ(world.colliders.size(), 1u);
    const geometry::Shape& shape = world.colliders[0].shape;
    EXPECT_NEAR(geometry::signedDistance(shape, {0.1, 0.1, -0.05}).distance, 0.05, 1e-6);
    EXPECT_LT(geometry::signedDistance(shape, {0.1, 0.1, 0.1}).distance, -0.05);
    EXPECT_GE(geometry::boundingRadius(shape), 0.5);

    const auto scene = read(kOnTetrahedron);
    const auto again = readSceneText(writeScene(*scene), "elsewhere.toml");  // the written path is absolute
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_TRUE(again->colliders == scene->colliders);
}

TEST_F(MeshScene, AFieldIsKeptForTheNextTimeAndAFileThatHasChangedGetsItsOwn) {
    write("t.obj", kTetrahedron);
    const auto solid = [&] { return std::get<geometry::MeshSolid>(read(kOnTetrahedron)->colliders[0].shape); };
    const std::string cache = folder.file("cache/of/fields");
    const auto files = [&] {
        return std::distance(std::filesystem::directory_iterator(cache), std::filesystem::directory_iterator());
    };
    bool built = false;
    const auto note = [&](double) { built = true; };
    const auto wasBuilt = [&] {
        built = false;
        EXPECT_NEAR(cachedField(solid(), cache, note)->sample({0.1, 0.1, -0.05}).distance, 0.05, 1e-6);
        return built;
    };
    EXPECT_TRUE(wasBuilt());
    EXPECT_FALSE(wasBuilt());
    EXPECT_EQ(files(), 1);
    const std::string kept = std::filesystem::directory_iterator(cache)->path().string();
    std::filesystem::resize_file(kept, 100);  // cut short, as by a full disk
    EXPECT_TRUE(wasBuilt());
    EXPECT_FALSE(wasBuilt());
    write("t.obj", kTetrahedron + "# the same surface\n");
    EXPECT_FALSE(wasBuilt());
    write("t.obj", "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    EXPECT_TRUE(wasBuilt());
    EXPECT_EQ(files(), 2);
    // The program never makes a link, so its target belongs to somebody else.
    for (const auto& entry : std::filesystem::directory_iterator(cache)) {
        std::filesystem::remove(entry.path());
        std::filesystem::create_symlink(folder.file("of another"), entry.path());
    }
    EXPECT_TRUE(wasBuilt());
    EXPECT_FALSE(std::filesystem::exists(folder.file("of another")));
    built = false;
    EXPECT_TRUE(cachedField(solid(), "/dev/null/nowhere", note)) << "without a folder it only takes longer";
    EXPECT_TRUE(built);
}

}  // namespace
}  // namespace clothlab::scene
