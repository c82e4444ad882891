#include "frames/film_file.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <optional>
#include <string_view>

#include "base/input.hpp"

namespace clothlab::app::frames {
namespace {

std::uint64_t bigEndian(const unsigned char* bytes, int count) {
    std::uint64_t value = 0;
    for (int k = 0; k < count; ++k) value = value << 8 | bytes[k];
    return value;
}

/// A box: where its content begins and where it ends.
struct Box {
    std::array<char, 4> type;
    std::uint64_t begin, end;
    bool is(std::string_view name) const { return std::string_view(type.data(), 4) == name; }
};

class Boxes {
public:
    explicit Boxes(const std::string& path) : file_(path, std::ios::binary | std::ios::ate) {
        size_ = file_ ? std::uint64_t(file_.tellg()) : 0;
    }
    std::uint64_t size() const { return size_; }

    bool read(std::uint64_t at, unsigned char* bytes, int count) {
        file_.clear();
        file_.seekg(static_cast<std::streamoff>(at));
        return static_cast<bool>(file_.read(reinterpret_cast<char*>(bytes), count));
    }

    /// The box at `at`, which has to end by `end`.
    std::optional<Box> boxAt(std::uint64_t at, std::uint64_t end) {
        unsigned char head[16];
        if (at + 8 > end || !read(at, head, 8)) return {};
        std::uint64_t length = bigEndian(head, 4), header = 8;
        if (length == 1) {
            if (!read(at + 8, head + 8, 8)) return {};
            length = bigEndian(head + 8, 8);
            header = 16;
        }
        if (length == 0) length = end - at;
        if (length < header || length > end - at) return {};
        return Box{{char(head[4]), char(head[5]), char(head[6]), char(head[7])}, at + header, at + length};
    }

    /// The first box of this type between two places.
    std::optional<Box> find(std::string_view type, std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t at = begin; at < end;) {
            const auto box = boxAt(at, end);
            if (!box) return {};
            if (box->is(type)) return box;
            at = box->end;
        }
        return {};
    }

private:
    std::ifstream file_;
    std::uint64_t size_ = 0;
};

}  // namespace

Expected<std::int64_t> filmFrames(const std::string& path) {
    Boxes boxes(path);
    const auto broken = [&](std::string_view what) {
        return fail(Error{.message = fmt::format("the film is not whole: {}", what), .file = path});
    };
    if (boxes.size() == 0) return broken("it is empty");
    for (std::uint64_t at = 0; at < boxes.size();) {
        const auto box = boxes.boxAt(at, boxes.size());
        if (!box) return broken("it ends in the middle of a part");
        at = box->end;
    }
    std::optional<Box> box = Box{{}, 0, boxes.size()};
    for (const std::string_view type : {"moov", "trak", "mdia", "minf", "stbl", "stsz"}) {
        box = boxes.find(type, box->begin, box->end);
        if (!box) return broken("it has no index of its frames");
    }
    unsigned char count[4];
    if (!boxes.read(box->begin + 8, count, 4)) return broken("its index is cut off");
    return std::int64_t(bigEndian(count, 4));
}

Expected<std::int64_t> gifFrames(const std::string& path) {
    const auto read = readFile(path, {.bytes = std::size_t(4) << 30});
    if (!read) return fail(read.error());
    return gifFramesIn(*read);
}

}  // namespace clothlab::app::frames
