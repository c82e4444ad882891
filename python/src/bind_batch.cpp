#include <pybind11/stl.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "base/platform.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "interruptible.hpp"

namespace clothlab::python {
namespace {

/// A simulation that one of several threads steps. It uses one thread itself, since its matrix is small beside the
/// number of simulations. Construct and destroy it with the lock held.
class Alone {
public:
    explicit Alone(Lab& lab) : lab_(lab), claim_(lab), before_(lab.between().settings()) { takeThreads(1); }
    ~Alone() { takeThreads(before_.threads); }

private:
    void takeThreads(int threads) {
        scene::Settings settings = lab_.between().settings();
        settings.threads = threads;
        lab_.between().apply(settings);
    }
    Lab& lab_;
    Lab::Claim claim_;
    scene::Settings before_;
};

/// Data that the threads of a batch share.
struct Batch {
    const std::vector<Lab*>& labs;
    const std::vector<py::object>& callbacks;
    std::int64_t steps;
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr raised;

    void stepAll(Lab& lab, const py::object* onStep, const std::stop_token& stop) {
        for (std::int64_t k = 0; k < steps && !stop.stop_requested(); ++k)
            if (!lab.stepUnlocked(stop, onStep)) return;
    }
    void work(const std::stop_source& stop) {
        for (std::size_t k; (k = next++) < labs.size() && !stop.stop_requested();) {
            try {
                stepAll(*labs[k], callbacks.empty() ? nullptr : &callbacks[k], stop.get_token());
            } catch (...) {
                const std::scoped_lock lock(mutex);
                if (!raised) raised = std::current_exception();
                stop.request_stop();
            }
        }
    }
};

/// `callbacks` has one entry per simulation, or is empty.
void batch(const std::vector<Lab*>& labs, std::int64_t steps, int threads, const std::vector<py::object>& callbacks) {
    if (steps < 0) throw Failure("batch: the number of steps must not be negative");
    std::vector<std::unique_ptr<Alone>> alone;
    alone.reserve(labs.size());
    for (Lab* lab : labs) alone.push_back(std::make_unique<Alone>(*lab));
    std::vector<std::unique_ptr<Lab::Running>> running;
    running.reserve(labs.size());
    for (Lab* lab : labs) running.push_back(std::make_unique<Lab::Running>(*lab));
    Batch shared{labs, callbacks, steps, {}, {}, {}};
    const std::size_t most = std::size_t(threads > 0 ? threads : platform::hardwareThreads());
    try {
        interruptible([&](const std::stop_token& outside) {
            std::stop_source stop;
            const std::stop_callback forward(outside, [&] { stop.request_stop(); });
            std::vector<std::jthread> workers;
            for (std::size_t k = 0; k < std::min(most, labs.size()); ++k)
                workers.emplace_back([&shared, stop] { shared.work(stop); });
        });
    } catch (...) {
        running.clear();
        throw;
    }
    running.clear();
    if (shared.raised) std::rethrow_exception(shared.raised);
}

}  // namespace

void bindBatch(py::module_& module) {
    module.def("batch", &batch, py::arg("simulations"), py::arg("steps"), py::arg("threads"), py::arg("callbacks"));
}

}  // namespace clothlab::python
