#pragma once

#include <functional>
#include <stop_token>
#include <thread>

#include "worker/jobs/channel.hpp"

namespace clothlab::app::worker {

/// The thread of the background jobs: runs their tasks one after the other, in the order of requests.
class BackgroundThread {
public:
    /// A task checks its token in its loops.
    using Task = std::function<void(const std::stop_token&)>;

    /// The thread begins here and so has the priority of the caller. Let that be the picture's: where the processor
    /// draws, a lower one is put aside for tens of milliseconds in the middle of a measurement of two.
    BackgroundThread();

    // --- one thread, the simulation's
    /// Queues a task that ends early only with the program.
    void add(Task task);
    /// Cancels the previous task of `replace`, and queues this one.
    void replace(Task task);
    /// Ends the task of `replace`, which publishes its results so far.
    void cancel() { cancel_.request_stop(); }

private:
    void run(const std::stop_token& stop);

    Channel<Task> tasks_;
    std::stop_source cancel_;  ///< of the last task of `replace`
    std::jthread thread_;      ///< last, so that it ends before the members that it uses are destroyed
};

}  // namespace clothlab::app::worker
