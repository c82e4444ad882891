#include "geometry/obj_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/input.hpp"
#include "base/text.hpp"

namespace clothlab::geometry {
namespace {

constexpr std::string_view kBlanks = " \t\r";

/// Keywords that say nothing about the surface, or only how it looks.
constexpr std::string_view kPassedOver[] = {"vn",     "vp",       "g",        "o",      "s",          "mg",
                                            "usemtl", "mtllib",   "usemap",   "maplib", "l",          "p",
                                            "bevel",  "c_interp", "d_interp", "lod",    "shadow_obj", "trace_obj"};

/// Takes a text apart, line by line and word by word.
class Words {
public:
    explicit Words(std::string_view text) : rest_(text) {}

    bool nextLine() {
        if (rest_.empty()) return false;
        const std::size_t end = std::min(rest_.find('\n'), rest_.size());
        line_ = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        ++number_;
        at_ = 0;
        column_ = 1;
        return true;
    }
    /// The next word of the line; empty at its end and at a comment, and column() is then where the line ends.
    std::string_view next() {
        at_ = std::min(line_.find_first_not_of(kBlanks, at_), line_.size());
        column_ = int(at_) + 1;
        const std::size_t end = std::min(line_.find_first_of(kBlanks, at_), line_.size());
        const std::string_view word = line_.substr(at_, end - at_);
        if (word.starts_with('#')) return {};
        at_ = end;
        return word;
    }
    int line() const { return std::max(number_, 1); }
    int column() const { return column_; }

private:
    std::string_view rest_, line_;
    std::size_t at_ = 0;
    int number_ = 0, column_ = 1;
};

struct Place {
    int line = 1, column = 1;
};

/// A corner of a face: its point, and its texture coordinate or -1, both from 0.
struct Corner {
    Index point, texture;
};

/// One file being read; the first mistake ends it.
class ObjReader {
public:
    ObjReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    Expected<TriangleMesh> read() {
        for (auto part : {&ObjReader::count, &ObjReader::readLines, &ObjReader::checkPoints, &ObjReader::checkEdges})
            if (auto done = (this->*part)(); !done) return tl::unexpected(done.error());
        takeTextures();
        return std::move(mesh_);
    }

private:
    struct Counts {
        Index points = 0, textures = 0, normals = 0;
        std::int64_t triangles = 0;
    };

    tl::unexpected<Error> wrong(const Place& place, std::string message, std::vector<std::string> choices = {}) const {
        return fail(Error{.message = std::move(message),
                          .file = file_,
                          .line = place.line,
                          .column = place.column,
                          .choices = std::move(choices)});
    }
    static Place placeIn(const Words& words) { return {words.line(), words.column()}; }

    Expected<void> count();
    Expected<void> readLines();
    Expected<void> readPoint(Words& words);
    Expected<void> readTexture(Words& words);
    Expected<void> readFace(Words& words);
    Expected<int> readNumbers(Words& words, std::span<double> numbers, std::string_view form);
    Expected<Corner> readCorner(std::string_view word, const Place& place) const;
    Expected<Index> readIndex(std::string_view word, const Place& place, std::string_view keyword, Index all,
                              Index above) const;
    Expected<void> checkPoints();
    Expected<void> checkEdges();
    void takeTextures();

