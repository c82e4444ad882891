#include "render/gl/png.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

namespace clothlab::app::render {
namespace {

using Byte = std::uint8_t;

/// What a row is written as: the difference from what its neighbours foretell (PNG, section 9).
enum class Filter : Byte { None, Sub, Up, Average, Paeth };
constexpr Filter kFilters[] = {Filter::None, Filter::Sub, Filter::Up, Filter::Average, Filter::Paeth};

/// libdeflate's level, 1 to 12: at 4 a dithered frame is half as large as stb_image_write's, in a seventh of the time.
constexpr int kPackLevel = 4;
/// The filter is chosen by bands of rows, packed as quickly as can be.
constexpr int kSamplePackLevel = 1, kSampleRows = 8, kSampleEvery = 128;

struct RowsOfBytes {
    std::size_t stride;  ///< bytes of a row
    int height, channels;
    const Byte* data;
    std::size_t filtered() const { return (stride + 1) * std::size_t(height); }
};

int foretold(int left, int up, int corner) {
    const int byLeft = std::abs(up - corner), byUp = std::abs(left - corner),
              byCorner = std::abs(left + up - 2 * corner);
    const int upOrCorner = byUp <= byCorner ? up : corner;
    return byLeft <= byUp && byLeft <= byCorner ? left : upOrCorner;
}

/// Rows from `first` on, filtered, behind each other.
void filterRows(const RowsOfBytes& pixels, Filter filter, int first, int rows, Byte* to) {
    const std::size_t stride = pixels.stride, step = std::size_t(pixels.channels);
    const std::vector<Byte> nothing(stride, 0);
    for (int y = first; y < first + rows; ++y) {
        const Byte* row = pixels.data + std::size_t(y) * stride;
        const Byte* up = y > 0 ? row - stride : nothing.data();
        *to++ = Byte(filter);
        // What lies left of the first pixel is zero.
        switch (filter) {
            case Filter::None:
                std::copy_n(row, stride, to);
                break;
            case Filter::Sub:
                std::copy_n(row, step, to);
                for (std::size_t k = step; k < stride; ++k) to[k] = Byte(row[k] - row[k - step]);
                break;
            case Filter::Up:
                for (std::size_t k = 0; k < stride; ++k) to[k] = Byte(row[k] - up[k]);
                break;
            case Filter::Average:
                for (std::size_t k = 0; k < step; ++k) to[k] = Byte(row[k] - up[k] / 2);
                for (std::size_t k = step; k < stride; ++k) to[k] = Byte(row[k] - (row[k - step] + up[k]) / 2);
                break;
            case Filter::Paeth:
                for (std::size_t k = 0; k < step; ++k) to[k] = Byte(row[k] - up[k]);
                for (std::size_t k = step; k < stride; ++k)
                    to[k] = Byte(row[k] - foretold(row[k - step], up[k], up[k - step]));
                break;
        }
        to += stride;
    }
}

/// Bytes that are written before they are read, and not cleared before.
struct Bytes {
    explicit Bytes(std::size_t room) : size(room), data(std::make_unique_for_overwrite<Byte[]>(room)) {}
    std::size_t size;  ///< those in use
    std::unique_ptr<Byte[]> data;
};

class Packer {
public:
    explicit Packer(int level) : packer_(libdeflate_alloc_compressor(level), libdeflate_free_compressor) {}
    bool ready() const { return packer_ != nullptr; }
    Bytes pack(const Bytes& from) const {
        Bytes to(libdeflate_zlib_compress_bound(packer_.get(), from.size));
        to.size = libdeflate_zlib_compress(packer_.get(), from.data.get(), from.size, to.data.get(), to.size);
        return to;
    }

private:
    std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> packer_;
};

/// The filter that makes a sample of the rows smallest. Dithered pictures pack best without one, smooth ones with.
Filter chooseFilter(const RowsOfBytes& pixels, const Packer& packer) {
    const int bands = (pixels.height + kSampleEvery - 1) / kSampleEvery;
    const auto rowsIn = [&](int band) { return std::min(kSampleRows, pixels.height - band * kSampleEvery); };
    Bytes sample((pixels.stride + 1) * std::size_t((bands - 1) * kSampleRows + rowsIn(bands - 1)));
    Filter best = Filter::None;
    std::size_t least = SIZE_MAX;
    for (const Filter filter : kFilters) {
        Byte* to = sample.data.get();
        for (int band = 0; band < bands; ++band) {
            filterRows(pixels, filter, band * kSampleEvery, rowsIn(band), to);
            to += (pixels.stride + 1) * std::size_t(rowsIn(band));
        }
        if (const std::size_t bytes = packer.pack(sample).size; bytes < least) {
            least = bytes;
            best = filter;
        }
    }
    return best;
}

void appendNumber(std::string& to, std::uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) to += char(number >> shift & 0xff);
}

/// Closes the chunk whose type begins at `start`: its checksum, and its length before it.
void closeChunk(std::string& png, std::size_t start) {
    const std::uint32_t length = std::uint32_t(png.size() - start - 4);
    for (std::size_t k = 0; k < 4; ++k) png[start - 4 + k] = char(length >> (24 - 8 * k) & 0xff);
    appendNumber(png, libdeflate_crc32(0, png.data() + start, png.size() - start));
}

std::size_t openChunk(std::string& png, std::string_view type) {
    appendNumber(png, 0);
    png += type;
    return png.size() - 4;
}

}  // namespace

Expected<std::string> encodePng(int width, int height, int channels, std::span<const std::uint8_t> data) {
    if (width <= 0 || height <= 0) return fail("the picture is empty");
    const RowsOfBytes pixels{std::size_t(width) * std::size_t(channels), height, channels, data.data()};
    constexpr std::size_t kMost = std::size_t(1) << 31;
    if (pixels.filtered() >= kMost) return fail("the picture is too large for a PNG");
    const Packer sampler(kSamplePackLevel), packer(kPackLevel);
    if (!sampler.ready() || !packer.ready()) return fail("there is no memory to pack the picture");

    Bytes rows(pixels.filtered());
    filterRows(pixels, chooseFilter(pixels, sampler), 0, height, rows.data.get());
    const Bytes packed = packer.pack(rows);

    std::string png = "\x89PNG\r\n\x1a\n";
    png.reserve(packed.size + 64);
    std::size_t chunk = openChunk(png, "IHDR");
    appendNumber(png, std::uint32_t(width));
    appendNumber(png, std::uint32_t(height));
    png += {char(8), char(channels == 4 ? 6 : 2), 0, 0, 0};  // bits, colours; nothing interlaced
    closeChunk(png, chunk);
    chunk = openChunk(png, "IDAT");
    png.append(reinterpret_cast<const char*>(packed.data.get()), packed.size);
    closeChunk(png, chunk);
    closeChunk(png, openChunk(png, "IEND"));
    return png;
}

}  // namespace clothlab::app::render
