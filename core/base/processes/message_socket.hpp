#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "base/errors.hpp"

namespace clothlab::platform {

/// Messages to and from another program of this machine over a stream socket: a letter, a serial and a length (8 bytes
/// each, little-endian), and that many bytes. Reading and writing have a thread of their own, so that sending never
/// waits for the other program.
class MessageSocket {
public:
    /// Called from that thread for each message; the bytes are valid only during the call.
    using Receiver = std::function<void(char letter, std::uint64_t serial, std::string_view bytes)>;

    /// Takes an open socket. `ended` is called once from that thread, when the other program has closed its end. An
    /// Error where the number is no stream socket.
    static Expected<std::unique_ptr<MessageSocket>> take(int socket, Receiver receiver, std::function<void()> ended);
    ~MessageSocket();
    MessageSocket(const MessageSocket&) = delete;
    MessageSocket& operator=(const MessageSocket&) = delete;

    void send(char letter, std::uint64_t serial, std::string_view bytes = {});
    /// Waits until everything was sent or the other end is closed, at most this many seconds.
    void flush(double seconds);

private:
    MessageSocket(int socket, Receiver receiver, std::function<void()> ended);
    void run(const std::stop_token& stop);
    bool receive();
    bool write();
    void deliverMessages();
    void wake() const;

    int socket_;
    int wake_[2] = {-1, -1};  ///< a pipe: ends the thread's wait
    Receiver receiver_;
    std::function<void()> told_;
    std::string in_;  ///< of an incomplete message
    std::mutex mutex_;
    std::string out_;
    bool ended_ = false;
    std::jthread thread_;  ///< last: it ends before what it uses
};

}  // namespace clothlab::platform
