#include "base/appended_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace clothlab {

tl::unexpected<Error> AppendedFile::failure(int code) const {
    return fail(Error{
        .message = fmt::format("cannot write: {}", code == 0 ? "the disk did not take all of it" : std::strerror(code)),
        .file = path_});
}

Expected<AppendedFile> AppendedFile::open(const std::string& path, const InputFiles& inputs) {
    if (auto fits = checkOutput(path, inputs); !fits) return fail(fits.error());
    if (isStandardOutput(path)) return AppendedFile(path, stdout, true, false, 0);
    const auto there = platform::identify(path);
    const bool direct = there && (there->type == platform::FileType::Pipe || there->type == platform::FileType::Null);
    const bool made = there && there->type == platform::FileType::Missing;
    std::FILE* file = direct ? platform::openToWrite(path) : platform::openToAppend(path);
    if (!file)
        return fail(Error{.message = errno == EWOULDBLOCK
                                         ? "another program is writing this file; wait for it, or choose another name"
                                         : fmt::format("cannot write: {}", std::strerror(errno)),
                          .file = path});
    std::error_code code;
    const std::uint64_t bytes = direct ? 0 : std::filesystem::file_size(path, code);
    return AppendedFile(path, file, direct, made, code ? 0 : bytes);
}

AppendedFile::AppendedFile(AppendedFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, nullptr)),
      direct_(other.direct_),
      made_(other.made_),
      bytes_(other.bytes_) {}

AppendedFile::~AppendedFile() {
    if (!file_ || file_ == stdout) return;
    std::error_code ignored;
    if (made_ && bytes_ == 0) std::filesystem::remove(followed(path_), ignored);
    std::fclose(file_);
}

Expected<void> AppendedFile::cutTo(std::uint64_t bytes) {
    if (direct_ || bytes >= bytes_) return {};
    if (!platform::truncateTo(file_, bytes)) return failure(errno);
    bytes_ = bytes;
    return {};
}

Expected<void> AppendedFile::line(std::string_view text) {
    const std::string whole = std::string(text) + "\n";
    errno = 0;
    if (platform::writeAll(file_, whole)) {
        bytes_ += whole.size();
        return {};
    }
    const int code = errno;
    if (!direct_) (void)platform::truncateTo(file_, bytes_);  // what stays is whole
    return failure(code);
}

}  // namespace clothlab
