#include "contact/robust/relaxation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/simd.hpp"

namespace clothlab::contact {
namespace {

using simd::Double4;

constexpr Index kLeastPairs = 2048;  ///< fewer are one task
constexpr int kRings = 3;            ///< of pairs that take part around a particle
constexpr Index kSample = 1024;      ///< particles that decide where space is cut

Double4 lanes(const double (&of)[4]) { return Double4::load(of); }

}  // namespace

void Relaxation::reset(const linalg::BlockVector& x) {
    const Index particles = x.size();
    moved_.assign(std::size_t(particles), 0);
    turn_ = 0;
    slab_.assign(std::size_t(particles), 0);
    if (particles == 0) return;
    Vec3 low = x[0], high = x[0];
    for (Index i = 0; i < particles; ++i) {
        low = low.cwiseMin(x[i]);
        high = high.cwiseMax(x[i]);
    }
    int axis = 0;
    (high - low).maxCoeff(&axis);
    std::vector<double> places;
    for (Index i = 0; i < particles; i += 1 + particles / kSample) places.push_back(x[i][axis]);
    std::ranges::sort(places);
    std::array<double, kSlabs - 1> cuts;
    for (std::size_t k = 0; k < cuts.size(); ++k) cuts[k] = places[(k + 1) * places.size() / kSlabs];
    for (Index i = 0; i < particles; ++i)
        slab_[i] = std::uint8_t(std::ranges::upper_bound(cuts, x[i][axis]) - cuts.begin());
}

/// Slabs come first; the cut between slab k and the next is task kSlabs + k; pairs that reach further are the last.
int Relaxation::pairTask(const PairImpulse& pair) const {
    const auto& [p, q, r, s] = pair.corners;
    const auto [low, high] = std::minmax({slab_[p], slab_[q], slab_[r], slab_[s]});
    return high == low ? low : high == low + 1 ? kSlabs + low : kTasks - 1;
}

int Relaxation::taskPhase(int task) { return task < kSlabs ? 0 : task == kTasks - 1 ? 3 : 1 + task % 2; }

template <int kCorners>
Relaxation::Four<kCorners>::Four(Index idleRow) {
    std::ranges::fill(pair, -1);
    for (auto& ofCorner : row) std::ranges::fill(ofCorner, idleRow);
}

template <int kCorners>
void Relaxation::Four<kCorners>::put(const PairImpulse& p, Index number, const Mobility& m, int lane) {
    for (int k = 0; k < kCorners; ++k) {
        weight[k][lane] = p.weights[k];
        mobility[k][lane] = p.weights[k] * m.inverseMass(p.corners[k]);
        row[k][lane] = 4 * p.corners[k];
    }
    for (int axis = 0; axis < 3; ++axis) {
        normal[axis][lane] = p.normal[axis];
        friction[axis][lane] = p.friction[axis];
    }
    bound[lane] = p.bound;
    lambda[lane] = p.lambda;
    resistance[lane] = p.resistance;
    compliance[lane] = 1 / p.resistance;
    slipResistance[lane] = p.slipResistance;
    seen[lane] = p.seen;
    pair[lane] = number;
}

template <int kCorners>
void Relaxation::Four<kCorners>::giveBack(std::span<PairImpulse> pairs) const {
    for (int lane = 0; lane < 4 && pair[lane] >= 0; ++lane) {
        PairImpulse& p = pairs[pair[lane]];
        p.lambda = lambda[lane];
        for (int axis = 0; axis < 3; ++axis) p.friction[axis] = friction[axis][lane];
        p.seen = int(seen[lane]);
    }
}

/// Ring by ring; the pairs in their order.
void Relaxation::choose(std::span<const PairImpulse> pairs, std::span<const std::uint8_t> around) {
    chosen_.clear();
    std::vector<std::uint8_t> inner(around.begin(), around.end()), outer, in(pairs.size(), 0);
    for (int ring = 0; ring < kRings; ++ring) {
        outer = inner;
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const auto& [p, q, r, s] = pairs[k].corners;
            if (in[k] || !(inner[p] || inner[q] || inner[r] || inner[s])) continue;
            in[k] = outer[p] = outer[q] = outer[r] = outer[s] = 1;
        }
        inner.swap(outer);
    }
    for (std::size_t k = 0; k < pairs.size(); ++k)
        if (in[k] && pairs[k].resistance > 0) chosen_.push_back(Index(k));  // else both sides are held
}

