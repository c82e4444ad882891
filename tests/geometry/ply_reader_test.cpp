#include "geometry/files/ply_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace clothlab::geometry {
namespace {

/// The bytes of numbers, as a file of that byte order has them.
class Bytes {
public:
    explicit Bytes(std::endian order) : order_(order) {}

    template <class T>
    Bytes& add(T value) {
        char bytes[sizeof(T)];
        std::memcpy(bytes, &value, sizeof(T));
        if (order_ != std::endian::native) std::reverse(bytes, bytes + sizeof(T));
        text.append(bytes, sizeof(T));
        return *this;
    }
    std::string text;

private:
    std::endian order_;
};

const std::string kPlyElements =
    "comment a square\nelement before 2\nproperty list uchar short what\nproperty double much\nelement vertex 4\n"
    "property uchar red\nproperty float x\nproperty double y\nproperty list ushort uchar more\nproperty short z\n"
    "property float s\nproperty float t\nelement face 2\nproperty float quality\nproperty list uchar uint "
    "vertex_indices\nobj_info more\nelement empty 99999999999\nelement after 1\nproperty int8 a\nend_header\n";

std::string binaryPly(std::endian order) {
    Bytes out(order);
    out.text = std::string("ply\nformat binary_") + (order == std::endian::big ? "big" : "little") + "_endian 1.0\n" +
               kPlyElements;
    out.add<std::uint8_t>(3).add<std::int16_t>(1).add<std::int16_t>(2).add<std::int16_t>(-3).add(1.5);
    out.add<std::uint8_t>(0).add(2.5);
    const float x[]{0, 1, 1, 0}, y[]{0, 0, 1, 1};
    for (int k = 0; k < 4; ++k) {
        out.add<std::uint8_t>(255).add(x[k]).add(double(y[k]));
        out.add<std::uint16_t>(2).add<std::uint8_t>(7).add<std::uint8_t>(8);
        out.add<std::int16_t>(-300).add(x[k] / 2).add(y[k] / 2);
    }
    for (const std::array<std::uint32_t, 3>& face : {std::array{0u, 1u, 2u}, std::array{0u, 2u, 3u}}) {
        out.add(0.5f).add<std::uint8_t>(3);
        for (const std::uint32_t corner : face) out.add(corner);
    }
    out.add<std::int8_t>(-1);
    return out.text;
}

std::string asciiPly(const std::string& end = "\n") {
    std::string text =
        "ply\nformat ascii 1.0\n" + kPlyElements +
        "3 1 2 -3 1.5\n0 2.5\n255 0 0 2 7 8 -300 0 0\n255 1 0 2 7 8 -300 0.5 0\n255 1.0 1e0 2 7 8 -300 0.5 "
        "0.5\n255 0 1 2 7 8 -300 0 0.5\n0.5 3 0 1 2\n0.5 3 0 2 3\n-1\n";
    for (std::size_t at = 0; end != "\n" && (at = text.find('\n', at)) != text.npos; at += end.size())
        text.replace(at, 1, end);
    return text;
}

TEST(PlyReader, AsciiAndBothByteOrdersAreTheSameMesh) {
    for (const std::string& text : {asciiPly(), asciiPly("\r\n"), asciiPly("\r"), binaryPly(std::endian::little),
                                    binaryPly(std::endian::big), "\xef\xbb\xbf" + asciiPly()}) {
        ASSERT_TRUE(isPly(text));
        const auto mesh = readMeshText(text, "t.ply");
        ASSERT_TRUE(mesh) << mesh.error().text();
        EXPECT_EQ(mesh->points, (std::vector<Vec3>{{0, 0, -300}, {1, 0, -300}, {1, 1, -300}, {0, 1, -300}}));
        EXPECT_EQ(mesh->triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
        ASSERT_EQ(mesh->textures.size(), 4u);
        EXPECT_EQ(mesh->textures[2], (TextureCoordinate{0.5, 0.5}));
        EXPECT_TRUE(mesh->notes.empty());
    }
}

const std::string kPlyHead =
    "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"
    "property list uchar int vertex_index\nend_header\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n";

TEST(PlyReader, PolygonsAreThoseOfObj) {
    const auto mesh = readPly(kPlyHead + "0.5 0.25 0\n4 0 1 2 4\n", "t.ply");
    ASSERT_TRUE(mesh) << mesh.error().text();
    EXPECT_EQ(mesh->triangles.size(), 2u);
    EXPECT_EQ(mesh->numberOf, (std::vector<Index>{0, 1, 2, 4}));
    EXPECT_EQ(mesh->notes, std::vector<std::string>{"point 4 is in no face and becomes no particle"});
    EXPECT_FALSE(readPly(kPlyHead + "0.5 0.25 0\n4 0 1 2 4\n", "t.ply", MeshReading::Strict));
    EXPECT_TRUE(readPly(kPlyHead + "nan 0 0\n4 0 1 2 3\n", "t.ply")) << "that point is in no face";
}

struct MalformedPly {
    std::string text;
    int line, column;
    std::string fragment;
};

TEST(PlyReader, MistakesAreNamedWithTheirPlace) {
    const std::string format = "ply\nformat ascii 1.0\n";
    const std::vector<MalformedPly> cases{
        {"ply", 1, 1, "the header has no end"},
        {"ply\nformat ascii 2.0\n", 2, 14, "version '2.0' of the format"},
        {"ply\nformat text 1.0\n", 2, 8, "unknown format 'text'"},
        {"ply\nend_header\n", 2, 1, "the header names no format"},
        {format + "elements vertex 3\n", 3, 1, "unknown keyword 'elements' in the header"},
        {format + "element vertex three\n", 3, 16, "an element has a name and a count"},
        {format + "property float x\n", 3, 1, "a property before the first element"},
        {format + "element vertex 3\nproperty floats x\n", 4, 10, "unknown type 'floats'"},
        {format + "element vertex 3\nproperty list float int x\n", 4, 15, "the length of a list is a whole number"},
        {format + "end_header\n", 3, 1, "the file has no point"},
        {format + "element vertex 3\nproperty float x\nend_header\n", 5, 1, "the file has no face"},
        {format + "element vertex 3\nproperty float x\nelement face 1\nend_header\n", 3, 1, "no x, y and z"},
        {format +
             "element vertex 1\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty int "
             "vertex_index\nend_header\n",
         7, 1, "a face has no list of its corners"},
        {format + "element vertex 99999999999\nproperty float x\nproperty float y\nproperty float z\nelement face "
                  "1\nproperty list uchar int vertex_index\nend_header\n",
         3, 1, "more than 4000000 points"},
        {format + "element vertex 3000000\nproperty float x\nproperty float y\nproperty float z\nelement face "
                  "1\nproperty list uchar int vertex_index\nend_header\n",
         3, 1, "no room for 3000000 elements"},
        {kPlyHead + "0 0 0\n4 0 1 2 5\n", 15, 9, "face 0 has a corner that is no vertex"},
        {kPlyHead + "0 0 0\n4 0 1 2 -1\n", 15, 9, "face 0 has a corner that is no vertex"},
        {kPlyHead + "0 0 0\n4 0 1 2 0.5\n", 15, 9, "face 0 has a corner that is no vertex"},
        {kPlyHead + "0 0 0\nfour 0 1 2 3\n", 15, 1, "the length of its list is no whole number"},
        {kPlyHead + "0 0 0\n4 0 1 2\n", 16, 1, "the file ends within face 0 of 1"},
        {kPlyHead + "0 y 0\n4 0 1 2 4\n", 14, 3, "y of vertex 4 is no number within range"},
        {kPlyHead + "0 0 2e6\n4 0 1 2 4\n", 14, 5, "z of vertex 4 is no number within range"},
        {kPlyHead + "0 0 0\n4 0 2 1 3\n", 15, 1, "the face crosses or touches itself"},
    };
    for (const MalformedPly& one : cases) {
        const auto mesh = readPly(one.text, "t.ply");
        ASSERT_FALSE(mesh) << one.text;
        const Error& e = mesh.error();
        EXPECT_EQ(std::pair(e.line, e.column), std::pair(one.line, one.column)) << one.text << e.text();
        EXPECT_NE(e.message.find(one.fragment), std::string::npos) << one.text << e.text();
    }
}

TEST(PlyReader, MistakesInABinaryFileNameTheByte) {
    const std::string whole = binaryPly(std::endian::little);
    const std::size_t data = whole.find("end_header") + 11;
    for (std::size_t size = data + 4;  // with less, the counts of the header are refused
         size < whole.size() - 1; ++size) {
        const auto mesh = readPly(whole.substr(0, size), "t.ply");
        ASSERT_FALSE(mesh) << size;
        EXPECT_EQ(mesh.error().message.find("byte "), 0u) << mesh.error().text();
        EXPECT_EQ(mesh.error().line, 0);
    }
    std::string corner = whole;
    corner[corner.size() - 2] = 9;  // the highest byte of the last corner
    const auto mesh = readPly(corner, "t.ply");
    ASSERT_FALSE(mesh);
    EXPECT_EQ(mesh.error().message,
              "byte " + std::to_string(whole.size() - 5) + ": face 1 has a corner that is no vertex");
}

}  // namespace
}  // namespace clothlab::geometry
