#include "simulation/recording.hpp"

#include <fmt/format.h>

#include "base/input.hpp"
#include "base/text.hpp"
#include "simulation/recorded_lines.hpp"

namespace clothlab::simulation {
namespace {

constexpr InputLimits kRecordingLimits{.bytes = std::uintmax_t{4} << 30};

}  // namespace

std::string recordingHead() { return fmt::format("{{\"clothlab_recording\": {}}}", kRecordingVersion); }

Expected<Recording> readRecording(std::string_view text, const std::string& file) {
    Recording recording;
    int number = 0;
    bool head = false;
    for (std::size_t start = 0; start < text.size();) {
        ++number;
        const std::size_t end = text.find('\n', start);
        JsonReader line(text.substr(start, end == text.npos ? text.npos : end - start), file, {}, number);
        start = end == text.npos ? text.size() : end + 1;
        if (line.problem() && end == text.npos && head) {
            recording.note =
                fmt::format("{}:{}: the last line is cut off; what comes before it is replayed", shown(file), number);
            break;
        }
        if (!head)
            line.needVersion("clothlab_recording", kRecordingVersion, "recording");
        else if (auto event = readLine(line))
            recording.events.push_back(std::move(*event));
        if (line.problem()) return fail(*line.problem());
        head = true;
    }
    if (!head) return fail(Error{.message = "this is no recording: the file is empty", .file = file, .line = 1});
    return recording;
}

Expected<Recording> loadRecording(const std::string& path) {
    const auto text = readFile(path, kRecordingLimits);
    if (!text) return fail(text.error());
    return readRecording(*text, path);
}

}  // namespace clothlab::simulation
