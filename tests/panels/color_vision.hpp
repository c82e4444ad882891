#pragma once

#include <algorithm>
#include <array>
#include <cmath>

/// The difference of two colours for normal vision and for three kinds of colour blindness.
namespace clothlab::app::testing {

using Vec = std::array<double, 3>;
using Matrix = std::array<Vec, 3>;

/// Machado, Oliveira, Fernandes 2009, "A Physiologically-based Model for Simulation of Color Vision Deficiency":
/// severity 1.0, on linear RGB. The first is normal vision.
inline constexpr std::array<Matrix, 4> kVisions{{
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
}};

/// CIE L*a*b* (D65) of sRGB 0..255 as the vision sees it.
inline Vec labOf(double r, double g, double b, const Matrix& vision) {
    const auto linear = [](double c) {
        c /= 255;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    const Vec in{linear(r), linear(g), linear(b)};
    Vec seen{};
    for (std::size_t i = 0; i < 3; ++i)
        seen[i] = std::clamp(vision[i][0] * in[0] + vision[i][1] * in[1] + vision[i][2] * in[2], 0.0, 1.0);
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f((0.4124564 * seen[0] + 0.3575761 * seen[1] + 0.1804375 * seen[2]) / 0.95047);
    const double y = f(0.2126729 * seen[0] + 0.7151522 * seen[1] + 0.0721750 * seen[2]);
    const double z = f((0.0193339 * seen[0] + 0.1191920 * seen[1] + 0.9503041 * seen[2]) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

/// CIEDE2000 (Sharma, Wu, Dalal 2005).
inline double ciede2000(const Vec& one, const Vec& two) {
    constexpr double kDegree = 3.14159265358979323846 / 180, k25 = 6103515625.0;
    const auto seventh = [](double c) { return std::pow(c, 7); };
    const double mean = (std::hypot(one[1], one[2]) + std::hypot(two[1], two[2])) / 2;
    const double g = 1.5 - 0.5 * std::sqrt(seventh(mean) / (seventh(mean) + k25));
    const double a1 = g * one[1], a2 = g * two[1], c1 = std::hypot(a1, one[2]), c2 = std::hypot(a2, two[2]);
    const auto hue = [&](double a, double b) {
        return a == 0 && b == 0 ? 0.0 : std::fmod(std::atan2(b, a) / kDegree + 360, 360.0);
    };
    const double h1 = hue(a1, one[2]), h2 = hue(a2, two[2]);
    const bool grey = c1 * c2 == 0;
    double turn = grey ? 0 : h2 - h1;
    if (turn > 180) turn -= 360;
    if (turn < -180) turn += 360;
    double h = h1 + h2;
    if (!grey) h = std::abs(h1 - h2) <= 180 ? h / 2 : h < 360 ? (h + 360) / 2 : (h - 360) / 2;
    const double dL = two[0] - one[0], dC = c2 - c1, dH = 2 * std::sqrt(c1 * c2) * std::sin(turn / 2 * kDegree);
    const double L = (one[0] + two[0]) / 2, C = (c1 + c2) / 2;
    const double T = 1 - 0.17 * std::cos((h - 30) * kDegree) + 0.24 * std::cos(2 * h * kDegree) +
                     0.32 * std::cos((3 * h + 6) * kDegree) - 0.20 * std::cos((4 * h - 63) * kDegree);
    const double theta = 30 * std::exp(-std::pow((h - 275) / 25, 2)),
                 rC = 2 * std::sqrt(seventh(C) / (seventh(C) + k25));
    const double sL = 1 + 0.015 * (L - 50) * (L - 50) / std::sqrt(20 + (L - 50) * (L - 50)), sC = 1 + 0.045 * C,
                 sH = 1 + 0.015 * C * T;
    const double rT = -std::sin(2 * theta * kDegree) * rC;
    return std::sqrt(dL / sL * (dL / sL) + dC / sC * (dC / sC) + dH / sH * (dH / sH) + rT * (dC / sC) * (dH / sH));
}

}  // namespace clothlab::app::testing
