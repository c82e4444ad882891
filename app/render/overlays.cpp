#include "render/overlays.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "solvers/solver.hpp"
#include "worker/component_tones.hpp"

namespace clothlab::app::render {

using worker::ComponentView;
using worker::Snapshot;

namespace {

constexpr float kMostStrain = 0.1f;  ///< the end of the scale
constexpr Rgb kSlack{40, 46, 54};    ///< darker than any of the scale
constexpr Rgb kImplicit{86, 180, 233}, kExplicit{230, 159, 0}, kInactive{116, 126, 140};
constexpr Rgb kSliding{0, 179, 138}, kLine{240, 228, 66}, kStuck{216, 132, 196}, kNormal{217, 222, 230};

/// Apart from each other, from grey and white, and from the red of errors, for all kinds of eyes.
constexpr Rgb kTones[worker::kComponentTones] = {{0, 184, 251},  {229, 156, 0},  {20, 171, 127},  {211, 126, 194},
                                                 {244, 233, 34}, {68, 112, 164}, {176, 214, 115}, {151, 97, 232},
                                                 {175, 112, 58}, {238, 190, 172}};
constexpr Rgb kAlone{120, 128, 139}, kFixed{255, 255, 255};

/// A colour map as a polynomial of degree 6 a channel, t in 0..1.
Rgb polynomial(const float (&c)[7][3], float t) {
    std::uint8_t out[3];
    for (int k = 0; k < 3; ++k) {
        float sum = c[6][k];
        for (int i = 5; i >= 0; --i) sum = sum * t + c[i][k];
        out[k] = std::uint8_t(std::lround(255 * std::clamp(sum, 0.0f, 1.0f)));
    }
    return {out[0], out[1], out[2]};
}

std::vector<Rgb> sampled(Rgb (*map)(float), float from, float to) {
    constexpr int kStops = 24;
    std::vector<Rgb> ramp;
    ramp.reserve(kStops);
    for (int i = 0; i < kStops; ++i) ramp.push_back(map(from + (to - from) * float(i) / float(kStops - 1)));
    return ramp;
}

std::size_t countOf(const Snapshot& snapshot, int ndof) {
    return std::size_t(std::count_if(snapshot.contacts.begin(), snapshot.contacts.end(),
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
        ++counts[state][int(snapshot.mesh->springs[k].family)];
    }
    std::vector<LegendEntry> entries;
    for (int state = 0; state < 3; ++state) {
        std::string families;
        for (int f = 0; f < cloth::kFamilies; ++f)
            if (counts[state][f] > 0)
                families += fmt::format("{}{} {}", families.empty() ? ": " : ", ", counts[state][f], kFamilyNames[f]);
        entries.push_back({.label = kNames[state] + (families.empty() && known ? ": none" : families),
                           .color = springStateColor(kStates[state])});
    }
    return entries;
}

/// Matrices and solves of past steps are not kept, only their residuals.
std::vector<LegendEntry> nothingToShow(const Snapshot& snapshot, const char* what) {
    const std::string words = snapshot.step > 0 ? std::string("not kept for this step: take the next one")
                                                : fmt::format("there is no {} to show yet", what);
    return {{.label = words, .color = kInactive}};
}

std::vector<LegendEntry> componentLegend(const Snapshot& snapshot) {
    const ComponentView& view = snapshot.components;
    if (view.of.empty()) return nothingToShow(snapshot, "step");
    Index largest = 0, alone = 0;
    for (Index c = 0; c < view.count(); ++c) {
        if (view.size[c] > view.size[largest]) largest = c;
        alone += view.size[c] == 1;
    }
    const auto fixed = std::count(view.of.begin(), view.of.end(), 0);
    const Index several = view.count() - alone;
    std::vector<LegendEntry> entries;
    if (several > 0)
        entries.push_back({.label = view.count() == 1 ? fmt::format("one component: {} particles", view.size.front())
                                                      : fmt::format("the largest of {} components: {} particles",
                                                                    view.count(), view.size[largest]),
                           .color = kTones[view.tone[largest]]});
    if (several > 1) {
        LegendEntry others{.label = several == 2 ? std::string("another one") : fmt::format("{} others", several - 1),
                           .color = {}};
        for (Index c = 0; c < view.count() && others.swatches.size() < 4; ++c) {
            const Rgb tone = kTones[view.tone[c]];
            const bool shown = std::find(others.swatches.begin(), others.swatches.end(), tone) != others.swatches.end();
            if (c != largest && view.size[c] > 1 && !shown) others.swatches.push_back(tone);
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
    if (!settings.solver.decompose)
        return "Needs \"by components\" (Solver): each component then has a solve of its own.";
    if (!solvers::usesPreconditioner(settings.solver.kind)) return "A direct solver does not iterate.";
    return {};
}

worker::OverlayRequest requestFor(OverlayKind kind) {
    worker::OverlayRequest request;
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
    constexpr float kFit[7][3] = {{0.2777273f, 0.0054073f, 0.3340998f},   {0.1050930f, 1.4046135f, 1.3845902f},
                                  {-0.3308618f, 0.2148476f, 0.0950952f},  {-4.6342305f, -5.7991010f, -19.3324410f},
                                  {6.2282700f, 14.1799334f, 56.6905526f}, {4.7763850f, -13.7451454f, -65.3530326f},
                                  {-5.4354559f, 4.6458526f, 26.3124352f}};
    t = std::isfinite(t) ? std::clamp(t, 0.0f, 1.0f) : 1.0f;
    return polynomial(kFit, t);
}

Rgb strainColor(float strain) {
    // Polynomial fit of matplotlib's inferno table, without its black end.
    constexpr float kFit[7][3] = {{0.0002189f, 0.0016510f, -0.0194809f},     {0.1065134f, 0.5639564f, 3.9327124f},
                                  {11.6024931f, -3.9728540f, -15.9423941f},  {-41.7039961f, 17.4363989f, 44.3541452f},
                                  {77.1629357f, -33.4023589f, -81.8073093f}, {-71.3194282f, 32.6260643f, 73.2095199f},
                                  {25.1311262f, -12.2426690f, -23.0703250f}};
    constexpr float kFrom = 0.25f, kTo = 0.98f;
    if (strain < -1e-4f) return kSlack;
    const float share = std::isfinite(strain) ? std::clamp(strain / kMostStrain, 0.0f, 1.0f) : 1.0f;
    return polynomial(kFit, kFrom + (kTo - kFrom) * share);
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
    std::vector<float> largest(snapshot.mesh->particles, -1.0f);
    for (std::size_t k = 0; k < springs.size(); ++k) {
        if (springs[k].family == cloth::SpringFamily::Bend) continue;
        for (const Index end : {springs[k].i, springs[k].j})
            largest[end] = std::max(largest[end], snapshot.springStrain[k]);
    }
    for (const float strain : largest) out.push_back(strainColor(strain));
}

void particleColors(OverlayKind kind, const Snapshot& snapshot, std::vector<Rgb>& out) {
    out.clear();
    if (kind == OverlayKind::Strain && snapshot.mesh) strainColors(snapshot, out);
    const worker::ParticleField& field = snapshot.field;
    const ComponentView& view = snapshot.components;
    if (isParticleField(kind))
        for (const float value : field.values) out.push_back(viridis(field.position(value)));
    if (!isByComponent(kind) || (kind == OverlayKind::Iterations && view.iterations.empty())) return;
    for (const Index component : view.of) {
        const auto c = std::size_t(component) - 1;
        if (component == 0)
            out.push_back(kFixed);
        else if (kind == OverlayKind::Iterations)
            out.push_back(viridis(float(view.iterations[c] / view.iterationsTo)));
        else
            out.push_back(view.size[c] == 1 ? kAlone : kTones[view.tone[c]]);
    }
}

std::vector<LegendEntry> legend(OverlayKind kind, const Snapshot& snapshot) {
    switch (kind) {
        case OverlayKind::None:
            return {};
        case OverlayKind::Strain:
            return {{.label = "strain of stretch and shear springs",
                     .color = strainColor(0),
                     .ramp = sampled(strainColor, 0, kMostStrain),
                     .from = 0,
                     .to = 100 * kMostStrain,
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
            if (snapshot.field.values.empty()) return nothingToShow(snapshot, "solve");
            return {{.label = snapshot.field.label + (snapshot.field.logarithmic ? " (logarithmic)" : ""),
                     .color = viridis(0),
                     .ramp = sampled(viridis, 0, 1),
                     .from = snapshot.field.from,
                     .to = snapshot.field.to,
                     .unit = snapshot.field.unit}};
        case OverlayKind::Components:
            return componentLegend(snapshot);
        case OverlayKind::Iterations:
            return iterationsLegend(snapshot);
    }
    return {};
}

}  // namespace clothlab::app::render