    std::string_view text_;
    const std::string& file_;
    Counts all_, above_;  // of the file, and of what lies above the line
    TriangleMesh mesh_;
    std::vector<TextureCoordinate> textures_;
    std::vector<Index> textureOf_;      // of each point, or -1
    std::vector<int> pointLine_;        // of each point
    std::vector<Place> trianglePlace_;  // of each triangle: its face
    std::vector<Corner> corners_;       // of the face that is read
    Place last_;
};

Expected<void> ObjReader::count() {
    Words words(text_);
    while (words.nextLine()) {
        const std::string_view keyword = words.next();
        const Place place = placeIn(words);
        last_ = place;
        if (keyword == "v" && ++all_.points > kMostObjPoints)
            return wrong(place, fmt::format("the file has more than {} points", kMostObjPoints));
        if (keyword == "vt" && ++all_.textures > 2 * kMostObjTriangles)
            return wrong(place, fmt::format("the file has more than {} texture coordinates", 2 * kMostObjTriangles));
        if (keyword == "vn" && ++all_.normals > 2 * kMostObjTriangles)
            return wrong(place, fmt::format("the file has more than {} normals", 2 * kMostObjTriangles));
        if (keyword != "f") continue;
        std::int64_t corners = 0;
        while (!words.next().empty()) ++corners;
        all_.triangles += std::max<std::int64_t>(corners - 2, 0);
        if (all_.triangles > kMostObjTriangles)
            return wrong(place, fmt::format("the file has more than {} triangles", kMostObjTriangles));
    }
    mesh_.points.reserve(all_.points);
    pointLine_.reserve(all_.points);
    textureOf_.assign(all_.points, -1);
    textures_.reserve(all_.textures);
    mesh_.triangles.reserve(std::size_t(all_.triangles));
    trianglePlace_.reserve(std::size_t(all_.triangles));
    return {};
}

Expected<void> ObjReader::readLines() {
    Words words(text_);
    while (words.nextLine()) {
        const std::string_view keyword = words.next();
        if (keyword.empty()) continue;
        Expected<void> done;
        if (keyword == "v")
            done = readPoint(words);
        else if (keyword == "vt")
            done = readTexture(words);
        else if (keyword == "f")
            done = readFace(words);
        else if (keyword == "vn")
            ++above_.normals;
        else if (std::find(std::begin(kPassedOver), std::end(kPassedOver), keyword) == std::end(kPassedOver))
            return wrong(placeIn(words), fmt::format("unknown keyword '{}'", shown(keyword)),
                         {"v x y z", "vt u v", "f 1 2 3", "vn, g, o, s, usemtl, mtllib, l, p, which are passed over"});
        if (!done) return done;
    }
    if (mesh_.points.empty()) return wrong(last_, "the file has no point", {"v x y z"});
    if (mesh_.triangles.empty()) return wrong(last_, "the file has no face", {"f 1 2 3"});
    return {};
}

/// The numbers up to the end of the line: how many there are, at most as many as there is room for.
Expected<int> ObjReader::readNumbers(Words& words, std::span<double> numbers, std::string_view form) {
    int count = 0;
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        if (std::size_t(count) == numbers.size())
            return wrong(placeIn(words), fmt::format("'{}' is a number too many", shown(word)), {std::string(form)});
        const auto number = parseNumber(word);
        if (!number) return wrong(placeIn(words), fmt::format("'{}' is no number", shown(word)), {std::string(form)});
        if (!within(*number, -kFarthestObjPoint, kFarthestObjPoint))
            return wrong(placeIn(words), fmt::format("{} is out of range", shown(word)),
                         {fmt::format("-{0:.0f} .. {0:.0f}", kFarthestObjPoint)});
        numbers[count++] = *number;
    }
    return count;
}

Expected<void> ObjReader::readPoint(Words& words) {
    constexpr std::string_view kForm = "v x y z, and after them a weight or a colour of three numbers";
    double numbers[7];
    const int line = words.line();
    const auto count = readNumbers(words, numbers, kForm);
    if (!count) return tl::unexpected(count.error());
    if (*count < 3 || *count == 5)
        return wrong(placeIn(words), fmt::format("a point of {} number{}", *count, *count == 1 ? "" : "s"),
                     {std::string(kForm)});
    mesh_.points.emplace_back(numbers[0], numbers[1], numbers[2]);
    pointLine_.push_back(line);
    ++above_.points;
    return {};
}

Expected<void> ObjReader::readTexture(Words& words) {
    constexpr std::string_view kForm = "vt u v";
    double numbers[3] = {0, 0, 0};
    const auto count = readNumbers(words, numbers, kForm);
    if (!count) return tl::unexpected(count.error());
    if (*count < 1) return wrong(placeIn(words), "a texture coordinate of 0 numbers", {std::string(kForm)});
    textures_.push_back({numbers[0], numbers[1]});
    ++above_.textures;
    return {};
}

Expected<Index> ObjReader::readIndex(std::string_view word, const Place& place, std::string_view keyword, Index all,
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

Expected<Corner> ObjReader::readCorner(std::string_view word, const Place& place) const {
    Corner corner{-1, -1};
    const std::size_t slash = word.find('/');
    const auto point = readIndex(word.substr(0, slash), place, "v", all_.points, above_.points);
    if (!point) return tl::unexpected(point.error());
    corner.point = *point;
    if (slash == word.npos) return corner;
    std::string_view rest = word.substr(slash + 1);
    const std::size_t second = rest.find('/');
    if (second != 0) {
        const auto texture = readIndex(rest.substr(0, second), place, "vt", all_.textures, above_.textures);
        if (!texture) return tl::unexpected(texture.error());
        corner.texture = *texture;
    }
    if (second == rest.npos) return corner;
    const auto normal = readIndex(rest.substr(second + 1), place, "vn", all_.normals, above_.normals);
    if (!normal) return tl::unexpected(normal.error());
    return corner;
}

Expected<void> ObjReader::readFace(Words& words) {
    const Place start = placeIn(words);
    corners_.clear();
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        const Place place = placeIn(words);
        const auto corner = readCorner(word, place);
        if (!corner) return tl::unexpected(corner.error());
        corners_.push_back(*corner);
        Index& texture = textureOf_[corner->point];
        if (texture < 0) texture = corner->texture;
    }
    if (corners_.size() < 3)
        return wrong(placeIn(words),
                     fmt::format("a face of {} corner{}", corners_.size(), corners_.size() == 1 ? "" : "s"),
                     {"three corners or more: f 1 2 3"});
    std::vector<Index> points;
    for (const Corner& corner : corners_) points.push_back(corner.point);
    std::sort(points.begin(), points.end());
    if (const auto twice = std::adjacent_find(points.begin(), points.end()); twice != points.end())
        return wrong(start, fmt::format("the face has the corner {} twice", *twice + 1));
    for (std::size_t k = 2; k < corners_.size(); ++k) {
        mesh_.triangles.push_back({corners_[0].point, corners_[k - 1].point, corners_[k].point});
        trianglePlace_.push_back(start);
    }
    return {};
}

/// What can be said only when all points are known, since a face may name one that comes below it.
Expected<void> ObjReader::checkPoints() {
    std::vector<bool> used(mesh_.points.size(), false);
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
        const auto& [a, b, c] = mesh_.triangles[t];
        if (isDegenerate(mesh_.points[a], mesh_.points[b], mesh_.points[c]))
            return wrong(trianglePlace_[t], fmt::format("the triangle {} {} {} has no area: its corners lie on a line",
                                                        a + 1, b + 1, c + 1));
        used[a] = used[b] = used[c] = true;
    }
    if (const auto loose = std::find(used.begin(), used.end(), false); loose != used.end())
        return wrong({pointLine_[loose - used.begin()], 1},
                     fmt::format("the point {} is in no face: nothing would hold it, and it would weigh nothing",
                                 loose - used.begin() + 1));
    return {};
}

