#include "cloth/bend.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace clothlab::cloth {
namespace {

constexpr int kTerms = 17;  // w <= pi^2: the next term is below 1e-18
constexpr double kLargestW = std::numbers::pi * std::numbers::pi;

/// sinc(sqrt w) = sum (-w)^n / (2n+1)!
constexpr std::array<double, kTerms> kSinc = [] {
    std::array<double, kTerms> c{};
    double factorial = 1;
    for (int n = 0; n < kTerms; ++n) {
        if (n > 0) factorial *= (2.0 * n) * (2.0 * n + 1.0);
        c[n] = (n % 2 == 0 ? 1.0 : -1.0) / factorial;
    }
    return c;
}();

/// (cos u - sinc u) / w = 2 d sinc / dw: coefficient n is 2 (n + 1) kSinc[n + 1].
constexpr double bowCoefficient(int n) { return 2.0 * (n + 1) * kSinc[n + 1]; }

struct Bow {
    double sinc, bow, bowSlope;  ///< s, D = (cos u - sinc u) / w, dD/dw
};

Bow evaluateBow(double w) {
    double sinc = kSinc[kTerms - 1], bow = bowCoefficient(kTerms - 2), slope = 0;
    for (int n = kTerms - 2; n >= 0; --n) sinc = sinc * w + kSinc[n];
    for (int n = kTerms - 3; n >= 0; --n) {
        slope = slope * w + bow;
        bow = bow * w + bowCoefficient(n);
    }
    return {sinc, bow, slope};
}

BuckledForce buckled(BendModel model, double s) {
    return model == BendModel::ChoiKoExact ? buckledExact(s) : buckledPolynomial(s);
}

/// How much the linear branch pushes more than the arc: positive where the arc is the weaker one and so rules.
double excess(BendModel model, double gamma, double s) { return gamma * (1 - s) + buckled(model, s).phi; }

/// Root of excess in [negative, positive] (in either order) by bisection down to the last bit.
double findSwitch(BendModel model, double gamma, double negative, double positive) {
    for (int k = 0; k < 200; ++k) {
        const double middle = 0.5 * (negative + positive);
        if (middle == negative || middle == positive) break;
        (excess(model, gamma, middle) > 0 ? positive : negative) = middle;
    }
    return positive;
}

}  // namespace

double arcFromChord(double s) {
    if (!(s < 1)) return 0;
    if (!(s > 0)) return kLargestW;
    // sinc(sqrt w) is convex and falls on [0, pi^2]: from the left, where it is above s, Newton never overshoots.
    const double t = 1 - s;
    double w = t * (6 + 1.8 * t);
    for (int k = 0; k < 30; ++k) {
        const Bow b = evaluateBow(w);
        const double step = (b.sinc - s) / (0.5 * b.bow);
        const double next = std::clamp(w - step, 0.0, kLargestW);
        const bool done = std::abs(next - w) <= 1e-15 * w;
        w = next;
        if (done) break;
    }
    return w;
}

BuckledForce buckledExact(double s) {
    const Bow b = evaluateBow(arcFromChord(s));
    // phi = 1 / D and ds/dw = D / 2, so dphi/ds = -2 D' / D^3.
    return {1 / b.bow, -2 * b.bowSlope / (b.bow * b.bow * b.bow)};
}

double steepestBuckledSlope(BendModel model) { return model == BendModel::ChoiKoExact ? 3 * kLargestW : 23.116; }

BendEnergy::BendEnergy(BendModel model, double gamma) : model_(model), gamma_(gamma) {
    // The arc rules on one interval (both curves are smooth and the arc's is convex enough): scan for it from s = 1.
    constexpr int kScan = 4000;
    double first = -1, last = -1;  // largest and smallest scanned s where the arc rules
    for (int k = 0; k <= kScan; ++k) {
        const double s = 1 - double(k) / kScan;
        if (excess(model, gamma, s) <= 0) continue;
        if (first < 0) first = s;
        last = s;
    }
    if (first < 0) return;  // linear throughout
    upper_ = findSwitch(model, gamma, std::min(1.0, first + 1.0 / kScan), first);
    lower_ = last <= 0 ? 0 : findSwitch(model, gamma, last - 1.0 / kScan, last);
    atUpper_ = 0.5 * gamma_ * (1 - upper_) * (1 - upper_);
    atLower_ = atUpper_ + arc(lower_) - arc(upper_);
}

double BendEnergy::arc(double s) const {
    if (model_ == BendModel::ChoiKoExact) return 0.5 * arcFromChord(s);
    const auto antiderivative = [](double q) {
        return ((((-2.3082 * q + 8.54825) * q - 39.083 / 3) * q + 11.558) * q - 9.713) * q;
    };
    return antiderivative(s) - antiderivative(1);
}

double BendEnergy::operator()(double s) const {
    if (!(s < 1)) return 0;
    if (s >= upper_) return 0.5 * gamma_ * (1 - s) * (1 - s);
    if (s >= lower_) return atUpper_ + arc(s) - arc(upper_);
    return atLower_ + 0.5 * gamma_ * ((1 - s) * (1 - s) - (1 - lower_) * (1 - lower_));
}

}  // namespace clothlab::cloth
