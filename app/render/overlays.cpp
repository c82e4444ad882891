#include "render/overlays.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace clothlab::app {
namespace {

constexpr float kFullStrain = 0.05f, kStressStrain = 0.08f;
constexpr Rgb kStress{255, 59, 48}, kSlack{88, 98, 112};
constexpr Rgb kImplicit{86, 180, 233}, kExplicit{230, 159, 0}, kInactive{92, 102, 116};
constexpr Rgb kSliding{0, 179, 138}, kLine{240, 228, 66}, kStuck{216, 132, 196}, kNormal{217, 222, 230};

Rgb mix(Rgb a, Rgb b, float t) {
    const auto channel = [t](std::uint8_t x, std::uint8_t y) {
        return static_cast<std::uint8_t>(
            std::lround(static_cast<float>(x) + t * (static_cast<float>(y) - static_cast<float>(x))));
    };
    return {channel(a.r, b.r), channel(a.g, b.g), channel(a.b, b.b)};
}

std::vector<Rgb> sampled(Rgb (*map)(float), float from, float to) {
    constexpr int kStops = 24;
    std::vector<Rgb> ramp;
    for (int i = 0; i < kStops; ++i)
        ramp.push_back(map(from + (to - from) * static_cast<float>(i) / static_cast<float>(kStops - 1)));
    return ramp;
}

std::size_t countOf(const Snapshot& snapshot, int ndof) {
    return static_cast<std::size_t>(std::count_if(snapshot.contacts.begin(), snapshot.contacts.end(),
                                                  [ndof](const auto& c) { return c.ndof == ndof; }));
}

}  // namespace

OverlayRequest requestFor(OverlayKind kind) {
    OverlayRequest request;
    request.springStrain = kind == OverlayKind::Strain;
    request.springState = kind == OverlayKind::SpringState;
    request.contacts = kind == OverlayKind::Contacts;
    request.velocity = kind == OverlayKind::Velocity;
    request.residual = kind == OverlayKind::Residual;
    return request;
}

Rgb viridis(float t) {
    // Polynomial fit of matplotlib's viridis table, within 1 % per channel.
    constexpr float c[7][3] = {{0.2777273f, 0.0054073f, 0.3340998f},   {0.1050930f, 1.4046135f, 1.3845902f},
                               {-0.3308618f, 0.2148476f, 0.0950952f},  {-4.6342305f, -5.7991010f, -19.3324410f},
                               {6.2282700f, 14.1799334f, 56.6905526f}, {4.7763850f, -13.7451454f, -65.3530326f},
                               {-5.4354559f, 4.6458526f, 26.3124352f}};
    t = std::isfinite(t) ? std::clamp(t, 0.0f, 1.0f) : 1.0f;
    std::uint8_t out[3];
    for (int k = 0; k < 3; ++k) {
        float sum = c[6][k];
        for (int i = 5; i >= 0; --i) sum = sum * t + c[i][k];
        out[k] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(sum, 0.0f, 1.0f)));
    }
    return {out[0], out[1], out[2]};
}

Rgb strainColor(float strain) {
    if (!std::isfinite(strain)) return kStress;
    if (strain < -1e-4f) return kSlack;
    if (strain <= kFullStrain) return viridis(strain / kFullStrain);
    return mix(viridis(1), kStress, std::min(1.0f, (strain - kFullStrain) / (kStressStrain - kFullStrain)));
}

Rgb springStateColor(std::uint8_t flags) {
    if ((flags & cloth::kSpringActive) == 0) return kInactive;
    return (flags & cloth::kSpringImplicit) != 0 ? kImplicit : kExplicit;
}

Rgb ndofColor(int ndof) { return ndof >= 2 ? kSliding : ndof == 1 ? kLine : kStuck; }

std::vector<LegendEntry> legend(OverlayKind kind, const Snapshot& snapshot) {
    switch (kind) {
        case OverlayKind::None:
            return {};
        case OverlayKind::Strain:
            return {{.label = "strain",
                     .color = viridis(0),
                     .ramp = sampled(strainColor, 0, 0.1f),
                     .from = 0,
                     .to = 10,
                     .unit = "%"},
                    {.label = "slack", .color = kSlack}};
        case OverlayKind::SpringState:
            return {{.label = "implicit", .color = kImplicit},
                    {.label = "explicit", .color = kExplicit},
                    {.label = "inactive", .color = kInactive}};
        case OverlayKind::Contacts:
            return {{.label = fmt::format("slides, ndof 2 ({})", countOf(snapshot, 2)), .color = kSliding},
                    {.label = fmt::format("on a line, ndof 1 ({})", countOf(snapshot, 1)), .color = kLine},
                    {.label = fmt::format("stuck, ndof 0 ({})", countOf(snapshot, 0)), .color = kStuck},
                    {.label = "contact normal", .color = kNormal}};
        case OverlayKind::Velocity:
        case OverlayKind::Residual:
            if (snapshot.field.values.empty()) return {{.label = "there is no solve to show yet", .color = kInactive}};
            return {{.label = snapshot.field.label,
                     .color = viridis(0),
                     .ramp = sampled(viridis, 0, 1),
                     .from = snapshot.field.from,
                     .to = snapshot.field.to,
                     .unit = snapshot.field.unit}};
    }
    return {};
}

}  // namespace clothlab::app
