#include "base/processes/message_socket.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <utility>

#include "base/byte_stream.hpp"

namespace clothlab::platform {
namespace {

constexpr std::size_t kHead = 1 + 2 * sizeof(std::uint64_t);

bool isStreamSocket(int number) {
    int type = 0;
    socklen_t length = sizeof type;
    return getsockopt(number, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_STREAM;
}

bool onlyBusy() { return errno == EAGAIN || errno == EINTR; }

}  // namespace

Expected<std::unique_ptr<MessageSocket>> MessageSocket::take(int socket, Receiver receiver,
                                                             std::function<void()> ended) {
    if (!isStreamSocket(socket)) return fail("this is no open stream socket");
    return std::unique_ptr<MessageSocket>(new MessageSocket(socket, std::move(receiver), std::move(ended)));
}

MessageSocket::MessageSocket(int socket, Receiver receiver, std::function<void()> ended)
    : socket_(socket), receiver_(std::move(receiver)), told_(std::move(ended)) {
    fcntl(socket_, F_SETFD, FD_CLOEXEC);
    fcntl(socket_, F_SETFL, fcntl(socket_, F_GETFL) | O_NONBLOCK);
    if (pipe2(wake_, O_CLOEXEC | O_NONBLOCK) != 0) wake_[0] = wake_[1] = -1;
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

MessageSocket::~MessageSocket() {
    thread_.request_stop();
    wake();
    thread_.join();
    for (const int number : {socket_, wake_[0], wake_[1]})
        if (number >= 0) close(number);
}

void MessageSocket::send(char letter, std::uint64_t serial, std::string_view bytes) {
    ByteWriter message;
    message.number(letter);
    message.number(serial);
    message.text(bytes);
    {
        const std::lock_guard lock(mutex_);
        out_ += message.bytes();
    }
    wake();
}

void MessageSocket::flush(double seconds) {
    for (double waited = 0; waited < seconds; waited += 1e-3) {
        {
            const std::lock_guard lock(mutex_);
            if (out_.empty() || ended_) return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

void MessageSocket::wake() const {
    if (wake_[1] >= 0) (void)!::write(wake_[1], "", 1);
}

void MessageSocket::run(const std::stop_token& stop) {
    constexpr int kPatience = 1000;  // ms, should the pipe be missing
    for (bool open = true; open && !stop.stop_requested();) {
        bool writes = false;
        {
            const std::lock_guard lock(mutex_);
            writes = !out_.empty();
        }
        std::array<pollfd, 2> both{
            pollfd{.fd = socket_, .events = short(writes ? POLLIN | POLLOUT : POLLIN), .revents = 0},
            pollfd{.fd = wake_[0], .events = POLLIN, .revents = 0}};
        if (poll(both.data(), both.size(), kPatience) < 0 && errno != EINTR) break;
        char bytes[64];
        while (both[1].revents != 0 && read(wake_[0], bytes, sizeof bytes) > 0) {
        }
        if (writes && (both[0].revents & POLLOUT) != 0) open = write();
        if ((both[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0) open = receive() && open;
    }
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    if (!stop.stop_requested()) told_();
}

/// False: there is no other end any more.
bool MessageSocket::receive() {
    std::array<char, 1 << 16> bytes;
    const ssize_t length = recv(socket_, bytes.data(), bytes.size(), 0);
    if (length < 0) return onlyBusy();
    in_.append(bytes.data(), std::size_t(length));
    deliverMessages();
    return length > 0;
}

bool MessageSocket::write() {
    const std::lock_guard lock(mutex_);
    const ssize_t length = ::send(socket_, out_.data(), out_.size(), MSG_NOSIGNAL);
    if (length < 0) return onlyBusy();
    out_.erase(0, std::size_t(length));
    return true;
}

void MessageSocket::deliverMessages() {
    while (in_.size() >= kHead) {
        ByteReader head(in_);
        const char letter = head.number<char>();
        const auto serial = head.number<std::uint64_t>(), length = head.number<std::uint64_t>();
        if (in_.size() - kHead < length) return;
        receiver_(letter, serial, std::string_view(in_).substr(kHead, length));
        in_.erase(0, kHead + length);
    }
}

}  // namespace clothlab::platform
