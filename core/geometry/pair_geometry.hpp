#pragma once

#include <algorithm>
#include <array>

#include "geometry/closest_points.hpp"

/// Closest points in any precision: doubles, and quadruple precision for the few pairs where doubles do not suffice.
namespace clothlab::geometry {

template <class T>
struct Point {
    T x, y, z;

    friend Point operator+(const Point& a, const Point& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Point operator*(T s, const Point& a) { return {s * a.x, s * a.y, s * a.z}; }
    T dot(const Point& b) const { return x * b.x + y * b.y + z * b.z; }
    T squaredNorm() const { return dot(*this); }
};

template <class T>
using PairOf = std::array<Point<T>, 4>;

template <class T>
PairOf<T> toPair(const PairPoints& p) {
    PairOf<T> out;
    for (int k = 0; k < 4; ++k) out[k] = {T(p[k].x()), T(p[k].y()), T(p[k].z())};
    return out;
}

/// Weights of the point of a triangle that is closest to a vertex, by the regions of its corners, edges and inside,
/// distinguished by dot products along the edges.
template <class T>
std::array<T, 4> vertexTriangleWeights(const PairOf<T>& q) {
    using Weights = std::array<T, 4>;
    const auto& [p, a, b, c] = q;
    const Point<T> ab = b - a, ac = c - a, ap = p - a;
    const T d1 = ab.dot(ap), d2 = ac.dot(ap);
    if (d1 <= 0 && d2 <= 0) return Weights{1, -1, 0, 0};
    const Point<T> bp = p - b;
    const T d3 = ab.dot(bp), d4 = ac.dot(bp);
    if (d3 >= 0 && d4 <= d3) return Weights{1, 0, -1, 0};
    const T ofC = d1 * d4 - d3 * d2;
    if (ofC <= 0 && d1 >= 0 && d3 <= 0 && d1 > d3) return Weights{1, d1 / (d1 - d3) - 1, -d1 / (d1 - d3), 0};
    const Point<T> cp = p - c;
    const T d5 = ab.dot(cp), d6 = ac.dot(cp);
    if (d6 >= 0 && d5 <= d6) return Weights{1, 0, 0, -1};
    const T ofB = d5 * d2 - d1 * d6;
    if (ofB <= 0 && d2 >= 0 && d6 <= 0 && d2 > d6) return Weights{1, d2 / (d2 - d6) - 1, 0, -d2 / (d2 - d6)};
    const T ofA = d3 * d6 - d5 * d4;
    const T fromB = d4 - d3, fromC = d5 - d6;
    if (ofA <= 0 && fromB >= 0 && fromC >= 0 && fromB + fromC > 0)
        return Weights{1, 0, fromB / (fromB + fromC) - 1, -fromB / (fromB + fromC)};
    const T sum = ofA + ofB + ofC;
    if (!(sum > 0)) return Weights{1, -1, 0, 0};  // no area
    const T shareB = ofB / sum, shareC = ofC / sum;
    return Weights{1, shareB + shareC - 1, -shareB, -shareC};
}

/// Weights of the closest points a0 + s (a1 - a0), b0 + t (b1 - b0): the minimum over the lines, then clamped one after
/// the other.
template <class T>
std::array<T, 4> edgeEdgeWeights(const PairOf<T>& q) {
    const auto& [a0, a1, b0, b1] = q;
    const Point<T> d1 = a1 - a0, d2 = b1 - b0, r = a0 - b0;
    const T a = d1.squaredNorm(), e = d2.squaredNorm(), f = d2.dot(r), c = d1.dot(r), b = d1.dot(d2);
    const auto share = [](T part, T whole) { return whole > 0 ? std::clamp(T(part / whole), T(0), T(1)) : T(0); };
    const T determinant = a * e - b * b;
    // Nearly parallel lines: any s will do, and the clamps find a good t.
    T s = determinant > T(1e-14) * a * e ? share(b * f - c * e, determinant) : T(0);
    T t = e > 0 ? (b * s + f) / e : T(0);
    if (t < 0) {
        t = 0;
        s = share(-c, a);
    } else if (t > 1) {
        t = 1;
        s = share(b - c, a);
    }
    return {1 - s, s, t - 1, -t};
}

template <class T>
std::array<T, 4> closestWeights(PairKind kind, const PairOf<T>& p) {
    return kind == PairKind::VertexTriangle ? vertexTriangleWeights(p) : edgeEdgeWeights(p);
}

/// sum_k weights[k] p[k], from differences of neighbours: close points stay exact far from the origin.
template <class T>
Point<T> apartBy(PairKind kind, const std::array<T, 4>& w, const PairOf<T>& p) {
    if (kind == PairKind::VertexTriangle) return (p[0] - p[1]) + w[2] * (p[2] - p[1]) + w[3] * (p[3] - p[1]);
    return (p[0] - p[2]) + w[1] * (p[1] - p[0]) + w[3] * (p[3] - p[2]);
}

}  // namespace clothlab::geometry
