#include "commands/interrupt.hpp"

#include <chrono>
#include <csignal>

namespace clothlab::app {
namespace {

volatile std::sig_atomic_t received_ = 0;  // all that a handler may write to

void receive(int signal) {
    received_ = signal;
    std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
    received_ = 0;
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, receive);
}

Interrupt::~Interrupt() {
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
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
