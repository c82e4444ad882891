#include "render/overlays.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

#include <fmt/format.h>

#include "render/overlay_marks.hpp"
#include "render/scene_colors.hpp"
#include "solvers/catalogue.hpp"

namespace clothlab::app::render {

using worker::ComponentView;
using worker::Snapshot;

namespace {

template <class Map>
std::vector<Rgb> sampled(Map map, float from, float to) {
    constexpr int kStops = 24;
    std::vector<Rgb> ramp;
    ramp.reserve(kStops);
    for (int i = 0; i < kStops; ++i) ramp.push_back(map(from + (to - from) * float(i) / float(kStops - 1)));
    return ramp;
}

std::size_t countContacts(const Snapshot& snapshot, int ndof) {
    return std::size_t(std::count_if(snapshot.contacts.begin(), snapshot.contacts.end(),
                                     [ndof](const auto& c) { return c.ndof == ndof; }));
}

/// "implicit: 1200 stretch, 80 bend, 7 inactive" for each state a spring can be in: those that are slack or without a
/// force have a colour of their own, and count with the matrix' blocks or without, as a step reports them.
std::vector<LegendEntry> springLegend(const Snapshot& snapshot, const SceneColors&) {
    constexpr std::uint8_t kStates[] = {cloth::kSpringActive | cloth::kSpringImplicit, cloth::kSpringActive, 0};
    constexpr const char* kNames[] = {"implicit", "explicit", "inactive"};
    constexpr const char* kFamilyNames[cloth::kFamilies] = {"stretch", "shear", "bend"};
    const bool known = snapshot.mesh && snapshot.springState.size() == snapshot.mesh->springs.size();
    int counts[3][cloth::kFamilies] = {}, idle[3] = {};
    for (std::size_t k = 0; known && k < snapshot.springState.size(); ++k) {
        const std::uint8_t flags = snapshot.springState[k];
        const int state = (flags & cloth::kSpringActive) == 0 ? 2 : (flags & cloth::kSpringImplicit) != 0 ? 0 : 1;
        ++counts[state][int(snapshot.mesh->springs[k].family)];
        idle[(flags & cloth::kSpringImplicit) != 0 ? 0 : 1] += state == 2;
    }
    std::vector<LegendEntry> entries;
    for (int state = 0; state < 3; ++state) {
        std::string families;
        for (int f = 0; f < cloth::kFamilies; ++f)
            if (counts[state][f] > 0)
                families += fmt::format("{}{} {}", families.empty() ? ": " : ", ", counts[state][f], kFamilyNames[f]);
        if (idle[state] > 0) families += fmt::format("{}{} inactive", families.empty() ? ": " : ", ", idle[state]);
        entries.push_back({.label = kNames[state] + (families.empty() && known ? ": none" : families),
                           .color = springStateColor(kStates[state])});
    }
    return entries;
}

/// Matrices and solves of past steps are not kept, only their residuals.
std::vector<LegendEntry> nothingToShow(const Snapshot& snapshot, const char* what) {
    const std::string words = snapshot.step > 0 ? std::string("not kept for this step: take the next one")
                                                : fmt::format("there is no {} to show yet", what);
    return {{.label = words, .color = nothingColor()}};
}

/// The largest of the components that have a tone, and the tones of the others.
std::vector<LegendEntry> toneLegend(const ComponentView& view, const char* what) {
    const Index several = view.count() - Index(std::ranges::count(view.size, 1));
    if (several == 0) return {};
    const auto largest = Index(std::ranges::max_element(view.size) - view.size.begin());
    std::vector<LegendEntry> entries{
        {.label = view.count() == 1
                      ? fmt::format("one {}: {} particles", what, view.size.front())
                      : fmt::format("the largest of {} {}s: {} particles", view.count(), what, view.size[largest]),
         .color = componentTones()[view.tone[largest]]}};
    if (several == 1) return entries;
    LegendEntry others{.label = several == 2 ? std::string("another one") : fmt::format("{} others", several - 1),
                       .color = {}};
    for (Index c = 0; c < view.count() && others.swatches.size() < 4; ++c) {
        const Rgb tone = componentTones()[view.tone[c]];
        const bool shown = std::find(others.swatches.begin(), others.swatches.end(), tone) != others.swatches.end();
        if (c != largest && view.size[c] > 1 && !shown) others.swatches.push_back(tone);
    }
    entries.push_back(std::move(others));
    return entries;
}

std::vector<LegendEntry> componentLegend(const Snapshot& snapshot, const SceneColors&) {
    const ComponentView& view = snapshot.components;
    if (view.of.empty()) return nothingToShow(snapshot, "step");
    const auto alone = std::ranges::count(view.size, 1), fixed = std::ranges::count(view.of, 0);
    std::vector<LegendEntry> entries = toneLegend(view, "component");
    entries.push_back({.label = fmt::format("alone: {}", alone), .color = aloneColor()});
    entries.push_back({.label = fmt::format("fixed, in none: {}", fixed), .color = fixedColor()});
    return entries;
}

std::string aggregatesRefusal(const scene::Settings& settings) {
    if (std::string why = integrators::whyNoSolver(settings.integrator.kind); !why.empty()) return why;
    if (!solvers::usesPreconditioner(settings.solver.kind) ||
        settings.preconditioner.deflation == preconditioners::Deflation::None)
        return "Needs a deflation (Preconditioner): its coarse space is made of aggregates.";
    if (settings.solver.decompose) return "By components each has aggregates of its own, which are not kept.";
    return {};
}

std::vector<LegendEntry> aggregateLegend(const Snapshot& snapshot, const SceneColors&) {
    const ComponentView& view = snapshot.aggregates;
    if (std::string why = aggregatesRefusal(snapshot.settings); !why.empty())
        return {{.label = std::move(why), .color = nothingColor()}};
    if (view.of.empty()) return nothingToShow(snapshot, "solve with a deflation");
    std::vector<LegendEntry> entries = toneLegend(view, "aggregate");
    if (const auto none = std::ranges::count(view.of, 0); none > 0)
        entries.push_back({.label = fmt::format("in none: {}", none), .color = fixedColor()});
    return entries;
}

std::vector<LegendEntry> zoneLegend(const Snapshot& snapshot, const SceneColors&) {
    const ComponentView& view = snapshot.zones;
    if (view.of.empty()) return nothingToShow(snapshot, "step");
    if (view.count() == 0) return {{.label = "no impact zone in this step", .color = aloneColor()}};
    std::vector<LegendEntry> entries = toneLegend(view, "impact zone");
    entries.push_back({.label = fmt::format("in none: {}", std::ranges::count(view.of, 0)), .color = aloneColor()});
    return entries;
}

std::vector<LegendEntry> selfContactLegend(const Snapshot& snapshot, const SceneColors& colors) {
    using enum contact::SelfContactKind;
    const auto& [kinds, nears] = snapshot.selfContact;
    const simulation::StepReport& report = snapshot.report;  // of the step shown, unless it failed or none led here
    const bool without = report.dt > 0 && report.selfContact.passes == 0 && !integrators::hasFailed(report.status);
    if (kinds.empty() && without)
        return {{.label = "this step had no contact of the cloth with itself (robust)", .color = nothingColor()}};
    if (kinds.empty()) return nothingToShow(snapshot, "step");
    constexpr std::pair<contact::SelfContactKind, const char*> kRows[] = {{Near, "only near, at the start of the step"},
                                                                          {Stopped, "stopped before an impact"},
                                                                          {Restrained, "bounded, held back or pinched"},
                                                                          {None, "none of it"}};
    std::vector<LegendEntry> entries;
    for (const auto& [kind, words] : kRows)
        entries.push_back({.label = fmt::format("{}: {}", words, std::ranges::count(kinds, std::uint8_t(kind))),
                           .color = selfContactColor(kind)});
    const auto& n = colors.normal;
    entries.push_back(
        {.label = fmt::format("near pairs, seen from close up: {}", nears.size()), .color = {n.r, n.g, n.b}});
    return entries;
}

std::vector<LegendEntry> intersectionLegend(const Snapshot& snapshot, const SceneColors& colors) {
    const auto& [searched, pairs] = snapshot.intersections;
    if (!searched) return {{.label = "not searched yet", .color = nothingColor()}};
    if (pairs.empty()) return {{.label = "no intersections", .color = nothingColor()}};
    const auto& e = colors.error;
    return {
        {.label = pairs.size() == 1 ? std::string("one intersection") : fmt::format("{} intersections", pairs.size()),
         .color = {e.r, e.g, e.b}}};
}

std::string iterationsRefusal(const scene::Settings& settings) {
    if (std::string why = integrators::whyNoSolver(settings.integrator.kind); !why.empty()) return why;
    if (!settings.solver.decompose)
        return "Needs \"by components\" (Solver): each component then has a solve of its own.";
    if (!solvers::iterates(settings.solver.kind)) return "A direct solver does not iterate.";
    return {};
}

std::vector<LegendEntry> iterationsLegend(const Snapshot& snapshot, const SceneColors&) {
    const ComponentView& view = snapshot.components;
    if (std::string why = iterationsRefusal(snapshot.settings); !why.empty())
        return {{.label = std::move(why), .color = nothingColor()}};
    if (view.iterations.empty())
        return {{.label = "there is no solve by components to show yet", .color = nothingColor()}};
    return {{.label = "iterations of each component",
             .color = viridis(0),
             .ramp = sampled(viridis, 0, 1),
             .from = 0,
             .to = view.iterationsTo},
            {.label = "fixed", .color = fixedColor()}};
}

std::vector<LegendEntry> strainLegend(const Snapshot& snapshot, const SceneColors&) {
    const float end = snapshot.strainEnd;
    return {{.label = "strain of stretch and shear springs",
             .color = strainColor(0),
             .ramp = sampled([end](float strain) { return strainColor(strain, end); }, 0, end),
             .from = 0,
             .to = 100.0 * end,
             .unit = "%",
             .orMore = worker::fittedStrainEnd(snapshot.mesh ? std::span<const cloth::Spring>(snapshot.mesh->springs)
                                                             : std::span<const cloth::Spring>(),
                                               snapshot.springStrain) > end},
            {.label = "all its springs slack", .color = slackColor()}};
}

std::vector<LegendEntry> stressLegend(const Snapshot& snapshot, const SceneColors& colors) {
    if (!snapshot.mesh || snapshot.springStrain.size() != snapshot.mesh->springs.size())
        return nothingToShow(snapshot, "strain");
    Index stressed = 0;
    for (std::size_t k = 0; k < snapshot.springStrain.size(); ++k)
        stressed += snapshot.mesh->springs[k].family != cloth::SpringFamily::Bend &&
                    snapshot.springStrain[k] > scene::kStressedStrain;
    const auto& e = colors.error;
    return {{.label = fmt::format("longer by more than {:g} %: {} springs", 100 * scene::kStressedStrain, stressed),
             .color = {e.r, e.g, e.b}}};
}

std::vector<LegendEntry> contactLegend(const Snapshot& snapshot, const SceneColors& colors) {
    const auto& n = colors.normal;
    return {{.label = fmt::format("slides, ndof 2 ({})", countContacts(snapshot, 2)), .color = ndofColor(2)},
            {.label = fmt::format("on a line, ndof 1 ({})", countContacts(snapshot, 1)), .color = ndofColor(1)},
            {.label = fmt::format("stuck, ndof 0 ({})", countContacts(snapshot, 0)), .color = ndofColor(0)},
            {.label = "contact normal", .color = {n.r, n.g, n.b}}};
}

std::vector<LegendEntry> fieldLegend(const Snapshot& snapshot, const SceneColors&) {
    if (!snapshot.field.absence.empty()) return {{.label = snapshot.field.absence, .color = nothingColor()}};
    if (snapshot.field.values.empty()) return nothingToShow(snapshot, "solve");
    return {{.label = snapshot.field.label + (snapshot.field.logarithmic ? " (logarithmic)" : ""),
             .color = viridis(0),
             .ramp = sampled(viridis, 0, 1),
             .from = snapshot.field.from,
             .to = snapshot.field.to,
             .unit = snapshot.field.unit,
             .orLess = snapshot.field.logarithmic}};
}

/// Each particle by the largest strain of its stretch and shear springs: lines alone would be a moiré on a fine grid.
void strainColors(const Snapshot& snapshot, std::vector<Rgb>& out) {
    if (!snapshot.mesh) return;
    const auto& springs = snapshot.mesh->springs;
    if (snapshot.springStrain.size() != springs.size()) return;
    std::vector<float> largest(snapshot.mesh->particles, -1.0f);
    for (std::size_t k = 0; k < springs.size(); ++k) {
        if (springs[k].family == cloth::SpringFamily::Bend) continue;
        for (const Index end : {springs[k].i, springs[k].j})
            largest[end] = std::max(largest[end], snapshot.springStrain[k]);
    }
    for (const float strain : largest) out.push_back(strainColor(strain, snapshot.strainEnd));
}

void fieldColors(const Snapshot& snapshot, std::vector<Rgb>& out) {
    for (const float value : snapshot.field.values) out.push_back(viridis(snapshot.field.position(value)));
}

/// A particle's colour by that of its component.
template <class Color>
void colorComponents(const ComponentView& view, std::vector<Rgb>& out, Color color) {
    for (const Index component : view.of)
        out.push_back(component == 0 ? fixedColor() : color(std::size_t(component) - 1));
}

void componentColors(const Snapshot& snapshot, std::vector<Rgb>& out) {
    const ComponentView& view = snapshot.components;
    colorComponents(view, out,
                    [&](std::size_t c) { return view.size[c] == 1 ? aloneColor() : componentTones()[view.tone[c]]; });
}

void aggregateColors(const Snapshot& snapshot, std::vector<Rgb>& out) {
    const ComponentView& view = snapshot.aggregates;
    colorComponents(view, out, [&](std::size_t c) { return componentTones()[view.tone[c]]; });
}

void iterationColors(const Snapshot& snapshot, std::vector<Rgb>& out) {
    const ComponentView& view = snapshot.components;
    if (view.iterations.empty()) return;
    colorComponents(view, out, [&](std::size_t c) { return viridis(float(view.iterations[c] / view.iterationsTo)); });
}

void zoneColors(const Snapshot& snapshot, std::vector<Rgb>& out) {
    const ComponentView& view = snapshot.zones;
    for (const Index zone : view.of) out.push_back(zone == 0 ? aloneColor() : componentTones()[view.tone[zone - 1]]);
}

void selfContactColors(const Snapshot& snapshot, std::vector<Rgb>& out) {
    for (const std::uint8_t kind : snapshot.selfContact.kinds)
        out.push_back(selfContactColor(contact::SelfContactKind(kind)));
}

/// What becomes of the cloth's surface.
enum class Surface { Own, Shaded, Cells };

/// All that drawing knows of an overlay. A new one is a value and a row in scene/overlay.hpp, which names it. What
/// colours it is a row of worker/snapshots/particle_fields.cpp, if it is a number for each particle, or else a row
/// here; where the snapshot lacks what it shows, a flag of worker::OverlayRequest too.
struct OverlayEntry {
    OverlayKind kind;
    bool worker::OverlayRequest::*request;  ///< what the simulation's side fills in; null = nothing
    Surface surface;
    OverlayMarks marks;                                                       ///< lines and points over it, or null
    bool bySpring;                                                            ///< those are its springs
    void (*colors)(const Snapshot&, std::vector<Rgb>&);                       ///< of each particle, or null
    std::vector<LegendEntry> (*legend)(const Snapshot&, const SceneColors&);  ///< null = none
    std::string (*refusal)(const scene::Settings&) = nullptr;  ///< why it has nothing to show; null = it always has
    bool through = false;                                      ///< marks are seen faintly through the cloth
};
using Asked = worker::OverlayRequest;
constexpr OverlayEntry kOverlays[] = {
    {OverlayKind::None, nullptr, Surface::Own, nullptr, false, nullptr, nullptr},
    {OverlayKind::Strain, &Asked::springStrain, Surface::Shaded, strainMarks, true, strainColors, strainLegend},
    {OverlayKind::SpringState, &Asked::springState, Surface::Own, springStateMarks, true, nullptr, springLegend},
    {OverlayKind::Contacts, &Asked::contacts, Surface::Own, contactMarks, false, nullptr, contactLegend},
    {OverlayKind::Components, &Asked::components, Surface::Cells, nullptr, false, componentColors, componentLegend},
    {OverlayKind::Iterations, &Asked::components, Surface::Cells, nullptr, false, iterationColors, iterationsLegend,
     iterationsRefusal},
    {OverlayKind::SelfContact, &Asked::selfContact, Surface::Cells, nearMarks, false, selfContactColors,
     selfContactLegend},
    {OverlayKind::Intersections, &Asked::intersections, Surface::Own, intersectionMarks, false, nullptr,
     intersectionLegend, nullptr, true},
    {OverlayKind::Stress, &Asked::springStrain, Surface::Own, stressMarks, false, nullptr, stressLegend},
    {OverlayKind::Zones, &Asked::zones, Surface::Cells, nullptr, false, zoneColors, zoneLegend},
    {OverlayKind::Aggregates, &Asked::aggregates, Surface::Cells, nullptr, false, aggregateColors, aggregateLegend,
     aggregatesRefusal},
};

constexpr OverlayEntry kFieldOverlay{OverlayKind::None, nullptr,    Surface::Shaded, nullptr, false,
                                     fieldColors,       fieldLegend};

const OverlayEntry& entryFor(OverlayKind kind) {
    if (worker::hasField(kind)) return kFieldOverlay;
    const auto found = std::ranges::find(kOverlays, kind, &OverlayEntry::kind);
    assert(found != std::end(kOverlays) && "an overlay without a row");
    return *found;
}

}  // namespace

bool isByComponent(OverlayKind kind) { return entryFor(kind).surface == Surface::Cells; }

bool isShaded(OverlayKind kind) { return entryFor(kind).surface == Surface::Shaded; }

OverlayMarks overlayMarks(OverlayKind kind) { return entryFor(kind).marks; }

bool isBySpring(OverlayKind kind) { return entryFor(kind).bySpring; }

float desaturation(OverlayKind kind) {
    const OverlayEntry& entry = entryFor(kind);
    if (entry.bySpring) return 0.92f;
    return entry.marks && entry.surface == Surface::Own ? 0.6f : 0.0f;
}

bool showsThrough(OverlayKind kind) { return entryFor(kind).through; }

std::string overlayRefusal(OverlayKind kind, const scene::Settings& settings) {
    const auto refusal = entryFor(kind).refusal;
    return refusal ? refusal(settings) : std::string();
}

worker::OverlayRequest requestFor(OverlayKind kind) {
    worker::OverlayRequest request{.field = kind};
    if (const auto flag = entryFor(kind).request) request.*flag = true;
    return request;
}

void particleColors(OverlayKind kind, const Snapshot& snapshot, std::vector<Rgb>& out) {
    out.clear();
    if (const auto colors = entryFor(kind).colors) colors(snapshot, out);
}

std::vector<LegendEntry> legend(OverlayKind kind, const Snapshot& snapshot, bool lightTheme) {
    const auto entries = entryFor(kind).legend;
    return entries ? entries(snapshot, sceneColors(lightTheme)) : std::vector<LegendEntry>();
}

}  // namespace clothlab::app::render
