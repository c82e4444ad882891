#include "records/zip.hpp"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "base/byte_stream.hpp"
#include "base/text.hpp"

namespace clothlab::records {
namespace {

constexpr std::uint32_t kLocal = 0x04034b50, kEntry = 0x02014b50, kEnd = 0x06054b50;
constexpr std::uint64_t kMost = 0xffffffff;
constexpr std::size_t kEndBytes = 22, kLocalBytes = 30, kMostComment = 0xffff;
constexpr std::uint16_t kVersion = 20, kStored = 0, kDeflated = 8, kEncrypted = 1, kMostMembers = 0xffff;
constexpr std::uint32_t kDate = 0x00210000;  // 1980-01-01, midnight

std::uint32_t checksum(std::string_view bytes) { return libdeflate_crc32(0, bytes.data(), bytes.size()); }

/// What the local header and the directory have in common.
void addFacts(ByteWriter& out, std::string_view name, std::string_view bytes) {
    out.number(kVersion);
    out.number(std::uint16_t(0));
    out.number(kStored);
    out.number(kDate);
    out.number(checksum(bytes));
    out.number(std::uint32_t(bytes.size()));
    out.number(std::uint32_t(bytes.size()));
    out.number(std::uint16_t(name.size()));
    out.number(std::uint16_t(0));
}

/// One archive being read; the first mistake ends it.
class ZipReader {
public:
    ZipReader(std::string_view bytes, const std::string& file, std::size_t mostBytes)
        : bytes_(bytes), file_(file), left_(mostBytes) {}

    Expected<std::vector<ZipMember>> read() {
        const std::size_t end = findEnd();
        if (end == bytes_.npos)
            return wrong("this is no zip archive, or it is cut off: it has no directory at its end");
        ByteReader tail(bytes_.substr(end + 8));
        const auto here = tail.number<std::uint16_t>(), all = tail.number<std::uint16_t>();
        (void)tail.number<std::uint32_t>();
        const auto at = tail.number<std::uint32_t>();
        if (here != all || all == kMostMembers) return wrong("the archive is split, or has more than 65,534 members");
        if (at > end) return wrong("the directory is said to lie beyond the end of the file");
        ByteReader directory(bytes_.substr(at, end - at));
        std::vector<ZipMember> members;
        for (int k = 0; k < int(all); ++k) {
            auto member = readMember(directory);
            if (!member) return fail(member.error());
            members.push_back(std::move(*member));
        }
        return members;
    }

private:
    tl::unexpected<Error> wrong(std::string message) const {
        return fail(Error{.message = std::move(message), .file = file_});
    }
    /// The record is the last thing but for a comment.
    std::size_t findEnd() const {
        if (bytes_.size() < kEndBytes) return bytes_.npos;
        const std::size_t last = bytes_.size() - kEndBytes, first = last - std::min(last, kMostComment);
        for (std::size_t at = last + 1; at-- > first;)
            if (ByteReader(bytes_.substr(at)).number<std::uint32_t>() == kEnd) return at;
        return bytes_.npos;
    }
    static std::string take(ByteReader& from, std::size_t count) {
        std::string out;
        for (std::size_t k = 0; k < count && !from.failed(); ++k) out.push_back(char(from.number<std::uint8_t>()));
        return out;
    }

