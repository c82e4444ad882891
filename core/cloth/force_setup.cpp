#include <algorithm>
#include <cassert>
#include <cmath>

#include "cloth/force_model_impl.hpp"
#include "cloth/tearing.hpp"

namespace clothlab::cloth {
namespace {

/// A flag a material that something is made of.
std::vector<std::uint8_t> materialsOfSolids(const ClothModel& model) {
    std::vector<std::uint8_t> flags;
    for (const ClothModel::Patch& patch : model.patches)
        for (Index i = patch.firstParticle; patch.isSolid() && i < patch.firstParticle + patch.particles; ++i) {
            flags.resize(std::max(flags.size(), std::size_t(model.material[i]) + 1));
            flags[model.material[i]] = 1;
        }
    return flags;
}

}  // namespace

bool ForceModel::Impl::sizesFit(const ClothModel& m) const {
    return links.size() == m.springs.size() + kLinksAhead && chunks.rows == m.particles();
}

void ForceModel::Impl::analyzeMesh() {
    const std::vector<Spring>& springs = model->springs;
    const Index rows = model->particles();
    // One spring a pair, sorted: the blocks of a pair have one writer.
    assert(std::is_sorted(springs.begin(), springs.end(),
                          [](const Spring& a, const Spring& b) { return a.i != b.i ? a.i < b.i : a.j <= b.j; }));
    chunks = RowChunks{rows, kSweepRows};
    span = 1;
    links.clear();
    links.reserve(springs.size() + kLinksAhead);
    linkStart.assign(rows + 1, 0);
    for (const Spring& s : springs) {
        assert(s.i >= 0 && s.i < s.j && s.j < rows);
        span = std::max(span, s.j - s.i + 1);
        ++linkStart[s.i + 1];
        links.push_back({.j = s.j, .law = baseLaw(s), .restLength = s.restLength});
    }
    for (std::size_t i = 0; i < std::size_t(rows); ++i) linkStart[i + 1] += linkStart[i];
    links.resize(springs.size() + kLinksAhead, Link{});
    sizeHalos();
    drag.analyze(*model, {});
}

void ForceModel::Impl::sizeHalos() {
    const auto count = std::size_t(chunks.count());
    haloEnd.assign(count, 0);
    haloOffset.assign(count, 0);
    halosInto.assign(count, {});
    std::size_t doubles = 0;
    for (Index c = 0; c < chunks.count(); ++c) {
        Index farthest = chunks.end(c);
        const auto first = links.begin() + linkStart[chunks.begin(c)];
        const auto last = links.begin() + linkStart[chunks.end(c)];
        for (auto link = first; link != last; ++link) farthest = std::max(farthest, link->j + 1);
        haloEnd[c] = farthest;
        haloOffset[c] = doubles;
        // kRowSums doubles are two cache lines: two chunks never write to the same one.
        doubles += std::size_t(farthest - chunks.end(c)) * kRowSums;
        for (Index into = c + 1; into < chunks.count() && chunks.begin(into) < farthest; ++into)
            halosInto[into].push_back(c);
    }
    halo.assign(doubles, 0.0);
}

void ForceModel::Impl::makeLaws() {
    laws.clear();
    bendEnergies.clear();
    absoluteDamping.clear();
    const std::vector<std::uint8_t> ofSolids = materialsOfSolids(*model);
    for (std::size_t k = 0, count = std::max(model->patches.size(), materials.size()); k < count; ++k) {
        MaterialSettings material = materialAt(materials, k);
        if (k < ofSolids.size() && ofSolids[k] != 0) material.membrane = MembraneModel::Springs;
        for (int family = 0; family < kFamilies; ++family) {
            SpringLaw law = makeLaw(material, static_cast<SpringFamily>(family));
            law.elasticImplicit = split.elastic[family];
            law.dampingImplicit = split.damping[family];
            law.inPattern = inPattern(family);
            laws.push_back(law);
        }
        bendEnergies.emplace_back(material.bendModel, material.bendLinearBranch);
    }
    for (Index i = 0; i < Index(model->material.size()); ++i) {
        const MaterialSettings& material = materialAt(materials, model->material[i]);
        if (material.dampingModel != DampingModel::Absolute || !(material.stretchDamping > 0)) continue;
        absoluteDamping.resize(model->particles(), 0.0);
        absoluteDamping[i] = material.stretchDamping;
    }
    absoluteImplicit = split.damping[int(SpringFamily::Stretch)];
    for (std::size_t k = 0, ofSplit = laws.size(); k < ofSplit; ++k) {
        SpringLaw law = laws[k];
        law.elasticImplicit = law.dampingImplicit = false;
        laws.push_back(law);
    }
    laws.push_back({});  // without stiffness or damper
    ++lawRevision;
    ofAll = ofExplicit = {};
}

void ForceModel::Impl::pointLinksAtLaws() {
    const auto explicitLaws = std::uint32_t(lawsOfSplit()), ofBroken = std::uint32_t(laws.size() - 1);
    implicitSprings = explicitSpringCount = brokenSprings = 0;
    for (std::size_t e = 0; e < model->springs.size(); ++e) {
        const bool isExplicit = !explicitSprings.empty() && explicitSprings[e];
        links[e].law = isBroken(e) ? ofBroken : baseLaw(model->springs[e]) + (isExplicit ? explicitLaws : 0);
        if (isBroken(e))
            ++brokenSprings;
        else if (isImplicit(law(links[e])))
            ++implicitSprings;
        else if (law(links[e]).kind != SpringKind::InMembrane)
            ++explicitSpringCount;
    }
    ofExplicit = {};
}

void ForceModel::Impl::makePattern() {
    for (int family = 0; family < kFamilies; ++family) patternFamilies[family] = inPattern(family);
    std::vector<std::pair<Index, Index>> ends;
    for (const Spring& s : model->springs)
        if (patternFamilies[int(s.family)]) ends.emplace_back(s.i, s.j);
    familyPattern = linalg::makePattern(model->particles(), ends);

    const linalg::BlockPattern& p = *familyPattern;
    linalg::CoreMask& mask = familyCore;
    mask.offDiagonal.assign(p.blocks(), 0);
    mask.revision = p.revision;
    for (const Index d : p.diagonal) mask.offDiagonal[d] = linalg::CoreMask::kCore;
    familyBlocks.assign(model->springs.size(), {0, 0});
    for (std::size_t e = 0; e < model->springs.size(); ++e) {
        const Spring& s = model->springs[e];
        if (!patternFamilies[int(s.family)]) continue;
        familyBlocks[e] = {p.find(s.i, s.j), p.find(s.j, s.i)};
        if (s.family == SpringFamily::Bend) continue;
        const auto bit = s.family == SpringFamily::Stretch ? linalg::CoreMask::kCore : linalg::CoreMask::kShear;
        mask.offDiagonal[familyBlocks[e].first] |= bit;
        mask.offDiagonal[familyBlocks[e].second] |= bit;
    }
    leavePairs();
}

void ForceModel::Impl::makeStabilitySums(StabilitySums& sums, Terms terms) const {
    const bool all = terms == Terms::All;
    sums.stiffness.assign(model->mass.size(), 0.0);
    sums.damping.assign(model->mass.size(), 0.0);
    if (!absoluteDamping.empty() && (all || !absoluteImplicit)) sums.damping = absoluteDamping;
    for (std::size_t e = 0; e < model->springs.size(); ++e) {
        const SpringLaw& l = law(links[e]);
        for (const Index p : {model->springs[e].i, model->springs[e].j}) {
            if (all || !l.elasticImplicit) sums.stiffness[p] += l.explicitStiffness;
            if (all || !l.dampingImplicit) sums.damping[p] += 2 * l.damping;
        }
    }
    if (all || !implicitMembrane()) membrane.addStiffness(sums.stiffness);
}

const ForceModel::Impl::StabilitySums& ForceModel::Impl::stabilitySums(Terms terms) {
    StabilitySums& sums = terms == Terms::All ? ofAll : ofExplicit;
    if (sums.stiffness.empty()) makeStabilitySums(sums, terms);
    return sums;
}

void ForceModel::configure(const ClothModel& model, std::span<const MaterialSettings> materials,
                           const ImplicitSplit& split) {
    Impl& d = *impl_;
    const bool newMesh = !d.sameMesh(model);
    bool newMaterials = !std::equal(materials.begin(), materials.end(), d.materials.begin(), d.materials.end());
    const bool newSplit = !(split == d.split);
    newMaterials = newMaterials || d.materialRevision != model.materialRevision;
    if (!newMesh && !newMaterials && !newSplit) return;

    d.model = &model;
    d.revision = model.revision;
    d.materialRevision = model.materialRevision;
    d.materials.assign(materials.begin(), materials.end());
    if (d.materials.empty()) d.materials.emplace_back();
    d.split = split;
    if (newMesh) {
        d.broken.clear();
        d.analyzeMesh();
        d.explicitSprings.clear();
    }
    d.membrane.configure(model, d.materials, d.broken);
    d.makeLaws();
    d.pointLinksAtLaws();
    bool newFamilies = false;
    for (int f = 0; f < kFamilies; ++f) newFamilies = newFamilies || d.patternFamilies[f] != d.inPattern(f);
    if (newMesh || newFamilies) d.makePattern();
}

void ForceModel::setExplicit(std::span<const std::uint8_t> springs) {
    Impl& d = *impl_;
    assert(springs.empty() || springs.size() == d.model->springs.size());
    if (std::equal(springs.begin(), springs.end(), d.explicitSprings.begin(), d.explicitSprings.end())) return;
    d.explicitSprings.assign(springs.begin(), springs.end());
    d.pointLinksAtLaws();
}

void ForceModel::setBroken(std::span<const std::uint8_t> springs) {
    Impl& d = *impl_;
    assert(springs.empty() || springs.size() == d.model->springs.size());
    if (std::equal(springs.begin(), springs.end(), d.broken.begin(), d.broken.end())) return;
    d.broken.assign(springs.begin(), springs.end());
    d.drag.analyze(*d.model, tornFacets(*d.model, d.broken));
    d.membrane.configure(*d.model, d.materials, d.broken);
    ++d.lawRevision;
    d.ofAll = {};
    d.pointLinksAtLaws();
}

bool ForceModel::isBroken(std::size_t e) const { return impl_->isBroken(e); }
Index ForceModel::brokenSprings() const { return impl_->brokenSprings; }

void ForceModel::setSlackJacobians(bool keep) {
    Impl& d = *impl_;
    d.membrane.keepSlack(keep);
    const std::size_t ofSplit = d.lawsOfSplit();
    for (std::size_t k = 0; k < 2 * ofSplit; ++k) {
        const std::size_t material = k % ofSplit / kFamilies;
        const auto family = static_cast<SpringFamily>(k % kFamilies);
        d.laws[k].jacSlack = keep || makeLaw(materialAt(d.materials, material), family).jacSlack;
    }
}

const SpringLaw& ForceModel::intactSpringLaw(std::size_t e) const {
    return impl_->laws[impl_->baseLaw(impl_->model->springs[e])];
}
const SpringLaw& ForceModel::springLaw(std::size_t e) const {
    return impl_->isBroken(e) ? impl_->laws.back() : intactSpringLaw(e);
}
const Membrane& ForceModel::membrane() const { return impl_->membrane; }
std::uint64_t ForceModel::lawRevision() const { return impl_->lawRevision; }

double ForceModel::absoluteDamping(Index i) const {
    return impl_->absoluteDamping.empty() ? 0 : impl_->absoluteDamping[i];
}

bool ForceModel::damps() const {
    return !impl_->absoluteDamping.empty() ||
           std::ranges::any_of(impl_->laws, [](const SpringLaw& law) { return law.damper != DamperKind::None; });
}

Index ForceModel::implicitSprings() const { return impl_->implicitSprings; }
Index ForceModel::explicitSprings() const { return impl_->explicitSpringCount; }
bool ForceModel::couplesParticles() const {
    return impl_->implicitSprings > 0 || !impl_->membrane.empty() || implicitPairs() > 0;
}

double ForceModel::explicitStabilitySum(double h, Terms terms) const {
    Impl& d = *impl_;
    if (!d.model) return 0;
    const Impl::StabilitySums& sums = d.stabilitySumsWithPairs(terms);
    double largest = 0;
    for (std::size_t i = 0; i < sums.stiffness.size(); ++i)
        largest = std::max(largest, (h / d.model->mass[i]) * (h * sums.stiffness[i] + sums.damping[i]));
    return largest;
}

double ForceModel::explicitLimit(Terms terms) const {
    Impl& d = *impl_;
    double limit = INFINITY;
    if (!d.model) return limit;
    const Impl::StabilitySums& sums = d.stabilitySumsWithPairs(terms);
    for (std::size_t i = 0; i < sums.stiffness.size(); ++i) {
        // The positive root of a h^2 + b h = 2.
        const double a = sums.stiffness[i] / d.model->mass[i], b = sums.damping[i] / d.model->mass[i];
        if (a > 0) limit = std::min(limit, 4 / (b + std::sqrt(b * b + 8 * a)));
        if (a <= 0 && b > 0) limit = std::min(limit, 2 / b);
    }
    return limit;
}

}  // namespace clothlab::cloth
