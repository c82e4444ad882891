#include "geometry/files/obj_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.hpp"
#include "geometry/files/obj_words.hpp"
#include "geometry/files/word_counts.hpp"

namespace clothlab::geometry {
namespace {

/// Keywords that say nothing about the surface, or only how it looks.
constexpr std::string_view kPassedOver[] = {"vn",       "vp",       "g",      "o",          "s",        "mg",
                                            "usemtl",   "mtllib",   "usemap", "maplib",     "p",        "bevel",
                                            "c_interp", "d_interp", "lod",    "shadow_obj", "trace_obj"};

/// A corner of a face: its point, and its texture coordinate or -1, both from 0.
struct Corner {
    Index point, texture;
};

/// One file being read; the first mistake ends it.
class ObjReader {
public:
    ObjReader(std::string_view text, const std::string& file, MeshReading reading)
        : text_(text), file_(file), reading_(reading), strict_(reading == MeshReading::Strict) {}

    Expected<FileMesh> read() {
        for (auto part : {&ObjReader::count, &ObjReader::readLines})
            if (auto done = (this->*part)(); !done) return fail(done.error());
        copyTextures();
        auto mesh = makeSurface(std::move(soup_), file_, reading_, notes());
        if (mesh && !seams_.empty()) addSeams(*mesh);
        return mesh;
    }

private:
    struct Counts {
        Index points = 0, textures = 0, normals = 0;
        std::int64_t triangles = 0;
    };

    Error mistake(const FilePlace& place, std::string message, std::vector<std::string> choices = {}) const {
        return mistakeAt(place, file_, std::move(message), std::move(choices));
    }
    tl::unexpected<Error> wrong(const FilePlace& place, std::string message,
                                std::vector<std::string> choices = {}) const {
        return fail(mistake(place, std::move(message), std::move(choices)));
    }

    Expected<void> count();
    Expected<void> readLines();
    Expected<void> readLine(std::string_view keyword, ObjWords& words);
    Expected<void> readPoint(ObjWords& words);
    Expected<void> readTexture(ObjWords& words);
    Expected<void> readFace(ObjWords& words);
    Expected<void> readSeam(ObjWords& words);
    Expected<int> readNumbers(ObjWords& words, std::span<double> numbers, int needed, std::string_view form) const;
    Expected<Corner> readCorner(std::string_view word, const FilePlace& place);
    Expected<Index> readIndex(std::string_view word, const FilePlace& place, std::string_view keyword, Index all,
                              Index above) const;
    void copyTextures();
    void addSeams(FileMesh& mesh) const;
    std::vector<std::string> notes() const;

