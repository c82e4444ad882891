#include "scene/placement.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/text.hpp"
#include "scene/knot.hpp"
#include "scene/scene_fields.hpp"

namespace clothlab::scene {
namespace {

/// Places of the columns in the plane of column axis and normal, in units of the spacing.
struct Profile {
    std::vector<double> along, across;
};

/// Spacings along the columns in units of the mean: each so many times the one before that the last is `grading` times
/// the first.
std::vector<double> columnSpacings(const ClothPatch& cloth) {
    std::vector<double> lengths(std::size_t(cloth.columns - 1), 1.0);
    if (cloth.grading == 1 || lengths.size() < 2) return lengths;
    for (std::size_t k = 1; k < lengths.size(); ++k)
        lengths[k] = std::pow(cloth.grading, double(k) / double(lengths.size() - 1));
    const double sum = std::accumulate(lengths.begin(), lengths.end(), 0.0);
    for (double& length : lengths) length *= double(lengths.size()) / sum;
    return lengths;
}

/// Segments whose slope swings as amplitude * cos(2 pi pleats s), s along the cloth: any amplitude keeps all lengths,
/// so the cloth is folded, not strained.
Profile pleated(const ClothPatch& cloth, double amplitude) {
    Profile p{{0.0}, {0.0}};
    double before = 0;
    for (const double length : columnSpacings(cloth)) {
        const double middle = before + 0.5 * length;
        const double slope = amplitude * std::cos(2 * std::numbers::pi * cloth.pleats * middle / (cloth.columns - 1));
        p.along.push_back(p.along.back() + length * std::cos(slope));
        p.across.push_back(p.across.back() + length * std::sin(slope));
        before += length;
    }
    return p;
}

/// The profile whose width is `gather` times the side.
Profile fitProfile(const ClothPatch& cloth) {
    if (cloth.gather >= 1) return pleated(cloth, 0);
    double low = 0, high = 2;  // radians; the width falls with the amplitude
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        const bool wide = pleated(cloth, middle).along.back() > cloth.gather * (cloth.columns - 1);
        (wide ? low : high) = middle;
    }
    return pleated(cloth, low);
}

/// origin + spacing * (along(c) columnAxis + across(c) normal + r rowAxis)
linalg::BlockVector layOut(const ClothPatch& cloth, const Profile& profile) {
    linalg::BlockVector x(Index(cloth.rows) * cloth.columns);
    const double spacing = gridSpacing(cloth);
    const Vec3 along = cloth.columnAxis.normalized(), down = cloth.rowAxis.normalized(),
               normal = along.cross(down).normalized();
    for (int r = 0; r < cloth.rows; ++r)
        for (int c = 0; c < cloth.columns; ++c) {
            const auto k = std::size_t(c);
            x[Index(r) * cloth.columns + c] =
                cloth.origin + spacing * (profile.along[k] * along + profile.across[k] * normal + r * down);
        }
    return x;
}

/// The columns along the knot, its middle at the origin; the rows across it.
linalg::BlockVector knotted(const ClothPatch& cloth) {
    linalg::BlockVector x(Index(cloth.rows) * cloth.columns);
    const double spacing = gridSpacing(cloth);
    const Vec3 along = cloth.columnAxis.normalized(), down = cloth.rowAxis.normalized();
    Mat3 frame;
    frame << along, down.cross(along), down;
    const KnotCurve curve(cloth.columns, cloth.side);
    for (int r = 0; r < cloth.rows; ++r)
        for (int c = 0; c < cloth.columns; ++c) {
            const auto k = std::size_t(c);
            x[Index(r) * cloth.columns + c] =
                cloth.origin + frame * (curve.places[k] + (r - 0.5 * (cloth.rows - 1)) * spacing * curve.across[k]);
        }
    return x;
}

Eigen::Quaterniond clothRotation(const ClothPatch& cloth) {
    const double degrees = cloth.rotation.norm();
    if (degrees == 0) return Eigen::Quaterniond::Identity();
    return Eigen::Quaterniond(Eigen::AngleAxisd(degrees * std::numbers::pi / 180, cloth.rotation / degrees));
}

linalg::BlockVector placed(const ClothPatch& cloth) {
    const std::vector<Vec3>& points = patchPoints(cloth);
    const Mat3 turn = clothRotation(cloth).toRotationMatrix();
    linalg::BlockVector x(Index(points.size()));
    for (Index i = 0; i < x.size(); ++i) x[i] = cloth.origin + turn * (cloth.scale * points[i]);
    return x;
}

}  // namespace

