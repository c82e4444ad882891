#include <fmt/format.h>

#include "papers/boxerman/sphere_run.hpp"
#include "papers/sets.hpp"

/// [B] §6.4.2, one at a time of what the thesis leaves open of its sphere: friction, radius, place.
namespace clothlab::simulation {
namespace {

using namespace boxerman;

struct Variant {
    double friction;
    double radius = 0.3;  ///< of the side
    double offset = 1;    ///< off the middle, in multiples of the place of figure 6.9
};
constexpr std::array kVariants{
    Variant{0},       Variant{0.1},         Variant{0.2},        Variant{0.5},     Variant{1},
    Variant{2},       Variant{10},          Variant{0.2, 0.2},   Variant{10, 0.2}, Variant{0.2, 0.5},
    Variant{10, 0.5}, Variant{0.2, 0.3, 5}, Variant{10, 0.3, 5},
};

const Variant& variantOf(int set) { return kVariants[static_cast<std::size_t>(set) % kVariants.size()]; }

scene::Scene sceneOf(const Cloth& cloth, const Variant& variant) {
    scene::Scene scene = decomposingScene(cloth, Friction::Sliding);
    scene.settings.contact.muS = scene.settings.contact.muK = variant.friction;
    contact::Collider& sphere = scene.colliders.front();
    const double side = cloth.spacing * (cloth.side - 1), radius = variant.radius * side;
    sphere.shape = geometry::Sphere{radius};
    sphere.position = Vec3(variant.offset * sphere.position.x(), -radius, variant.offset * sphere.position.z());
    return scene;
}

Expected<records::Entries> runOne(int set, int side, const SphereSample& sample, const ReproduceOptions& options,
                                  const ReproduceControl& control, WorkerPool& pool) {
    const Cloth cloth =
        drawnForDecomposition(options, Configuration::Sphere, side, set / static_cast<int>(kVariants.size()));
    const auto run = runOnSphere(cloth, sceneOf(cloth, variantOf(set)), sample, control, pool);
    if (!run) return tl::unexpected(run.error());
    const double n = std::max(1, run->systems);
    records::Entries out = boxerman::entriesOf(cloth);
    const SphereRun::OfReading& rv = run->sums[0].readings[0];
    out.insert(out.end(), {{"ratio", rv.decomposed / std::max(1.0, rv.whole)},
                           {"skipping_alone", rv.skipping / std::max(1.0, rv.whole)},
                           {"components", run->sums[0].components / n},
                           {"held", run->held / n},
                           {"drift", run->drift},
                           {"diverged", double(run->diverged)}});
    return out;
}

}  // namespace

Expected<Reproduction> boxermanSection642Sphere(const ReproduceOptions& options, const ReproduceControl& control) {
    const int side = options.side > 0 ? options.side : options.quick ? 20 : 30;
    const int cloths = options.side > 0 ? 1 : options.quick ? 5 : 20;
    const SphereSample sample{.seconds = 1, .samples = 10, .readings = 1, .stretchAlone = false};
    WorkerPool pool(options.threads);
    const auto label = [](int set) {
        const Variant& v = variantOf(set);
        return fmt::format("friction {:g}, radius {:g}, offset {:g}", v.friction, v.radius, v.offset);
    };
    const auto run = [&](int set) { return runOne(set, side, sample, options, control, pool); };
    const auto sets = runSets({.experiment = "boxerman-section-6.4.2, sphere, one value at a time",
                               .sets = cloths * static_cast<int>(kVariants.size()),
                               .label = label,
                               .run = run},
                              options, control);
    if (!sets) return tl::unexpected(sets.error());
    Reproduction out;
    for (const Variant& variant : kVariants) {
        records::Entries sums;
        double count = 0;
        for (const FinishedSet& set : sets->sets) {
            if (&variantOf(set.set) != &variant) continue;
            ++count;
            if (sums.empty())
                for (const char* key : {"ratio", "skipping_alone", "components", "held", "drift", "diverged"})
                    sums.emplace_back(key, 0.0);
            for (auto& [key, sum] : sums) sum = std::get<double>(sum) + records::numberOf(set.values, key);
        }
        if (count == 0) continue;
        for (auto& [key, sum] : sums)
            if (key != "diverged") sum = std::get<double>(sum) / count;
        ReproductionRow row{
            .what = {{"friction", variant.friction}, {"radius", variant.radius}, {"offset", variant.offset}},
            .ours = {{"sets", count}},
            .paper = {}};
        row.ours.insert(row.ours.end(), sums.begin(), sums.end());
        out.rows.push_back(std::move(row));
    }
    out.notes = {
        fmt::format("{} cloths of the thesis' grid, {} x {} particles on 1.5 m, 1 s each, 10 systems of each; the same "
                    "cloths in every row. RV by components over RV of the whole, springs implicit by the thesis' rule, "
                    "tol = c k^2: means of the sets.",
                    cloths, side, side),
        "radius: of the side of the sheet; offset: how far the sphere lies off the middle of the sheet, in multiples "
        "of 3 and 5 % of its side. The thesis prints neither these nor its friction constants.",
        "held: share of particles with ndof 0; skipping_alone: what leaving them out of the whole would give. drift: "
        "how far the middle of the sheet has moved sideways in the end, m. diverged: sets that the guard ended."};
    addStopped(out.notes, *sets);
    return out;
}

}  // namespace clothlab::simulation
