#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "base/errors.hpp"

namespace clothlab::simulation {

/// Writes a whole file under a temporary name beside it and renames it: what stood there before is lost only when the
/// new content is complete.
Expected<void> writeFile(const std::string& path, std::string_view content);

/// Makes a folder and those above it; nothing happens when it is there.
Expected<void> makeFolder(const std::string& path);

/// A text file that grows line by line under a temporary name; finish() gives it its own. Without finish() the
/// temporary file stays, for whoever wants to know how far it came.
class LineFile {
public:
    static Expected<LineFile> create(const std::string& path);
    LineFile(LineFile&& other) noexcept;
    LineFile& operator=(LineFile&&) = delete;
    ~LineFile();

    void line(std::string_view text);
    Expected<void> finish();

private:
    LineFile(std::string path, std::FILE* file) : path_(std::move(path)), file_(file) {}

    std::string path_;
    std::FILE* file_;
    bool failed_ = false;
};

}  // namespace clothlab::simulation