const geometry::TriangleMesh& patchMesh(const ClothPatch& cloth) {
    assert(cloth.mesh && (cloth.weld.distance == 0 || isWelded(cloth)));
    return cloth.weld.distance > 0 ? cloth.weld.content->welded.mesh : *cloth.mesh.content;
}

const std::vector<Vec3>& patchPoints(const ClothPatch& cloth) {
    assert(cloth.mesh || cloth.solid.isMade());
    return cloth.mesh ? patchMesh(cloth).points : cloth.solid.content->mesh.points;
}

std::vector<double> columnPlaces(const ClothPatch& grid) {
    if (grid.grading == 1) return {};
    std::vector<double> places = pleated(grid, 0).along;
    for (double& place : places) place *= gridSpacing(grid);
    return places;
}

double gridSpacing(const ClothPatch& grid) { return grid.side / (grid.columns - 1); }

linalg::BlockVector restPositions(const ClothPatch& cloth) {
    return cloth.mesh || cloth.solid ? placed(cloth) : layOut(cloth, pleated(cloth, 0));
}

linalg::BlockVector startPositions(const ClothPatch& cloth) {
    if (cloth.mesh || cloth.solid) return placed(cloth);
    return cloth.layout == Layout::Knot ? knotted(cloth) : layOut(cloth, fitProfile(cloth));
}

std::vector<Vec3> startNormals(const ClothPatch& cloth) {
    if (cloth.solid) return {Vec3::UnitY()};  // it has no noise
    if (!cloth.mesh) return {cloth.columnAxis.cross(cloth.rowAxis).normalized()};
    std::vector<Vec3> normals = geometry::pointNormals(patchMesh(cloth).points, patchMesh(cloth).triangles);
    const Mat3 turn = clothRotation(cloth).toRotationMatrix();
    for (Vec3& n : normals) n = turn * n;
    return normals;
}

ClothFault findMeshFault(const ClothPatch& cloth) {
    constexpr double kShortest = 1e-8;  // m: far above what springs take for no length at all
    const geometry::TriangleMesh& mesh = *cloth.mesh.content;
    double squared = INFINITY;
    for (const geometry::Triangle& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k)
            squared = std::min(squared, (mesh.points[t[k]] - mesh.points[t[(k + 1) % 3]]).squaredNorm());
    const double shortest = cloth.scale * std::sqrt(squared);
    if (shortest >= kShortest) return {};
    return {"scale", fmt::format("cloth.scale: the shortest edge of {} becomes {:.3g} m long: at least {} m",
                                 shownPath(cloth.mesh.name()), shortest, kShortest)};
}

ClothFault findSolidFault(const ClothPatch& cloth) {
    constexpr double kFinestSkin = 0.25, kShortest = 1e-6;  // of the spacing; m
    const SolidSource& solid = cloth.solid;
    const double coarsest = geometry::coarsestSpacing(solid.body);
    if (solid.spacing > coarsest)
        return {"spacing", fmt::format("cloth.spacing: {:.4g} m is too coarse for the limbs of the {}: at most {} m",
                                       solid.spacing, solid.name(), coarsest)};
    if (solid.surfaceSpacing > 0 && solid.surfaceSpacing < kFinestSkin * solid.spacing)
        return {"surface_spacing", fmt::format("cloth.surface_spacing: {:.4g} m is too fine over an "
                                               "inside of {:.4g} m: at least {:.4g} m, or 0",
                                               solid.surfaceSpacing, solid.spacing, kFinestSkin * solid.spacing)};
    if (cloth.scale * solid.spacing < kShortest)
        return {"scale", fmt::format("cloth.scale: springs would be shorter than {} m", kShortest)};
    return {};
}

}  // namespace clothlab::scene
