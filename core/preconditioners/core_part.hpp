#pragma once

#include "base/worker_pool.hpp"
#include "linalg/linear_system.hpp"
#include "preconditioners/settings.hpp"

namespace clothlab::preconditioners {

/// The matrix that a factor is made of: the whole one, or its core ([Y] §6):
///
///     A_core = A_stretch + bd(A_shear) + bd(A_bend) + M          bd: the 3x3 diagonal blocks
///
/// All springs keep their share of the diagonal, so the core is A without the other off-diagonal blocks. The scalar
/// reading of the paper keeps of their share only the diagonal: then `CoreMask::outside` must be filled.
class CorePart {
public:
    CorePart(FactorOf of, bool shear, bool scalar = false) : of_(of), shear_(shear), scalar_(scalar) {}

    void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core);
    /// The part with the values of `matrix`; `matrix` itself when the whole is asked for.
    const linalg::BlockMatrix& of(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool& pool);
    /// Pattern of the part.
    const linalg::BlockPattern& pattern() const { return *pattern_; }
    std::size_t bytes() const { return part_.bytes() + source_.size() * sizeof(Index); }

private:
    std::uint8_t bits() const { return linalg::CoreMask::kCore | (shear_ ? linalg::CoreMask::kShear : 0); }

    FactorOf of_;
    bool shear_, scalar_;
    std::shared_ptr<const linalg::BlockPattern> pattern_;
    linalg::BlockMatrix part_;
    std::vector<Index> source_;  ///< per block of the part: its position in the matrix
};

}  // namespace clothlab::preconditioners
