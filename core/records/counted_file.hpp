#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/output.hpp"

namespace clothlab::records {

/// A file of frames after a header that says how many they are. The header goes out with the first frame, since a file
/// without a frame is no file, and is written anew for each: whatever ends the run, the count is true.
class CountedFile {
public:
    using Header = std::function<std::string(std::int64_t frames)>;  ///< as long for one count as for any other

    /// An Error for a pipe, too, which cannot go back to its start.
    static Expected<CountedFile> create(const std::string& path, Header header, const InputFiles& inputs);

    /// The whole frame or nothing of it. It counts from count() on: of several files, none counts what another has not.
    Expected<void> append(std::string_view frame);
    Expected<void> count() { return file_.replaceStart(header_(file_.records())); }
    Expected<void> finish() { return file_.finish(); }

private:
    CountedFile(GrowingFile file, Header header) : file_(std::move(file)), header_(std::move(header)) {}

    GrowingFile file_;
    Header header_;
};

}  // namespace clothlab::records
