#include "geometry/fillings/body.hpp"

#include <algorithm>
#include <cmath>

namespace clothlab::geometry {
namespace {

constexpr double kSoleBlend = 0.02;  // m: rounding of the edge where the ground cuts a foot

DistanceSample sampleDistance(const Ellipsoid& e, const Vec3& point) {
    const Vec3 p = point - e.center, scaled = p.cwiseQuotient(e.radii), twice = scaled.cwiseQuotient(e.radii);
    const double k0 = scaled.norm(), k1 = twice.norm();
    if (!(k1 > 0)) return {-e.radii.minCoeff(), Vec3::UnitY()};
    return {k0 * (k0 - 1) / k1, twice / k1};  // exact on the surface to first order
}

DistanceSample toSphere(const Vec3& offset, double radius) {
    const double length = offset.norm();
    return {length - radius, length > 0 ? Vec3(offset / length) : Vec3::UnitY()};
}

DistanceSample sampleDistance(const TaperedCapsule& c, const Vec3& point) {
    const Vec3 axis = c.b - c.a, p = point - c.a;
    const double squared = axis.squaredNorm(), taper = c.first - c.second, along = p.dot(axis);
    const double lean = squared - taper * taper;  // of the cone's side; negative where one ball holds the other
    const Vec3 across = p - axis * (along / squared);
    const double beyond = along - squared, side = std::copysign(taper * taper, taper) * across.squaredNorm() * squared;
    if (lean <= 0) return taper > 0 ? toSphere(p, c.first) : toSphere(point - c.b, c.second);
    if (std::copysign(beyond * beyond, beyond) * lean > side) return toSphere(point - c.b, c.second);
    if (std::copysign(along * along, along) * lean < side) return toSphere(p, c.first);
    const double distance = across.norm(), cosine = std::sqrt(lean / squared);
    const Vec3 outward = distance > 0 ? Vec3(across / distance) : Vec3::UnitY();
    return {distance * cosine + along * taper / squared - c.first, outward * cosine + axis * (taper / squared)};
}

/// The cubic smooth minimum: twice differentiable, and the minimum itself where the two differ by more than `width`.
DistanceSample smoothMinimum(const DistanceSample& a, const DistanceSample& b, double width) {
    const DistanceSample &low = a.distance < b.distance ? a : b, &high = a.distance < b.distance ? b : a;
    const double h = 1 - (high.distance - low.distance) / width;
    if (!(h > 0)) return low;
    const double share = 0.5 * h * h;
    return {low.distance - h * h * h * width / 6, (1 - share) * low.normal + share * high.normal};
}

std::pair<Vec3, Vec3> boundingBox(const Blob& blob) {
    if (const auto* e = std::get_if<Ellipsoid>(&blob.shape)) return {e->center - e->radii, e->center + e->radii};
    const auto& c = std::get<TaperedCapsule>(blob.shape);
    const Vec3 low = (c.a.array() - c.first).min(c.b.array() - c.second);
    const Vec3 high = (c.a.array() + c.first).max(c.b.array() + c.second);
    return {low, high};
}

/// The pieces of a body; a limb has a mirror image.
class Sculptor {
public:
    void ball(const Vec3& center, const Vec3& radii, double blend) {
        blobs_.push_back({Ellipsoid{center, radii}, blend});
    }
    void limb(const Vec3& a, double first, const Vec3& b, double second, double blend) {
        blobs_.push_back({TaperedCapsule{a, b, first, second}, blend});
    }
    void balls(const Vec3& center, const Vec3& radii, double blend) {
        ball(center, radii, blend);
        ball(mirrored(center), radii, blend);
    }
    void limbs(const Vec3& a, double first, const Vec3& b, double second, double blend) {
        limb(a, first, b, second, blend);
        limb(mirrored(a), first, mirrored(b), second, blend);
    }
    Body done() { return Body(std::move(blobs_)); }

private:
    static Vec3 mirrored(const Vec3& p) { return {p.x(), p.y(), -p.z()}; }
    std::vector<Blob> blobs_;
};

Body hippo() {
    Sculptor s;
    s.ball({-0.03, 0.37, 0}, {0.37, 0.225, 0.235}, 0.05);
    s.ball({0.02, 0.31, 0}, {0.28, 0.20, 0.225}, 0.08);                   // belly
    s.ball({-0.22, 0.40, 0}, {0.20, 0.20, 0.20}, 0.08);                   // rump
    s.limb({0.20, 0.42, 0}, 0.19, {0.44, 0.40, 0}, 0.135, 0.08);          // neck
    s.ball({0.50, 0.41, 0}, {0.17, 0.115, 0.115}, 0.06);                  // head
    s.ball({0.66, 0.36, 0}, {0.105, 0.10, 0.14}, 0.09);                   // muzzle
    s.ball({0.62, 0.28, 0}, {0.12, 0.06, 0.12}, 0.05);                    // jaw
    s.balls({0.71, 0.44, 0.08}, {0.05, 0.045, 0.045}, 0.03);              // nostrils
    s.balls({0.55, 0.51, 0.08}, {0.052, 0.052, 0.048}, 0.03);             // eyes
    s.limbs({0.38, 0.50, 0.12}, 0.05, {0.36, 0.585, 0.165}, 0.05, 0.03);  // ears
    s.limbs({0.23, 0.26, 0.13}, 0.105, {0.24, 0.06, 0.145}, 0.085, 0.05);
    s.limbs({-0.25, 0.28, 0.13}, 0.12, {-0.26, 0.06, 0.145}, 0.088, 0.05);
    s.limb({-0.39, 0.42, 0}, 0.045, {-0.445, 0.29, 0}, 0.038, 0.04);  // tail
    return s.done();
}

void frogFoot(Sculptor& s, const Vec3& heel, double radius, std::span<const Vec3> tips) {
    for (const Vec3& tip : tips) {
        s.limbs(heel, radius, tip, 0.034, 0.03);
        s.balls(tip, {0.048, 0.04, 0.048}, 0.03);
    }
}

Body frog() {
    Sculptor s;
    s.limb({-0.22, 0.19, 0}, 0.165, {0.10, 0.31, 0}, 0.175, 0.05);           // trunk
    s.ball({-0.04, 0.21, 0}, {0.24, 0.16, 0.19}, 0.10);                      // belly
    s.ball({0.25, 0.365, 0}, {0.20, 0.105, 0.195}, 0.08);                    // head
    s.ball({0.22, 0.28, 0}, {0.14, 0.10, 0.15}, 0.07);                       // throat
    s.balls({0.22, 0.465, 0.115}, {0.07, 0.07, 0.065}, 0.035);               // eyes
    s.limbs({-0.24, 0.17, 0.13}, 0.105, {0.02, 0.24, 0.30}, 0.08, 0.07);     // thighs
    s.limbs({0.02, 0.235, 0.305}, 0.07, {-0.27, 0.075, 0.315}, 0.05, 0.09);  // shins
    const Vec3 hind[] = {{0.05, 0.03, 0.35}, {0.045, 0.03, 0.485}, {-0.08, 0.03, 0.565}};
    s.limbs({-0.27, 0.06, 0.315}, 0.05, {-0.13, 0.04, 0.385}, 0.045, 0.05);
    frogFoot(s, {-0.13, 0.035, 0.385}, 0.045, hind);
    s.limbs({0.16, 0.26, 0.13}, 0.075, {0.17, 0.16, 0.25}, 0.055, 0.08);  // arms
    s.limbs({0.17, 0.16, 0.25}, 0.052, {0.25, 0.045, 0.22}, 0.045, 0.05);
    const Vec3 front[] = {{0.37, 0.03, 0.10}, {0.42, 0.03, 0.225}, {0.365, 0.03, 0.345}};
    frogFoot(s, {0.25, 0.035, 0.22}, 0.042, front);
    return s.done();
}

void dogTrunk(Sculptor& s) {
    s.ball({0.15, 0.53, 0}, {0.21, 0.165, 0.13}, 0.05);              // chest
    s.limb({0.10, 0.54, 0}, 0.135, {-0.24, 0.565, 0}, 0.105, 0.08);  // loin
    s.ball({-0.27, 0.55, 0}, {0.135, 0.125, 0.115}, 0.06);           // rump
    s.limb({0.24, 0.60, 0}, 0.115, {0.40, 0.79, 0}, 0.082, 0.07);    // neck
    s.limb({-0.37, 0.60, 0}, 0.040, {-0.50, 0.66, 0}, 0.036, 0.04);  // tail
    s.limb({-0.50, 0.66, 0}, 0.036, {-0.58, 0.79, 0}, 0.034, 0.03);
    s.limb({-0.58, 0.79, 0}, 0.034, {-0.58, 0.88, 0}, 0.032, 0.02);
}

void dogHead(Sculptor& s) {
    s.ball({0.45, 0.845, 0}, {0.115, 0.092, 0.095}, 0.05);
    s.limb({0.50, 0.82, 0}, 0.066, {0.655, 0.79, 0}, 0.046, 0.04);             // muzzle
    s.ball({0.695, 0.812, 0}, {0.024, 0.022, 0.026}, 0.012);                   // nose
    s.limb({0.49, 0.785, 0}, 0.04, {0.62, 0.757, 0}, 0.034, 0.02);             // jaw
    s.balls({0.525, 0.885, 0.052}, {0.024, 0.024, 0.02}, 0.012);               // eyes
    s.limbs({0.405, 0.90, 0.075}, 0.034, {0.385, 0.855, 0.115}, 0.038, 0.04);  // ears, folded over
    s.limbs({0.385, 0.855, 0.115}, 0.038, {0.385, 0.77, 0.142}, 0.028, 0.05);
}

void dogLegs(Sculptor& s) {
    s.limbs({0.21, 0.52, 0.075}, 0.085, {0.17, 0.36, 0.10}, 0.055, 0.05);
    s.limbs({0.17, 0.36, 0.10}, 0.052, {0.19, 0.11, 0.10}, 0.036, 0.03);
    s.limbs({0.19, 0.10, 0.10}, 0.037, {0.20, 0.03, 0.10}, 0.040, 0.02);
    s.limbs({0.20, 0.03, 0.10}, 0.044, {0.245, 0.022, 0.10}, 0.038, 0.02);
    s.limbs({-0.28, 0.53, 0.07}, 0.105, {-0.20, 0.35, 0.10}, 0.065, 0.05);
    s.limbs({-0.20, 0.35, 0.10}, 0.058, {-0.355, 0.20, 0.10}, 0.038, 0.03);
    s.limbs({-0.355, 0.20, 0.10}, 0.038, {-0.335, 0.04, 0.10}, 0.036, 0.02);
    s.limbs({-0.33, 0.03, 0.10}, 0.044, {-0.285, 0.022, 0.10}, 0.038, 0.02);
}

Body dog() {
    Sculptor s;
    dogTrunk(s);
    dogHead(s);
    dogLegs(s);
    return s.done();
}

}  // namespace

Body::Body(std::vector<Blob> blobs) : blobs_(std::move(blobs)) { fit(); }

Body Body::blended(double width) const {
    std::vector<Blob> blobs = blobs_;
    for (Blob& blob : blobs) blob.blend = std::max(blob.blend, width);
    return Body(std::move(blobs));
}

void Body::fit() {
    low_ = high_ = boundingBox(blobs_.front()).first;
    double widest = 0;
    for (const Blob& blob : blobs_) {
        const auto [low, high] = boundingBox(blob);
        low_ = low_.cwiseMin(low);
        high_ = high_.cwiseMax(high);
        widest = std::max(widest, blob.blend);
    }
    // Blending adds a sixth of its width at most where two surfaces meet; more pieces at one place add more.
    low_.array() -= 0.5 * widest;
    high_.array() += 0.5 * widest;
    low_.y() = std::max(low_.y(), 0.0);
}

DistanceSample Body::sample(const Vec3& point) const {
    const auto one = [&](const Blob& blob) {
        return std::visit([&](const auto& shape) { return sampleDistance(shape, point); }, blob.shape);
    };
    DistanceSample all = one(blobs_.front());
    for (std::size_t k = 1; k < blobs_.size(); ++k) all = smoothMinimum(all, one(blobs_[k]), blobs_[k].blend);
    // The ground cuts the soles flat: the smooth maximum with -y.
    const DistanceSample cut = smoothMinimum({-all.distance, -all.normal}, {point.y(), Vec3::UnitY()}, kSoleBlend);
    return {-cut.distance, -cut.normal};
}

Vec3 Body::onSurface(Vec3 point) const {
    for (int k = 0; k < 20; ++k) {
        const DistanceSample here = sample(point);
        const double slope = here.normal.squaredNorm();
        if (std::abs(here.distance) < 1e-12 || !(slope > 1e-6)) break;
        point -= (here.distance / slope) * here.normal;
    }
    return point;
}

Body makeBody(BodyKind kind) {
    switch (kind) {
        case BodyKind::Frog:
            return frog();
        case BodyKind::Dog:
            return dog();
        case BodyKind::Hippo:
        case BodyKind::None:
            break;
    }
    return hippo();
}

Body makeTorso() {
    Sculptor s;
    s.limb({0, -0.05, 0}, 0.092, {0, 0.32, 0}, 0.082, 0.06);
    s.limb({0, 0.32, 0}, 0.082, {0, 0.54, 0}, 0.09, 0.06);
    s.limbs({0, -0.05, 0.085}, 0.09, {0, 0.32, 0.075}, 0.08, 0.06);   // hips to waist
    s.limbs({0, 0.32, 0.075}, 0.08, {0, 0.54, 0.085}, 0.085, 0.06);   // waist to chest
    s.limb({0.005, 0.70, 0}, 0.052, {0.015, 0.83, 0}, 0.048, 0.06);   // neck
    s.limbs({0, 0.67, 0.05}, 0.05, {0, 0.64, 0.14}, 0.05, 0.04);      // shoulders
    s.limbs({0, 0.635, 0.15}, 0.043, {0, 0.465, 0.50}, 0.026, 0.03);  // arms
    return s.done();
}

double coarsestSpacing(BodyKind kind) {
    switch (kind) {
        case BodyKind::Frog:
            return 0.05;
        case BodyKind::Dog:
            return 0.045;
        case BodyKind::Hippo:
        case BodyKind::None:
            break;
    }
    return 0.07;
}

}  // namespace clothlab::geometry
