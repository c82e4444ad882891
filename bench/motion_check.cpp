/// clothlab_motion_check MESH.obj POSITIONS.npy MASS: measures a motion of any program from its positions. The points
/// of POSITIONS.npy (frames x 2 x N x 3, x in m and v in m/s, y up, as `clothlab run --positions` writes it) are those
/// of the mesh in its order, with equal masses and MASS (kg) in total. Writes one name and number per line.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "geometry/files/mesh_file.hpp"
#include "geometry/intersections.hpp"

namespace clothlab::bench {
namespace {

static_assert(std::endian::native == std::endian::little);
constexpr double kGravity = 9.81;  // m/s^2

/// The frames of a file, read one at a time, since a long motion has gigabytes.
class Motion {
public:
    explicit Motion(const std::string& path) : file_(path, std::ios::binary) {
        char head[10] = {};
        file_.read(head, sizeof head);
        std::uint16_t length = 0;
        std::memcpy(&length, head + 8, sizeof length);
        std::string words(length, ' ');
        file_.read(words.data(), length);
        const std::size_t shape = words.find("'shape': (");
        if (!file_ || std::memcmp(head, "\x93NUMPY\x01", 7) != 0 || words.find("'<f8'") == std::string::npos ||
            shape == std::string::npos ||
            std::sscanf(words.c_str() + shape, "'shape': (%d, 2, %d, 3)", &frames_, &points_) != 2)
            frames_ = points_ = 0;
    }
    Index frames() const { return frames_; }
    Index points() const { return points_; }

    /// Reads the next frame; false when the file is cut short.
    bool read(std::vector<Vec3>& x, std::vector<Vec3>& v) {
        static_assert(sizeof(Vec3) == 3 * sizeof(double));
        for (std::vector<Vec3>* part : {&x, &v}) {
            part->resize(points_);
            file_.read(reinterpret_cast<char*>(part->data()), std::streamsize(part->size() * sizeof(Vec3)));
        }
        return bool(file_);
    }

private:
    std::ifstream file_;
    int frames_ = 0, points_ = 0;
};

/// Kinetic energy and that of weight, in J, with the ground at y = 0. The files do not have the energy of springs.
double computeEnergy(std::span<const Vec3> x, std::span<const Vec3> v, double mass) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += 0.5 * v[i].squaredNorm() + kGravity * x[i][1];
    return mass * sum / double(x.size());
}

struct Findings {
    std::size_t intersections = 0, most = 0;
    int framesWithSome = 0;
    double start = 0, end = 0;  ///< J
    double rise = 0;            ///< J, the largest rise of the energy above its least value before
    double strain = 0;          ///< largest (l - L)/L of an edge of the mesh
};

void look(std::span<const Vec3> x, std::span<const geometry::Triangle> triangles,
          std::span<const geometry::MeshEdge> edges, std::span<const Vec3> rest, Findings& found) {
    const std::size_t here = geometry::findIntersections(x, triangles).size();
    found.intersections += here;
    found.most = std::max(found.most, here);
    found.framesWithSome += here > 0;
    for (const geometry::MeshEdge& e : edges)
        found.strain = std::max(found.strain, (x[e.a] - x[e.b]).norm() / (rest[e.a] - rest[e.b]).norm() - 1);
}

int fail(const std::string& why) {
    fmt::print(stderr, "clothlab_motion_check: {}\n", why);
    return 2;
}

int check(const std::string& meshPath, const std::string& path, double mass) {
    const auto mesh = geometry::readMeshFile(meshPath, geometry::MeshReading::Strict);
    if (!mesh) return fail(mesh.error().text());
    Motion motion(path);
    if (motion.points() == 0) return fail(path + " is no motion: float64, frames x 2 x N x 3");
    if (std::size_t(motion.points()) != mesh->points.size())
        return fail(fmt::format("{} points move, the mesh has {}", motion.points(), mesh->points.size()));
    const std::vector<geometry::MeshEdge> edges = geometry::collectEdges(mesh->triangles, motion.points());
    Findings found;
    std::vector<Vec3> x, v;
    double least = 0;
    for (Index frame = 0; frame < motion.frames(); ++frame) {
        if (!motion.read(x, v)) return fail(path + " is cut short");
        const double energy = computeEnergy(x, v, mass);
        if (frame == 0) {
            // With points in another order all results would be wrong.
            for (std::size_t i = 0; i < x.size(); ++i)
                if ((x[i] - mesh->points[i]).norm() > 1e-6)
                    return fail(fmt::format("point {} of the first frame is not that of the mesh", i));
            found.start = least = energy;
        }
        least = std::min(least, energy);
        found.rise = std::max(found.rise, energy - least);
        found.end = energy;
        look(x, mesh->triangles, edges, mesh->points, found);
    }
    fmt::print(
        "frames {}\nintersections {}\nmost {}\nframes_with_some {}\nstart_j {:.6g}\nend_j {:.6g}\nrise_j {:.3g}\nstrain "
        "{:.3g}\n",
        motion.frames(), found.intersections, found.most, found.framesWithSome, found.start, found.end, found.rise,
        found.strain);
    return 0;
}

}  // namespace
}  // namespace clothlab::bench

int main(int argc, char** argv) {
    const double mass = argc == 4 ? std::atof(argv[3]) : 0;
    if (mass <= 0) {
        fmt::print(stderr, "usage: clothlab_motion_check MESH.obj POSITIONS.npy MASS\n");
        return 2;
    }
    return clothlab::bench::check(argv[1], argv[2], mass);
}
