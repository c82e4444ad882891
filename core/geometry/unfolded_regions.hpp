#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/simd_floats.hpp"
#include "geometry/bounds.hpp"
#include "geometry/flat_charts.hpp"

/// Where a surface is not folded its parts stay apart, and their pairs need no test.
///
/// Let a part of the surface lie flat at rest (flat_charts.hpp), let X be a place there and x(X) its current position.
/// Within a triangle x has the gradient F, three rows and two columns. Let E be two orthonormal directions in space. If
///
///     d . sym(E^T F) d >= c |d|^2      in every triangle of a convex region, for all d
///
/// then for any two places X and Y of it, walking straight from X to Y,
///
///     |x(Y) - x(X)| |Y - X| >= (Y - X) . E^T (x(Y) - x(X)) >= c |Y - X|^2.
///
/// So points L apart at rest are at least c L apart now. Two features without a common corner are apart at rest by no
/// less than the least altitude of a triangle: one of them leaves the triangles around a corner of the other. During a
/// step F is linear in time, and so is d . sym(E^T F) d for each d: if it holds at the start and at the end it holds in
/// between. Tests by normals and contours exclude intersections at one time (Volino and Magnenat-Thalmann 1994); this
/// one excludes short distances, throughout the step.
///
/// The gradients of a patch are kept as intervals of their six entries, those of a region as the intervals around them.
namespace clothlab::geometry {

class UnfoldedRegions {
public:
    void build(const SurfacePatches& patches, std::span<const Vec3> points);

    /// Takes the gradients of one patch; returns the box around the paths of its corners, widened by `pad` (m). Several
    /// threads may take different patches.
    Bounds take(Index patch, const PointMotion& motion, double pad);
    /// Combines those of a node from its children, or from its patch.
    void join(Index node);

    /// The answer about features without a common corner: they surely stay apart, they may come near, or it is unknown,
    /// since the cover of their patches was not searched yet.
    enum class Answer { Apart, Near, Unknown };
    /// Whether features of the patches a and b, of one and the same where a == b, surely stay more than `distance` (m)
    /// apart.
    Answer ask(Index a, Index b, double distance) const;
    /// The same for all patches of a node.
    Answer ask(Index node, double distance) const;
    /// Searches for their cover, so that the answer is known from now on: not while other threads ask.
    void lookFor(Index a, Index b);
    void lookFor(Index node);

private:
    /// Entries of the first column of F, padding, of the second, padding: the least and the largest.
    struct alignas(32) Gradients {
        std::array<float, 8> lo, hi;

        void include(const Gradients& other);
    };
    /// Eight triangles of a patch: indices of their corners within the patch, and the inverse of their sides at rest.
    struct alignas(32) Block {
        Index corner[3][8];
        float inverse[4][8];
    };
    /// The cover of the convex hull of some patches: more patches, and the least altitude among all. Without patches:
    /// no cover.
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
    void boundGradients(Index patch, const Rows& rows, float size);
    Region unfoldRegion(std::span<const Index> patches);
    static Frame fitFrame(const Gradients& of);
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