    std::string_view text_;
    const std::string& file_;
    const MeshReading reading_;
    const bool strict_;
    Counts all_, above_;  // of the file, and of what lies above the line
    PolygonSoup soup_;
    std::vector<TextureCoordinate> textures_;
    std::vector<Index> textureOf_;  // of each point, or -1
    WordCounts unknown_;
    std::vector<std::array<Index, 2>> seams_;  // points of the file
    std::size_t withoutTexture_ = 0, withoutPoint_ = 0;
    FilePlace last_{.line = 1, .column = 1}, firstUnknown_, firstWithoutTexture_, firstWithoutPoint_;
};

Expected<void> ObjReader::count() {
    ObjWords words(text_, reading_);
    while (words.nextLine()) {
        const std::string_view keyword = words.next();
        const FilePlace place = words.place();
        last_ = place;
        if (keyword == "v" && ++all_.points > kMostMeshPoints)
            return wrong(place, fmt::format("the file has more than {} points", kMostMeshPoints));
        if (keyword == "vt" && ++all_.textures > 2 * kMostMeshTriangles)
            return wrong(place, fmt::format("the file has more than {} texture coordinates", 2 * kMostMeshTriangles));
        if (keyword == "vn" && ++all_.normals > 2 * kMostMeshTriangles)
            return wrong(place, fmt::format("the file has more than {} normals", 2 * kMostMeshTriangles));
        std::int64_t corners = 0;
        while (!words.next().empty()) ++corners;
        if (keyword == "f") all_.triangles += std::max<std::int64_t>(corners - 2, 0);
        if (all_.triangles > kMostMeshTriangles)
            return wrong(place, fmt::format("the file has more than {} triangles", kMostMeshTriangles));
    }
    soup_.points.reserve(all_.points);
    textureOf_.assign(all_.points, -1);
    textures_.reserve(all_.textures);
    return {};
}

Expected<void> ObjReader::readLines() {
    ObjWords words(text_, reading_);
    while (words.nextLine()) {
        const std::string_view keyword = words.next();
        if (!keyword.empty())
            if (auto done = readLine(keyword, words); !done) return done;
        words.skip();
    }
    const bool none = soup_.points.empty();
    if (!none && !soup_.facePlace.empty()) return {};
    if (!soup_.wrongPoints.empty()) return fail(soup_.wrongPoints.begin()->second);
    if (!unknown_.empty())
        return wrong(firstUnknown_,
                     fmt::format("'{}' is no keyword of OBJ, and the file has no {}", shown(unknown_.first()),
                                 none ? "point" : "face"),
                     {"v x y z", "f 1 2 3"});
    return none ? wrong(last_, "the file has no point", {"v x y z"})
                : wrong(last_, "the file has no face", {"f 1 2 3"});
}

Expected<void> ObjReader::readLine(std::string_view keyword, ObjWords& words) {
    if (keyword == "v") return readPoint(words);
    if (keyword == "vt") return readTexture(words);
    if (keyword == "f") return readFace(words);
    if (keyword == "vn") ++above_.normals;
    if (keyword == "l") return readSeam(words);
    if (std::find(std::begin(kPassedOver), std::end(kPassedOver), keyword) != std::end(kPassedOver)) return {};
    if (strict_)
        return wrong(
            words.place(), fmt::format("unknown keyword '{}'", shown(keyword)),
            {"v x y z", "vt u v", "f 1 2 3", "l 1 2", "vn, g, o, s, usemtl, mtllib, p, which are passed over"});
    if (unknown_.empty()) firstUnknown_ = words.place();
    unknown_.add(keyword);
    return {};
}

/// The numbers up to the end of the line: how many there are, at most as many as there is room for. A tolerant reading
/// looks at those that are needed.
Expected<int> ObjReader::readNumbers(ObjWords& words, std::span<double> numbers, int needed,
                                     std::string_view form) const {
    int count = 0;
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        if (!strict_ && count == needed) break;
        if (std::size_t(count) == numbers.size())
            return wrong(words.place(), fmt::format("'{}' is a number too many", shown(word)), {std::string(form)});
        const auto number = parseNumber(word);
        if (!number) return wrong(words.place(), fmt::format("'{}' is no number", shown(word)), {std::string(form)});
        if (!within(*number, -kFarthestMeshPoint, kFarthestMeshPoint))
            return wrong(words.place(), fmt::format("{} is out of range", shown(word)),
                         {fmt::format("-{0:.0f} .. {0:.0f}", kFarthestMeshPoint)});
        numbers[count++] = *number;
    }
    return count;
}

Expected<void> ObjReader::readPoint(ObjWords& words) {
    constexpr std::string_view kForm = "v x y z, and after them a weight or a colour of three numbers";
    double numbers[7];
    const FilePlace place{.line = words.line(), .column = 1};
    const auto count = readNumbers(words, numbers, 3, kForm);
    std::optional<Error> error;
    if (!count)
        error = count.error();
    else if (*count < 3 || *count == 5)
        error = mistake(words.place(), fmt::format("a point of {}", countedWord(std::size_t(*count), "number")),
                        {std::string(kForm)});
    if (error && strict_) return fail(std::move(*error));
    if (error) soup_.addWrongPoint(std::move(*error));  // it may be in no face
    const bool good = count && *count >= 3;
    soup_.points.push_back(good ? Vec3(numbers[0], numbers[1], numbers[2]) : Vec3::Constant(kNoNumber));
    if (strict_) soup_.pointPlace.push_back(place);
    ++above_.points;
    return {};
}

Expected<void> ObjReader::readTexture(ObjWords& words) {
    constexpr std::string_view kForm = "vt u v";
    double numbers[3] = {0, 0, 0};
    const auto count = readNumbers(words, numbers, 2, kForm);
    if (strict_ && !count) return fail(count.error());
    if (strict_ && *count < 1) return wrong(words.place(), "a texture coordinate of 0 numbers", {std::string(kForm)});
    const bool good = count && *count >= 1;
    textures_.push_back(good ? TextureCoordinate{numbers[0], numbers[1]} : TextureCoordinate{kNoNumber, kNoNumber});
    ++above_.textures;
    return {};
}

Expected<Index> ObjReader::readIndex(std::string_view word, const FilePlace& place, std::string_view keyword, Index all,
                                     Index above) const {
    const auto number = parseWhole(word);
    if (!number || word.front() == '+')
        return wrong(place, fmt::format("'{}' is no number of a '{}'", shown(word), keyword),
                     {"a corner is 7, 7/3, 7//2 or 7/3/2"});
    std::vector<std::string> valid;
    if (all > 0) valid.push_back(fmt::format("1 .. {}", all));
    if (above > 0) valid.push_back(fmt::format("-{} .. -1 for those above this line", above));
    if (*number == 0) return wrong(place, fmt::format("there is no '{}' 0: they are counted from 1", keyword), valid);
    if (*number > all || *number < -long{above})
        return wrong(place, fmt::format("there is no '{}' {}", keyword, *number), valid);
    return Index(*number > 0 ? *number - 1 : above + *number);
}

Expected<Corner> ObjReader::readCorner(std::string_view word, const FilePlace& place) {
    Corner corner{-1, -1};
    const std::size_t slash = word.find('/');
    const auto point = readIndex(word.substr(0, slash), place, "v", all_.points, above_.points);
    if (!point) return fail(point.error());
    corner.point = *point;
    if (slash == word.npos) return corner;
    std::string_view rest = word.substr(slash + 1);
    const std::size_t second = rest.find('/');
    const bool trailing = !strict_ && rest.empty();
    if (second != 0 && !trailing) {
        const auto texture = readIndex(rest.substr(0, second), place, "vt", all_.textures, above_.textures);
        if (!texture && strict_) return fail(texture.error());
        if (!texture && withoutTexture_++ == 0) firstWithoutTexture_ = place;
        if (texture) corner.texture = *texture;
    }
    if (second == rest.npos || !strict_) return corner;
    const auto normal = readIndex(rest.substr(second + 1), place, "vn", all_.normals, above_.normals);
    if (!normal) return fail(normal.error());
    return corner;
}

Expected<void> ObjReader::readFace(ObjWords& words) {
    const FilePlace start = words.place();
    std::size_t corners = 0;
    for (std::string_view word = words.next(); !word.empty(); word = words.next(), ++corners) {
        const auto corner = readCorner(word, words.place());
        if (!corner) return fail(corner.error());
        soup_.corners.push_back(corner->point);
        Index& texture = textureOf_[corner->point];
        if (texture < 0) texture = corner->texture;
    }
    if (strict_ && corners < 3)
        return wrong(words.place(), fmt::format("a face of {}", countedWord(corners, "corner")),
                     {"three corners or more: f 1 2 3"});
    soup_.faceEnd.push_back(soup_.corners.size());
    soup_.facePlace.push_back(start);
    return {};
}

void ObjReader::copyTextures() {
    for (const Index texture : textureOf_)
        soup_.textures.push_back(texture < 0 ? TextureCoordinate{kNoNumber, kNoNumber} : textures_[texture]);
}

/// A line through several points joins each with the next.
Expected<void> ObjReader::readSeam(ObjWords& words) {
    Index before = -1;
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        const auto point = readIndex(word.substr(0, word.find('/')), words.place(), "v", all_.points, above_.points);
        if (!point && strict_) return fail(point.error());
        if (!point && withoutPoint_++ == 0) firstWithoutPoint_ = words.place();
        if (before >= 0 && point && *point != before) {
            if (Index(seams_.size()) == kMostMeshPoints)
                return wrong(words.place(), fmt::format("the file has more than {} sewing edges", kMostMeshPoints));
            seams_.push_back({std::min(before, *point), std::max(before, *point)});
        }
        before = point ? *point : -1;
    }
    return {};
}

