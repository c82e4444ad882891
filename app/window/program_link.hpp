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

/// The connection to the program whose simulation the window shows: clothlab.show of Python. A frame never waits for
/// it.
///
///     from there   S  a Shown, ascending serials    ?  requests the edits made here since
///     to there     F  the state is shown            H  the edits made here: serial of the request, a HandOver
///                                                   C  the window closes
class ProgramLink {
public:
    struct State {
        std::shared_ptr<const simulation::Shown> shown;
        std::uint64_t serial = 0;
    };

    /// Takes over the socket and waits for the first state; an Error if none comes, or if it is not a state.
    static Expected<std::shared_ptr<ProgramLink>> open(int socket);

    /// The newest state since the last call.
    std::optional<State> takeState();
    /// The serial of a request that was not taken yet.
    std::optional<std::uint64_t> takeQuestion();
    /// The other program has ended, or closes the window.
    bool ended() const;
    void send(char letter, std::uint64_t serial, const std::string& bytes = {}) {
        socket_->send(letter, serial, bytes);
    }
    void flush(double seconds) { socket_->flush(seconds); }
    /// Sets a callback for new messages, called from another thread; empty: none.
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
    std::unique_ptr<platform::MessageSocket>
        socket_;  ///< last, so that its thread ends before the members that it uses are destroyed
};

}  // namespace clothlab::app::window
