#include "commands/interrupt.hpp"

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

}  // namespace clothlab::app
