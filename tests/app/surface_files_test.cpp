#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "app/npy.hpp"
#include "app/program.hpp"
#include "base/input.hpp"
#include "geometry/files/mesh_file.hpp"
#include "parsed_json.hpp"

namespace clothlab::tests {
namespace {

namespace fs = std::filesystem;

/// A point cache, read as its format prescribes; Blender's reader needs no more.
struct PointCacheFile {
    std::int32_t version = 0, points = 0, samples = 0;
    float start = -1, sampling = -1;
    std::vector<float> values;
};

PointCacheFile readPointCache(const std::string& path) {
    PointCacheFile out;
    const std::string bytes = *readFile(path);
    if (bytes.size() < 32) {
        ADD_FAILURE() << path << " has no header";
        return out;
    }
    EXPECT_EQ(bytes.substr(0, 12), std::string("POINTCACHE2\0", 12));
    std::uint32_t words[5];
    for (std::size_t k = 0; k < 5; ++k)
        for (std::size_t b = 0; b < 4; ++b)
            words[k] = (b ? words[k] : 0) | std::uint32_t(static_cast<unsigned char>(bytes[12 + 4 * k + b])) << (8 * b);
    out.version = std::int32_t(words[0]);
    out.points = std::int32_t(words[1]);
    std::memcpy(&out.start, &words[2], 4);
    std::memcpy(&out.sampling, &words[3], 4);
    out.samples = std::int32_t(words[4]);
    EXPECT_EQ(out.version, 1);
    EXPECT_EQ(out.start, 0);
    EXPECT_EQ(out.sampling, 1);
    EXPECT_EQ(bytes.size(), 32 + std::size_t(out.samples) * std::size_t(out.points) * 12) << "whole samples";
    out.values.resize((bytes.size() - 32) / 4);
    std::memcpy(out.values.data(), bytes.data() + 32, 4 * out.values.size());
    return out;
}

geometry::TriangleMesh readMesh(const std::string& path) {
    auto mesh = geometry::readMeshFile(path);
    EXPECT_TRUE(mesh) << mesh.error().text();
    return mesh ? std::move(*mesh) : geometry::TriangleMesh{};
}

/// The positions of a frame of `particles` particles.
std::vector<double> positionsOf(const Npy& npy, std::size_t frame, std::size_t particles) {
    const auto from = npy.values.begin() + std::ptrdiff_t(frame * 6 * particles);
    return {from, from + std::ptrdiff_t(3 * particles)};
}

std::vector<double> toNumbers(const geometry::TriangleMesh& mesh) {
    std::vector<double> out;
    for (const Vec3& p : mesh.points) out.insert(out.end(), {p[0], p[1], p[2]});
    return out;
}

void put(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

/// Runs that write positions into a folder.
class SurfaceFiles : public ::testing::Test {
protected:
    Result run(const std::string& arguments, const std::string& name, const std::string& before = {}) {
        return clothlab("run " + arguments + " --positions '" + folder.file(name) + "'", before);
    }
    bool has(const std::string& name) const { return fs::exists(folder.file(name)); }
    std::size_t files() const {
        return std::size_t(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
    }
    geometry::TriangleMesh mesh(const std::string& name) const { return readMesh(folder.file(name)); }

    const ScratchFolder folder;
};

TEST_F(SurfaceFiles, APointCacheHasThePositionsInSinglePrecisionAndAMeshThatFits) {
    for (const char* name : {"p.npy", "p.pc2"}) ASSERT_EQ(run("chen --steps 7 --every 3", name).code, 0);
    const Npy npy = readNpy(folder.file("p.npy"));
    const PointCacheFile cache = readPointCache(folder.file("p.pc2"));
    ASSERT_EQ(cache.points, 25);
    ASSERT_EQ(cache.samples, 3);
    std::vector<float> expected;
    for (std::size_t frame = 0; frame < 3; ++frame)
        for (const double x : positionsOf(npy, frame, 25)) expected.push_back(float(x));
    EXPECT_EQ(cache.values, expected);
    EXPECT_FALSE(std::equal(expected.begin(), expected.begin() + 75, expected.end() - 75)) << "the cloth moves";
    EXPECT_EQ(toNumbers(mesh("p.obj")), positionsOf(npy, 0, 25));
    EXPECT_EQ(mesh("p.obj").triangles, geometry::gridTriangles({5, 5}));
    EXPECT_EQ(files(), 4u);
}

TEST_F(SurfaceFiles, NumberedMeshesHaveThePositionsToTheBit) {
    put(folder.file("m.0001.obj"), "old");
    put(folder.file("m.0009.obj"), "of a longer run");
    put(folder.file("m.0001.obj.clothlab-999999999.part"), "of a dead process");
    for (const char* other :
         {"m.npy.clothlab-999999999.part", "m.1.obj.clothlab-999999999.part", "m..obj.clothlab-999999999.part"})
        put(folder.file(other), "another output's");
    ASSERT_EQ(run("chen --steps 7 --every 3", "m.obj").code, 0);
    EXPECT_EQ(files(), 7u) << "three frames, and four files that stay";
    EXPECT_FALSE(has("m.obj") || has("m.0001.obj.clothlab-999999999.part"));
    ASSERT_EQ(run("chen --steps 7 --every 3", "m.npy").code, 0);
    const Npy npy = readNpy(folder.file("m.npy"));
    for (std::size_t frame = 0; frame < 3; ++frame) {
        const geometry::TriangleMesh read = mesh(fmt::format("m.{:04}.obj", frame));
        EXPECT_EQ(toNumbers(read), positionsOf(npy, frame, 25)) << frame;
        EXPECT_EQ(read.triangles, geometry::gridTriangles({5, 5})) << frame;
    }
    EXPECT_EQ(*readFile(folder.file("m.0009.obj")), "of a longer run");
}

// After 9999 numbers have five digits, and no frame overwrites another.
TEST_F(SurfaceFiles, NumbersHaveFourDigitsOrMore) {
    ASSERT_EQ(run("chen --steps 10000 --set cloth.rows=2 --set cloth.columns=2", "m.obj").code, 0);
    EXPECT_EQ(files(), 10001u);
    EXPECT_TRUE(has("m.0000.obj") && has("m.9999.obj") && has("m.10000.obj"));
    EXPECT_EQ((*readFile(folder.file("m.10000.obj"))).substr(0, 13), "# step 10000,");
}

// The program renumbers a mesh internally; its output has the numbers of the file.
TEST_F(SurfaceFiles, AMeshKeepsTheNumbersAndTheTrianglesOfItsFile) {
    const geometry::TriangleMesh file = readMesh(CLOTHLAB_SOURCE_DIR "/assets/meshes/disc.obj");
    ASSERT_EQ(run("disc --steps 2 --every 2", "d.obj").code, 0);
    ASSERT_EQ(run("disc --steps 2 --every 2", "d.npy").code, 0);
    const geometry::TriangleMesh last = mesh("d.0001.obj");
    EXPECT_EQ(last.triangles, file.triangles);
    EXPECT_EQ(toNumbers(last), positionsOf(readNpy(folder.file("d.npy")), 1, file.points.size()));
}

// Readers of meshes drop points without a face, so that the point cache would no longer match.
TEST_F(SurfaceFiles, OfASolidTheSkinAloneIsWritten) {
    const std::string dog = "liu-dog --steps 0 --set cloth.spacing=0.045 --set cloth.surface_spacing=0.045";
    for (const char* name : {"dog.npy", "dog.pc2"}) ASSERT_EQ(run(dog, name).code, 0);
    const geometry::TriangleMesh skin = mesh("dog.obj");
    const std::vector<double> all = readNpy(folder.file("dog.npy")).values;
    const std::size_t particles = all.size() / 6;
    ASSERT_LT(skin.points.size(), particles) << "some particles are inside";
    std::size_t i = 0;  // the points are particles, in their order
    for (const Vec3& p : skin.points) {
        while (i < particles && p != Vec3(all[3 * i], all[3 * i + 1], all[3 * i + 2])) ++i;
        ASSERT_LT(i++, particles);
    }
    double volume = 0;
    for (const auto& [a, b, c] : skin.triangles) volume += skin.points[a].dot(skin.points[b].cross(skin.points[c])) / 6;
    EXPECT_GT(volume, 0) << "triangles are counter-clockwise from outside";
    for (const geometry::MeshEdge& edge : geometry::collectEdges(skin.triangles, Index(skin.points.size())))
        ASSERT_TRUE(edge.isHinge()) << "a hole";

    const PointCacheFile cache = readPointCache(folder.file("dog.pc2"));
    EXPECT_EQ(cache.samples, 1);
    ASSERT_EQ(std::size_t(cache.points), skin.points.size());
    for (std::size_t k = 0; k < cache.values.size(); ++k)
        ASSERT_EQ(cache.values[k], float(skin.points[k / 3][Eigen::Index(k % 3)]));
}

TEST_F(SurfaceFiles, TornClothKeepsItsTriangles) {
    const std::string report = folder.file("r.ndjson");
    ASSERT_EQ(run("hang --steps 50 --every 50 --set material.tear_strain=0.02 --report '" + report + "'", "t.obj").code,
              0);
    const std::string lines = *readFile(report), last = lines.substr(lines.rfind('{'));
    EXPECT_GT(ParsedJson(last)["broken_springs"].get<int>(), 0);
    EXPECT_EQ(mesh("t.0001.obj").triangles, mesh("t.0000.obj").triangles);
}

// A sample of `chen` has 300 bytes, its mesh 592; /bin/sh limits files in blocks of 512 bytes.
TEST_F(SurfaceFiles, AFullDiskLeavesWholeFrames) {
    const Result full = run("chen --steps 100", "p.pc2", "ulimit -f 2; ");
    EXPECT_EQ(full.code, 2);
    EXPECT_TRUE(says(full.err, "stopped after step 3")) << full.err;
    EXPECT_EQ(readPointCache(folder.file("p.pc2")).samples, 3);
    EXPECT_EQ(mesh("p.obj").points.size(), 25u);
    EXPECT_EQ(files(), 2u);

    put(folder.file("q.obj"), "old");
    EXPECT_EQ(run("chen --steps 100", "q.pc2", "ulimit -f 1; ").code, 2);
    EXPECT_EQ(readPointCache(folder.file("q.pc2")).samples, 1) << "the mesh did not fit";
    EXPECT_EQ(*readFile(folder.file("q.obj")), "old");

    put(folder.file("m.0000.obj"), "old");
    EXPECT_EQ(run("chen --steps 100", "m.obj", "ulimit -f 1; ").code, 2);
    EXPECT_EQ(*readFile(folder.file("m.0000.obj")), "old");
    EXPECT_EQ(files(), 5u);
}

TEST_F(SurfaceFiles, ASignalLeavesWholeFrames) {
    const std::string interrupted = "timeout --preserve-status --signal=INT 2";
    EXPECT_EQ(run("chen --steps 100000000 --every 100", "p.pc2", interrupted).code, 130);
    EXPECT_GT(readPointCache(folder.file("p.pc2")).samples, 1);
    EXPECT_EQ(mesh("p.obj").points.size(), 25u);
    EXPECT_EQ(files(), 2u);
}

TEST_F(SurfaceFiles, WhatTheyWouldOverwriteIsRefusedBeforeTheFirstStep) {
    const std::string obj = *readFile(CLOTHLAB_SOURCE_DIR "/assets/meshes/disc.obj");
    put(folder.file("disc.0003.obj"), obj);
    put(folder.file("s.toml"), "[cloth]\nmesh = \"disc.0003.obj\"\n");
    const std::string scene = "'" + folder.file("s.toml") + "' --steps 1";
    for (const char* name : {"disc.obj", "disc.0003.pc2"}) {
        const Result r = run(scene, name);
        EXPECT_EQ(r.code, 2) << name;
        EXPECT_TRUE(says(r.err, "disc.0003.obj: cannot write: this command reads the same file")) << r.err;
    }
    EXPECT_EQ(*readFile(folder.file("disc.0003.obj")), obj);
    for (const auto& [positions, report] :
         {std::pair{"p.pc2", "p.obj"}, {"p.obj", "p.0000.obj"}, {"p.npy", "p.steps.npy"}}) {
        const Result r = run("chen --steps 1 --report '" + folder.file(report) + "'", positions);
        EXPECT_EQ(r.code, 2) << positions;
        EXPECT_TRUE(says(r.err, "go into the same file")) << r.err;
    }
    for (const auto& [option, file] :
         {std::pair{"--report", "s.npy"}, {"--save", "./s.npy"}, {"--save", "s.steps.npy"}}) {
        const Result r = run(std::string("chen --steps 1 ") + option + " '" + folder.file(file) + "'", "s.npy");
        EXPECT_EQ(r.code, 2) << option << file;
        EXPECT_TRUE(says(r.err, "go into the same file")) << r.err;
    }
    EXPECT_TRUE(says(run("chen --steps 1 --out '" + folder.file("o") + "'", "o/last_state.npy").err,
                     "the positions and last_state.npy go into the same file"));
    fs::create_symlink("/dev/null", folder.file("n.pc2"));
    EXPECT_TRUE(says(run("chen --steps 1", "n.pc2").err, ".pc2 counts its frames at the start"));
    EXPECT_TRUE(says(run("chen --steps 1", "none/m.obj").err, "there is no folder"));
    EXPECT_EQ(files(), 3u);
}

}  // namespace
}  // namespace clothlab::tests
