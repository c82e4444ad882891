#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <future>
#include <stop_token>
#include <thread>

namespace clothlab::python {

/// Runs work(stop) on its own thread, without the interpreter's lock, while the caller waits and checks for signals.
/// The exception of a signal is raised after the work has stopped.
template <class Work>
auto interruptible(Work work) {
    using Result = decltype(work(std::stop_token()));
    std::stop_source stop;
    std::packaged_task<Result()> task([&] { return work(stop.get_token()); });
    std::future<Result> result = task.get_future();
    bool raised = false;
    std::jthread thread([&task] { task(); });
    const auto wait = [&](std::chrono::milliseconds most) {
        const pybind11::gil_scoped_release unlocked;
        return result.wait_for(most) == std::future_status::ready;
    };
    while (!wait(std::chrono::milliseconds(50))) {
        if (raised || PyErr_CheckSignals() == 0) continue;
        raised = true;
        stop.request_stop();
    }
    {
        const pybind11::gil_scoped_release unlocked;
        thread.join();
    }
    if (raised) throw pybind11::error_already_set();
    return result.get();
}

}  // namespace clothlab::python
