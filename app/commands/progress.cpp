#include "commands/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/platform.hpp"

namespace clothlab::app::commands {
namespace {

constexpr int kBar = 24;

std::string remaining(double seconds) {
    if (seconds < 90) return fmt::format("{:.0f} s left", seconds);
    if (seconds < 5400) return fmt::format("{:.0f} min left", seconds / 60);
    return fmt::format("{:.1f} h left", seconds / 3600);
}

}  // namespace

Progress::Progress() : terminal_(platform::stderrIsTerminal()), start_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
    if (terminal_) fmt::print(stderr, "\r\033[K");
}

void Progress::show(std::string_view what, double share) {
    if (firstShare_ < 0) firstShare_ = share;
    const double done = share - firstShare_;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const std::string left = done > 0 && seconds > 2 ? ", " + remaining(seconds * (1 - share) / done) : "";
    if (terminal_) {
        const int full = std::clamp(int(share * kBar), 0, kBar);
        fmt::print(stderr, "\r\033[K[{:#<{}}{:.<{}}] {:3.0f} % {}{}", "", full, "", kBar - full, 100 * share, what,
                   left);
        return;
    }
    if (int(10 * share) <= tenths_) return;
    tenths_ = int(10 * share);
    fmt::print(stderr, "{} % {}{}\n", 10 * tenths_, what, left);
}

}  // namespace clothlab::app::commands
