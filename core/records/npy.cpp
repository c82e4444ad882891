#include "records/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "base/text.hpp"

namespace clothlab::records {
namespace {

static_assert(std::endian::native == std::endian::little, "files say '<f8' and hold the memory as it is");

constexpr std::string_view kMagic = "\x93NUMPY";

template <class T>
std::string arrayText(std::string_view type, const std::string& shape, std::span<const T> values) {
    std::string out = npyHeader(type, shape);
    out.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    return out;
}

std::string tupleText(std::span<const std::int64_t> shape) {
    return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

/// "<f8" taken apart; size 0: none that is read.
struct ElementType {
    bool swapped = false;
    char kind = 0;
    std::size_t size = 0;
};

ElementType elementType(std::string_view type) {
    if (type.size() < 3 || std::string_view("<>|=").find(type[0]) == type.npos) return {};
    const auto size = parseWhole(type.substr(2));
    constexpr double kMost = 4096;
    if (!size || !within(double(*size), 1, kMost)) return {};
    const ElementType out{type[0] == '>', type[1], type[1] == 'U' ? 4 * std::size_t(*size) : std::size_t(*size)};
    const std::string_view sizes = out.kind == 'f' ? "48" : "1248";
    const bool number = std::string_view("fiub").find(out.kind) != std::string_view::npos;
    if (number && (out.size > 8 || sizes.find(char('0' + out.size)) == sizes.npos)) return {};
    return number || out.kind == 'S' || out.kind == 'U' ? out : ElementType{};
}

/// A header of Python's: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
class HeaderReader {
public:
    explicit HeaderReader(std::string_view text) : rest_(text) {}

    bool read(NpyArray& out) {
        bool type = false, order = false, shape = false;
        if (!take("{")) return false;
        while (!take("}")) {
            const auto key = quoted();
            if (!key || !take(":")) return false;
            if (*key == "descr")
                type = readText(out.type);
            else if (*key == "fortran_order")
                order = readTruth(out.fortranOrder);
            else if (*key == "shape")
                shape = readShape(out.shape);
            else
                return false;
            if (!take(",") && !rest_.starts_with("}")) return false;
        }
        skip();
        return type && order && shape && rest_.empty();
    }

private:
    void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
    bool take(std::string_view word) {
        skip();
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        skip();
        return true;
    }
    std::optional<std::string_view> quoted() {
        skip();
        if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) return {};
        const std::size_t end = rest_.find(rest_[0], 1);
        if (end == rest_.npos) return {};
        const std::string_view text = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        skip();
        return text;
    }
    bool readText(std::string& out) {
        const auto text = quoted();
        if (text) out = *text;
        return text.has_value();
    }
    bool readTruth(bool& out) {
        out = take("True");
        return out || take("False");
    }
    bool readShape(std::vector<std::int64_t>& out) {
        out.clear();
        if (!take("(")) return false;
        while (!take(")")) {
            const std::size_t end = rest_.find_first_not_of("0123456789");
            const auto number = parseWhole(rest_.substr(0, end));
            if (!number || out.size() == 32) return false;
            out.push_back(*number);
            rest_.remove_prefix(std::min(end, rest_.size()));
            if (!take(",") && !rest_.starts_with(")")) return false;
        }
        return true;
    }

    std::string_view rest_;
};

/// Reads a number of type T, with its bytes turned round where it asks for that.
template <class T>
T elementAt(const char* from, bool swapped) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, from, sizeof(T));
    if (swapped) std::reverse(bytes, bytes + sizeof(T));
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
}

template <class T, class Out>
std::vector<Out> elements(const NpyArray& array, bool swapped) {
    std::vector<Out> out(std::size_t(array.count()));
    for (std::size_t k = 0; k < out.size(); ++k)
        out[k] = Out(elementAt<T>(array.bytes.data() + k * sizeof(T), swapped));
    return out;
}

template <class Out>
std::optional<std::vector<Out>> wholes(const NpyArray& array) {
    const ElementType type = elementType(array.type);
    const auto as = [&]<class T>(T) { return elements<T, Out>(array, type.swapped); };
    if (type.kind == 'i') {
        if (type.size == 1) return as(std::int8_t{});
        if (type.size == 2) return as(std::int16_t{});
        return type.size == 4 ? as(std::int32_t{}) : as(std::int64_t{});
    }
    if (type.kind == 'u' || type.kind == 'b') {
        if (type.size == 1) return as(std::uint8_t{});
        if (type.size == 2) return as(std::uint16_t{});
        return type.size == 4 ? as(std::uint32_t{}) : as(std::uint64_t{});
    }
    return {};
}

}  // namespace

