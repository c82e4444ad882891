#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "base/output.hpp"

namespace clothlab {

/// A file of lines to which a command adds, and to which the same command adds again when it goes on later: sweeps,
/// finished sets. It has its final name from the start. While it is open no other program can add to it. Pipes,
/// /dev/null and standard output are written through, as by every output.
class AppendedFile {
public:
    static Expected<AppendedFile> open(const std::string& path, const InputFiles& inputs);
    AppendedFile(AppendedFile&& other) noexcept;
    AppendedFile& operator=(AppendedFile&&) = delete;
    /// Removes the file when open() made it and it got nothing.
    ~AppendedFile();

    /// Whether there may be something to go on from: not for pipes and devices.
    bool readable() const { return !direct_; }
    /// Drops what lies beyond so many bytes: a line that a killed process left half.
    Expected<void> cutTo(std::uint64_t bytes);
    /// The whole line or nothing of it; on its way to the disk when this returns.
    Expected<void> line(std::string_view text);

private:
    AppendedFile(std::string path, std::FILE* file, bool direct, bool made, std::uint64_t bytes)
        : path_(std::move(path)), file_(file), direct_(direct), made_(made), bytes_(bytes) {}
    tl::unexpected<Error> failure(int code) const;

    std::string path_;
    std::FILE* file_;
    bool direct_, made_;
    std::uint64_t bytes_;  ///< whole lines
};

}  // namespace clothlab