void ObjReader::addSeams(FileMesh& mesh) const {
    std::vector<std::array<Index, 2>> edges;
    for (const Triangle& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k)
            edges.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
    std::ranges::sort(edges);
    for (const auto& [from, to] : seams_) {
        const auto [a, b] = std::minmax({mesh.pointOfNumber(from), mesh.pointOfNumber(to)});
        if (a >= 0 && !std::ranges::binary_search(edges, std::array{a, b})) mesh.seams.push_back({a, b});
    }
    std::ranges::sort(mesh.seams);
    mesh.seams.erase(std::unique(mesh.seams.begin(), mesh.seams.end()), mesh.seams.end());
}

std::vector<std::string> ObjReader::notes() const {
    std::vector<std::string> notes;
    if (!unknown_.empty()) notes.push_back("words passed over: " + unknown_.text());
    if (withoutPoint_ > 0)
        notes.push_back(fmt::format("{} of lines (l) without the point that it names, the first in {}",
                                    countedWord(withoutPoint_, "end"), firstWithoutPoint_.text()));
    if (withoutTexture_ > 0)
        notes.push_back(fmt::format("{} without the texture coordinate that it names, the first in {}",
                                    countedWord(withoutTexture_, "corner"), firstWithoutTexture_.text()));
    return notes;
}

}  // namespace

Expected<FileMesh> readObj(std::string_view text, const std::string& file, MeshReading reading) {
    return ObjReader(text, file, reading).read();
}

}  // namespace clothlab::geometry
