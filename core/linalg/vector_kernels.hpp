#pragma once

#include "base/worker_pool.hpp"
#include "linalg/block_vector.hpp"

/// The vector passes of a conjugate-gradient iteration, fused so that each vector is read once per pass. Sums are added
/// in chunk order: the same bits at any number of threads.
namespace clothlab::linalg {

double dot(const BlockVector& x, const BlockVector& y, WorkerPool& pool);

/// x += alpha p, r -= alpha q; returns r . r
double advance(double alpha, const BlockVector& p, const BlockVector& q, BlockVector& x, BlockVector& r,
               WorkerPool& pool);

/// p = z + beta p
void nextDirection(const BlockVector& z, double beta, BlockVector& p, WorkerPool& pool);

/// r = b - r
void subtractFrom(const BlockVector& b, BlockVector& r, WorkerPool& pool);

/// z_k = d_k r_k over scalars; returns r . z
double scaleDot(const BlockVector& d, const BlockVector& r, BlockVector& z, WorkerPool& pool);

}  // namespace clothlab::linalg
