#include "base/file_system.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace clothlab::platform {
namespace {

/// The open file, or null and closed again.
std::FILE* stream(int descriptor, const char* mode) {
    if (descriptor < 0) return nullptr;
    std::FILE* file = ::fdopen(descriptor, mode);
    if (!file) ::close(descriptor);
    return file;
}

bool lock(int descriptor) { return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

/// After a signal: whether the reader of a pipe still reads.
bool takesMore(int descriptor) {
    pollfd wait{.fd = descriptor, .events = POLLOUT, .revents = 0};
    const bool ready = ::poll(&wait, 1, 2000) > 0;
    errno = EINTR;
    return ready;
}

}  // namespace

std::optional<FileIdentity> identify(const std::string& path) {
    struct stat s {};
    if (::stat(path.c_str(), &s) != 0) {
        if (errno == ENOENT) return FileIdentity{};
        return std::nullopt;
    }
    FileIdentity out{.type = FileType::Device, .device = s.st_dev, .number = s.st_ino, .mode = s.st_mode & 07777u};
    if (S_ISREG(s.st_mode)) out.type = FileType::Regular;
    if (S_ISDIR(s.st_mode)) out.type = FileType::Folder;
    if (S_ISFIFO(s.st_mode) || S_ISSOCK(s.st_mode)) out.type = FileType::Pipe;
    struct stat null {};
    if (S_ISCHR(s.st_mode) && ::stat("/dev/null", &null) == 0 && S_ISCHR(null.st_mode) && null.st_rdev == s.st_rdev)
        out.type = FileType::Null;
    return out;
}

bool mayWrite(const std::string& path) { return ::access(path.c_str(), W_OK) == 0; }

int processId() { return ::getpid(); }

bool processRuns(int id) { return ::kill(id, 0) == 0 || errno != ESRCH; }

std::FILE* createExclusively(const std::string& path, unsigned mode) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor >= 0) lock(descriptor);  // nobody else can have it yet
    return stream(descriptor, "wb+");
}

std::FILE* openToAppend(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor >= 0 && !lock(descriptor)) {
        ::close(descriptor);
        errno = EWOULDBLOCK;
        return nullptr;
    }
    return stream(descriptor, "ab");
}

std::FILE* openToWrite(const std::string& path) { return stream(::open(path.c_str(), O_WRONLY | O_CLOEXEC), "wb"); }

bool isLocked(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    const bool free = lock(descriptor);
    ::close(descriptor);
    return !free;
}

bool writeAll(std::FILE* file, std::string_view bytes) {
    const int descriptor = ::fileno(file);
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count >= 0)
            bytes.remove_prefix(std::size_t(count));
        else if (errno != EINTR || !takesMore(descriptor))
            return false;
    }
    return true;
}

bool writeOverStart(std::FILE* file, std::string_view bytes) {
    // Onto a file on a disk a signal cuts nothing short: only the disk's end does.
    errno = 0;
    return ::pwrite(::fileno(file), bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
}

bool flushToDisk(std::FILE* file) {
    if (std::fflush(file) != 0) return false;
    return ::fsync(::fileno(file)) == 0 || errno == EINVAL ||
           errno == EROFS;  // what cannot be synchronised has been written
}

bool truncateTo(std::FILE* file, std::uint64_t bytes) {
    return ::ftruncate(::fileno(file), static_cast<off_t>(bytes)) == 0;
}

void prepareStandardStreams() {
    for (int descriptor = 0; descriptor < 3; ++descriptor) {
        if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
        // open() gives the lowest free number, which is this one. The wrong direction: a use fails instead of
        // vanishing.
        [[maybe_unused]] const int held = ::open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
    }
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace clothlab::platform
