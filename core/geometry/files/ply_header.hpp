#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/files/surface_maker.hpp"

namespace clothlab::geometry {

enum class PlyType : int { Int8, Uint8, Int16, Uint16, Int32, Uint32, Float32, Float64 };
/// Bytes of a number in a binary file.
std::size_t sizeOf(PlyType type);

/// The contents of the header of a PLY file.
struct PlyHeader {
    enum class Format { Ascii, LittleEndian, BigEndian };
    struct Property {
        std::string_view name;
        PlyType type;
        std::optional<PlyType> countType;  ///< of a list
    };
    struct Element {
        std::string_view name;
        std::int64_t count = 0;
        std::vector<Property> properties;
        FilePlace place;

        /// The property of that name, or -1.
        int find(std::string_view property) const;
        bool hasLists() const;
        /// The least size of one element in binary, bytes.
        std::size_t leastBytes() const;
    };

    Format format = Format::Ascii;
    std::vector<Element> elements;
    std::size_t end = 0;  ///< where the data begin
    int lines = 0;        ///< of the header
};

Expected<PlyHeader> readPlyHeader(std::string_view text, const std::string& file);

}  // namespace clothlab::geometry
