#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace clothlab {

/// FNV-1a over the bytes of what is added: equal states give equal hashes, at any number of threads.
class StateHash {
public:
    void bytes(const void* data, std::size_t size);
    template <class T>
    void value(const T& v) {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes(&v, sizeof v);
    }
    template <class T>
    void values(std::span<const T> v) {
        bytes(v.data(), v.size_bytes());
    }
    std::uint64_t digest() const { return digest_; }
    /// 16 hex digits, as reports print it.
    std::string text() const;

private:
    std::uint64_t digest_ = 14695981039346656037ull;
};

}  // namespace clothlab
