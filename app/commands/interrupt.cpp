#include "commands/interrupt.hpp"

#include <cassert>
#include <chrono>
#include <csignal>

#include "base/platform.hpp"

namespace clothlab::app::commands {
namespace {

volatile std::sig_atomic_t received_ = 0;  // all that a handler may write to, with the next one
std::chrono::steady_clock::time_point first_;
Interrupt* current_ = nullptr;

/// timeout(1) and terminals may send one request twice, to the process and to its group: only a later one is a second
/// request.
void receive(int signal) {
    const auto now = std::chrono::steady_clock::now();  // only reads a clock: safe in a handler
    if (received_ == 0) {
        received_ = signal;
        first_ = now;
    } else if (now - first_ > std::chrono::milliseconds(300)) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
}

}  // namespace

Interrupt::Interrupt() {
    assert(!current_);
    current_ = this;
    received_ = 0;
    platform::onEndSignals(receive);
}

Interrupt* Interrupt::current() { return current_; }

Interrupt::~Interrupt() {
    current_ = nullptr;
    platform::onEndSignals(nullptr);
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

}  // namespace clothlab::app::commands
