#include "records/counted_file.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace clothlab::records {

Expected<CountedFile> CountedFile::create(const std::string& path, Header header, const InputFiles& inputs) {
    auto file = GrowingFile::create(path, inputs);
    if (!file) return fail(file.error());
    if (file->direct())
        return fail(Error{.message = fmt::format("cannot write: {} counts its frames at the start, and a pipe cannot "
                                                 "go back; choose .ndjson",
                                                 std::filesystem::path(path).extension().string()),
                          .file = path});
    return CountedFile(std::move(*file), std::move(header));
}

Expected<void> CountedFile::append(std::string_view frame) {
    return file_.records() == 0 ? file_.append(header_(1) + std::string(frame)) : file_.append(frame);
}

}  // namespace clothlab::records
