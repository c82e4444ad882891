#include "render/overlays.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "solvers/solver.hpp"
#include "worker/component_tones.hpp"

namespace clothlab::app {
namespace {

constexpr float kFullStrain = 0.05f, kStressStrain = 0.08f;
constexpr Rgb kStress{255, 59, 48}, kSlack{88, 98, 112};
constexpr Rgb kImplicit{86, 180, 233}, kExplicit{230, 159, 0}, kInactive{116, 126, 140};
constexpr Rgb kSliding{0, 179, 138}, kLine{240, 228, 66}, kStuck{216, 132, 196}, kNormal{217, 222, 230};

/// Apart from each other, from grey and white, and from the red of stress.
constexpr Rgb kTones[kComponentTones] = {{86, 180, 233}, {230, 159, 0},  {0, 179, 138},  {216, 132, 196}, {240, 228, 66},
                                         {61, 111, 214}, {166, 216, 79}, {143, 99, 217}, {181, 115, 60},  {250, 188, 156}};
constexpr Rgb kAlone{120, 128, 139}, kFixed{255, 255, 255};

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

/// "implicit: 1200 stretch, 80 bend" for each state a spring can be in.
std::vector<LegendEntry> springLegend(const Snapshot& snapshot) {
    constexpr std::uint8_t kStates[] = {cloth::kSpringActive | cloth::kSpringImplicit, cloth::kSpringActive, 0};
    constexpr const char* kNames[] = {"implicit", "explicit", "inactive"};
    constexpr const char* kFamilyNames[cloth::kFamilies] = {"stretch", "shear", "bend"};
    const bool known = snapshot.mesh && snapshot.springState.size() == snapshot.mesh->springs.size();
    int counts[3][cloth::kFamilies] = {};
    for (std::size_t k = 0; known && k < snapshot.springState.size(); ++k) {
        const std::uint8_t flags = snapshot.springState[k];
        const int state = (flags & cloth::kSpringActive) == 0 ? 2 : (flags & cloth::kSpringImplicit) != 0 ? 0 : 1;
        ++counts[state][static_cast<std::size_t>(snapshot.mesh->springs[k].family)];
    }
    std::vector<LegendEntry> entries;
    for (int state = 0; state < 3; ++state) {
        std::string families;
        for (int f = 0; f < cloth::kFamilies; ++f)
            if (counts[state][f] > 0)
                families += fmt::format("{}{} {}", families.empty() ? ": " : ", ", counts[state][f], kFamilyNames[f]);
        entries.push_back({.label = kNames[state] + (families.empty() && known ? ": none" : families), .color = springStateColor(kStates[state])});
    }
    return entries;
}

std::vector<LegendEntry> componentLegend(const ComponentView& view) {
    if (view.of.empty()) return {{.label = "there is no step to show yet", .color = kInactive}};
    Index largest = 0, alone = 0;
    for (Index c = 0; c < view.count(); ++c) {
        if (view.size[static_cast<std::size_t>(c)] > view.size[static_cast<std::size_t>(largest)]) largest = c;
        alone += view.size[static_cast<std::size_t>(c)] == 1;
    }
    const auto fixed = std::count(view.of.begin(), view.of.end(), 0);
    const Index several = view.count() - alone;
    std::vector<LegendEntry> entries;
    if (several > 0)
        entries.push_back({.label = view.count() == 1 ? fmt::format("one component: {} particles", view.size.front())
                                                     : fmt::format("the largest of {} components: {} particles", view.count(),
                                                                   view.size[static_cast<std::size_t>(largest)]),
                           .color = kTones[view.tone[static_cast<std::size_t>(largest)]]});
    if (several > 1) {
        LegendEntry others{.label = several == 2 ? std::string("another one") : fmt::format("{} others", several - 1), .color = {}};
        for (Index c = 0; c < view.count() && others.swatches.size() < 4; ++c) {
            const Rgb tone = kTones[view.tone[static_cast<std::size_t>(c)]];
            const bool shown = std::find(others.swatches.begin(), others.swatches.end(), tone) != others.swatches.end();
            if (c != largest && view.size[static_cast<std::size_t>(c)] > 1 && !shown) others.swatches.push_back(tone);
        }
        entries.push_back(std::move(others));
    }
    entries.push_back({.label = fmt::format("alone: {}", alone), .color = kAlone});
    entries.push_back({.label = fmt::format("fixed, in none: {}", fixed), .color = kFixed});
    return entries;
}

std::vector<LegendEntry> iterationsLegend(const Snapshot& snapshot) {
    const ComponentView& view = snapshot.components;
    if (std::string why = overlayRefusal(OverlayKind::Iterations, snapshot.settings); !why.empty())
        return {{.label = std::move(why), .color = kInactive}};
    if (view.iterations.empty()) return {{.label = "there is no solve by components to show yet", .color = kInactive}};
    return {{.label = "iterations of each component",
             .color = viridis(0),
             .ramp = sampled(viridis, 0, 1),
             .from = 0,
             .to = view.iterationsTo},
            {.label = "fixed", .color = kFixed}};
}

}  // namespace

std::string overlayRefusal(OverlayKind kind, const scene::Settings& settings) {
    if (kind != OverlayKind::Iterations) return {};
    if (!integrators::isImplicit(settings.integrator.kind)) return "An explicit integrator solves no linear system.";
    if (!settings.solver.decompose) return "Needs \"by components\" (Solver): each component then has a solve of its own.";
    if (!solvers::usesPreconditioner(settings.solver.kind)) return "A direct solver does not iterate.";
    return {};
}

OverlayRequest requestFor(OverlayKind kind) {
    OverlayRequest request;
    request.springStrain = kind == OverlayKind::Strain;
    request.springState = kind == OverlayKind::SpringState;
    request.contacts = kind == OverlayKind::Contacts;
    request.velocity = kind == OverlayKind::Velocity;
    request.residual = kind == OverlayKind::Residual;
    request.components = isByComponent(kind);
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

std::span<const Rgb> componentTones() { return kTones; }

/// Each particle by the largest strain of its stretch and shear springs: lines alone would be a moiré on a fine grid.
void strainColors(const Snapshot& snapshot, std::vector<Rgb>& out) {
    const auto& springs = snapshot.mesh->springs;
    if (snapshot.springStrain.size() != springs.size()) return;
    std::vector<float> largest(static_cast<std::size_t>(snapshot.mesh->particles), -1.0f);
    for (std::size_t k = 0; k < springs.size(); ++k) {
        if (springs[k].family == cloth::SpringFamily::Bend) continue;
        for (const Index end : {springs[k].i, springs[k].j})
            largest[static_cast<std::size_t>(end)] = std::max(largest[static_cast<std::size_t>(end)], snapshot.springStrain[k]);
    }
    for (const float strain : largest) out.push_back(strainColor(strain));
}

void particleColors(OverlayKind kind, const Snapshot& snapshot, std::vector<Rgb>& out) {
    out.clear();
    if (kind == OverlayKind::Strain && snapshot.mesh) strainColors(snapshot, out);
    const ParticleField& field = snapshot.field;
    const ComponentView& view = snapshot.components;
    if (isParticleField(kind))
        for (const float value : field.values) out.push_back(viridis(field.position(value)));
    if (!isByComponent(kind) || (kind == OverlayKind::Iterations && view.iterations.empty())) return;
    for (const Index component : view.of) {
        const auto c = static_cast<std::size_t>(component) - 1;
        if (component == 0)
            out.push_back(kFixed);
        else if (kind == OverlayKind::Iterations)
            out.push_back(viridis(static_cast<float>(view.iterations[c] / view.iterationsTo)));
        else
            out.push_back(view.size[c] == 1 ? kAlone : kTones[view.tone[c]]);
    }
}

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
                    {.label = "all its springs slack", .color = kSlack}};
        case OverlayKind::SpringState:
            return springLegend(snapshot);
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
        case OverlayKind::Components:
            return componentLegend(snapshot.components);
        case OverlayKind::Iterations:
            return iterationsLegend(snapshot);
    }
    return {};
}

}  // namespace clothlab::app
