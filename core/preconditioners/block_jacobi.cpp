#include "preconditioners/block_jacobi.hpp"

#include <Eigen/LU>

#include "base/simd.hpp"

namespace clothlab::preconditioners {

using simd::Double4;

void BlockJacobi::analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask*, WorkerPool&) {
    inverse_.resize(9 * std::size_t(matrix.rows()) + linalg::BlockVector::kPadding);
}

Outcome BlockJacobi::update(const UpdateInput& input, WorkerPool& pool) {
    const linalg::BlockMatrix& matrix = input.matrix;
    const Index bad = parallelSum(pool, matrix.rows(), Index{0}, [&](Index begin, Index end) {
        Index singular = 0;
        for (Index i = begin; i < end; ++i) {
            Mat3 block = matrix.diagonal(i);
            if (variant_ == Variant::Point) block = Mat3(block.diagonal().asDiagonal());
            const double minor = block(0, 0) * block(1, 1) - block(0, 1) * block(1, 0), det = block.determinant();
            const bool positive =
                variant_ == Variant::Published || (block(0, 0) > 0.0 && minor > 0.0);  // no minors without symmetry
            singular += !(positive && det > 0.0);
            Eigen::Map<Mat3>(inverse_.data() + 9 * std::size_t(i)) = block.inverse();
        }
        return singular;
    });
    if (bad > 0) return indefiniteBlock();
    return {};
}

double BlockJacobi::applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const {
    return parallelSum(pool, r.size(), 0.0, [&](Index begin, Index end) {
        Double4 dot = Double4::zero();
        for (Index i = begin; i < end; ++i) {
            const double* ri = r.data() + 3 * std::size_t(i);
            const double* c = inverse_.data() + 9 * std::size_t(i);
            const Double4 zi = multiplyAdd(
                Double4::load(c), Double4::of(ri),
                multiplyAdd(Double4::load(c + 3), Double4::of(ri + 1), Double4::load(c + 6) * Double4::of(ri + 2)));
            dot = multiplyAdd(Double4::load(ri), zi, dot);
            double lanes[4];
            zi.store(lanes);
            double* out = z.data() + 3 * std::size_t(i);
            out[0] = lanes[0];
            out[1] = lanes[1];
            out[2] = lanes[2];
        }
        return dot.sum3();
    });
}

}  // namespace clothlab::preconditioners
