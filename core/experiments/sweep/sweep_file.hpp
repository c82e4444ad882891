#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/appended_file.hpp"
#include "records/entries.hpp"

namespace clothlab::experiments {

/// The NDJSON file of a sweep, which grows by one line per run. A line is on its way to the disk when append returns,
/// so that a killed process loses no more than its current run; a partial line is dropped by the next open.
class SweepFile {
public:
    /// Reads which runs the file has, if it exists. It is refused, untouched, if it contains anything but lines of a
    /// sweep with this identity.
    static Expected<SweepFile> open(const std::string& path, const records::Entries& identity, int runs,
                                    const InputFiles& inputs);

    bool has(int run) const { return present_[run]; }
    bool droppedHalfLine() const { return dropped_; }
    Expected<void> append(std::string_view line) { return file_.line(line); }

private:
    SweepFile(std::string path, AppendedFile file, int runs)
        : path_(std::move(path)), present_(std::size_t(runs), false), file_(std::move(file)) {}
    Expected<void> read(const records::Entries& identity);

    std::string path_;
    std::vector<bool> present_;
    bool dropped_ = false;
    AppendedFile file_;
};

}  // namespace clothlab::experiments
