#include "factors/factored_matrix.hpp"

#include <cmath>

#include "base/stage_timer.hpp"

namespace clothlab::factors {

bool FactoredMatrix::make(std::shared_ptr<const FactorSource> source, WorkerPool& pool) {
    source_ = std::move(source);
    isPinned_.assign(std::size_t(rows()), 0);
    for (const Index row : source_->pinned) isPinned_[row] = 1;
    made_ = false;
    seconds_ = {};
    message_.clear();
    StageTimer timer;
    const bool analyzed = factor_.analyze(pattern(), source_->ordering);
    seconds_.analysis = timer.lap();
    if (analyzed && factor_.factorize(pattern(), source_->values, source_->pinned)) {
        factor_.pack(pool);
        made_ = true;
    } else {
        message_ = factor_.message();
    }
    seconds_.factorization = timer.lap();
    return made_;
}

}  // namespace clothlab::factors
