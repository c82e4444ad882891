#include "commands/interrupt.hpp"

#include <cassert>
#include <chrono>
#include <csignal>

#include "base/platform.hpp"

namespace clothlab::app::commands {
namespace {

volatile std::sig_atomic_t received = 0;  // all that a handler may write to, with the next one
std::chrono::steady_clock::time_point first;
Interrupt* active = nullptr;

/// timeout(1) and terminals may send one request twice, to the process and to its group: only a later one is a second
/// request.
void receive(int signal) {
    const auto now = std::chrono::steady_clock::now();  // only reads a clock: safe in a handler
    if (received == 0) {
        received = signal;
        first = now;
    } else if (now - first > std::chrono::milliseconds(300)) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
}

}  // namespace

Interrupt::Interrupt() {
    assert(!active);
    active = this;
    received = 0;
    platform::onEndSignals(receive);
}

Interrupt* Interrupt::current() { return active; }

Interrupt::~Interrupt() {
    active = nullptr;
    platform::onEndSignals(nullptr);
}

int Interrupt::signal() { return received; }

std::stop_token Interrupt::token() {
    if (!watcher_.joinable())
        watcher_ = std::jthread([request = request_](const std::stop_token& done) mutable {
            while (!done.stop_requested() && !received) std::this_thread::sleep_for(std::chrono::milliseconds(20));
            if (received) request.request_stop();
        });
    return request_.get_token();
}

}  // namespace clothlab::app::commands
