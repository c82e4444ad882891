#pragma once

#include <functional>
#include <memory>

#include "cloth/cloth_model.hpp"

/// Local/global as it is written first ([L] §4): a 3N x 3N matrix in single precision, Eigen's SimplicialLLT under AMD,
/// the right-hand side by the sparse product with J, the local step over all springs. Apart, since Eigen's solvers take
/// long to compile.
namespace clothlab::bench {

/// What both ways compute: Hooke's springs of all families of one cloth, pins at two corners.
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
    /// Ordering, symbolic and numeric factor of the matrix that is there.
    void factorize();
    /// One step from the state of the one before.
    void step();
    Vec3 position(Index i) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace clothlab::bench