void Relaxation::arrange(std::span<PairImpulse> pairs, const Mobility& mobility, WorkerPool& pool) {
    for (Task& task : tasks_) {
        for (Color& color : task.colors) {
            for (auto* numbers : {&color.free, &color.walls, &color.single}) numbers->clear();
            color.fours.clear();
            color.wallFours.clear();
        }
        task.used = 0;
        task.crowded.clear();
        task.pairs = 0;
    }
    for (auto& has : hasColors_) has.assign(slab_.size(), 0);
    const bool cut = Index(chosen_.size()) >= kLeastPairs;
    for (const Index k : chosen_) {
        const PairImpulse& pair = pairs[k];
        const int number = cut ? pairTask(pair) : 0;
        Task& task = tasks_[number];
        ++task.pairs;
        auto& has = hasColors_[taskPhase(number)];
        const auto& [p, q, r, s] = pair.corners;
        const int c = std::countr_one(has[p] | has[q] | has[r] | has[s]);
        if (c == kColors) {
            task.crowded.push_back(k);
            continue;
        }
        for (const Index i : pair.corners) has[i] |= std::uint64_t(1) << c;
        task.used = std::max(task.used, c + 1);
        const bool free = mobility.free(p) && mobility.free(q) && mobility.free(r) && mobility.free(s) &&
                          !pair.featureWall();  // repeated corners cannot use the lanes
        Color& color = task.colors[c];
        (!free ? color.single : pair.wall() ? color.walls : color.free).push_back(k);
    }
    pool.forChunks(kTasks, Index(chosen_.size()), [&](Index t) {
        const auto pack = [&](const std::vector<Index>& numbers, auto& fours) {
            for (std::size_t k = 0; k < numbers.size(); ++k) {
                if (k % 4 == 0) fours.emplace_back(4 * (Index(slab_.size()) + t));
                fours.back().put(pairs[numbers[k]], numbers[k], mobility, int(k % 4));
            }
        };
        for (Color& color : tasks_[t].colors) {
            pack(color.free, color.fours);
            pack(color.walls, color.wallFours);
        }
    });
}

/// PairImpulse::apply, four times.
template <int kCorners>
Double4 Relaxation::take(Four<kCorners>& four, const Turn& of, int turn) {
    Double4 row[kCorners][4];  // corner, column
    const Double4 seen = lanes(four.seen), zero = Double4::zero();
    Double4 latest = zero;
    for (int k = 0; k < kCorners; ++k) {
        gatherRows(rows_.data(), four.row[k], row[k]);
        latest = larger(latest, row[k][3]);
    }
    if (!anyLess(seen, latest)) return zero;
    Double4 now[3], n[3], change[3], along = zero;
    for (int a = 0; a < 3; ++a) {
        now[a] = lanes(four.weight[0]) * row[0][a];
        for (int k = 1; k < kCorners; ++k) now[a] = multiplyAdd(lanes(four.weight[k]), row[k][a], now[a]);
        along = multiplyAdd(n[a] = lanes(four.normal[a]), now[a], along);
    }
    const Double4 lambda = lanes(four.lambda);
    const Double4 push = larger(multiplyAdd(lanes(four.bound) - along, lanes(four.resistance), lambda), zero);
    push.store(four.lambda);
    for (int a = 0; a < 3; ++a) change[a] = (push - lambda) * n[a];
    if (kCorners > 1 && of.friction > 0) {
        Double4 wanted[3], square = zero;
        for (int a = 0; a < 3; ++a) {
            wanted[a] = lanes(four.friction[a]) - lanes(four.slipResistance) * (now[a] - along * n[a]);
            square = multiplyAdd(wanted[a], wanted[a], square);
        }
        const Double4 size = squareRoot(square), most = Double4::all(of.friction) * push;
        const Double4 scale = whereLessOrEqual(size, most, Double4::all(1)) + whereLess(most, size, most / size);
        for (int a = 0; a < 3; ++a) {
            wanted[a] = scale * wanted[a];
            change[a] = change[a] + (wanted[a] - lanes(four.friction[a]));
            wanted[a].store(four.friction[a]);
        }
    }
    Double4 by = zero;
    for (int a = 0; a < 3; ++a) by = multiplyAdd(change[a], change[a], by);
    by = by * lanes(four.compliance) * lanes(four.compliance);
    const Double4 noticed = Double4::all(of.noticed * of.noticed), now4 = Double4::all(turn);
    const Double4 moved = whereLess(noticed, by, now4);
    now4.store(four.seen);
    for (int k = 0; k < kCorners; ++k) {
        for (int a = 0; a < 3; ++a) row[k][a] = multiplyAdd(lanes(four.mobility[k]), change[a], row[k][a]);
        row[k][3] = larger(row[k][3], whereLess(zero, lanes(four.mobility[k]) * lanes(four.mobility[k]), moved));
        scatterRows(row[k], rows_.data(), four.row[k]);
    }
    return by;
}