Expected<void> ObjReader::checkEdges() {
    const auto fault = findEdgeFault(mesh_.triangles, Index(mesh_.points.size()));
    if (!fault) return {};
    const std::string edge = fmt::format("the edge {} {}", fault->a + 1, fault->b + 1);
    if (fault->third)
        return wrong(trianglePlace_[fault->triangle], edge + " has three triangles: at most two can meet there");
    return wrong(trianglePlace_[fault->triangle],
                 fmt::format("{} is run through the same way as in line {}: neighbours list it in opposite ways", edge,
                             trianglePlace_[fault->other].line),
                 {"all faces counter-clockwise, seen from the front"});
}

void ObjReader::takeTextures() {
    if (std::find(textureOf_.begin(), textureOf_.end(), -1) != textureOf_.end()) return;
    for (const Index texture : textureOf_) mesh_.textures.push_back(textures_[texture]);
}

}  // namespace

Expected<TriangleMesh> readObj(std::string_view text, const std::string& file) { return ObjReader(text, file).read(); }

Expected<TriangleMesh> readObjFile(const std::string& path) {
    const auto text = readFile(path, {.lineBytes = 1u << 20});
    if (!text) return tl::unexpected(text.error());
    return readObj(*text, path);
}

}  // namespace clothlab::geometry
