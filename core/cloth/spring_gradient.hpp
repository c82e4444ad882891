#pragma once

#include <vector>

#include "cloth/forces.hpp"
#include "cloth/springs.hpp"

/// The elastic forces of the linear laws (Hooke both ways, tension only, compression only), four springs at a time: for
/// methods that evaluate them over and over from positions only, as local/global does.
///
/// Positions stay in double: with a strain of 1e-3 the tension k (1 - L/l) would keep four of the seven digits of a
/// float. The cost is not the width but shuffling; so a chunk of rows first transposes its positions to axes, and sums
/// its forces in that layout. Springs of one law whose ends both count up, (i, j), (i+1, j+1), .., form a run: on a
/// grid nearly all do, and four of them are loads and stores of whole registers. The others are fetched one by one.
///
/// Sums are added as in ForceModel: contributions of a chunk to rows behind its own are in its halo, and halos are
/// added in the order of the chunks, so any number of threads gives the same bits.
namespace clothlab::cloth {

class SpringGradient {
public:
    /// Takes springs and laws. False if a law is not linear: then use ForceModel::forces. Does nothing if neither mesh
    /// nor laws have changed.
    bool configure(const ClothModel& model, const ForceModel& forces);

    /// f += the elastic forces of all springs at x, N, without those of a membrane. A spring without length has none.
    /// No damping, no other forces.
    void add(const linalg::BlockVector& x, linalg::BlockVector& f, WorkerPool& pool) const;

private:
    struct Run {  ///< springs (i + k, j + k), k = 0 .. count-1; count is a multiple of four
        Index i, j, count;
        std::size_t rest;  ///< of the first
    };
    struct Batch {  ///< of one law in one chunk
        SpringKind kind;
        double stiffness;                ///< N/m
        std::size_t firstRun, endRun;    ///< into runs_
        std::size_t firstFour, endFour;  ///< into singles_, in fours
    };
    struct Four {  ///< four springs anywhere; one from a particle to itself has no force
        Index i[4], j[4];
        double rest[4];
    };
    struct Chunk {
        Index begin = 0, end = 0, haloEnd = 0;
        std::size_t firstBatch = 0, endBatch = 0;
        std::size_t sums = 0;      ///< first double: three axes of forces on i, of forces on j, of positions
        std::vector<Index> halos;  ///< earlier chunks that reach into this one

        std::size_t stride() const { return (std::size_t(haloEnd - begin) + 7) / 4 * 4; }
    };
    struct Axes {  ///< separate, or each four springs would wait for the four before
        const double* x[3];
        double *onI[3], *onJ[3];
    };
    void cut(const ClothModel& model);
    void fill(Chunk& chunk, const ClothModel& model, const ForceModel& forces, std::size_t firstSpring);
    void addBatch(const Batch& batch, Index begin, const Axes& axes) const;
    template <SpringKind kKind>
    void addOfKind(const Batch& batch, Index begin, const Axes& axes) const;
    void sweep(const Chunk& chunk, const linalg::BlockVector& x) const;
    void collect(const Chunk& chunk, linalg::BlockVector& f) const;
    double* axis(const Chunk& chunk, int k) const { return scratch_.data() + chunk.sums + k * chunk.stride(); }

    std::uint64_t meshRevision_ = 0, lawRevision_ = 0;
    const ClothModel* model_ = nullptr;
    bool linear_ = false;
    Index rows_ = 0;
    std::vector<Chunk> chunks_;
    std::vector<Batch> batches_;
    std::vector<Run> runs_;
    std::vector<Four> singles_;
    std::vector<double> rest_;
    mutable linalg::AlignedVector<double> scratch_;
};

}  // namespace clothlab::cloth
