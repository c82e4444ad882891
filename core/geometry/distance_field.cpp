#include "geometry/distance_field.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/state_hash.hpp"
#include "geometry/closest_triangle.hpp"

#include <Eigen/Geometry>

namespace clothlab::geometry {
namespace {

/// Around the mesh, so that what comes near it finds its distance.
constexpr int kMargin = 2;
constexpr char kMagic[8] = {'c', 'l', 'd', 'i', 's', 't', '0', '1'};

/// Normals that tell on which side of its closest face, edge or corner a point is.
class Pseudonormals {
public:
    explicit Pseudonormals(const TriangleMesh& mesh) : mesh_(mesh), ofPoint_(mesh.points.size(), Vec3::Zero()) {
        edges_ = collectEdges(mesh.triangles, Index(mesh.points.size()));
        ofEdge_.assign(edges_.size(), Vec3::Zero());
        for (const Triangle& t : mesh.triangles) {
            const Vec3 n = faceNormal(t);
            for (int k = 0; k < 3; ++k) {
                const Vec3 toNext = mesh.points[t[(k + 1) % 3]] - mesh.points[t[k]];
                const Vec3 toLast = mesh.points[t[(k + 2) % 3]] - mesh.points[t[k]];
                ofPoint_[t[k]] += std::atan2(toNext.cross(toLast).norm(), toNext.dot(toLast)) * n;
                ofEdge_[findEdge(t[k], t[(k + 1) % 3])] += n;
            }
        }
    }
    Vec3 at(const ClosestTriangle::Result& closest) const {
        const Triangle& t = mesh_.triangles[closest.triangle];
        const auto& w = closest.weights;
        for (int k = 0; k < 3; ++k) {
            const int next = (k + 1) % 3, last = (k + 2) % 3;
            if (w[next] == 0 && w[last] == 0) return ofPoint_[t[k]];
            if (w[k] == 0 && w[next] != 0 && w[last] != 0) return ofEdge_[findEdge(t[next], t[last])];
        }
        return faceNormal(t);
    }

private:
    Vec3 faceNormal(const Triangle& t) const {
        return areaVector(mesh_.points[t[0]], mesh_.points[t[1]], mesh_.points[t[2]]).normalized();
    }
    Index findEdge(Index a, Index b) const {
        const std::pair wanted{std::min(a, b), std::max(a, b)};
        return Index(std::ranges::lower_bound(edges_, wanted, {},
                                              [](const MeshEdge& e) {
                                                  return std::pair{e.a, e.b};
                                              }) -
                     edges_.begin());
    }

