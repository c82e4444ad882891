#include "window/program_link.hpp"

#include <chrono>
#include <thread>

namespace clothlab::app::window {
namespace {

constexpr int kFirstState = 60;  // s
constexpr const char* kFromPython = "the simulation of Python";

}  // namespace

Expected<std::shared_ptr<ProgramLink>> ProgramLink::open(int socket) {
    std::shared_ptr<ProgramLink> link(new ProgramLink());
    auto taken = platform::MessageSocket::take(
        socket,
        [&to = *link](char letter, std::uint64_t serial, std::string_view bytes) { to.take(letter, serial, bytes); },
        [&to = *link] {
            {
                const std::lock_guard lock(to.mutex_);
                to.ended_ = true;
            }
            to.tell();
        });
    if (!taken) return fail("--link is for clothlab.show of Python: " + taken.error().message);
    link->socket_ = std::move(*taken);
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

void ProgramLink::tell() const {
    std::function<void()> news;
    {
        const std::lock_guard lock(mutex_);
        news = news_;
    }
    if (news) news();
}

void ProgramLink::take(char letter, std::uint64_t serial, std::string_view bytes) {
    if (letter == 'S') {
        auto shown = simulation::readShown(bytes, kFromPython);  // not in a frame: a scene is read in it
        const std::lock_guard lock(mutex_);
        if (shown)
            state_ = {std::make_shared<const simulation::Shown>(std::move(*shown)), serial};
        else
            problem_ = shown.error().text();
    } else if (letter == '?') {
        const std::lock_guard lock(mutex_);
        question_ = serial;
    }
    tell();
}

}  // namespace clothlab::app::window
