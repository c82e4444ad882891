#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/output.hpp"

namespace clothlab::records {

/// A file of frames after a header with their number. The header is written with the first frame, since a file without
/// frames is invalid, and rewritten for each: however the run ends, the count is right.
class CountedFile {
public:
    using Header = std::function<std::string(std::int64_t frames)>;  ///< of the same length for every count

    /// An Error also for a pipe, which cannot seek.
    static Expected<CountedFile> create(const std::string& path, Header header, const InputFiles& inputs);

    /// Appends the whole frame or nothing. It counts once count() is called: several files then agree on the number.
    Expected<void> append(std::string_view frame);
    Expected<void> count() { return file_.replaceStart(header_(file_.records())); }
    Expected<void> finish() { return file_.finish(); }

private:
    CountedFile(GrowingFile file, Header header) : file_(std::move(file)), header_(std::move(header)) {}

    GrowingFile file_;
    Header header_;
};

}  // namespace clothlab::records
