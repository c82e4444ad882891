#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace clothlab {

template <class T>
concept ByteNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// Writes numbers and texts one after another, little-endian as on this kind of processor: for files that are read back
/// to the last bit.
class ByteWriter {
public:
    template <ByteNumber T>
    void number(T value) {
        if constexpr (std::same_as<T, bool>)
            bytes_.push_back(value ? '\1' : '\0');
        else
            bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    /// The number of elements that follow.
    void count(std::size_t n) { number(std::uint64_t(n)); }
    void text(std::string_view value) {
        count(value.size());
        bytes_.append(value);
    }
    const std::string& bytes() const { return bytes_; }

private:
    std::string bytes_;
};

/// Reads the output of a ByteWriter. Once bytes are missing, everything after them is zero or empty and failed() is
/// true; a count never exceeds what the remaining bytes can hold.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) : left_(bytes) {}

    template <ByteNumber T>
    T number() {
        if constexpr (std::same_as<T, bool>) return number<std::uint8_t>() != 0;
        T value{};
        if (left_.size() < sizeof value) return fail(), T{};
        std::memcpy(&value, left_.data(), sizeof value);
        left_.remove_prefix(sizeof value);
        return value;
    }
    /// The number of elements that follow, each of at least `least` bytes.
    std::size_t count(std::size_t least) {
        const auto n = number<std::uint64_t>();
        if (n > left_.size() / (least > 0 ? least : 1)) return fail(), 0;
        return std::size_t(n);
    }
    std::string text() {
        const std::size_t n = count(1);
        std::string value(left_.substr(0, n));
        left_.remove_prefix(n);
        return value;
    }
    bool failed() const { return failed_; }
    bool atEnd() const { return left_.empty(); }

private:
    void fail() {
        failed_ = true;
        left_ = {};
    }

    std::string_view left_;
    bool failed_ = false;
};

}  // namespace clothlab
