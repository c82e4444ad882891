#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/errors.hpp"

namespace clothlab {

/// A private folder in the system's place for temporary files (TMPDIR, /tmp), removed at the end with its contents.
/// Creating one removes leftovers of dead processes with the same purpose.
class TemporaryFolder {
public:
    /// `clothlab-PURPOSE-PROCESS-XXXXXX`
    static Expected<TemporaryFolder> create(std::string_view purpose);
    TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;
    ~TemporaryFolder();

    const std::string& path() const { return path_; }
    std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }

private:
    explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
    std::string path_;
};

}  // namespace clothlab
