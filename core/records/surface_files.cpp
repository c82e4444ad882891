#include "records/surface_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>

#include "base/text.hpp"
#include "geometry/files/obj_writer.hpp"
#include "records/counted_file.hpp"

namespace clothlab::records {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "a point cache holds the memory as it is");

/// The particles that are in a triangle, in the order of their outside numbers, and the triangles over them.
class Surface {
public:
    explicit Surface(const cloth::ClothModel& model) : triangles_(model.triangles) {
        std::vector<Index> point(model.mass.size(), -1);  // of each particle
        for (const geometry::Triangle& t : triangles_)
            for (const Index corner : t) point[corner] = 0;
        for (const Index particle : cloth::particlesByOutsideNumber(model)) {
            if (point[particle] < 0) continue;
            point[particle] = Index(particles_.size());
            particles_.push_back(particle);
        }
        for (geometry::Triangle& t : triangles_)
            for (Index& corner : t) corner = point[corner];
    }

    Index points() const { return Index(particles_.size()); }

    std::string obj(const integrators::SimulationState& state) const {
        std::vector<Vec3> points;
        points.reserve(particles_.size());
        for (const Index i : particles_) points.emplace_back(state.x[i]);
        return fmt::format("# step {}, {:.6g} s\n", state.step, state.time) + geometry::toObj(points, triangles_);
    }
    void addFloats(const linalg::BlockVector& x, std::string& out) const {
        for (const Index i : particles_) {
            const Eigen::Vector3f point = x[i].cast<float>();
            out.append(reinterpret_cast<const char*>(point.data()), 3 * sizeof(float));
        }
    }

private:
    std::vector<Index> particles_;  // of each point
    std::vector<geometry::Triangle> triangles_;
};

template <class T>
void addValue(T value, std::string& out) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string pointCacheHeader(Index points, std::int64_t samples) {
    constexpr float kStart = 0, kSampling = 1;
    std::string out("POINTCACHE2\0", 12);
    addValue(std::int32_t(1), out);
    addValue(std::int32_t(points), out);
    addValue(kStart, out);
    addValue(kSampling, out);
    addValue(std::int32_t(samples), out);
    return out;
}

class PointCache : public PositionsFile {
public:
    PointCache(CountedFile frames, GrowingFile mesh, Surface surface)
        : frames_(std::move(frames)), mesh_(std::move(mesh)), surface_(std::move(surface)) {}

    Expected<void> add(const integrators::SimulationState& state) override {
        scratch_.clear();
        surface_.addFloats(state.x, scratch_);
        if (auto done = frames_.append(scratch_); !done) return done;
        if (mesh_.records() == 0)
            if (auto done = mesh_.append(surface_.obj(state)); !done) return done;
        return frames_.count();
    }
    Expected<void> finish() override {
        auto done = frames_.finish();
        auto mesh = mesh_.finish();
        return done ? mesh : done;
    }

private:
    CountedFile frames_;
    GrowingFile mesh_;  // it gets its name with the frames, which fit no other
    Surface surface_;
    std::string scratch_;
};

class NumberedObjs : public PositionsFile {
public:
    NumberedObjs(std::string path, Surface surface, InputFiles inputs)
        : path_(std::move(path)), surface_(std::move(surface)), inputs_(std::move(inputs)) {}

    Expected<void> add(const integrators::SimulationState& state) override {
        return writeFile(numberedObj(path_, frame_++), surface_.obj(state), inputs_, Care::Quick);
    }
    Expected<void> finish() override { return {}; }

private:
    std::string path_;
    Surface surface_;
    InputFiles inputs_;
    std::int64_t frame_ = 0;
};

/// Whether a name in the folder of `path` is one of its frames'.
bool isFrame(const std::string& name, const std::string& path) {
    const std::string stem = fs::path(path).stem().string() + '.';
    constexpr std::string_view kEnding = ".obj";
    if (!name.starts_with(stem) || !name.ends_with(kEnding) || name.size() <= stem.size() + kEnding.size())
        return false;
    const auto number = parseWhole(name.substr(stem.size(), name.size() - stem.size() - kEnding.size()));
    return number && *number >= 0 && name == fs::path(numberedObj(path, *number)).filename();
}

}  // namespace

std::string pointCacheMesh(const std::string& path) { return fs::path(path).replace_extension(".obj").string(); }

std::string numberedObj(const std::string& path, std::int64_t frame) {
    return fs::path(path).replace_extension(fmt::format(".{:04}.obj", frame)).string();
}

Expected<std::unique_ptr<PositionsFile>> createPointCache(const std::string& path, const cloth::ClothModel& model,
                                                          const InputFiles& inputs) {
    Surface surface(model);
    const auto header = [n = surface.points()](std::int64_t samples) { return pointCacheHeader(n, samples); };
    auto frames = CountedFile::create(path, header, inputs);
    if (!frames) return fail(frames.error());
    auto mesh = GrowingFile::create(pointCacheMesh(path), inputs);
    if (!mesh) return fail(mesh.error());
    return std::make_unique<PointCache>(std::move(*frames), std::move(*mesh), std::move(surface));
}

Expected<std::unique_ptr<PositionsFile>> createNumberedObjs(const std::string& path, const cloth::ClothModel& model,
                                                            const InputFiles& inputs) {
    if (auto fits = checkOutput(numberedObj(path, 0), inputs); !fits) return fail(fits.error());
    const fs::path folder = fs::path(path).parent_path();
    std::error_code ignored;
    fs::directory_iterator entries(folder.empty() ? "." : folder, ignored);
    // How many frames there will be is not known: each that may be replaced is looked at before the first is written.
    for (; !ignored && entries != fs::directory_iterator(); entries.increment(ignored)) {
        const std::string name = entries->path().filename().string();
        if (!isFrame(name, path)) continue;
        if (auto fits = checkOutput((folder / name).string(), inputs); !fits) return fail(fits.error());
    }
    clearLeftovers(folder.string(), [&path](std::string_view name) { return isFrame(std::string(name), path); });
    return std::make_unique<NumberedObjs>(path, Surface(model), inputs);
}

}  // namespace clothlab::records
