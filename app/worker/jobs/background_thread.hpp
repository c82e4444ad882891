#pragma once

#include <functional>
#include <stop_token>
#include <thread>

#include "worker/jobs/channel.hpp"

namespace clothlab::app::worker {

/// The thread of the background jobs: their tasks one after the other, in the order of asking.
class BackgroundThread {
public:
    /// A task asks its token in its loops.
    using Task = std::function<void(const std::stop_token&)>;

    /// The thread begins here and so has the priority of the caller. Let that be the picture's: where the processor
    /// draws, a lower one is put aside for tens of milliseconds in the middle of a measurement of two.
    BackgroundThread();

    // --- one thread, the simulation's
    /// Behind what is asked for already; ends only with the program.
    void add(Task task);
    /// Cancels what `replace` asked for before, and does this.
    void replace(Task task);
    /// Ends what `replace` asked for; it publishes what it has.
    void cancel() { cancel_.request_stop(); }

private:
    void run(const std::stop_token& stop);

    Channel<Task> tasks_;
    std::stop_source cancel_;  ///< of what `replace` asked for last
    std::jthread thread_;      ///< last: it ends before what it uses
};

}  // namespace clothlab::app::worker
