#pragma once

#include "preconditioners/preconditioner.hpp"
#include "support/dense_matrix.hpp"

namespace clothlab::preconditioners {

/// Calls analyze and update, on one thread.
Outcome prepare(Preconditioner& p, const linalg::BlockMatrix& A, const linalg::CoreMask* core = nullptr);
/// P^-1 of a prepared preconditioner as a dense matrix, column by column.
testing::DenseMatrix denseInverse(const Preconditioner& p, Index particles);

}  // namespace clothlab::preconditioners
