#include "base/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace clothlab {
namespace {

namespace fs = std::filesystem;

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

tl::unexpected<Error> cannotRead(const std::string& path, std::string_view why, int line = 0) {
    return fail(Error{.message = fmt::format("cannot read: {}", why), .file = path, .line = line});
}

std::string whyNot(int number) { return std::generic_category().message(number); }

/// Empty, or why something of this kind is not read.
std::string refusal(fs::file_type type, bool pipes) {
    switch (type) {
        case fs::file_type::fifo:
            return pipes ? "" : "this is a pipe";
        case fs::file_type::directory:
            return "this is a folder";
        case fs::file_type::block:
        case fs::file_type::character:
            return "this is a device";
        case fs::file_type::socket:
            return "this is a socket";
        default:
            return {};
    }
}

std::string bytesText(std::uintmax_t bytes) {
    return bytes % (1u << 20) == 0 ? fmt::format("{} MiB", bytes >> 20) : fmt::format("{} bytes", bytes);
}

/// Looks for the end of each line as the text grows, so that a line without end is refused before it is all there.
class LineWatch {
public:
    explicit LineWatch(std::size_t most) : most_(most) {}

    /// 0, or the number of a line that is too long.
    int tooLong(std::string_view text) {
        while (most_ > 0) {
            const std::size_t end = text.find('\n', std::max(start_, seen_));
            const std::size_t length = std::min(end, text.size()) - start_;
            if (length > most_) return number_;
            if (end == text.npos) break;
            start_ = end + 1;
            ++number_;
        }
        seen_ = text.size();
        return 0;
    }

private:
    std::size_t most_, start_ = 0, seen_ = 0;
    int number_ = 1;
};

}  // namespace

Expected<std::string> readFile(const std::string& path, const InputLimits& limits) {
    if (path.empty()) return fail("cannot read: the name of the file is empty");
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (status.type() == fs::file_type::none || status.type() == fs::file_type::not_found)
        return cannotRead(path, code.message());
    if (const std::string why = refusal(status.type(), limits.pipes); !why.empty()) return cannotRead(path, why);
    const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
    if (!file) return cannotRead(path, whyNot(errno));

    std::string content;
    const auto tooLarge = [&] {
        return cannotRead(path, fmt::format("it is larger than {}", bytesText(limits.bytes)));
    };
    if (const auto size = fs::file_size(path, code); !code) {
        if (size > limits.bytes) return tooLarge();
        content.reserve(size + 1);
    }
    LineWatch lines(limits.lineBytes);
    char buffer[1 << 16];
    for (;;) {
        errno = 0;
        const std::size_t count = std::fread(buffer, 1, sizeof buffer, file.get());
        content.append(buffer, count);
        if (content.size() > limits.bytes) return tooLarge();
        if (const int line = lines.tooLong(content); line > 0)
            return cannotRead(path, fmt::format("this line is longer than {}", bytesText(limits.lineBytes)), line);
        if (std::ferror(file.get())) return cannotRead(path, whyNot(errno));
        if (count < sizeof buffer) return content;
    }
}

bool somethingAt(const std::string& path) {
    std::error_code code;
    return fs::status(path, code).type() != fs::file_type::not_found;
}

TextPlace textPlace(std::string_view text, std::size_t byte) {
    const std::string_view before = text.substr(0, byte);
    const std::size_t lineStart = before.rfind('\n') + 1;  // npos + 1 is 0
    return {1 + int(std::count(before.begin(), before.end(), '\n')), 1 + int(before.size() - lineStart)};
}

}  // namespace clothlab
