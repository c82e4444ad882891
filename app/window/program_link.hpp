#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/processes/message_socket.hpp"
#include "simulation/state_bytes.hpp"

namespace clothlab::app::window {

/// The way to the program whose simulation the window shows: clothlab.show of Python. A frame never waits for it.
///
///     from there   S  a Shown, ascending serials    ?  asks what was done here since
///     to there     F  the state is on show          H  what was done here: the serial of the question, a HandOver
///                                                   C  the window closes
class ProgramLink {
public:
    struct State {
        std::shared_ptr<const simulation::Shown> shown;
        std::uint64_t serial = 0;
    };

    /// Takes the socket and waits for the first state; an Error where none comes, or where it is none.
    static Expected<std::shared_ptr<ProgramLink>> open(int socket);

    /// The newest state since the last call.
    std::optional<State> takeState();
    /// The serial of a question that was not taken yet.
    std::optional<std::uint64_t> takeQuestion();
    /// The other program is gone, or wants no window any more.
    bool ended() const;
    void send(char letter, std::uint64_t serial, const std::string& bytes = {}) {
        socket_->send(letter, serial, bytes);
    }
    void flush(double seconds) { socket_->flush(seconds); }
    /// Called from another thread when something has come; empty: nothing is.
    void onNews(std::function<void()> call);

private:
    ProgramLink() = default;
    void take(char letter, std::uint64_t serial, std::string_view bytes);
    void tell() const;

    mutable std::mutex mutex_;
    std::optional<State> state_;
    std::optional<std::uint64_t> question_;
    std::string problem_;
    std::function<void()> news_;
    bool ended_ = false;
    std::unique_ptr<platform::MessageSocket> socket_;  ///< last: its thread ends before what it uses
};

}  // namespace clothlab::app::window
