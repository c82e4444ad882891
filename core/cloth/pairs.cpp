#include <algorithm>
#include <cassert>
#include <cstring>

#include "cloth/force_model_impl.hpp"

// What particles do to each other besides the springs: the pattern takes their blocks in, assembly adds them serially
// in their order, after the springs. They are few beside the springs, and so nobody's bits depend on threads.
namespace clothlab::cloth {
namespace {

/// An upper bound of the largest eigenvalue, exact for k n n^T and for k I.
double largestEigenvalue(const Mat3& m) { return std::min(m.trace(), m.cwiseAbs().rowwise().sum().maxCoeff()); }

}  // namespace

bool ForceModel::Impl::patternHoldsPairs() const {
    auto held = patternPairs.begin();
    for (const mechanics::PairTerm& p : pairs) {
        if (!p.implicit || p.outside()) continue;
        if (held == patternPairs.end() || held->i != p.i || held->j != p.j) return false;
        ++held;
    }
    return held == patternPairs.end();
}

void ForceModel::Impl::leavePairs() {
    pattern = familyPattern;
    core = familyCore;
    pairs.clear();
    pairBlocks.clear();
    pairsAlone.clear();
    patternPairs.clear();
    for (std::size_t e = 0; e < familyBlocks.size(); ++e) {
        links[e].upper = familyBlocks[e].first;
        links[e].lower = familyBlocks[e].second;
    }
}

void ForceModel::Impl::addPairsToPattern() {
    std::vector<std::pair<Index, Index>> ends;
    patternPairs.clear();
    for (const mechanics::PairTerm& p : pairs)
        if (p.implicit && !p.outside()) {
            ends.emplace_back(p.i, p.j);
            patternPairs.push_back(p);
        }
    std::vector<Index> position;
    pattern = linalg::united(familyPattern, ends, position);
    core = {.offDiagonal = std::vector<std::uint8_t>(std::size_t(pattern->blocks()), 0),
            .outside = {},
            .revision = pattern->revision,
            .ofOrigin = std::make_shared<const linalg::CoreMask>(familyCore)};
    std::vector<std::uint8_t> ofSprings(core.offDiagonal.size(), 0);
    for (std::size_t k = 0; k < position.size(); ++k) {
        core.offDiagonal[position[k]] = familyCore.offDiagonal[k];
        ofSprings[position[k]] = 1;
    }
    for (std::size_t e = 0; e < familyBlocks.size(); ++e) {
        links[e].upper = position[familyBlocks[e].first];
        links[e].lower = position[familyBlocks[e].second];
    }
    pairsAlone.clear();
    for (const mechanics::PairTerm& p : patternPairs)
        for (const Index k : {pattern->find(p.i, p.j), pattern->find(p.j, p.i)}) {
            core.offDiagonal[k] |= linalg::CoreMask::kContact;
            if (!ofSprings[k]) pairsAlone.push_back(k);
        }
}

void ForceModel::setPairs(std::span<const mechanics::PairTerm> pairs) {
    Impl& d = *impl_;
    assert(d.model &&
           std::is_sorted(pairs.begin(), pairs.end(), [](const mechanics::PairTerm& a, const mechanics::PairTerm& b) {
               return std::pair{a.i, a.j} < std::pair{b.i, b.j};
           }));
    d.pairs.assign(pairs.begin(), pairs.end());
    if (!d.patternHoldsPairs()) {
        if (std::ranges::any_of(pairs, [](const mechanics::PairTerm& p) { return p.implicit && !p.outside(); })) {
            d.addPairsToPattern();
        } else {
            d.leavePairs();
            d.pairs.assign(pairs.begin(), pairs.end());
        }
    }
    d.pairBlocks.clear();
    for (std::size_t k = 0; k < pairs.size(); ++k)
        if (const mechanics::PairTerm& p = pairs[k]; p.implicit)
            d.pairBlocks.push_back(
                {Index(k), p.outside() ? -1 : d.pattern->find(p.i, p.j), p.outside() ? -1 : d.pattern->find(p.j, p.i)});
}

std::span<const mechanics::PairTerm> ForceModel::pairs() const { return impl_->pairs; }
Index ForceModel::implicitPairs() const { return Index(impl_->pairBlocks.size()); }

void ForceModel::Impl::addPairForces(linalg::BlockVector& f, bool explicitAlone) const {
    for (const mechanics::PairTerm& p : pairs) {
        if (explicitAlone && p.implicit) continue;
        p.add(p.force, f);
    }
}

void ForceModel::Impl::addPairs(const linalg::BlockVector& u, const AssemblyCoefficients& c, linalg::BlockMatrix& A,
                                linalg::BlockVector& b) const {
    for (const mechanics::PairTerm& p : pairs) p.add(c.force * p.force, b);
    for (const Index k : pairsAlone) std::memset(A.blockData(k), 0, 9 * sizeof(double));
    for (const PairBlock& block : pairBlocks) {
        const mechanics::PairTerm& p = pairs[block.pair];
        p.add(c.stiffnessVector * (p.stiffness * p.across(u)), b);
        const Mat3 own = c.stiffness * p.stiffness + c.damping * p.damping;
        A.diagonal(p.i) += own;
        if (p.outside()) continue;
        A.diagonal(p.j) += own;
        for (const Index k : {block.upper, block.lower}) {
            A.block(k) -= own;
            A.setOccupied(k, true);
        }
    }
}

const ForceModel::Impl::StabilitySums& ForceModel::Impl::stabilitySumsWithPairs(Terms terms) {
    if (pairs.empty()) return stabilitySums(terms);
    StabilitySums& sums = withPairs = stabilitySums(terms);
    for (const mechanics::PairTerm& p : pairs) {
        if (p.ofLayers || (terms == Terms::Explicit && p.implicit)) continue;
        for (const Index end : {p.i, p.j}) {
            if (end == mechanics::PairTerm::kOutside) continue;
            sums.stiffness[end] += largestEigenvalue(p.stiffness);
            // Friction of solids is as large as it must be to hold: it says nothing of a step.
            if (!p.outside()) sums.damping[end] += 2 * largestEigenvalue(p.damping);
        }
    }
    return sums;
}

}  // namespace clothlab::cloth
