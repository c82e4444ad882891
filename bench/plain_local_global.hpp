#pragma once

#include <functional>
#include <memory>

#include "cloth/cloth_model.hpp"

/// A straightforward local/global solver ([L] §4): a 3N x 3N matrix in single precision, Eigen's SimplicialLLT with
/// AMD, the right-hand side by the sparse product with J, the local step over all springs. In a separate file, since
/// Eigen's solvers take long to compile.
namespace clothlab::bench {

/// The problem for both ways: Hooke's springs of all families of one cloth, pinned at two corners.
struct LocalGlobalCase {
    cloth::ClothModel model;
    cloth::MaterialSettings material;
    double h = 0.033;  ///< s
    int iterations = 10;
    Index pins[2] = {0, 0};
};
LocalGlobalCase localGlobalCase(int side);

class PlainLocalGlobal {
public:
    explicit PlainLocalGlobal(const LocalGlobalCase& c);
    ~PlainLocalGlobal();
    /// Ordering, symbolic and numeric factorization of the matrix.
    void factorize();
    /// One step from the state of the previous one.
    void step();
    Vec3 position(Index i) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace clothlab::bench
