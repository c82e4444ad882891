#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/simd.hpp"
#include "base/worker_pool.hpp"
#include "contact/robust/impulses.hpp"
#include "linalg/block_vector.hpp"

/// Projected Gauss-Seidel over impulses, many at a time.
///
/// The turn of a pair reads and moves its four corners, so pairs without a common corner can be processed together.
/// Space is cut into slabs across its longest axis: pairs within a slab are a task, and so are those across a cut. A
/// sweep processes the slabs, then every other cut, then the other cuts, then the rest; threads share the tasks of each
/// phase. Within a task each pair gets the first colour that none of its corners has yet, and SIMD processes four pairs
/// of a colour at once. Pairs with a held corner are processed one by one. All this depends only on the pairs and their
/// places, so any number of threads gives the same bits.
///
/// A pair is skipped while none of its corners has moved since its turn.
namespace clothlab::contact {

class Relaxation {
public:
    /// To be called for new pairs of particles at x (m), and after others changed the displacements.
    void reset(const linalg::BlockVector& x);
    /// Sweeps over the pairs at most `sweeps` times, until none moves by more than `tolerance` (m). Returns the number
    /// of sweeps. Between two calls pairs may be appended, and others weighed again. Only pairs with a corner
    /// flagged in `around` take part, and two rings of neighbours over common corners.
    int sweep(std::span<PairImpulse> pairs, double mu, const Mobility& mobility, double tolerance, int sweeps,
              linalg::BlockVector& u, WorkerPool& pool, std::span<const std::uint8_t> around);

private:
    static constexpr int kSlabs = 8, kPhases = 4;
    static constexpr int kTasks = 2 * kSlabs;  ///< slabs, cuts, and what is left
    static constexpr int kColors = 64;         ///< pairs beyond these go one by one

    /// Four pairs whose corners are free, or four walls of free particles (`kCorners` 1), one per lane. Lanes without a
    /// pair use an idle row.
    template <int kCorners>
    struct alignas(32) Four {
        double weight[kCorners][4] = {}, mobility[kCorners][4] = {};  ///< corner, lane; mobility is weight / mass
        double normal[3][4] = {};                                     ///< axis, lane
        double bound[4] = {}, lambda[4] = {}, resistance[4] = {}, compliance[4] = {};
        double seen[4] = {};
        Index row[kCorners][4];                              ///< of each corner in `rows_`
        Index pair[4];                                       ///< -1: none
        double friction[3][4] = {}, slipResistance[4] = {};  ///< walls have none

        explicit Four(Index idleRow);
        void put(const PairImpulse& pair, Index number, const Mobility& m, int lane);
        void giveBack(std::span<PairImpulse> pairs) const;
    };
    struct Color {
        std::vector<Index> free, walls, single;  ///< pairs and walls in fours, and those one by one
        std::vector<Four<4>> fours;
        std::vector<Four<1>> wallFours;
    };
    struct Task {
        std::array<Color, kColors> colors;
        int used = 0;                ///< colours
        std::vector<Index> crowded;  ///< pairs without a colour
        Index pairs = 0;
    };
    /// Parameters of a turn.
    struct Turn {
        double friction;  ///< coefficient
        double noticed;   ///< m: smaller moves are ignored
        const Mobility& mobility;
        std::span<PairImpulse> pairs;
    };
    int pairTask(const PairImpulse& pair) const;
    static int taskPhase(int task);
    void choose(std::span<const PairImpulse> pairs, std::span<const std::uint8_t> around);
    void arrange(std::span<PairImpulse> pairs, const Mobility& mobility, WorkerPool& pool);
    /// The largest motion of each lane, squared, m^2.
    template <int kCorners>
    simd::Double4 take(Four<kCorners>& four, const Turn& of, int turn);
    double take(Index pair, const Turn& of, int turn);
    double take(Task& task, const Turn& of);
    static void giveBack(const Task& task, std::span<PairImpulse> pairs);

    std::array<Task, kTasks> tasks_;
    std::vector<std::uint8_t> slab_;                             // of each particle
    std::array<std::vector<std::uint64_t>, kPhases> hasColors_;  // of each particle, in the tasks of each phase
    std::vector<Index> chosen_;                                  // pairs that take part
    int turn_ = 0;
    std::vector<double> moved_;           // of each particle: the turn in which it moved last
    linalg::AlignedVector<double> rows_;  // of each particle: displacement and that turn; then a row for each task
};

}  // namespace clothlab::contact
