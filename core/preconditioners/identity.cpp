#include "preconditioners/identity.hpp"

#include <algorithm>

#include "linalg/vector_kernels.hpp"

namespace clothlab::preconditioners {

double Identity::applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const {
    parallelRows(pool, r.size(), [&](Index begin, Index end) {
        std::copy(r.data() + 3 * begin, r.data() + 3 * end, z.data() + 3 * begin);
    });
    return linalg::dot(r, r, pool);
}

}  // namespace clothlab::preconditioners
