#include "render/collider_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "geometry/fillings/body.hpp"
#include "geometry/triangle_mesh.hpp"

namespace clothlab::app::render {
namespace {

constexpr int kAround = 64, kArc = 16;
constexpr float kPi = std::numbers::pi_v<float>;

/// A point of a profile that is turned about the y axis: radius, height, and the normal's share along each.
struct ProfilePoint {
    float r, y, nr, ny;
};

void arc(std::vector<ProfilePoint>& profile, glm::vec2 centre, float radius, float from, float to, int steps) {
    for (int i = 0; i <= steps; ++i) {
        const float a = from + (to - from) * float(i) / float(steps);
        profile.push_back({centre.x + radius * std::cos(a), centre.y + radius * std::sin(a), std::cos(a), std::sin(a)});
    }
}

/// The profile runs from bottom to top.
SolidMesh turned(const std::vector<ProfilePoint>& profile) {
    SolidMesh mesh;
    for (const ProfilePoint& p : profile)
        for (int k = 0; k <= kAround; ++k) {
            const float a = 2 * kPi * float(k) / kAround, c = std::cos(a), s = std::sin(a);
            mesh.vertices.insert(mesh.vertices.end(), {p.r * c, p.y, p.r * s, p.nr * c, p.ny, p.nr * s});
        }
    const auto at = [](std::size_t ring, int k) { return std::uint32_t(ring * (kAround + 1) + std::size_t(k)); };
    for (std::size_t ring = 0; ring + 1 < profile.size(); ++ring)
        for (int k = 0; k < kAround; ++k)
            mesh.indices.insert(mesh.indices.end(), {at(ring, k), at(ring + 1, k), at(ring + 1, k + 1), at(ring, k),
                                                     at(ring + 1, k + 1), at(ring, k + 1)});
    return mesh;
}

SolidMesh cylinder(float radius, float halfHeight, float rounding) {
    const float b = std::min({rounding, 0.5f * radius, 0.5f * halfHeight});
    std::vector<ProfilePoint> profile{{0, -halfHeight, 0, -1}};
    arc(profile, {radius - b, b - halfHeight}, b, -kPi / 2, 0, 6);
    arc(profile, {radius - b, halfHeight - b}, b, 0, kPi / 2, 6);
    profile.push_back({0, halfHeight, 0, 1});
    return turned(profile);
}

SolidMesh capsule(float radius, float halfHeight) {
    std::vector<ProfilePoint> profile;
    arc(profile, {0, -halfHeight}, radius, -kPi / 2, 0, kArc);
    arc(profile, {0, halfHeight}, radius, 0, kPi / 2, kArc);
    return turned(profile);
}

/// Lattice coordinates along one edge of a rounded box: fine in the rounding, one step in the flat part.
std::vector<float> lattice(float half, float rounding) {
    constexpr int kSteps = 5;
    std::vector<float> at;
    for (int i = 0; i <= kSteps; ++i) at.push_back(-half + rounding * float(i) / kSteps);
    for (int i = kSteps; i >= 0; --i) at.push_back(half - rounding * float(i) / kSteps);
    return at;
}

/// One face: the flat lattice is pushed onto the sphere that rolls inside the box.
void appendFace(SolidMesh& mesh, glm::vec3 half, float b, int axis, float sign) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const auto us = lattice(half[u], b), vs = lattice(half[v], b);
    const auto first = std::uint32_t(mesh.vertices.size() / 6);
    for (const float y : vs)
        for (const float x : us) {
            glm::vec3 q(0);
            q[axis] = sign * half[axis];
            q[u] = x;
            q[v] = y;
            const glm::vec3 inner = glm::clamp(q, -(half - b), half - b), n = glm::normalize(q - inner);
            const glm::vec3 p = inner + b * n;
            mesh.vertices.insert(mesh.vertices.end(), {p.x, p.y, p.z, n.x, n.y, n.z});
        }
    const auto width = std::uint32_t(us.size());
    for (std::uint32_t row = 0; row + 1 < vs.size(); ++row)
        for (std::uint32_t column = 0; column + 1 < width; ++column) {
            const std::uint32_t i = first + row * width + column;
            mesh.indices.insert(mesh.indices.end(), {i, i + 1, i + width + 1, i, i + width + 1, i + width});
        }
}

SolidMesh box(glm::vec3 half, float rounding) {
    const float b = std::clamp(rounding, 1e-4f, 0.5f * std::min({half.x, half.y, half.z}));
    SolidMesh mesh;
    for (int axis = 0; axis < 3; ++axis)
        for (const float sign : {-1.0f, 1.0f}) appendFace(mesh, half, b, axis, sign);
    return mesh;
}

float shrunk(double length, float inset) { return std::max(float(length) - inset, 0.2f * float(length)); }

/// The torso as it is drawn. Its triangles are as long as the edge is round where the ground cuts it: those near there
/// are split, and all are evened out on the surface.
class DrawnTorso {
public:
    DrawnTorso(const geometry::TriangleMesh& torso, double scale) : points(torso.points), triangles(torso.triangles) {
        for (Vec3& point : points) point /= scale;
        for (int round = 0; round < 2; ++round) split();
        for (int round = 0; round < 4; ++round) evenOut();
        for (Vec3& point : points) {
            normals.push_back(body_.sample(point).normal.normalized());
            point *= scale;
        }
    }
    std::vector<Vec3> points, normals;  ///< m
    std::vector<geometry::Triangle> triangles;

private:
    /// Edges near the ground, in the middle: of a triangle one of them or all.
    void split() {
        constexpr double kNear = 0.06;
        std::map<std::pair<Index, Index>, Index> middles;
        const auto near = [&](Index i) { return points[i].y() < kNear; };
        const auto middle = [&](Index a, Index b) {
            const auto [found, fresh] = middles.try_emplace(std::minmax(a, b), Index(points.size()));
            if (fresh) points.push_back(body_.onSurface(0.5 * (points[a] + points[b])));
            return found->second;
        };
        std::vector<geometry::Triangle> finer;
        for (geometry::Triangle t : triangles) {
            const auto below = std::ranges::count_if(t, near);
            while (below == 2 && near(t[2])) std::rotate(t.begin(), t.begin() + 1, t.end());
            if (below < 2) {
                finer.push_back(t);
            } else if (below == 2) {
                const Index m = middle(t[0], t[1]);
                finer.insert(finer.end(), {{t[0], m, t[2]}, {m, t[1], t[2]}});
            } else {
                const Index a = middle(t[0], t[1]), b = middle(t[1], t[2]), c = middle(t[2], t[0]);
                finer.insert(finer.end(), {{t[0], a, c}, {a, t[1], b}, {c, b, t[2]}, {a, b, c}});
            }
        }
        triangles = std::move(finer);
    }
    void evenOut() {
        std::vector<Vec3> sum(points.size(), Vec3::Zero());
        std::vector<int> count(points.size(), 0);
        for (const geometry::Triangle& t : triangles)
            for (std::size_t k = 0; k < 3; ++k) {
                sum[t[k]] += points[t[(k + 1) % 3]] + points[t[(k + 2) % 3]];
                count[t[k]] += 2;
            }
        for (std::size_t i = 0; i < points.size(); ++i)
            if (count[i] > 0) points[i] = body_.onSurface(sum[i] / count[i]);
    }
    geometry::Body body_ = geometry::makeTorso();
};

SolidMesh makeSolidMesh(const std::vector<Vec3>& points, const std::vector<Vec3>& normals,
                        const std::vector<geometry::Triangle>& triangles, float inset) {
    SolidMesh mesh;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3 p = points[i] - double(inset) * normals[i];
        for (const Vec3& v : {p, normals[i]})
            for (int axis = 0; axis < 3; ++axis) mesh.vertices.push_back(float(v[axis]));
    }
    for (const geometry::Triangle& t : triangles)
        for (const Index corner : t) mesh.indices.push_back(std::uint32_t(corner));
    return mesh;
}