std::string npyHeader(std::string_view type, const std::string& shape) {
    constexpr std::size_t kLength = 192;  // a multiple of 64
    constexpr std::size_t kBefore = 10;   // magic, version and length
    std::string out("\x93NUMPY\x01\x00", 8);
    out.push_back(char((kLength - kBefore) & 0xff));
    out.push_back(char((kLength - kBefore) >> 8));
    out += fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shape);
    out.resize(kLength - 1, ' ');
    return out + '\n';
}

std::string npyText(std::span<const double> values, const std::vector<std::int64_t>& shape) {
    return arrayText("<f8", tupleText(shape), values);
}

std::string npyText(std::span<const std::int32_t> values) {
    return arrayText("<i4", fmt::format("({},)", values.size()), values);
}

std::string npyText(std::span<const std::int64_t> values) {
    return arrayText("<i8", fmt::format("({},)", values.size()), values);
}

std::string npyWord(std::string_view word) {
    return arrayText(fmt::format("|S{}", word.size()), "()", std::span<const char>(word));
}

std::int64_t NpyArray::count() const {
    std::int64_t all = std::ranges::find(shape, 0) == shape.end() ? 1 : 0;
    for (const std::int64_t n : shape) all *= all > 0 ? n : 0;
    return all;
}

std::string NpyArray::shapeText() const { return tupleText(shape); }

Expected<NpyArray> readNpy(std::string_view bytes, const std::string& file) {
    const auto wrong = [&](std::string what) { return fail(Error{.message = std::move(what), .file = file}); };
    if (!bytes.starts_with(kMagic)) return wrong("this is no file of NumPy's: it does not begin with \\x93NUMPY");
    const auto byte = [&](std::size_t at) { return std::size_t(static_cast<unsigned char>(bytes[at])); };
    if (bytes.size() < 12) return wrong("the file ends inside of its header");
    const std::size_t version = byte(6), from = version == 1 ? 10 : 12;
    if (version < 1 || version > 3)
        return wrong(fmt::format("this is version {} of the format: 1 to 3 are read", version));
    std::size_t length = byte(8) + (byte(9) << 8);
    if (version > 1) length += (byte(10) << 16) + (byte(11) << 24);
    if (length > bytes.size() - from) return wrong("the file ends inside of its header");
    NpyArray out;
    if (const std::string_view header = bytes.substr(from, length); !HeaderReader(header).read(out))
        return wrong(
            fmt::format("its header is {}, and has to be such as "
                        "{{'descr': '<f8', 'fortran_order': False, 'shape': (12,), }}",
                        shown(header)));
    const ElementType type = elementType(out.type);
    if (type.size == 0)
        return wrong(fmt::format("its values have the type '{}': numbers and words are read", shown(out.type)));
    out.bytes = bytes.substr(from + length);
    // More values than there are bytes for are counted as one too many, so that no product overflows.
    const std::size_t room = out.bytes.size() / type.size;
    std::size_t count = std::ranges::find(out.shape, 0) == out.shape.end() ? 1 : 0;
    for (const std::int64_t n : out.shape)
        count = n > 0 && count > room / std::size_t(n) ? room + 1 : count * std::size_t(n);
    if (count * type.size != out.bytes.size())
        return wrong(fmt::format("its header promises {} values of type '{}', and {} bytes follow", out.shapeText(),
                                 out.type, out.bytes.size()));
    return out;
}

Expected<std::vector<double>> toNumbers(const NpyArray& array, const std::string& file) {
    const ElementType type = elementType(array.type);
    if (type.kind == 'f' && type.size == 8) return elements<double, double>(array, type.swapped);
    if (type.kind == 'f' && type.size == 4) return elements<float, double>(array, type.swapped);
    if (auto out = wholes<double>(array)) return std::move(*out);
    return fail(Error{.message = fmt::format("its values have the type '{}', and are no numbers", shown(array.type)),
                      .file = file});
}

Expected<std::vector<std::int64_t>> toWholes(const NpyArray& array, const std::string& file) {
    if (auto out = wholes<std::int64_t>(array)) return std::move(*out);
    return fail(
        Error{.message = fmt::format("its values have the type '{}', and are no whole numbers", shown(array.type)),
              .file = file});
}

std::string toWord(const NpyArray& array) {
    const ElementType type = elementType(array.type);
    if (!array.shape.empty() || (type.kind != 'S' && type.kind != 'U') || type.swapped) return {};
    std::string out;
    for (std::size_t k = 0; k < array.bytes.size(); k += type.kind == 'U' ? 4 : 1)
        if (array.bytes[k] != 0) out.push_back(array.bytes[k]);
    return out;
}

}  // namespace clothlab::records
