#include "app/npy.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "base/input.hpp"

namespace clothlab::tests {

Npy readNpy(const std::string& path) {
    const std::string bytes = *readFile(path);
    Npy out;
    EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    const std::size_t length = static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
    EXPECT_EQ((10 + length) % 64, 0u);
    out.header = bytes.substr(10, length);
    EXPECT_EQ(out.header.back(), '\n');
    out.values.resize((bytes.size() - 10 - length) / 8);
    std::memcpy(out.values.data(), bytes.data() + 10 + length, 8 * out.values.size());
    return out;
}

}  // namespace clothlab::tests
