#include "petsc_peer.hpp"

#ifdef CLOTHLAB_PETSC

#include <petscksp.h>

#include <memory>
#include <vector>

#include "bench.hpp"
#include "factorizations.hpp"
#include "pruned.hpp"

namespace clothlab::bench {
namespace {

void check(PetscErrorCode code) { require(code == 0, "a call of PETSc"); }

void initialize() {
    PetscBool done = PETSC_FALSE;
    check(PetscInitialized(&done));
    if (!done) check(PetscInitializeNoArguments());
}

/// Conjugate gradients on the upper half of a symmetric matrix of blocks. Kept until the process ends.
class IncompleteCholeskyOfPetsc {
public:
    /// `blockSize` is 3 or 1; with 1, explicit zeros are left out.
    IncompleteCholeskyOfPetsc(const linalg::BlockMatrix& A, const linalg::BlockVector& b, int blockSize) {
        initialize();
        takeUpperHalf(A, blockSize);
        const auto rows = PetscInt(3) * A.rows();
        check(MatCreate(PETSC_COMM_SELF, &matrix_));
        check(MatSetSizes(matrix_, rows, rows, rows, rows));
        check(MatSetType(matrix_, MATSEQSBAIJ));
        check(MatSeqSBAIJSetPreallocationCSR(matrix_, blockSize, start_.data(), column_.data(), value_.data()));
        rhs_.assign(b.data(), b.data() + rows);
        check(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, rows, rhs_.data(), &b_));
        check(VecDuplicate(b_, &x_));
        check(VecDuplicate(b_, &residual_));
        check(KSPCreate(PETSC_COMM_SELF, &solver_));
        check(KSPSetType(solver_, KSPCG));
        check(KSPSetNormType(solver_, KSP_NORM_UNPRECONDITIONED));
        check(KSPSetOperators(solver_, matrix_, matrix_));
        PC preconditioner = nullptr;
        check(KSPGetPC(solver_, &preconditioner));
        check(PCSetType(preconditioner, PCICC));
        check(PCFactorSetShiftType(preconditioner, MAT_SHIFT_POSITIVE_DEFINITE));
        // It stops by the residual of the recursion, so the tolerance is tightened until the true one is small enough.
        for (double tolerance = 1e-3; converges_ && solve(tolerance) > 1e-3; tolerance *= 0.9)
            converges_ = tolerance > 1e-5;
    }
    void operator()() {
        // Marks the values as new, so the next solve factors them with the same structure.
        check(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY));
        check(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY));
        check(KSPSolve(solver_, b_, x_));
    }

    bool converges() const { return converges_; }

private:
    /// Solves, and returns the true relative residual.
    double solve(double tolerance) {
        constexpr int kMostIterations = 1000;
        check(KSPSetTolerances(solver_, tolerance, PETSC_DEFAULT, PETSC_DEFAULT, kMostIterations));
        (*this)();
        KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
        check(KSPGetConvergedReason(solver_, &reason));
        converges_ = reason > 0;
        double whole = 0, left = 0;
        check(MatMult(matrix_, x_, residual_));
        check(VecAYPX(residual_, -1, b_));
        check(VecNorm(residual_, NORM_2, &left));
        check(VecNorm(b_, NORM_2, &whole));
        return left / whole;
    }
    void takeUpperHalf(const linalg::BlockMatrix& A, int blockSize) {
        start_.assign(1, 0);
        if (blockSize == 1) {
            const auto scalar = pruned<Eigen::RowMajor>(A);
            for (int i = 0; i < scalar.rows(); ++i) {
                for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator at(scalar, i); at; ++at)
                    if (at.col() >= i) {
                        column_.push_back(PetscInt(at.col()));
                        value_.push_back(at.value());
                    }
                start_.push_back(PetscInt(column_.size()));
            }
            return;
        }
        const linalg::BlockPattern& p = A.pattern();
        for (Index i = 0; i < p.rows; ++i) {
            for (Index k = p.diagonal[i]; k < p.rowStart[i + 1]; ++k)
                if (A.occupied(k)) {
                    column_.push_back(p.column[k]);
                    for (int r = 0; r < 3; ++r)
                        for (int c = 0; c < 3; ++c) value_.push_back(A.block(k)(r, c));
                }
            start_.push_back(PetscInt(column_.size()));
        }
    }

    std::vector<PetscInt> start_, column_;
    std::vector<double> value_, rhs_;
    Mat matrix_ = nullptr;
    Vec b_ = nullptr, x_ = nullptr, residual_ = nullptr;
    KSP solver_ = nullptr;
    bool converges_ = true;
};

}  // namespace

std::function<void()> fastestPetscIc(const linalg::BlockMatrix& A, const linalg::BlockVector& b) {
    std::vector<std::function<void()>> peers;
    for (const int blockSize : {3, 1}) {
        auto peer = std::make_shared<IncompleteCholeskyOfPetsc>(A, b, blockSize);
        if (peer->converges()) peers.emplace_back([peer] { (*peer)(); });
    }
    require(!peers.empty(), "PETSc's incomplete Cholesky in a thousand iterations");
    return fastestOf(peers);
}

}  // namespace clothlab::bench

#else

namespace clothlab::bench {

std::function<void()> fastestPetscIc(const linalg::BlockMatrix&, const linalg::BlockVector&) { return {}; }

}  // namespace clothlab::bench

#endif
