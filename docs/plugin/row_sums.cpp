// A preconditioner of one's own: divides by the sums of the absolute values of each row (l1-Jacobi).
#include "linalg/vector_kernels.hpp"
#include "plugin/plugin.hpp"

using namespace clothlab;

class RowSums final : public preconditioners::Preconditioner {
public:
    void analyze(const linalg::BlockMatrix& A, const linalg::CoreMask*, WorkerPool&) override {
        if (inverse_.size() != A.rows()) inverse_.resize(A.rows());
    }
    preconditioners::Outcome update(const preconditioners::UpdateInput& input, WorkerPool&) override {
        const linalg::BlockMatrix& A = input.matrix;
        const linalg::BlockPattern& pattern = A.pattern();
        for (Index i = 0; i < A.rows(); ++i) {
            Vec3 sum = Vec3::Zero();
            for (Index k = pattern.rowStart[i]; k < pattern.rowStart[i + 1]; ++k)
                sum += A.block(k).cwiseAbs().rowwise().sum();
            if (!(sum.minCoeff() > 0)) return {false, "a row of the matrix is empty"};
            inverse_[i] = sum.cwiseInverse();
        }
        return {};
    }
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override {
        return linalg::scaleDot(inverse_, r, z, pool);
    }
    std::size_t bytes() const override { return 24 * std::size_t(inverse_.size()); }

private:
    linalg::BlockVector inverse_;
};

Expected<void> enter() {
    return preconditioners::addPreconditioner({.key = "row-sums",
                                               .label = "Row sums",
                                               .help = "The inverse of the sums of the rows' absolute values.",
                                               .make = [](const auto&) { return std::make_unique<RowSums>(); }})
        .map([](auto) {});
}
CLOTHLAB_PLUGIN(enter)
