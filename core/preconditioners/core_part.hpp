#pragma once

#include "base/worker_pool.hpp"
#include "linalg/linear_system.hpp"
#include "preconditioners/settings.hpp"

namespace clothlab::preconditioners {

/// The matrix to be factored: the whole one, or its core ([Y] §6):
///
///     A_core = A_stretch + bd(A_shear) + bd(A_bend) + M          bd: the 3x3 diagonal blocks
///
/// All springs keep their share of the diagonal, so the core is A without the other off-diagonal blocks. The scalar
/// reading of the paper keeps only the diagonal of that share: then `CoreMask::outside` must be filled.
class CorePart {
public:
    /// Blocks of a part, row after row; source[k] = the block of the matrix that is block k.
    struct Rows {
        std::vector<Index> start, column{}, source{};
    };

    CorePart(FactorOf of, std::uint8_t bits, bool scalar = false) : of_(of), bits_(bits), scalar_(scalar) {}

    /// The pattern of the part is kept if only the matrix around it changed.
    void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core);
    /// The part with the values of `matrix`; `matrix` itself for the whole matrix.
    const linalg::BlockMatrix& of(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool& pool);
    /// Pattern of the part.
    const linalg::BlockPattern& pattern() const { return *pattern_; }
    std::size_t bytes() const { return part_.bytes() + source_.size() * sizeof(Index); }

private:
    std::shared_ptr<const linalg::PatternOrigin> origin(const linalg::BlockPattern& p, const linalg::CoreMask& core);

    FactorOf of_;
    std::uint8_t bits_;  ///< of CoreMask: the blocks that count as core
    bool scalar_;
    std::shared_ptr<const linalg::BlockPattern> pattern_;
    linalg::BlockMatrix part_;
    std::shared_ptr<const linalg::BlockPattern> originPart_;  ///< of `originOf_` and `originCore_`
    std::uint64_t originOf_ = 0, originCore_ = 0;
    std::vector<Index> source_;  ///< per block of the part: its position in the matrix
};

}  // namespace clothlab::preconditioners
