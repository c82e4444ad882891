#include "geometry/files/ply_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/text.hpp"
#include "geometry/files/ply_header.hpp"

namespace clothlab::geometry {
namespace {

/// The numbers after the header, one after the other.
class PlyNumbers {
public:
    PlyNumbers(std::string_view text, const PlyHeader& header)
        : text_(text), format_(header.format), at_(header.end), line_(header.lines + 1), lineStart_(header.end) {}

    bool isAscii() const { return format_ == PlyHeader::Format::Ascii; }
    std::size_t left() const { return text_.size() - at_; }
    void skipBytes(std::size_t bytes) { at_ += bytes; }
    /// Where the last number stands.
    FilePlace place() const {
        if (!isAscii()) return {.byte = start_};
        return {.line = line_, .column = int(start_ - lineStart_) + 1};
    }
    /// False at the end of the file; what is no number is NaN, and word() tells.
    bool next(PlyType type, double& value) { return isAscii() ? nextWord(value) : nextBytes(type, value); }
    std::string_view word() const { return word_; }

private:
    bool nextWord(double& value) {
        constexpr std::string_view kBlanks = " \t\r\n\f\v";
        while (at_ < text_.size() && kBlanks.find(text_[at_]) != kBlanks.npos) {
            // An old Mac ends its lines with a carriage return.
            const bool ends = text_[at_] == '\n' || (text_[at_] == '\r' && text_.substr(at_ + 1, 1) != "\n");
            ++at_;
            if (ends) ++line_, lineStart_ = at_;
        }
        start_ = at_;
        if (at_ >= text_.size()) return false;
        at_ = std::min(text_.find_first_of(kBlanks, at_), text_.size());
        word_ = text_.substr(start_, at_ - start_);
        value = parseNumber(word_).value_or(kNoNumber);
        return true;
    }
    template <class T>
    double decodeNumber(bool reversed) const {
        std::array<char, sizeof(T)> bytes;
        std::memcpy(bytes.data(), text_.data() + start_, sizeof(T));
        if (reversed) std::reverse(bytes.begin(), bytes.end());
        return double(std::bit_cast<T>(bytes));
    }
    double decodeNumber(PlyType type) const {
        const bool little = format_ == PlyHeader::Format::LittleEndian;
        const bool reversed = little != (std::endian::native == std::endian::little);
        switch (type) {
            case PlyType::Int8:
                return decodeNumber<std::int8_t>(reversed);
            case PlyType::Uint8:
                return decodeNumber<std::uint8_t>(reversed);
            case PlyType::Int16:
                return decodeNumber<std::int16_t>(reversed);
            case PlyType::Uint16:
                return decodeNumber<std::uint16_t>(reversed);
            case PlyType::Int32:
                return decodeNumber<std::int32_t>(reversed);
            case PlyType::Uint32:
                return decodeNumber<std::uint32_t>(reversed);
            case PlyType::Float32:
                return decodeNumber<float>(reversed);
            case PlyType::Float64:
                return decodeNumber<double>(reversed);
        }
        return kNoNumber;
    }
    bool nextBytes(PlyType type, double& value) {
        start_ = at_;
        if (left() < sizeOf(type)) return false;
        value = decodeNumber(type);
        at_ += sizeOf(type);
        return true;
    }

    std::string_view text_, word_;
    PlyHeader::Format format_;
    std::size_t at_ = 0, start_ = 0;
    int line_ = 1;
    std::size_t lineStart_ = 0;
};

/// One file being read; the first mistake ends it.
class PlyReader {
public:
    PlyReader(std::string_view text, const std::string& file, PlyHeader&& header, MeshReading reading)
        : file_(file), header_(std::move(header)), reading_(reading), numbers_(text, header_) {}

    Expected<FileMesh> read() {
        if (auto done = checkElements(); !done) return fail(done.error());
        for (const PlyHeader::Element& element : header_.elements) {
            auto done = &element == vertices_ ? readVertices() : &element == faces_ ? readFaces() : passOver(element);
            if (!done) return fail(done.error());
        }
        return makeSurface(std::move(soup_), file_, reading_, {});
    }

private:
    using Element = PlyHeader::Element;