struct MeshOf {
    float rounding, inset;
    SolidMesh operator()(const geometry::Sphere& s) const { return capsule(shrunk(s.radius, inset), 0); }
    SolidMesh operator()(const geometry::Box& s) const {
        return box({shrunk(s.halfSize.x(), inset), shrunk(s.halfSize.y(), inset), shrunk(s.halfSize.z(), inset)},
                   rounding);
    }
    SolidMesh operator()(const geometry::Cylinder& s) const {
        return cylinder(shrunk(s.radius, inset), shrunk(s.halfHeight, inset), rounding);
    }
    SolidMesh operator()(const geometry::Capsule& s) const {
        return capsule(shrunk(s.radius, inset), float(s.halfHeight));
    }
    SolidMesh operator()(const geometry::Plane&) const { return {}; }
    SolidMesh operator()(const geometry::MeshSolid& s) const {
        const auto& [points, triangles, textures] = *s.surface;
        if (!s.path.empty()) return makeSolidMesh(points, geometry::pointNormals(points, triangles), triangles, inset);
        const DrawnTorso torso(*s.surface, s.scale);
        return makeSolidMesh(torso.points, torso.normals, torso.triangles, inset);
    }
};

}  // namespace

SolidMesh solidMesh(const geometry::Shape& shape, float rounding, float inset) {
    return std::visit(MeshOf{rounding, inset}, shape);
}

