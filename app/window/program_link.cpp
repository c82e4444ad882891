#include "window/program_link.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/byte_stream.hpp"

namespace clothlab::app::window {
namespace {

constexpr std::size_t kHead = 1 + 2 * sizeof(std::uint64_t);
constexpr std::uint64_t kMostBytes = std::uint64_t{2} << 30;
constexpr int kFirstState = 60;  // s
constexpr char kFromPython[] = "the simulation of Python";

bool isSocket(int number) {
    int type = 0;
    socklen_t length = sizeof type;
    return getsockopt(number, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_STREAM;
}

}  // namespace

ProgramLink::ProgramLink(int socket) : socket_(socket) {
    fcntl(socket_, F_SETFD, FD_CLOEXEC);
    fcntl(socket_, F_SETFL, fcntl(socket_, F_GETFL) | O_NONBLOCK);
    if (pipe2(wake_, O_CLOEXEC | O_NONBLOCK) != 0) wake_[0] = wake_[1] = -1;
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

ProgramLink::~ProgramLink() {
    thread_.request_stop();
    wake();
    thread_.join();
    for (const int number : {socket_, wake_[0], wake_[1]})
        if (number >= 0) close(number);
}

Expected<std::shared_ptr<ProgramLink>> ProgramLink::open(int socket) {
    if (!isSocket(socket)) return fail("--link is for clothlab.show of Python, which opens a socket for it");
    std::shared_ptr<ProgramLink> link(new ProgramLink(socket));
    for (int waited = 0; waited < 1000 * kFirstState; ++waited) {
        {
            const std::lock_guard lock(link->mutex_);
            if (!link->problem_.empty()) return fail(link->problem_);
            if (link->state_) return link;
            if (link->ended_) break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return fail("no simulation came from Python");
}

std::optional<ProgramLink::State> ProgramLink::takeState() {
    const std::lock_guard lock(mutex_);
    return std::exchange(state_, {});
}

std::optional<std::uint64_t> ProgramLink::takeQuestion() {
    const std::lock_guard lock(mutex_);
    return std::exchange(question_, {});
}

bool ProgramLink::ended() const {
    const std::lock_guard lock(mutex_);
    return ended_;
}

void ProgramLink::onNews(std::function<void()> call) {
    const std::lock_guard lock(mutex_);
    news_ = std::move(call);
}

void ProgramLink::send(char letter, std::uint64_t serial, const std::string& bytes) {
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

void ProgramLink::flush(double seconds) {
    for (double waited = 0; waited < seconds; waited += 1e-3) {
        {
            const std::lock_guard lock(mutex_);
            if (out_.empty() || ended_) return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

void ProgramLink::wake() const {
    if (wake_[1] >= 0) (void)!::write(wake_[1], "", 1);
}

void ProgramLink::run(const std::stop_token& stop) {
    for (bool open = true; open && !stop.stop_requested();) {
        bool writes = false;
        {
            const std::lock_guard lock(mutex_);
            writes = !out_.empty();
        }
        std::array<pollfd, 2> both{
            pollfd{.fd = socket_, .events = short(writes ? POLLIN | POLLOUT : POLLIN), .revents = 0},
            pollfd{.fd = wake_[0], .events = POLLIN, .revents = 0}};
        if (::poll(both.data(), both.size(), 1000) < 0 && errno != EINTR) break;
        char bytes[64];
        while (both[1].revents != 0 && ::read(wake_[0], bytes, sizeof bytes) > 0) {
        }
        if (writes && (both[0].revents & POLLOUT) != 0) open = write();
        if ((both[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0) open = receive() && open;
    }
    std::function<void()> news;
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
        news = news_;
    }
    if (news) news();
}

/// False: there is no other side any more.
bool ProgramLink::receive() {
    std::array<char, 1 << 16> bytes;
    const ssize_t length = recv(socket_, bytes.data(), bytes.size(), 0);
    if (length < 0) return errno == EAGAIN || errno == EINTR;
    in_.append(bytes.data(), std::size_t(length));
    takeMessages();
    return length > 0;
}

bool ProgramLink::write() {
    const std::lock_guard lock(mutex_);
    const ssize_t length = ::send(socket_, out_.data(), out_.size(), MSG_NOSIGNAL);
    if (length < 0) return errno == EAGAIN || errno == EINTR;
    out_.erase(0, std::size_t(length));
    return true;
}

void ProgramLink::takeMessages() {
    while (in_.size() >= kHead) {
        ByteReader head(in_);
        const char letter = head.number<char>();
        const auto serial = head.number<std::uint64_t>(), length = head.number<std::uint64_t>();
        if (length > kMostBytes || in_.size() - kHead < length) return;
        take(letter, serial, std::string_view(in_).substr(kHead, length));
        in_.erase(0, kHead + length);
    }
}

void ProgramLink::take(char letter, std::uint64_t serial, std::string_view bytes) {
    std::function<void()> news;
    if (letter == 'S') {
        auto saved = simulation::readStateBytes(bytes, kFromPython);
        const std::lock_guard lock(mutex_);
        if (saved)
            state_ = {std::make_shared<const simulation::SavedState>(std::move(*saved)), serial};
        else
            problem_ = saved.error().text();
        news = news_;
    } else if (letter == '?') {
        const std::lock_guard lock(mutex_);
        question_ = serial;
        news = news_;
    }
    if (news) news();
}

}  // namespace clothlab::app::window
