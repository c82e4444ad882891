#include "integrators/methods/explicit_springs.hpp"

#include <algorithm>

#include "cloth/springs.hpp"
#include "integrators/traits.hpp"

namespace clothlab::integrators {
namespace {

using cloth::SpringFamily;

/// (h/m)(h k + 2 d) at a mass: twice the share of symplectic Euler's limit that one spring takes.
double load(const cloth::SpringLaw& law, double h, double mass) {
    return (h / mass) * (h * law.explicitStiffness + 2 * law.damping);
}

double lighter(const cloth::ClothModel& model, const cloth::Spring& s) {
    return std::min(model.mass[s.i], model.mass[s.j]);
}

}  // namespace

cloth::ImplicitSplit chooseSplit(const IntegratorSettings& s) {
    cloth::ImplicitSplit split;
    const IntegratorTraits traits = traitsFor(s.kind);
    if (traits.picksByCriterion() && s.aimexRule == AimexRule::Paper)
        split.elastic[int(SpringFamily::Bend)] = split.damping[int(SpringFamily::Bend)] = false;
    if (traits.explicitPart != ExplicitPart::ByFamily) return split;
    const SplitTerms terms[cloth::kFamilies] = {s.splitStretch, s.splitShear, s.splitBend};
    for (int family = 0; family < cloth::kFamilies; ++family) {
        split.elastic[family] = terms[family] == SplitTerms::Implicit || terms[family] == SplitTerms::ElasticImplicit;
        split.damping[family] = terms[family] == SplitTerms::Implicit || terms[family] == SplitTerms::DampingImplicit;
    }
    return split;
}

std::span<const std::uint8_t> ExplicitSprings::choose(const cloth::ClothModel& model, const cloth::ForceModel& forces,
                                                      double h) {
    const IntegratorTraits traits = traitsFor(settings_.kind);
    if (traits.explicitPart != ExplicitPart::PickedEachStep) return {};
    if (laws_ == forces.lawRevision() && h_ == h) return explicit_;
    laws_ = forces.lawRevision();
    h_ = h;
    explicit_.assign(model.springs.size(), 0);
    if (traits.steps() == 2)
        chooseForTwoSteps(model, forces, h);
    else if (settings_.aimexRule == AimexRule::Paper)
        chooseByPaper(model, forces, h);
    else
        chooseSafely(model, forces, h);
    return explicit_;
}

void ExplicitSprings::chooseByPaper(const cloth::ClothModel& model, const cloth::ForceModel& forces, double h) {
    for (std::size_t e = 0; e < explicit_.size(); ++e) {
        const cloth::Spring& s = model.springs[e];
        explicit_[e] = s.family == SpringFamily::Bend ||
                       load(forces.springLaw(e), h, lighter(model, s)) < settings_.aimexThreshold;
    }
}

void ExplicitSprings::chooseSafely(const cloth::ClothModel& model, const cloth::ForceModel& forces, double h) {
    std::vector<std::size_t> candidates;
    for (std::size_t e = 0; e < explicit_.size(); ++e) {
        const cloth::Spring& s = model.springs[e];
        const double m = lighter(model, s);
        const cloth::SpringLaw& law = forces.springLaw(e);
        if (s.family == SpringFamily::Bend ? h * h * law.explicitStiffness <= m / 4
                                           : load(law, h, m) < settings_.aimexThreshold)
            candidates.push_back(e);
    }
    std::stable_sort(candidates.begin(), candidates.end(), [&](std::size_t a, std::size_t b) {
        return load(forces.springLaw(a), h, 1) < load(forces.springLaw(b), h, 1);
    });
    std::vector<double>& sum = loads_;
    sum.assign(model.mass.size(), 0.0);
    for (const std::size_t e : candidates) {
        const std::size_t ends[2] = {std::size_t(model.springs[e].i), std::size_t(model.springs[e].j)};
        const cloth::SpringLaw& law = forces.springLaw(e);
        const bool fits =
            std::all_of(ends, ends + 2, [&](std::size_t p) { return sum[p] + load(law, h, model.mass[p]) <= 2; });
        if (!fits) continue;
        explicit_[e] = 1;
        for (const std::size_t p : ends) sum[p] += load(law, h, model.mass[p]);
    }
}

/// Drops all springs of a law at once, the worst law first: fewer are explicit than could be, and none wrongly.
void ExplicitSprings::chooseForTwoSteps(const cloth::ClothModel& model, const cloth::ForceModel& forces, double h) {
    for (std::size_t e = 0; e < explicit_.size(); ++e) explicit_[e] = forces.springLaw(e).damping > 0;
    std::vector<double> stiffness(model.mass.size()), damping(model.mass.size());
    const auto drop = [&](auto&& worse) {
        const cloth::SpringLaw* worst = nullptr;
        for (std::size_t e = 0; e < explicit_.size(); ++e)
            if (explicit_[e] && (!worst || worse(forces.springLaw(e), *worst))) worst = &forces.springLaw(e);
        for (std::size_t e = 0; e < explicit_.size(); ++e)
            if (&forces.springLaw(e) == worst) explicit_[e] = 0;
    };
    for (;;) {
        std::fill(stiffness.begin(), stiffness.end(), 0.0);
        std::fill(damping.begin(), damping.end(), 0.0);
        for (std::size_t e = 0; e < explicit_.size(); ++e) {
            if (!explicit_[e]) continue;
            const cloth::SpringLaw& law = forces.springLaw(e);
            for (const Index p : {model.springs[e].i, model.springs[e].j}) {
                const double m = model.mass[p];
                stiffness[p] += 2 * h * h * law.explicitStiffness / m;
                damping[p] += 2 * h * law.damping / m;
            }
        }
        const double Z = *std::max_element(stiffness.begin(), stiffness.end());
        bool underdamped = false;
        for (std::size_t e = 0; e < explicit_.size() && !underdamped; ++e)
            underdamped = explicit_[e] &&
                          h * forces.springLaw(e).damping < 0.5 * Z * h * h * forces.springLaw(e).explicitStiffness;
        if (underdamped)
            drop([](const cloth::SpringLaw& a, const cloth::SpringLaw& b) {
                return a.explicitStiffness * b.damping > b.explicitStiffness * a.damping;
            });
        else if (*std::max_element(damping.begin(), damping.end()) > 0.8)
            drop([](const cloth::SpringLaw& a, const cloth::SpringLaw& b) { return a.damping > b.damping; });
        else
            return;
    }
}

}  // namespace clothlab::integrators
