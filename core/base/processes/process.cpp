#include "base/processes/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

extern char** environ;

namespace clothlab::platform {
namespace {

using How = ProcessEnd::How;

constexpr double kGrace = 0.2;   // s, between SIGTERM and SIGKILL, and for what the program leaves to end by itself
constexpr double kToSweep = 5;   // s, to end what is left
constexpr int kSignalled = 128;  // and the signal: the exit code of a shell
constexpr int kFirstOpened = 3;  // behind stdin, stdout and stderr

/// What the keeper tells: bytes through a pipe.
struct Told {
    How how;
    int code;
    double seconds;
    int leftBehind;
    bool allEnded;
};

/// A descriptor that is closed in the end, and in programs that are started.
class Handle {
public:
    explicit Handle(int number = -1) : number_(number) {}
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() { close(); }
    void close() {
        if (number_ >= 0) ::close(number_);
        number_ = -1;
    }
    void reset(int number) {
        close();
        number_ = number;
    }
    int number() const { return number_; }

private:
    int number_;
};

struct Pipe {
    Handle out, in;  ///< read from `out` what was written to `in`
    bool open() {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) return false;
        out.reset(ends[0]);
        in.reset(ends[1]);
        return true;
    }
};

// --- From here to `runProcess`: after a fork of a process with threads. Only what a signal handler may call.

double secondsNow() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

void rest(double seconds) {
    const timespec time{.tv_sec = 0, .tv_nsec = long(1e9 * seconds)};
    nanosleep(&time, nullptr);
}

void closeBetween(int first, int last) {
    if (first > last) return;
#ifdef __linux__
    if (close_range(unsigned(first), unsigned(last), 0) == 0) return;
#endif
    for (int number = first; number <= std::min(last, 65535); ++number) ::close(number);
}

void closeAllBut(std::array<int, 4> kept) {
    std::sort(kept.begin(), kept.end());
    int next = kFirstOpened;
    for (const int number : kept) {
        closeBetween(next, number - 1);
        next = std::max(next, number + 1);
    }
    closeBetween(next, 0x7fffffff);
}

void setSignalHandlers(void (*inEnds)(int)) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(signal, inEnds);
    for (const int signal : {SIGPIPE, SIGXFSZ, SIGCHLD}) ::signal(signal, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// What the keeper needs, made before the fork.
struct Start {
    char* const* arguments;
    char* const* environment;
    double limit;
    rlim_t mostFileBytes, mostMemory;      ///< 0 = any
    int nothing, errors, control, result;  ///< descriptors
};

template <class Resource>
void limitTo(Resource resource, rlim_t most) {
    const rlimit limit{.rlim_cur = most, .rlim_max = most};
    if (most > 0) setrlimit(resource, &limit);
}

[[noreturn]] void becomeProgram(const Start& s) {
    setpgid(0, 0);
    setSignalHandlers(SIG_DFL);
    dup2(s.nothing, STDIN_FILENO);
    dup2(s.nothing, STDOUT_FILENO);
    dup2(s.errors, STDERR_FILENO);
    closeBetween(kFirstOpened, 0x7fffffff);
    limitTo(RLIMIT_FSIZE, s.mostFileBytes);
    limitTo(RLIMIT_AS, s.mostMemory);
    execve("/bin/sh", s.arguments, s.environment);
    _exit(127);
}

/// Whether it has ended; it stays a zombie, so that nothing else gets the number of its group.
bool hasEnded(pid_t child, siginfo_t& info) {
    info.si_pid = 0;
    return waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child;
}

/// Calls f(id) for the children that the kernel lists: the program, and those of its own that have lost their parent.
template <class F>
void forChildren(F f) {
#ifdef __linux__
    char text[4096];
    const int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (list < 0) return;
    const ssize_t length = read(list, text, sizeof text - 1);
    close(list);
    pid_t id = 0;
    for (ssize_t k = 0; k < length; ++k)
        if (text[k] >= '0' && text[k] <= '9')
            id = 10 * id + (text[k] - '0');
        else if (id > 0)
            f(id), id = 0;
#else
    (void)f;
#endif
}

/// Whether something else than the program is still there; what has ended is reaped.
bool othersRun(pid_t child) {
    bool any = false;
    forChildren([&](pid_t id) { any |= id != child && waitpid(id, nullptr, WNOHANG) == 0; });
    return any;
}

/// Ends all that is left, and counts what had to be ended.
void sweep(Told& told) {
    const double end = secondsNow() + kToSweep;
    for (;;) {
        int status = 0;
        pid_t id = 0;
        while ((id = waitpid(-1, &status, WNOHANG)) > 0)
            told.leftBehind += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
        if (id < 0 && errno == ECHILD) return;
        if (secondsNow() > end) {
            told.allEnded = false;
            return;
        }
        forChildren([](pid_t each) { kill(each, SIGKILL); });
        rest(1e-3);
    }
}

/// Waits for the program; what was not over by itself is ended.
Told watch(const Start& s, pid_t child, double begin) {
    Told told{.how = How::Exited, .code = 0, .seconds = 0, .leftBehind = 0, .allEnded = true};
    siginfo_t info{};
    pollfd control{.fd = s.control, .events = POLLIN, .revents = 0};
    bool ended = false;
    while (!(ended = hasEnded(child, info))) {
        const double passed = secondsNow() - begin;
        if (passed >= s.limit) told.how = How::TimedOut;
        if (poll(&control, 1, passed < 0.1 ? 1 : 5) > 0) told.how = How::Cancelled;  // the other end was closed
        if (told.how != How::Exited) break;
    }
    if (!ended) {
        kill(-child, SIGTERM);
        for (const double end = secondsNow() + kGrace; !ended && secondsNow() < end; rest(1e-3))
            ended = hasEnded(child, info);
    }
    told.seconds = secondsNow() - begin;
    if (told.how == How::Exited)  // helpers, such as those of MPI, may be about to end
        for (const double end = secondsNow() + kGrace; othersRun(child) && secondsNow() < end;) rest(1e-3);
    kill(-child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (told.how == How::Exited) {
        if (WIFSIGNALED(status)) told.how = How::Signalled;
        told.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    }
    sweep(told);
    return told;
}

[[noreturn]] void keep(const Start& s) {
    setpgid(0, 0);  // Ctrl-C in a terminal is for the caller, who then closes the control pipe
    setSignalHandlers(SIG_IGN);
#ifdef __linux__
    prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
    closeAllBut({s.nothing, s.errors, s.control, s.result});
    const double begin = secondsNow();
    const pid_t child = fork();
    if (child == 0) becomeProgram(s);
    Told told{.how = How::NotStarted, .code = errno, .seconds = 0, .leftBehind = 0, .allEnded = true};
    if (child > 0) {
        setpgid(child, child);  // as the child does: either may be first
        ::close(s.errors);
        told = watch(s, child, begin);
    }
    ssize_t written = 0;
    do written = write(s.result, &told, sizeof told);
    while (written < 0 && errno == EINTR);
    _exit(0);
}

// --- The caller's side

std::vector<std::string> makeEnvironment(const ProcessOrder& order) {
    std::vector<std::string> all;
    const auto variableName = [](std::string_view entry) { return entry.substr(0, entry.find('=')); };
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const bool dropped = std::ranges::any_of(order.environment, [&](const auto& change) {
            return !change.second && change.first == variableName(*entry);
        });
        if (!dropped) all.emplace_back(*entry);
    }
    for (const auto& change : order.environment) {
        const auto sets = [&](const std::string& entry) { return variableName(entry) == change.first; };
        if (change.second && std::ranges::none_of(all, sets)) all.push_back(change.first + "=" + *change.second);
    }
    return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> out;
    out.reserve(texts.size() + 1);
    for (std::string& text : texts) out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

/// The end of a text that keeps coming.
class Tail {
public:
    void readFrom(int descriptor) {
        char bytes[4096];
        const ssize_t length = read(descriptor, bytes, sizeof bytes);
        ended_ = length == 0 || (length < 0 && errno != EAGAIN && errno != EINTR);
        if (length <= 0) return;
        text_.append(bytes, std::size_t(length));
        if (text_.size() > 2 * kMost) text_.erase(0, text_.size() - kMost);
    }
    bool ended() const { return ended_; }
    std::string lastLine() const {
        std::string_view text = text_;
        const std::size_t end = text.find_last_not_of(" \t\r\n");
        if (end == text.npos) return {};
        text = text.substr(0, end + 1);
        return std::string(text.substr(text.find_last_of('\n') + 1));
    }

private:
    static constexpr std::size_t kMost = 4096;
    std::string text_;
    bool ended_ = false;
};

/// Until the keeper has told the end, or is gone.
Told listen(Pipe& errors, Pipe& result, Pipe& control, Tail& tail, const std::stop_token& stop) {
    Told told{.how = How::NotStarted, .code = ECHILD, .seconds = 0, .leftBehind = 0, .allEnded = false};
    constexpr int kPatience = 10;  // ms until the stop token is asked again
    for (;;) {
        if (stop.stop_requested()) control.in.close();
        std::array<pollfd, 2> both{
            pollfd{.fd = result.out.number(), .events = POLLIN, .revents = 0},
            pollfd{.fd = tail.ended() ? -1 : errors.out.number(), .events = POLLIN, .revents = 0}};
        if (poll(both.data(), both.size(), kPatience) < 0 && errno != EINTR) return told;
        if (both[1].revents != 0) tail.readFrom(errors.out.number());
        if (both[0].revents == 0) continue;
        Told heard{};
        if (read(result.out.number(), &heard, sizeof heard) == ssize_t(sizeof heard)) told = heard;
        break;
    }
    for (int k = 0; k < 64 && !tail.ended(); ++k) {  // what is in the pipe still; it is not waited for
        pollfd more{.fd = errors.out.number(), .events = POLLIN, .revents = 0};
        if (poll(&more, 1, 0) <= 0) break;
        tail.readFrom(errors.out.number());
    }
    return told;
}

}  // namespace

ProcessEnd runProcess(const ProcessOrder& order, const std::stop_token& stop) {
    ProcessEnd end;
    std::vector<std::string> words{"sh", "-c", order.command}, variables = makeEnvironment(order);
    const std::vector<char*> arguments = pointers(words), environment = pointers(variables);
    const Handle nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
    Pipe errors, control, result;
    if (nothing.number() < 0 || !errors.open() || !control.open() || !result.open()) {
        end.code = errno;
        return end;
    }
    const Start start{.arguments = arguments.data(),
                      .environment = environment.data(),
                      .limit = order.limitSeconds,
                      .mostFileBytes = rlim_t(order.mostFileBytes),
                      .mostMemory = rlim_t(order.mostMemory),
                      .nothing = nothing.number(),
                      .errors = errors.in.number(),
                      .control = control.out.number(),
                      .result = result.in.number()};
    const pid_t keeper = fork();
    if (keeper == 0) keep(start);
    if (keeper < 0) {
        end.code = errno;
        return end;
    }
    for (Handle* others : {&errors.in, &control.out, &result.in}) others->close();
    Tail tail;
    const Told told = listen(errors, result, control, tail, stop);
    control.in.close();
    while (waitpid(keeper, nullptr, 0) < 0 && errno == EINTR) {
    }
    end.how = told.how;
    end.code = told.code;
    end.seconds = told.seconds;
    end.leftBehind = told.how == How::Exited ? told.leftBehind : 0;
    end.allEnded = told.allEnded;
    end.lastLine = tail.lastLine();
    return end;
}

std::string describeEnd(const ProcessEnd& end) {
    switch (end.how) {
        case How::Exited:
            if (end.code > kSignalled && end.code <= kSignalled + SIGRTMIN)  // as a shell says it of its program
                return fmt::format("exited with {} (signal {}, {})", end.code, end.code - kSignalled,
                                   strsignal(end.code - kSignalled));
            return fmt::format("exited with {}", end.code);
        case How::Signalled:
            return fmt::format("was ended by signal {} ({})", end.code, strsignal(end.code));
        case How::TimedOut:
            return fmt::format("had not ended after {:.3g} s, and was ended", end.seconds);
        case How::Cancelled:
            return "was ended with the race";
        case How::NotStarted:
            break;
    }
    return fmt::format("could not be started: {}", std::strerror(end.code));
}

}  // namespace clothlab::platform