    Expected<ZipMember> readMember(ByteReader& directory) {
        const bool begins = directory.number<std::uint32_t>() == kEntry;
        (void)directory.number<std::uint32_t>();  // versions
        const auto flags = directory.number<std::uint16_t>(), method = directory.number<std::uint16_t>();
        (void)directory.number<std::uint32_t>();  // date
        const auto sum = directory.number<std::uint32_t>();
        const auto packed = directory.number<std::uint32_t>(), size = directory.number<std::uint32_t>();
        const auto nameSize = directory.number<std::uint16_t>(), more = directory.number<std::uint16_t>(),
                   comment = directory.number<std::uint16_t>();
        (void)directory.number<std::uint64_t>();  // part, attributes
        const auto at = directory.number<std::uint32_t>();
        ZipMember member{.name = take(directory, nameSize), .bytes = {}};
        (void)take(directory, std::size_t(more) + comment);
        if (!begins || directory.failed()) return wrong("the directory of the archive is broken");
        const auto of = [&](std::string what) { return wrong(fmt::format("member {}: {}", shown(member.name), what)); };
        if (packed == kMost || size == kMost || at == kMost) return of("it is larger than 4 GiB");
        if (flags & kEncrypted) return of("it is encrypted");
        if (method != kStored && method != kDeflated)
            return of(
                fmt::format("it is packed by method {}: only stored (0) and deflated (8) members are read", method));
        ByteReader local(bytes_.substr(std::min<std::size_t>(at, bytes_.size())));
        const bool there = local.number<std::uint32_t>() == kLocal;
        (void)take(local, 22);
        const std::size_t skipped = std::size_t(local.number<std::uint16_t>()) + local.number<std::uint16_t>();
        const std::size_t from = at + kLocalBytes + skipped;
        if (!there || local.failed() || from > bytes_.size() || packed > bytes_.size() - from)
            return of(fmt::format("it is said to be at byte {}, and is not there", at));
        if (size > left_) return of("it is too large");
        left_ -= size;
        if (auto done = unpack(bytes_.substr(from, packed), method, size, member.bytes); !done) return of(done.error());
        if (checksum(member.bytes) != sum) return of("its bytes do not match its checksum");
        return member;
    }

    static tl::expected<void, std::string> unpack(std::string_view packed, std::uint16_t method, std::size_t size,
                                                  std::string& out) {
        if (method == kStored) {
            if (packed.size() != size) return tl::unexpected<std::string>("it is stored, and has two sizes");
            out.assign(packed);
            return {};
        }
        constexpr std::size_t kMostRatio = 1032;  // of deflate: a size beyond it is not true, and nothing is allocated
        if (size / kMostRatio > packed.size()) return tl::unexpected<std::string>("its size cannot be");
        out.resize(size);
        const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> unpacker(
            libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
        if (libdeflate_deflate_decompress(unpacker.get(), packed.data(), packed.size(), out.data(), size, nullptr) !=
            LIBDEFLATE_SUCCESS)
            return tl::unexpected<std::string>("it cannot be unpacked");
        return {};
    }

    std::string_view bytes_;
    const std::string& file_;
    std::size_t left_;  ///< bytes that members may still have
};

}  // namespace

Expected<std::string> zipText(std::span<const std::pair<std::string_view, std::string>> members) {
    std::uint64_t total = 0;
    for (const auto& [name, bytes] : members) total += 2 * (name.size() + 64) + bytes.size();
    if (total > kMost) return fail("this is more than 4 GiB, which an archive without Zip64 cannot hold");
    std::string out;
    out.reserve(total);
    ByteWriter directory;
    for (const auto& [name, bytes] : members) {
        const auto at = std::uint32_t(out.size());
        ByteWriter local;
        local.number(kLocal);
        addFacts(local, name, bytes);
        out.append(local.bytes()).append(name).append(bytes);

        ByteWriter entry;
        entry.number(kEntry);
        entry.number(kVersion);
        addFacts(entry, name, bytes);
        entry.number(std::uint16_t(0));  // comment
        entry.number(std::uint32_t(0));  // part, kind
        entry.number(std::uint32_t(0));  // attributes
        entry.number(at);
        for (const char c : entry.bytes()) directory.number(c);
        for (const char c : name) directory.number(c);
    }
    const auto at = std::uint32_t(out.size());
    out.append(directory.bytes());
    ByteWriter end;
    end.number(kEnd);
    end.number(std::uint32_t(0));
    end.number(std::uint16_t(members.size()));
    end.number(std::uint16_t(members.size()));
    end.number(std::uint32_t(directory.bytes().size()));
    end.number(at);
    end.number(std::uint16_t(0));
    return out.append(end.bytes());
}

Expected<std::vector<ZipMember>> readZip(std::string_view bytes, const std::string& file, std::size_t mostBytes) {
    return ZipReader(bytes, file, mostBytes).read();
}

}  // namespace clothlab::records