double Relaxation::take(Index number, const Turn& of, int turn) {
    PairImpulse& pair = of.pairs[number];
    const auto row = [&](int k) { return rows_.data() + 4 * std::size_t(pair.corners[k]); };
    bool news = false;
    Vec3 now = Vec3::Zero();
    for (int k = 0; k < 4; ++k) {
        news |= row(k)[3] > pair.seen;
        now += pair.weights[k] * Eigen::Map<const Vec3>(row(k));
    }
    if (!news) return 0;
    const double by =
        pair.apply(of.friction, of.mobility, now, [&](int k, const Vec3& u) { Eigen::Map<Vec3>(row(k)) += u; });
    pair.seen = turn;
    if (by > of.noticed)
        for (int k = 0; k < 4; ++k) row(k)[3] = turn;
    return by;
}

/// Turns are counted on from `turn_`: one per colour, and one for each pair that may share corners.
double Relaxation::take(Task& task, const Turn& of) {
    double largest = 0;
    Double4 ofFours = Double4::zero();
    int turn = turn_;
    for (int c = 0; c < task.used; ++c) {
        ++turn;
        for (auto& four : task.colors[c].fours) ofFours = larger(ofFours, take(four, of, turn));
        for (auto& four : task.colors[c].wallFours) ofFours = larger(ofFours, take(four, of, turn));
        for (const Index k : task.colors[c].single) largest = std::max(largest, take(k, of, turn));
    }
    for (const Index k : task.crowded) largest = std::max(largest, take(k, of, ++turn));
    double squares[4];
    ofFours.store(squares);
    return std::max(largest, std::sqrt(*std::ranges::max_element(squares)));
}

void Relaxation::giveBack(const Task& task, std::span<PairImpulse> pairs) {
    for (int c = 0; c < task.used; ++c) {
        for (const auto& four : task.colors[c].fours) four.giveBack(pairs);
        for (const auto& four : task.colors[c].wallFours) four.giveBack(pairs);
    }
}

int Relaxation::sweep(std::span<PairImpulse> pairs, double mu, const Mobility& mobility, double tolerance, int sweeps,
                      linalg::BlockVector& u, WorkerPool& pool, std::span<const std::uint8_t> around) {
    // Skipped moves add up: a tenth keeps the sum below the tolerance.
    const Turn of{mu, 0.1 * tolerance, mobility, pairs};
    choose(pairs, around);
    arrange(pairs, mobility, pool);
    rows_.assign(4 * (std::size_t(u.size()) + kTasks), 0.0);
    for (Index i = 0; i < u.size(); ++i) {
        std::copy_n(u.data() + 3 * std::size_t(i), 3, rows_.data() + 4 * std::size_t(i));
        rows_[4 * std::size_t(i) + 3] = moved_[i];
    }
    // First task, end and stride of each phase, whose tasks the threads share.
    constexpr int kPhase[kPhases][3] = {
        {0, kSlabs, 1}, {kSlabs, kTasks - 1, 2}, {kSlabs + 1, kTasks - 1, 2}, {kTasks - 1, kTasks, 1}};
    int sweep = 0;
    bool settled = false;
    while (sweep < sweeps && !settled) {
        ++sweep;
        std::array<double, kTasks> largest{};
        for (const auto& [from, to, step] : kPhase) {
            Index work = 0;
            int turns = 0;
            for (int t = from; t < to; t += step) {
                work += tasks_[t].pairs;
                turns = std::max(turns, tasks_[t].used + int(tasks_[t].crowded.size()));
            }
            if (work == 0) continue;
            pool.forChunks((to - from + step - 1) / step, work, [&, from = from, step = step](Index c) {
                largest[from + step * c] = take(tasks_[from + step * c], of);
            });
            turn_ += turns;
        }
        settled = *std::ranges::max_element(largest) <= tolerance;
    }
    pool.forChunks(kTasks, Index(chosen_.size()), [&](Index t) { giveBack(tasks_[t], pairs); });
    for (Index i = 0; i < u.size(); ++i) {
        std::copy_n(rows_.data() + 4 * std::size_t(i), 3, u.data() + 3 * std::size_t(i));
        moved_[i] = rows_[4 * std::size_t(i) + 3];
    }
    return sweep;
}

}  // namespace clothlab::contact
