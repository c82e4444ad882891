#include "commands/interrupt.hpp"

#include <signal.h>
#include <time.h>

#include <chrono>

namespace clothlab::app {
namespace {

volatile sig_atomic_t received_ = 0;  // all that a handler may write to, with the next one
timespec first_{};

/// timeout(1) and terminals may send one request twice, to the process and to its group: only a later one is a second request.
void receive(int signal) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double after = double(now.tv_sec - first_.tv_sec) + 1e-9 * double(now.tv_nsec - first_.tv_nsec);
    if (received_ == 0) {
        received_ = signal;
        first_ = now;
    } else if (after > 0.3) {
        ::signal(signal, SIG_DFL);
        raise(signal);
    }
}

}  // namespace

Interrupt::Interrupt() {
    received_ = 0;
    for (const int signal : {SIGINT, SIGTERM}) ::signal(signal, receive);
}

Interrupt::~Interrupt() {
    for (const int signal : {SIGINT, SIGTERM}) ::signal(signal, SIG_DFL);
}

int Interrupt::signal() { return received_; }

std::stop_token Interrupt::token() {
    if (!watcher_.joinable())
        watcher_ = std::jthread([request = request_](const std::stop_token& done) mutable {
            while (!done.stop_requested() && !received_) std::this_thread::sleep_for(std::chrono::milliseconds(20));
            if (received_) request.request_stop();
        });
    return request_.get_token();
}

}  // namespace clothlab::app
