#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/simd_floats.hpp"
#include "geometry/bounds.hpp"
#include "geometry/flat_charts.hpp"

/// Where a surface is not folded its parts stay apart, and no pair of them needs to be looked at.
///
/// Let a part of the surface lie flat at rest (flat_charts.hpp), let X be a place there and x(X) where it is now.
/// Within a triangle x has the gradient F, three rows and two columns. Let E be two orthonormal directions in space. If
///
///     d . sym(E^T F) d >= c |d|^2      in every triangle of a convex region, for all d
///
/// then for any two places X and Y of it, walking straight from X to Y,
///
///     |x(Y) - x(X)| |Y - X| >= (Y - X) . E^T (x(Y) - x(X)) >= c |Y - X|^2.
///
/// So what is L apart at rest is at least c L apart now. Two features without a common corner are apart at rest by no
/// less than the least altitude of a triangle: one of them leaves the triangles around a corner of the other. On the
/// way of a step F is linear in time, and so is d . sym(E^T F) d for each d: who holds it at the start and at the end
/// holds it between them.
/// Tests by normals and contours exclude intersections at one time (Volino and Magnenat-Thalmann 1994); this one
/// excludes short distances, on the whole way.
///
/// The gradients of a patch are kept as intervals of their six entries, those of a region as the intervals around them.
namespace clothlab::geometry {

class UnfoldedRegions {
public:
    void build(const SurfacePatches& patches, std::span<const Vec3> points);

    /// Takes the gradients of one patch; gives the box around the ways of its corners and `pad` (m). Patches may be
    /// taken by several threads.
    Bounds take(Index patch, const PointMotion& motion, double pad);
    /// Takes those of a node from its children, or from its patch.
    void join(Index node);

    /// What is known of features without a common corner: that they surely stay apart, that they may come near, or
    /// nothing, since what covers their patches was not looked for yet.
    enum class Answer { Apart, Near, Unknown };
    /// Whether features of the patches a and b, of one and the same where a == b, surely stay more than `distance` (m)
    /// apart.
    Answer ask(Index a, Index b, double distance) const;
    /// The same of all patches of a node.
    Answer ask(Index node, double distance) const;
    /// Looks for what covers them, so that an answer is known from now on: not while other threads ask.
    void lookFor(Index a, Index b);
    void lookFor(Index node);

private:
    /// Entries of the first column of F, nothing, of the second, nothing: the least and the largest.
    struct alignas(32) Gradients {
        std::array<float, 8> lo, hi;

        void include(const Gradients& other);
    };
    /// Eight triangles of a patch: where their corners are among its own, and the inverse of their sides at rest.
    struct alignas(32) Block {
        Index corner[3][8];
        float inverse[4][8];
    };
    /// What covers the convex hull of some patches: more patches, and the least altitude among all. Without patches:
    /// nothing does.
    struct Region {
        std::vector<Index> patches;
        float finest = 0;
    };
    struct Neighbour {
        Index patch;
        Region region;
    };

    struct Rows;
    using Frame = std::array<Eigen::Vector3f, 2>;

    void addPatch(Index patch);
    void takeGradients(Index patch, const Rows& rows, float size);
    Region regionOf(std::span<const Index> patches);
    static Frame frameOf(const Gradients& of);
    static float leastStretch(const Gradients& of, const Frame& e);
    bool apart(const Gradients& all, const Region& region, double distance) const;

    const SurfacePatches* patches_ = nullptr;
    FlatCharts charts_;
    std::vector<Index> corner_, firstCorner_;  // of each patch, filled up to eights
    std::vector<Block> blocks_;
    std::vector<Index> firstBlock_;
    std::vector<float> steepest_;  // of each patch: the largest entries of the inverses, 1/m
    std::vector<Gradients> ofPatch_, ofNode_;
    // Found when first asked for; a question has one answer as long as the surface is the same.
    std::vector<std::vector<Neighbour>> neighbours_;  // of each patch, of those that do not come before it
    std::vector<Region> ofNodeRegion_;
    std::vector<std::uint8_t> nodeKnown_;
};

}  // namespace clothlab::geometry
