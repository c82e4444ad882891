#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "simulation/state_file.hpp"

namespace clothlab::app::window {

/// The way to the program whose simulation the window shows (clothlab.show of Python): a stream socket, in both
/// directions messages of a letter, a serial and a length (8 bytes each, little-endian) and that many bytes.
///
///     from there   S  a state, ascending serials      ?  asks what was done here since
///     to there     F  the state is on show            H  what was done here: the serial of the question, a HandOver
///                  P  what is wrong, in words         C  the window closes
///
/// Reading, writing and parsing have a thread of their own: a frame never waits for the other program.
class ProgramLink {
public:
    struct State {
        std::shared_ptr<const simulation::SavedState> saved;
        std::uint64_t serial = 0;
    };

    /// Takes the socket and waits for the first state; an Error where none comes, or where it is none.
    static Expected<std::shared_ptr<ProgramLink>> open(int socket);
    ~ProgramLink();
    ProgramLink(const ProgramLink&) = delete;
    ProgramLink& operator=(const ProgramLink&) = delete;

    /// The newest state since the last call.
    std::optional<State> takeState();
    /// The serial of a question that was not taken yet.
    std::optional<std::uint64_t> takeQuestion();
    /// The other program is gone, or wants no window any more.
    bool ended() const;
    void send(char letter, std::uint64_t serial, const std::string& bytes = {});
    /// Waits until all that was sent is on its way, at most so many seconds.
    void flush(double seconds);
    /// Called from the link's thread when something has come. Empty: nothing is.
    void onNews(std::function<void()> call);

private:
    explicit ProgramLink(int socket);
    void run(const std::stop_token& stop);
    bool receive();
    bool write();
    void takeMessages();
    void take(char letter, std::uint64_t serial, std::string_view bytes);
    void wake() const;

    int socket_;
    int wake_[2] = {-1, -1};  ///< a pipe: ends the thread's wait
    std::string in_;          ///< what has come of messages that are not whole
    mutable std::mutex mutex_;
    std::string out_;
    std::optional<State> state_;
    std::optional<std::uint64_t> question_;
    std::string problem_;
    std::function<void()> news_;
    bool ended_ = false;
    std::jthread thread_;  ///< last: it ends before what it uses
};

}  // namespace clothlab::app::window