    tl::unexpected<Error> wrong(const FilePlace& place, std::string message,
                                std::vector<std::string> choices = {}) const {
        return fail(mistakeAt(place, file_, std::move(message), std::move(choices)));
    }
    Expected<void> checkElements();
    Expected<double> number(PlyType type, const Element& element, std::int64_t k);
    Expected<std::int64_t> listLength(const PlyHeader::Property& list, const Element& element, std::int64_t k);
    Expected<void> passOver(const PlyHeader::Property& property, const Element& element, std::int64_t k);
    Expected<void> passOver(const Element& element);
    Expected<void> readVertices();
    void addVertex(const double (&values)[5], const FilePlace& place, std::int64_t k);
    Expected<void> readFaces();
    Expected<void> readCorners(const PlyHeader::Property& list, std::int64_t k);

    const std::string& file_;
    const PlyHeader header_;
    const MeshReading reading_;
    PlyNumbers numbers_;
    const Element *vertices_ = nullptr, *faces_ = nullptr;
    int corners_ = -1;  // the list among the properties of a face
    int slots_[5];      // x, y, z and the texture coordinate among those of a vertex, or -1
    std::int64_t triangles_ = 0;
    PolygonSoup soup_;
};

Expected<void> PlyReader::checkElements() {
    for (const Element& element : header_.elements) {
        if (element.name == "vertex" && !vertices_) vertices_ = &element;
        if (element.name == "face" && !faces_) faces_ = &element;
    }
    const FilePlace end{.line = header_.lines, .column = 1};
    if (!vertices_ || vertices_->count == 0) return wrong(end, "the file has no point", {"element vertex 8"});
    if (!faces_ || faces_->count == 0) return wrong(end, "the file has no face", {"element face 6"});
    const auto slot = [&](std::initializer_list<std::string_view> names) {
        for (const std::string_view name : names)
            if (const int at = vertices_->find(name); at >= 0 && !vertices_->properties[at].countType) return at;
        return -1;
    };
    const int slots[5]{slot({"x"}), slot({"y"}), slot({"z"}), slot({"s", "u", "texture_u"}),
                       slot({"t", "v", "texture_v"})};
    std::copy(std::begin(slots), std::end(slots), slots_);
    if (slots_[0] < 0 || slots_[1] < 0 || slots_[2] < 0)
        return wrong(vertices_->place, "a vertex has no x, y and z", {"property float x"});
    corners_ = std::max(faces_->find("vertex_indices"), faces_->find("vertex_index"));
    if (corners_ < 0 || !faces_->properties[corners_].countType)
        return wrong(faces_->place, "a face has no list of its corners", {"property list uchar int vertex_indices"});
    if (vertices_->count > kMostMeshPoints)
        return wrong(vertices_->place, fmt::format("the file has more than {} points", kMostMeshPoints));
    if (faces_->count > kMostMeshTriangles)
        return wrong(faces_->place, fmt::format("the file has more than {} triangles", kMostMeshTriangles));
    // A number takes a byte at least: a count beyond that is a lie, and nothing is allocated for it.
    for (const Element* element : {vertices_, faces_})
        if (std::uint64_t(element->count) > numbers_.left())
            return wrong(element->place, fmt::format("the file has no room for {} elements", element->count));
    return {};
}

/// The next number, of element k.
Expected<double> PlyReader::number(PlyType type, const Element& element, std::int64_t k) {
    double value = 0;
    if (numbers_.next(type, value)) return value;
    return wrong(numbers_.place(),
                 fmt::format("the file ends within {} {} of {}", shown(element.name), k, element.count));
}

Expected<std::int64_t> PlyReader::listLength(const PlyHeader::Property& list, const Element& element, std::int64_t k) {
    const auto length = number(*list.countType, element, k);
    if (!length) return fail(length.error());
    if (within(*length, 0, double(std::numeric_limits<std::uint32_t>::max())) && *length == std::floor(*length))
        return std::int64_t(*length);
    return wrong(numbers_.place(),
                 fmt::format("{} {}: the length of its list is no whole number from 0 on", shown(element.name), k));
}

Expected<void> PlyReader::passOver(const PlyHeader::Property& property, const Element& element, std::int64_t k) {
    std::int64_t length = 1;
    if (property.countType) {
        const auto listed = listLength(property, element, k);
        if (!listed) return fail(listed.error());
        length = *listed;
    }
    for (std::int64_t n = 0; n < length; ++n)
        if (const auto value = number(property.type, element, k); !value) return fail(value.error());
    return {};
}

Expected<void> PlyReader::passOver(const Element& element) {
    if (element.properties.empty()) return {};
    if (!numbers_.isAscii() && !element.hasLists()) {
        const std::size_t each = element.leastBytes();
        if (std::uint64_t(element.count) > numbers_.left() / each)
            return wrong(element.place, fmt::format("the file has no room for {} elements", element.count));
        numbers_.skipBytes(std::size_t(element.count) * each);
        return {};
    }
    for (std::int64_t k = 0; k < element.count; ++k)
        for (const PlyHeader::Property& property : element.properties)
            if (auto done = passOver(property, element, k); !done) return done;
    return {};
}

Expected<void> PlyReader::readVertices() {
    soup_.points.reserve(std::size_t(vertices_->count));
    const auto properties = int(vertices_->properties.size());
    for (std::int64_t k = 0; k < vertices_->count; ++k) {
        double values[5]{kNoNumber, kNoNumber, kNoNumber, kNoNumber, kNoNumber};
        FilePlace place;  // of x, or of the first coordinate that is none
        bool wrongHere = false;
        for (int p = 0; p < properties; ++p) {
            const int* slot = std::find(std::begin(slots_), std::end(slots_), p);
            if (slot == std::end(slots_)) {
                if (auto done = passOver(vertices_->properties[p], *vertices_, k); !done) return done;
                continue;
            }
            const auto value = number(vertices_->properties[p].type, *vertices_, k);
            if (!value) return fail(value.error());
            const auto which = std::size_t(slot - std::begin(slots_));
            values[which] = *value;
            const bool good = which > 2 || within(*value, -kFarthestMeshPoint, kFarthestMeshPoint);
            if (which == 0 || (!good && !wrongHere)) place = numbers_.place();
            wrongHere |= !good;
        }
        addVertex(values, place, k);
    }
    return {};
}

void PlyReader::addVertex(const double (&values)[5], const FilePlace& place, std::int64_t k) {
    Vec3 point(values[0], values[1], values[2]);
    const auto* bad = std::find_if(
        values, values + 3, [](double value) { return !within(value, -kFarthestMeshPoint, kFarthestMeshPoint); });
    if (bad != values + 3) {
        soup_.addWrongPoint(mistakeAt(place, file_,
                                      fmt::format("{} of vertex {} is no number within range", "xyz"[bad - values], k),
                                      {fmt::format("-{0:.0f} .. {0:.0f}", kFarthestMeshPoint)}));
        point.setConstant(kNoNumber);
    }
    soup_.points.push_back(point);
    soup_.textures.push_back({values[3], values[4]});
    if (reading_ == MeshReading::Strict) soup_.pointPlace.push_back(place);
}

Expected<void> PlyReader::readFaces() {
    for (std::int64_t k = 0; k < faces_->count; ++k)
        for (int p = 0; p < int(faces_->properties.size()); ++p) {
            const PlyHeader::Property& property = faces_->properties[p];
            auto done = p == corners_ ? readCorners(property, k) : passOver(property, *faces_, k);
            if (!done) return done;
        }
    return {};
}

Expected<void> PlyReader::readCorners(const PlyHeader::Property& list, std::int64_t k) {
    const auto length = listLength(list, *faces_, k);
    if (!length) return fail(length.error());
    const FilePlace place = numbers_.place();
    triangles_ += std::max<std::int64_t>(*length - 2, 0);
    if (triangles_ > kMostMeshTriangles)
        return wrong(place, fmt::format("the file has more than {} triangles", kMostMeshTriangles));
    for (std::int64_t n = 0; n < *length; ++n) {
        const auto corner = number(list.type, *faces_, k);
        if (!corner) return fail(corner.error());
        if (!within(*corner, 0, double(vertices_->count - 1)) || *corner != std::floor(*corner))
            return wrong(numbers_.place(), fmt::format("face {} has a corner that is no vertex", k),
                         {fmt::format("0 .. {}", vertices_->count - 1)});
        soup_.corners.push_back(Index(*corner));
    }
    soup_.faceEnd.push_back(soup_.corners.size());
    soup_.facePlace.push_back(place);
    return {};
}

}  // namespace

bool isPly(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    return text.starts_with("ply") && (text.size() == 3 || text[3] == '\n' || text[3] == '\r' || text[3] == ' ');
}

Expected<FileMesh> readPly(std::string_view text, const std::string& file, MeshReading reading) {
    auto header = readPlyHeader(text, file);
    if (!header) return fail(header.error());
    return PlyReader(text, file, std::move(*header), reading).read();
}

}  // namespace clothlab::geometry
