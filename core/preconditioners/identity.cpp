#include "preconditioners/identity.hpp"

#include <algorithm>

#include "linalg/vector_kernels.hpp"

namespace clothlab::preconditioners {

double Identity::applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const {
    parallelRows(pool, r.size(), [&](Index begin, Index end) {
        std::copy_n(r[begin].data(), 3 * std::size_t(end - begin), z[begin].data());
    });
    return linalg::dot(r, r, pool);
}

}  // namespace clothlab::preconditioners
