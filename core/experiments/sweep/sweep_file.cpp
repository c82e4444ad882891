#include "experiments/sweep/sweep_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/input.hpp"
#include "base/text.hpp"
#include "records/json_line.hpp"

namespace clothlab::experiments {
namespace {

/// How each line begins: half a line of anything else is not ours to drop.
constexpr std::string_view kStart = "{\"run\":";

std::string shownValue(const records::Value* value) {
    if (!value) return "nothing";
    const double* number = std::get_if<double>(value);
    return number ? fmt::format("{}", *number) : "'" + shown(std::get<std::string>(*value)) + "'";
}

/// What the line says of its sweep that this one would not say; empty if nothing.
std::string difference(const records::Entries& line, const records::Entries& identity) {
    for (const auto& [key, value] : identity) {
        const records::Value* found = records::findEntry(line, "sweep." + key);
        if (found && *found == value) continue;
        if (!found) return "it is not the file of a sweep";
        if (key == "scene") return "it belongs to another scene or to other settings (--set)";
        return fmt::format("it belongs to another sweep: {} {} there, {} here", key, shownValue(found),
                           shownValue(&value));
    }
    return {};
}

}  // namespace

Expected<SweepFile> SweepFile::open(const std::string& path, const records::Entries& identity, int runs,
                                    const InputFiles& inputs) {
    auto opened = AppendedFile::open(path, inputs);
    if (!opened) return fail(opened.error());
    SweepFile file(path, std::move(*opened), runs);
    if (file.file_.readable())
        if (auto done = file.read(identity); !done) return fail(done.error());
    return file;
}

Expected<void> SweepFile::read(const records::Entries& identity) {
    const auto content = readFile(path_, kJsonLines);
    if (!content) return fail(content.error());
    std::size_t keep = content->size();
    int number = 0;
    for (std::size_t start = 0; start < content->size();) {
        ++number;
        const std::size_t end = std::min(content->find('\n', start), content->size());
        const std::string_view line = std::string_view(*content).substr(start, end - start);
        const bool last = end + 1 >= content->size(), cut = end == content->size();
        const auto entries = records::readJsonLine(line);
        const auto refuse = [&](std::string_view why) {
            return fail(
                Error{.message = fmt::format("{}; --out takes a new file, or one that the same sweep has begun", why),
                      .file = path_,
                      .line = number});
        };
        if (cut || (!entries && last)) {
            if (!line.starts_with(kStart.substr(0, line.size()))) return refuse("this is not a line of a sweep");
            keep = start;
            break;
        }
        if (!entries) return refuse("this is not a line of a sweep");
        if (const std::string differs = difference(*entries, identity); !differs.empty()) return refuse(differs);
        const double run = records::findNumber(*entries, "run", -1);
        if (!within(run, 0, double(present_.size()) - 1) || run != std::floor(run))
            return refuse("its run number is not part of this sweep");
        const auto index = std::size_t(run);
        if (present_[index]) return refuse(fmt::format("run {} appears twice", index));
        present_[index] = true;
        start = end + 1;
    }
    dropped_ = keep < content->size();
    return file_.cutTo(keep);
}

}  // namespace clothlab::experiments
