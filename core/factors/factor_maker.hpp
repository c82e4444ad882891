#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "factors/factored_matrix.hpp"

namespace clothlab::factors {

/// Makes one factor after another on a thread of its own, while an older one serves. What is asked for stands for
/// itself: an order says what to make, and whoever takes it asks for the same again.
///
/// All functions are for one thread. The thread here begins with the first order and has the priority of its caller;
/// the end waits for what is being made, for CHOLMOD cannot be stopped.
class FactorMaker {
public:
    /// Has it made, unless that is under way or done. An order before it that has not begun is dropped; the result of
    /// one that nobody has taken too.
    void order(const std::shared_ptr<const FactorSource>& source);
    /// Gives a factor back whose symbolic part may serve the next order.
    void giveBack(FactoredMatrix old);
    /// Whether the factor of this order is there: made, or failed.
    bool ready(const FactorSource& source);
    /// The factor of the last order, which is waited for. Where it failed its message says why, and nothing was made.
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