constexpr std::size_t kFloats = 6;  // of a vertex

void ColliderMeshes::describe(GLsizei stride) {
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride, nullptr);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, stride, gl::bufferOffset(3 * sizeof(float)));
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
}

ColliderMeshes::ColliderMeshes(std::span<const contact::Collider> colliders, float clothSpacing)
    : quads_(kFloats * sizeof(float), describe) {
    SolidMesh all;
    for (const contact::Collider& collider : colliders) {
        // A chord of one spacing sinks spacing^2 / 8r into a round solid, 0.35 spacing across an edge of a box, 0.6 at
        // a corner.
        const float radius = std::max(float(boundingRadius(collider.shape)), 0.01f);
        const float inset = std::min(0.002f + 0.2f * clothSpacing * clothSpacing / radius, 0.04f * radius);
        const SolidMesh mesh = solidMesh(collider.shape, 1.2f * clothSpacing, inset);
        const std::size_t first = all.indices.size();
        const auto base = std::uint32_t(all.vertices.size() / kFloats);
        all.vertices.insert(all.vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
        for (const std::uint32_t i : mesh.indices) all.indices.push_back(base + i);
        ranges_.push_back({GLsizei(mesh.indices.size()), first, {}});
    }
    const std::vector<std::uint32_t> places = weldVertices(all.vertices, kFloats);
    for (Range& range : ranges_)
        range.outline = Outline(std::span(all.indices).subspan(range.firstIndex, std::size_t(range.count)), places);
    positionsAndNormals_ = std::move(all.vertices);
    if (all.indices.empty()) return;
    vertices_ = gl::Buffer::make();
    indices_ = gl::Buffer::make();
    array_ = gl::VertexArray::make();
    glBindVertexArray(array_.get());
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.get());
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, GLsizeiptr(all.indices.size() * sizeof(std::uint32_t)), all.indices.data(),
                 GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, vertices_.get());
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(positionsAndNormals_.size() * sizeof(float)), positionsAndNormals_.data(),
                 GL_STATIC_DRAW);
    describe(kFloats * sizeof(float));
    glBindVertexArray(0);
}

void ColliderMeshes::draw(std::size_t collider) const {
    const Range& range = ranges_[collider];
    if (range.count == 0) return;
    glBindVertexArray(array_.get());
    glDrawElements(GL_TRIANGLES, range.count, GL_UNSIGNED_INT,
                   gl::bufferOffset(range.firstIndex * sizeof(std::uint32_t)));
}

void ColliderMeshes::updateOutlines(std::span<const contact::ColliderPose> poses, const glm::vec3& eye,
                                    const glm::mat4& viewProjection, const Viewport& viewport) {
    corners_.clear();
    for (std::size_t k = 0; k < std::min(ranges_.size(), poses.size()); ++k) {
        const glm::mat4 model = modelMatrix(poses[k]);
        ranges_[k].firstCorner = corners_.size();
        ranges_[k].outline.find(positionsAndNormals_, kFloats, glm::inverse(model) * glm::vec4(eye, 1),
                                viewProjection * model, viewport, corners_);
        ranges_[k].corners = corners_.size() - ranges_[k].firstCorner;
    }
    quads_.fill(positionsAndNormals_.data(), corners_);
}

void ColliderMeshes::drawOutline(std::size_t collider) const {
    quads_.draw(ranges_[collider].firstCorner, ranges_[collider].corners);
}

glm::mat4 modelMatrix(const contact::ColliderPose& pose) {
    const Mat3 rotation = pose.orientation.toRotationMatrix();
    glm::mat4 m(1);
    for (int column = 0; column < 3; ++column)
        for (int row = 0; row < 3; ++row) m[column][row] = float(rotation(row, column));
    for (int row = 0; row < 3; ++row) m[3][row] = float(pose.position[row]);
    return m;
}

}  // namespace clothlab::app::render
