#include "factors/factor_maker.hpp"

#include <cassert>
#include <utility>

namespace clothlab::factors {

void FactorMaker::order(const std::shared_ptr<const FactorSource>& source) {
    const std::scoped_lock lock(mutex_);
    if (ordered_ && (ordered_ == source || *ordered_ == *source)) return;
    ordered_ = source;
    begun_ = done_ = false;
    if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    changed_.notify_all();
}

void FactorMaker::giveBack(FactoredMatrix old) {
    const std::scoped_lock lock(mutex_);
    if (!begun_) spare_ = std::move(old);
}

bool FactorMaker::ready(const FactorSource& source) {
    const std::scoped_lock lock(mutex_);
    return done_ && *ordered_ == source;
}

FactoredMatrix FactorMaker::take() {
    std::unique_lock lock(mutex_);
    assert(ordered_);
    changed_.wait(lock, [this] { return done_; });
    begun_ = done_ = false;
    ordered_.reset();
    return std::exchange(result_, {});
}

void FactorMaker::run(const std::stop_token& stop) {
    WorkerPool alone;
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [this] { return ordered_ && !begun_; })) {
        const std::shared_ptr<const FactorSource> source = ordered_;
        // What nobody took serves by its symbolic part.
        FactoredMatrix matrix = std::exchange(result_.rows() > 0 ? result_ : spare_, {});
        begun_ = true;
        lock.unlock();
        matrix.make(source, alone);
        lock.lock();
        // Another order may have come in the meantime: this one is then for nobody.
        if (ordered_ == source) {
            result_ = std::move(matrix);
            begun_ = done_ = true;
            changed_.notify_all();
        } else {
            spare_ = std::move(matrix);
        }
    }
}

}  // namespace clothlab::factors
