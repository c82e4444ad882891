#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "base/output.hpp"

namespace clothlab {

/// A file of lines that a command appends to, and resumes later: sweeps, finished sets. It has its final name from the
/// start. While it is open no other program can append to it. Pipes, /dev/null and standard output are written through,
/// as by every output.
class AppendedFile {
public:
    static Expected<AppendedFile> open(const std::string& path, const InputFiles& inputs);
    AppendedFile(AppendedFile&& other) noexcept;
    AppendedFile& operator=(AppendedFile&&) = delete;
    /// Removes the file if open() created it and it is still empty.
    ~AppendedFile();

    /// Whether the file may have lines to resume from: false for pipes and devices.
    bool readable() const { return !direct_; }
    /// Truncates to this many bytes: drops the partial line of a killed process.
    Expected<void> cutTo(std::uint64_t bytes);
    /// Appends the whole line or nothing; it is on its way to the disk when this returns.
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
