#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "simulation/entries.hpp"

namespace clothlab::simulation {

/// The NDJSON file of a sweep, which grows by a line a run. A line is on its way to the disk when append returns, so that a
/// process that is killed loses no more than the run that it was in; a line that it left half is dropped by the next open.
class SweepFile {
public:
    /// Reads which runs the file has, if it is there. It is refused, untouched, when it holds anything but lines of a sweep
    /// of this identity.
    static Expected<SweepFile> open(const std::string& path, const Entries& identity, int runs);

    bool has(int run) const { return present_[static_cast<std::size_t>(run)]; }
    bool droppedHalfLine() const { return dropped_; }
    Expected<void> append(std::string_view line);

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    SweepFile(std::string path, int runs) : path_(std::move(path)), present_(static_cast<std::size_t>(runs), false) {}
    Expected<void> read(const Entries& identity);

    std::string path_;
    std::vector<bool> present_;
    bool dropped_ = false;
    std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace clothlab::simulation
