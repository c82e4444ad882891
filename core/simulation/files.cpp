#include "simulation/files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace clothlab::simulation {
namespace {

std::string temporaryName(const std::string& path) { return path + ".part"; }

tl::unexpected<Error> cannot(std::string_view what, const std::string& path, std::string_view why) {
    return fail(Error{.message = fmt::format("cannot {}: {}", what, why), .file = path});
}

}  // namespace

Expected<void> writeFile(const std::string& path, std::string_view content) {
    auto file = LineFile::create(path);
    if (!file) return tl::unexpected(file.error());
    if (!content.empty() && content.back() == '\n') content.remove_suffix(1);
    file->line(content);
    return file->finish();
}

Expected<void> makeFolder(const std::string& path) {
    std::error_code code;
    std::filesystem::create_directories(path, code);
    if (!std::filesystem::is_directory(path)) return cannot("make the folder", path, code ? code.message() : "a file has this name");
    return {};
}

Expected<LineFile> LineFile::create(const std::string& path) {
    std::FILE* file = std::fopen(temporaryName(path).c_str(), "wb");
    if (!file) return cannot("write", path, std::strerror(errno));
    return LineFile(path, file);
}

LineFile::LineFile(LineFile&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, nullptr)), failed_(other.failed_) {}

LineFile::~LineFile() {
    if (file_) std::fclose(file_);
}

void LineFile::line(std::string_view text) {
    failed_ |= std::fwrite(text.data(), 1, text.size(), file_) != text.size();
    failed_ |= std::fputc('\n', file_) == EOF;
}

Expected<void> LineFile::finish() {
    failed_ |= std::fclose(std::exchange(file_, nullptr)) != 0;
    if (failed_) return cannot("write", path_, "the disk did not take all of it");
    std::error_code code;
    std::filesystem::rename(temporaryName(path_), path_, code);
    if (code) return cannot("write", path_, code.message());
    return {};
}

}  // namespace clothlab::simulation
