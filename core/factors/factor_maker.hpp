#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "factors/factored_matrix.hpp"

namespace clothlab::factors {

/// Makes one factor after another on its own thread, while an older one is in use. An order is identified by its
/// source; `ready` takes the same source.
///
/// All functions are for one thread. The internal thread starts with the first order and has the priority of its
/// caller; the destructor waits for the factor in progress, since CHOLMOD cannot be stopped.
class FactorMaker {
public:
    /// Orders a factor, unless it is in progress or done. Drops an earlier order that has not begun, or its result if
    /// it was not taken.
    void order(const std::shared_ptr<const FactorSource>& source);
    /// Returns a factor whose symbolic part the next order may reuse.
    void giveBack(FactoredMatrix old);
    /// Whether this order is done: made, or failed.
    bool ready(const FactorSource& source);
    /// Waits for the factor of the last order. If it failed, its message says why and nothing was made.
    FactoredMatrix take();

private:
    void run(const std::stop_token& stop);

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::shared_ptr<const FactorSource> ordered_;  ///< the last order, until it is taken
    bool begun_ = false, done_ = false;            ///< of the last order
    FactoredMatrix result_, spare_;
    std::jthread thread_;  ///< last: it ends before what it uses
};

}  // namespace clothlab::factors
