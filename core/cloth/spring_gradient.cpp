#include "cloth/spring_gradient.hpp"

#include <algorithm>
#include <cassert>
#include <map>

#include "base/simd.hpp"

namespace clothlab::cloth {
namespace {

using simd::Double4;

constexpr Index kGradientRows = 1024;  ///< of a chunk: its axes and its halo stay in the second-level cache
constexpr Index kShortestRun = 4;

/// tension / l of four springs of this squared length, N/m; the force on i is that times x_j - x_i.
template <SpringKind kKind>
Double4 tension(Double4 squared, Double4 rest, Double4 stiffness) {
    const Double4 l = squareRoot(squared);
    Double4 t = stiffness - stiffness * rest / l;
    if constexpr (kKind == SpringKind::TensionOnly) {
        const Double4 shortest = rest * Double4::all(kActivation);
        t = whereLessOrEqual(shortest * shortest, squared, t);
    }
    if constexpr (kKind == SpringKind::CompressionOnly) t = whereLess(l, rest, t);
    return whereLessOrEqual(Double4::all(kShortestSquared), squared, t);
}

bool isLinear(SpringKind kind) { return kind != SpringKind::ChoiKoPolynomial && kind != SpringKind::ChoiKoExact; }

}  // namespace

bool SpringGradient::configure(const ClothModel& model, const ForceModel& forces) {
    if (model_ == &model && meshRevision_ == model.revision && lawRevision_ == forces.lawRevision() &&
        rows_ == model.particles())
        return linear_;
    model_ = &model;
    meshRevision_ = model.revision;
    lawRevision_ = forces.lawRevision();
    rows_ = model.particles();
    linear_ = true;
    for (std::size_t e = 0; e < model.springs.size(); ++e) linear_ = linear_ && isLinear(forces.springLaw(e).kind);
    if (!linear_) return false;
    cut(model);
    batches_.clear();
    runs_.clear();
    singles_.clear();
    rest_.clear();
    std::size_t spring = 0, size = 0;
    for (Chunk& chunk : chunks_) {
        fill(chunk, model, forces, spring);
        while (spring < model.springs.size() && model.springs[spring].i < chunk.end) ++spring;
        chunk.sums = size;
        size += 9 * chunk.stride();
    }
    scratch_.assign(size, 0.0);
    return true;
}

void SpringGradient::cut(const ClothModel& model) {
    const RowChunks chunks{rows_, kGradientRows};
    chunks_.assign(chunks.count(), {});
    for (Index c = 0; c < chunks.count(); ++c) {
        Chunk& chunk = chunks_[c];
        chunk.begin = chunks.begin(c);
        chunk.end = chunk.haloEnd = chunks.end(c);
    }
    Index c = 0;
    for (const Spring& s : model.springs) {
        while (s.i >= chunks_[c].end) ++c;
        chunks_[c].haloEnd = std::max(chunks_[c].haloEnd, s.j + 1);
    }
    for (c = 0; c < chunks.count(); ++c)
        for (Index into = c + 1; into < chunks.count() && chunks_[into].begin < chunks_[c].haloEnd; ++into)
            chunks_[into].halos.push_back(c);
}

/// The springs of a chunk's rows, by law, then by distance of the ends, then by i: where both count up there is a run.
void SpringGradient::fill(Chunk& chunk, const ClothModel& model, const ForceModel& forces, std::size_t firstSpring) {
    using Law = std::pair<SpringKind, double>;
    std::map<Law, std::map<Index, std::vector<const Spring*>>> byLaw;
    for (std::size_t e = firstSpring; e < model.springs.size() && model.springs[e].i < chunk.end; ++e) {
        const Spring& s = model.springs[e];
        const SpringLaw& law = forces.springLaw(e);
        if (law.kind == SpringKind::InMembrane) continue;
        byLaw[{law.kind, law.stiffness}][s.j - s.i].push_back(&s);
    }
    chunk.firstBatch = batches_.size();
    for (const auto& [law, byDistance] : byLaw) {
        Batch batch{law.first, law.second, runs_.size(), 0, singles_.size(), 0};
        std::vector<const Spring*> singles;
        for (const auto& [distance, springs] : byDistance)
            for (std::size_t first = 0; first < springs.size();) {
                std::size_t end = first + 1;
                while (end < springs.size() && springs[end]->i == springs[end - 1]->i + 1) ++end;
                const std::size_t whole = (end - first) / kShortestRun * kShortestRun;
                if (whole > 0) runs_.push_back({springs[first]->i, springs[first]->j, Index(whole), rest_.size()});
                for (std::size_t k = first; k < first + whole; ++k) rest_.push_back(springs[k]->restLength);
                singles.insert(singles.end(), springs.begin() + std::ptrdiff_t(first + whole),
                               springs.begin() + std::ptrdiff_t(end));
                first = end;
            }
        for (std::size_t k = 0; k < singles.size(); k += 4) {
            Four four{};
            for (std::size_t t = 0; t < 4; ++t) {
                const Spring* s = k + t < singles.size() ? singles[k + t] : nullptr;
                four.i[t] = s ? s->i : chunk.begin;
                four.j[t] = s ? s->j : chunk.begin;
                four.rest[t] = s ? s->restLength : 0;
            }
            singles_.push_back(four);
        }
        batch.endRun = runs_.size();
        batch.endFour = singles_.size();
        batches_.push_back(batch);
    }
    chunk.endBatch = batches_.size();
}

template <SpringKind kKind>
void SpringGradient::addOfKind(const Batch& batch, Index begin, const Axes& axes) const {
    const Double4 stiffness = Double4::all(batch.stiffness);
    for (std::size_t r = batch.firstRun; r < batch.endRun; ++r) {
        const Run& run = runs_[r];
        const Index i0 = run.i - begin, j0 = run.j - begin;
        for (Index k = 0; k < run.count; k += 4) {
            const Index i = i0 + k, j = j0 + k;
            Double4 d[3];
            for (int a = 0; a < 3; ++a) d[a] = Double4::load(axes.x[a] + j) - Double4::load(axes.x[a] + i);
            const Double4 squared = multiplyAdd(d[0], d[0], multiplyAdd(d[1], d[1], d[2] * d[2]));
            const Double4 t = tension<kKind>(squared, Double4::load(rest_.data() + run.rest + k), stiffness);
            for (int a = 0; a < 3; ++a) {
                const Double4 g = t * d[a];
                (Double4::load(axes.onI[a] + i) + g).store(axes.onI[a] + i);
                (Double4::load(axes.onJ[a] + j) - g).store(axes.onJ[a] + j);
            }
        }
    }
    for (std::size_t k = batch.firstFour; k < batch.endFour; ++k) {
        const Four& four = singles_[k];
        double edge[3][4], force[3][4];
        for (int a = 0; a < 3; ++a)
            for (int t = 0; t < 4; ++t) edge[a][t] = axes.x[a][four.j[t] - begin] - axes.x[a][four.i[t] - begin];
        Double4 d[3];
        for (int a = 0; a < 3; ++a) d[a] = Double4::load(edge[a]);
        const Double4 squared = multiplyAdd(d[0], d[0], multiplyAdd(d[1], d[1], d[2] * d[2]));
        const Double4 t = tension<kKind>(squared, Double4::load(four.rest), stiffness);
        for (int a = 0; a < 3; ++a) {
            (t * d[a]).store(force[a]);
            for (int s = 0; s < 4; ++s) {
                axes.onI[a][four.i[s] - begin] += force[a][s];
                axes.onJ[a][four.j[s] - begin] -= force[a][s];
            }
        }
    }
}

void SpringGradient::addBatch(const Batch& batch, Index begin, const Axes& axes) const {
    switch (batch.kind) {
        case SpringKind::TensionOnly:
            return addOfKind<SpringKind::TensionOnly>(batch, begin, axes);
        case SpringKind::CompressionOnly:
            return addOfKind<SpringKind::CompressionOnly>(batch, begin, axes);
        default:
            return addOfKind<SpringKind::Bilateral>(batch, begin, axes);
    }
}

void SpringGradient::sweep(const Chunk& chunk, const linalg::BlockVector& x) const {
    const Index rows = chunk.haloEnd - chunk.begin;
    double* const laid[3] = {axis(chunk, 6), axis(chunk, 7), axis(chunk, 8)};
    std::fill_n(axis(chunk, 0), 6 * chunk.stride(), 0.0);
    Index r = 0;
    for (; r + 4 <= rows; r += 4) {
        Double4 four[3];
        simd::loadPoints(x.data() + 3 * std::size_t(chunk.begin + r), four);
        for (int a = 0; a < 3; ++a) four[a].store(laid[a] + r);
    }
    for (; r < rows; ++r)
        for (int a = 0; a < 3; ++a) laid[a][r] = x.data()[3 * std::size_t(chunk.begin + r) + std::size_t(a)];
    const Axes axes{{laid[0], laid[1], laid[2]},
                    {axis(chunk, 0), axis(chunk, 1), axis(chunk, 2)},
                    {axis(chunk, 3), axis(chunk, 4), axis(chunk, 5)}};
    for (std::size_t b = chunk.firstBatch; b < chunk.endBatch; ++b) addBatch(batches_[b], chunk.begin, axes);
}

void SpringGradient::collect(const Chunk& chunk, linalg::BlockVector& f) const {
    const Index rows = chunk.end - chunk.begin;
    double* const sum[3] = {axis(chunk, 0), axis(chunk, 1), axis(chunk, 2)};
    const double* const other[3] = {axis(chunk, 3), axis(chunk, 4), axis(chunk, 5)};
    for (const Index source : chunk.halos) {
        const Chunk& earlier = chunks_[source];
        const Index first = chunk.begin - earlier.begin, count = std::min(chunk.end, earlier.haloEnd) - chunk.begin;
        for (int a = 0; a < 3; ++a) {
            const double* from = axis(earlier, 3 + a) + first;
            for (Index r = 0; r < count; ++r) sum[a][r] += from[r];
        }
    }
    Index r = 0;
    for (; r + 4 <= rows; r += 4) {
        Double4 four[3];
        for (int a = 0; a < 3; ++a) four[a] = Double4::load(sum[a] + r) + Double4::load(other[a] + r);
        simd::addPoints(four, f.data() + 3 * std::size_t(chunk.begin + r));
    }
    for (; r < rows; ++r)
        for (int a = 0; a < 3; ++a)
            f.data()[3 * std::size_t(chunk.begin + r) + std::size_t(a)] += sum[a][r] + other[a][r];
}

void SpringGradient::add(const linalg::BlockVector& x, linalg::BlockVector& f, WorkerPool& pool) const {
    assert(linear_ && x.size() == rows_ && f.size() == rows_ && &x != &f);
    const auto count = Index(chunks_.size());
    pool.forChunks(count, rows_, [&](Index c) { sweep(chunks_[c], x); });
    pool.forChunks(count, rows_, [&](Index c) { collect(chunks_[c], f); });
}

}  // namespace clothlab::cloth
