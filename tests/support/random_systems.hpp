#pragma once

#include <random>
#include <utility>
#include <vector>

#include "linalg/linear_system.hpp"
#include "support/dense_matrix.hpp"

/// Small random systems with every kind of constraint, and the same systems as dense matrices.
namespace clothlab::testing {

struct RandomSystem {
    linalg::BlockMatrix A;
    linalg::BlockVector b;
    linalg::DofConstraints constraints;

    linalg::LinearSystem view() const { return {.A = A, .b = b, .constraints = constraints}; }

    DenseMatrix denseS() const;
    DenseMatrix denseZ() const;
    /// Solution by the symmetric full-size form (SAS + I - S) dv = S (b - A (I-S) z) + (I-S) z.
    DenseMatrix denseSolution() const;
};

Vec3 randomVec3(std::mt19937& rng);

using Pairs = std::vector<std::pair<Index, Index>>;

/// A symmetric positive definite system: masses, and semidefinite terms [[J, -J], [-J, J]], some left empty.
/// `asymmetric` adds pairs B with B != B^T, kept definite by the diagonal.
RandomSystem systemOnPairs(Index particles, const Pairs& pairs, std::mt19937& rng, double constrainedShare,
                           bool asymmetric);

/// Pairs between particles at most `band` apart.
RandomSystem randomSystem(Index particles, unsigned seed, double constrainedShare = 0.5, bool asymmetric = false,
                          Index band = 7);

/// The pairs of a cloth of side x side particles: each with its neighbours up to two rows and columns away.
RandomSystem gridSystem(Index side, unsigned seed, double constrainedShare = 0.0);

/// Islands of the given sizes, with no pairs between them and all particles in random order.
RandomSystem islands(const std::vector<Index>& sizes, unsigned seed, double constrainedShare = 0.0);

}  // namespace clothlab::testing
