#include "geometry/files/ply_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace clothlab::geometry {
namespace {

struct TypeName {
    std::string_view name;
    PlyType type;
};
constexpr std::array kTypes{
    TypeName{"char", PlyType::Int8},      TypeName{"int8", PlyType::Int8},       TypeName{"uchar", PlyType::Uint8},
    TypeName{"uint8", PlyType::Uint8},    TypeName{"short", PlyType::Int16},     TypeName{"int16", PlyType::Int16},
    TypeName{"ushort", PlyType::Uint16},  TypeName{"uint16", PlyType::Uint16},   TypeName{"int", PlyType::Int32},
    TypeName{"int32", PlyType::Int32},    TypeName{"uint", PlyType::Uint32},     TypeName{"uint32", PlyType::Uint32},
    TypeName{"float", PlyType::Float32},  TypeName{"float32", PlyType::Float32}, TypeName{"double", PlyType::Float64},
    TypeName{"float64", PlyType::Float64}};

/// The header, line by line and word by word.
class HeaderReader {
public:
    HeaderReader(std::string_view text, const std::string& file) : text_(text), file_(file) {
        if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
        // As the first line ends, so do the others; in a binary file the first byte of the data may be a line feed.
        const std::size_t end = text_.find_first_of("\r\n", at_);
        if (end == text_.npos) return;
        ending_ = text_.substr(end, text_.substr(end).starts_with("\r\n") ? 2 : 1);
    }

    Expected<PlyHeader> read() {
        nextLine();  // "ply"
        bool formatKnown = false;
        while (nextLine()) {
            const std::string_view keyword = word();
            Expected<void> done;
            if (keyword == "end_header") {
                if (!formatKnown) return wrong("the header names no format", {"format ascii 1.0"});
                header_.end = at_;
                header_.lines = number_;
                return std::move(header_);
            }
            if (keyword == "format") {
                done = readFormat();
                formatKnown = true;
            } else if (keyword == "element") {
                done = readElement();
            } else if (keyword == "property") {
                done = readProperty();
            } else if (!keyword.empty() && keyword != "comment" && keyword != "obj_info") {
                return wrong(fmt::format("unknown keyword '{}' in the header", shown(keyword)),
                             {"format", "element", "property", "comment", "obj_info", "end_header"});
            }
            if (!done) return fail(done.error());
        }
        return wrong("the header has no end", {"end_header"});
    }

private:
    tl::unexpected<Error> wrong(std::string message, std::vector<std::string> choices = {}) const {
        return fail(mistakeAt(place(), file_, std::move(message), std::move(choices)));
    }
    FilePlace place() const { return {.line = std::max(number_, 1), .column = column_}; }
    bool nextLine() {
        if (at_ >= text_.size()) return false;
        const std::size_t end = ending_.empty() ? text_.npos : text_.find(ending_, at_);
        line_ = text_.substr(at_, end - at_);
        at_ = end == text_.npos ? text_.size() : end + ending_.size();
        ++number_;
        inLine_ = 0;
        column_ = 1;
        return true;
    }
    std::string_view word() {
        constexpr std::string_view kBlanks = " \t\r";
        inLine_ = std::min(line_.find_first_not_of(kBlanks, inLine_), line_.size());
        column_ = int(inLine_) + 1;
        const std::size_t end = std::min(line_.find_first_of(kBlanks, inLine_), line_.size());
        const std::string_view word = line_.substr(inLine_, end - inLine_);
        inLine_ = end;
        return word;
    }
    Expected<void> readFormat() {
        const std::string_view format = word();
        if (format == "ascii")
            header_.format = PlyHeader::Format::Ascii;
        else if (format == "binary_little_endian")
            header_.format = PlyHeader::Format::LittleEndian;
        else if (format == "binary_big_endian")
            header_.format = PlyHeader::Format::BigEndian;
        else
            return wrong(fmt::format("unknown format '{}'", shown(format)),
                         {"ascii", "binary_little_endian", "binary_big_endian"});
        if (const std::string_view version = word(); version != "1.0")
            return wrong(fmt::format("version '{}' of the format", shown(version)), {"1.0"});
        return {};
    }
    Expected<void> readElement() {
        PlyHeader::Element element;
        element.place = {.line = number_, .column = 1};
        element.name = word();
        const auto count = parseWhole(word());
        if (element.name.empty() || !count || *count < 0)
            return wrong("an element has a name and a count", {"element vertex 8"});
        constexpr std::size_t kMostElements = 1000;
        if (header_.elements.size() == kMostElements) return wrong(fmt::format("more than {} elements", kMostElements));
        element.count = *count;
        header_.elements.push_back(std::move(element));
        return {};
    }
    Expected<PlyType> readType() {
        const std::string_view name = word();
        const auto found =
            std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeName& t) { return t.name == name; });
        if (found != kTypes.end()) return found->type;
        std::vector<std::string> valid;
        for (const TypeName& type : kTypes) valid.emplace_back(type.name);
        return wrong(fmt::format("unknown type '{}'", shown(name)), std::move(valid));
    }
    Expected<void> readProperty() {
        if (header_.elements.empty()) return wrong("a property before the first element", {"element vertex 8"});
        PlyHeader::Property property{};
        const std::string_view before = line_;
        const std::size_t start = inLine_;
        if (word() == "list") {
            const auto countType = readType();
            if (!countType) return fail(countType.error());
            if (*countType == PlyType::Float32 || *countType == PlyType::Float64)
                return wrong("the length of a list is a whole number", {"property list uchar int vertex_indices"});
            property.countType = *countType;
        } else {
            line_ = before;
            inLine_ = start;
        }
        const auto type = readType();
        if (!type) return fail(type.error());
        property.type = *type;
        property.name = word();
        if (property.name.empty()) return wrong("a property has a name", {"property float x"});
        header_.elements.back().properties.push_back(property);
        return {};
    }

    std::string_view text_;
    const std::string& file_;
    std::string_view ending_, line_;
    std::size_t at_ = 0, inLine_ = 0;
    int number_ = 0, column_ = 1;
    PlyHeader header_;
};

}  // namespace

std::size_t sizeOf(PlyType type) {
    constexpr std::array<std::size_t, 8> kSizes{1, 1, 2, 2, 4, 4, 4, 8};
    return kSizes[int(type)];
}

int PlyHeader::Element::find(std::string_view property) const {
    for (std::size_t k = 0; k < properties.size(); ++k)
        if (properties[k].name == property) return int(k);
    return -1;
}

bool PlyHeader::Element::hasLists() const {
    return std::any_of(properties.begin(), properties.end(), [](const Property& p) { return p.countType.has_value(); });
}

std::size_t PlyHeader::Element::leastBytes() const {
    std::size_t bytes = 0;
    for (const Property& p : properties) bytes += sizeOf(p.countType.value_or(p.type));
    return bytes;
}

Expected<PlyHeader> readPlyHeader(std::string_view text, const std::string& file) {
    return HeaderReader(text, file).read();
}

}  // namespace clothlab::geometry
