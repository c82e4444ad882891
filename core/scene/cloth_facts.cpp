#include "scene/cloth_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "scene/length_units.hpp"

namespace clothlab::scene {
namespace {

std::string counted(Index number, std::string_view word) {
    return fmt::format("{} {}{}", number, word, plural(number));
}

}  // namespace

ClothFacts clothFacts(const cloth::ClothModel& model, std::size_t cloth) {
    const cloth::ClothModel::Patch& patch = model.patches[cloth];
    const Index first = patch.firstParticle, end = first + patch.particles;
    ClothFacts facts{.points = patch.particles, .shortestEdge = INFINITY, .smallestTriangle = INFINITY};
    Vec3 low = model.rest[first], high = low;
    for (Index i = first; i < end; ++i) {
        low = low.cwiseMin(model.rest[i]);
        high = high.cwiseMax(model.rest[i]);
        facts.mass += model.mass[i];
    }
    facts.size = high - low;
    std::vector<geometry::Triangle> own;
    for (const auto& [a, b, c] : model.triangles) {
        if (a < first || a >= end) continue;
        own.push_back({a - first, b - first, c - first});
        const double area = geometry::areaVector(model.rest[a], model.rest[b], model.rest[c]).norm() / 2;
        facts.smallestTriangle = std::min(facts.smallestTriangle, area);
    }
    facts.triangles = Index(own.size());
    facts.patches = geometry::countPatches(own, patch.particles);
    for (const geometry::MeshEdge& edge : model.edges)
        if (edge.a >= first && edge.a < end)
            facts.shortestEdge = std::min(facts.shortestEdge, (model.rest[edge.a] - model.rest[edge.b]).norm());
    facts.threads = Index(std::ranges::count_if(
        model.threads, [&](const cloth::SewingThread& thread) { return thread.i >= first && thread.i < end; }));
    return facts;
}

std::string toText(const ClothFacts& facts) {
    const std::string threads = facts.threads > 0 ? "; " + counted(facts.threads, "thread") : "";
    return fmt::format(
        "{:.4g} x {:.4g} x {:.4g} m; {}, {}, {}, {}; shortest edge {:.4g} m, smallest triangle {:.4g} "
        "m^2; mass {:.5g} kg{}",
        facts.size.x(), facts.size.y(), facts.size.z(), counted(facts.points, "point"),
        counted(facts.triangles, "triangle"), counted(facts.patches.components, "component"),
        counted(facts.patches.boundaryLoops, "boundary loop"), facts.shortestEdge, facts.smallestTriangle, facts.mass,
        threads);
}

std::string sizeNote(const ClothFacts& facts, const ClothPatch& cloth) {
    constexpr double kSmall = 0.01, kLarge = 100;  // m
    const double largest = facts.size.maxCoeff();
    if (largest >= kSmall && largest <= kLarge) return {};
    const std::string size = fmt::format("it is {:.4g} m large", largest);
    const bool scales = cloth.mesh || cloth.solid;
    return size + (scales ? fmt::format("; scale = {} would mend that", likelyScale(largest / cloth.scale)) : "");
}

}  // namespace clothlab::scene
