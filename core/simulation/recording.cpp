#include "simulation/recording.hpp"

#include <fmt/format.h>

#include "base/input.hpp"
#include "base/json.hpp"
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
    const auto refuse = [&](Error error, int column) {
        error.file = file;
        error.line = number;
        error.column = column;
        return fail(std::move(error));
    };
    for (std::size_t start = 0; start < text.size();) {
        ++number;
        const std::size_t end = text.find('\n', start);
        const std::string_view line = text.substr(start, end == text.npos ? text.npos : end - start);
        start = end == text.npos ? text.size() : end + 1;
        const auto root = parseJson(line, file);
        if (!root && end == text.npos && head) {
            recording.note =
                fmt::format("{}:{}: the last line is cut off; what comes before it is replayed", shown(file), number);
            break;
        }
        if (!root) return refuse({.message = root.error().message}, root.error().column);
        if (!head) {
            const JsonNode* version = root->kind == JsonNode::Kind::Object ? root->find("clothlab_recording") : nullptr;
            if (!version || !version->isNumber())
                return refuse({.message = "this is no recording", .choices = {recordingHead() + " in the first line"}},
                              1);
            if (version->number != kRecordingVersion)
                return refuse({.message = fmt::format("a recording of version {}; this program reads version {}",
                                                      version->number, kRecordingVersion)},
                              1);
            head = true;
            continue;
        }
        ReadLine read = readLine(*root);
        if (read.problem) return refuse(*read.problem, int(read.at) + 1);
        recording.events.push_back(std::move(*read.event));
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