    const TriangleMesh& mesh_;
    std::vector<MeshEdge> edges_;
    std::vector<Vec3> ofPoint_, ofEdge_;
};

/// Six times the volume.
double sixfoldVolume(const TriangleMesh& mesh) {
    double sum = 0;
    const Vec3 origin = mesh.points[mesh.triangles.front()[0]];
    for (const auto& [a, b, c] : mesh.triangles)
        sum += (mesh.points[a] - origin).dot((mesh.points[b] - origin).cross(mesh.points[c] - origin));
    return sum;
}

std::uint64_t digestBytes(std::string_view bytes) {
    StateHash hash;
    hash.bytes(bytes.data(), bytes.size());
    return hash.digest();
}

}  // namespace

std::optional<Hole> findHole(const TriangleMesh& mesh) {
    std::optional<Hole> hole;
    for (const MeshEdge& edge : collectEdges(mesh.triangles, Index(mesh.points.size()))) {
        if (edge.isHinge()) continue;
        if (!hole) hole = Hole{edge.a, edge.b};
        ++hole->edges;
    }
    return hole;
}

std::optional<DistanceField> DistanceField::build(const TriangleMesh& mesh, int cells, const Progress& progress,
                                                  const std::stop_token& stop) {
    Vec3 low = mesh.points[mesh.triangles.front()[0]], high = low;
    for (const Triangle& t : mesh.triangles)
        for (const Index corner : t) {
            low = low.cwiseMin(mesh.points[corner]);
            high = high.cwiseMax(mesh.points[corner]);
        }
    DistanceField field;
    field.cell_ = (high - low).maxCoeff() / cells;
    field.low_ = low - kMargin * Vec3::Constant(field.cell_);
    std::size_t total = 1;
    for (int axis = 0; axis < 3; ++axis) {
        field.count_[axis] = Index(std::ceil((high - low)[axis] / field.cell_)) + 2 * kMargin + 1;
        total *= std::size_t(field.count_[axis]);
    }
    field.nodes_.resize(total);
    const ClosestTriangle surface(mesh);
    const Pseudonormals normals(mesh);
    const double sign = sixfoldVolume(mesh) < 0 ? -1 : 1;
    const auto& [nx, ny, nz] = field.count_;
    std::size_t node = 0;
    for (Index z = 0; z < nz; ++z) {
        if (stop.stop_requested()) return std::nullopt;
        if (progress) progress(double(z) / nz);
        for (Index y = 0; y < ny; ++y) {
            double within = HUGE_VAL;
            for (Index x = 0; x < nx; ++x, ++node) {
                const Vec3 point = field.low_ + field.cell_ * Vec3(x, y, z);
                const ClosestTriangle::Result closest = surface.find(point, within);
                const double side = sign * normals.at(closest).dot(point - closest.point);
                field.nodes_[node] = float(side < 0 ? -closest.distance : closest.distance);
                within = (closest.distance + field.cell_) * (1 + 1e-9);  // of the next node at most
            }
        }
    }
    if (progress) progress(1);
    return field;
}

DistanceSample DistanceField::sample(const Vec3& point) const {
    const Vec3 inside = point.cwiseMax(low_).cwiseMin(high());
    Index cell[3];
    double s[3];
    for (int axis = 0; axis < 3; ++axis) {
        const double place = (inside[axis] - low_[axis]) / cell_;
        cell[axis] = Index(std::clamp(place, 0.0, double(count_[axis] - 2)));
        s[axis] = place - double(cell[axis]);
    }
    const std::size_t row = std::size_t(count_[0]), layer = row * std::size_t(count_[1]);
    const float* first = nodes_.data() + std::size_t(cell[2]) * layer + std::size_t(cell[1]) * row + cell[0];
    double value = 0;
    Vec3 gradient = Vec3::Zero();
    for (int corner = 0; corner < 8; ++corner) {
        const int bit[3] = {corner & 1, (corner >> 1) & 1, corner >> 2};
        double share[3];
        for (int axis = 0; axis < 3; ++axis) share[axis] = bit[axis] ? s[axis] : 1 - s[axis];
        const double d = first[std::size_t(bit[0]) + std::size_t(bit[1]) * row + std::size_t(bit[2]) * layer];
        value += share[0] * share[1] * share[2] * d;
        for (int axis = 0; axis < 3; ++axis)
            gradient[axis] += (bit[axis] ? d : -d) * share[(axis + 1) % 3] * share[(axis + 2) % 3];
    }
    const Vec3 away = point - inside;
    const double size = gradient.norm();
    DistanceSample out{value, size > 0 ? Vec3(gradient / size) : Vec3(Vec3::UnitY())};
    if (away.isZero(0.0)) return out;
    // The closest point of the surface lies in the box, so that the angle at `inside` is obtuse.
    const double distance = std::hypot(value, away.norm());
    return {distance, (away + value * out.normal).normalized()};
}

std::string DistanceField::bytes() const {
    std::string out(kMagic, sizeof kMagic);
    const auto add = [&](const auto* values, std::size_t count) {
        out.append(reinterpret_cast<const char*>(values), count * sizeof *values);
    };
    add(&cell_, 1);
    add(low_.data(), 3);
    add(count_.data(), 3);
    add(nodes_.data(), nodes_.size());
    const std::uint64_t sum = digestBytes(out);
    add(&sum, 1);
    return out;
}

std::optional<DistanceField> DistanceField::fromBytes(std::string_view bytes) {
    DistanceField field;
    std::uint64_t sum = 0;
    const std::size_t head = sizeof kMagic + sizeof cell_ + 3 * sizeof(double) + sizeof count_;
    if (bytes.size() < head + sizeof sum || bytes.substr(0, sizeof kMagic) != std::string_view(kMagic, sizeof kMagic))
        return std::nullopt;
    const std::string_view content = bytes.substr(0, bytes.size() - sizeof sum);
    std::memcpy(&sum, bytes.data() + content.size(), sizeof sum);
    if (sum != digestBytes(content)) return std::nullopt;
    const char* at = content.data() + sizeof kMagic;
    const auto take = [&](auto* values, std::size_t count) {
        std::memcpy(values, at, count * sizeof *values);
        at += count * sizeof *values;
    };
    take(&field.cell_, 1);
    take(field.low_.data(), 3);
    take(field.count_.data(), 3);
    std::size_t total = 1;
    for (const Index n : field.count_) {
        if (n < 2 || n > kMostCells + 2 * kMargin + 2) return std::nullopt;
        total *= std::size_t(n);
    }
    if (content.size() != head + total * sizeof(float)) return std::nullopt;
    field.nodes_.resize(total);
    take(field.nodes_.data(), total);
    return field;
}

}  // namespace clothlab::geometry
