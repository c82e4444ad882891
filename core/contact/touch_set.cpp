#include "contact/touch_set.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/LU>

namespace clothlab::contact {

Vec3 Normals::solveGram(const Vec3& r) const {
    if (count() <= 1) return r;
    Mat3 gram = Mat3::Identity();
    gram(0, 1) = gram(1, 0) = n[0].dot(n[1]);
    gram(0, 2) = gram(2, 0) = n[0].dot(n[2]);
    gram(1, 2) = gram(2, 1) = n[1].dot(n[2]);
    return gram.inverse() * r;
}

bool Normals::independent(const Vec3& normal) const {
    for (const Vec3& own : n)
        if (std::abs(own.dot(normal)) >= kSame) return false;
    return count() < 2 || tangential(normal).squaredNorm() >= 1 - kSame * kSame;
}

void TouchSet::add(const Touch& touch) {
    if (count == 0) {
        items[count++] = touch;
        return;
    }
    if (items[0].normal.dot(touch.normal) < -Normals::kSame && items[0].depth + touch.depth > 0) {
        opposite = touch;
        if (touch.depth > items[0].depth) std::swap(items[0], opposite);
        return;
    }
    const Touch pinches = opposite;
    std::array<Touch, 4> sorted{items[0], items[1], items[2], Touch{}};
    int place = count;
    for (; place > 0 && sorted[place - 1].depth < touch.depth; --place) sorted[place] = sorted[place - 1];
    sorted[place] = touch;
    const int size = count + 1;
    *this = {};
    opposite = pinches;
    for (int i = 0; i < size && count < 3; ++i)
        if (normals().independent(sorted[i].normal)) items[count++] = sorted[i];
}

void TouchSet::releasePulled(const Vec3& force) {
    for (bool dropped = true; dropped && count > 0;) {
        const Vec3 pushes = normals().components(force);
        if (count == 1 && pushes[0] >= 0) {
            items[0].push = pushes[0];
            return;
        }
        const TouchSet before = *this;
        *this = {};
        for (int k = 0; k < before.count; ++k) {
            if (pushes[k] < 0) continue;
            items[count] = before.items[k];
            items[count++].push = pushes[k];
        }
        dropped = count < before.count;
    }
}

Vec3 TouchSet::velocity() const {
    const auto& [first, second, third] = items;
    if (pinched()) return (first.velocity + opposite.velocity) / 2;
    if (count == 1) return first.velocity - first.closing * first.normal;
    const auto missing = [&](const Touch& t) { return t.normal.dot(t.velocity - items[0].velocity) - t.closing; };
    const Normals all = normals();
    return first.velocity + all.sum(all.solveGram(Vec3(-first.closing, missing(second), missing(third))));
}

Vec3 TouchSet::penetration() const {
    const auto inside = [](const Touch& t) { return std::max(t.depth, 0.0); };
    if (pinched()) return (items[0].depth - opposite.depth) / 2 * items[0].normal;
    const Normals all = normals();
    return all.sum(all.solveGram(Vec3(inside(items[0]), inside(items[1]), inside(items[2]))));
}

}  // namespace clothlab::contact
