#include "geometry/files/surface_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "geometry/flat_triangles.hpp"
#include "geometry/polygon.hpp"

namespace clothlab::geometry {
namespace {

/// Faces of one kind, for a note. They come in the order of the file, one of several triangles several times.
struct Tally {
    std::size_t count = 0, first = 0, last = 0;

    void add(std::size_t face) {
        if (count > 0 && face == last) return;
        if (count++ == 0) first = face;
        last = face;
    }
};

/// One file's polygons on their way to a surface; the first fault ends it.
class SurfaceMaker {
public:
    SurfaceMaker(PolygonSoup& soup, const std::string& file, bool strict, std::vector<std::string>& notes)
        : soup_(soup), file_(file), strict_(strict), notes_(notes) {}

    Expected<FileMesh> make() {
        for (auto part : {&SurfaceMaker::triangulate, &SurfaceMaker::dropFlat, &SurfaceMaker::refuseLoose,
                          &SurfaceMaker::mendEdges, &SurfaceMaker::compactPoints})
            if (auto done = (this->*part)(); !done) return fail(done.error());
        return std::move(mesh_);
    }

private:
    tl::unexpected<Error> wrong(std::size_t face, std::string message, std::vector<std::string> choices = {}) const {
        return fail(mistakeAt(soup_.facePlace[face], file_, std::move(message), std::move(choices)));
    }
    void note(const Tally& tally, std::string_view words) {
        if (tally.count == 0) return;
        notes_.push_back(fmt::format("{} {}, the first in {}", countedWord(tally.count, "face"), words,
                                     soup_.facePlace[tally.first].text()));
    }
    void dropTriangles(const std::vector<bool>& gone);
    Expected<void> triangulate();
    Expected<void> readCorners(std::size_t face);
    Expected<void> addTriangles(std::size_t face);
    Expected<void> dropFlat();
    Expected<void> refuseLoose();
    Expected<void> mendEdges();
    void dropDoubles();
    Expected<void> compactPoints();

    PolygonSoup& soup_;
    const std::string& file_;
    const bool strict_;
    std::vector<std::string>& notes_;
    FileMesh mesh_;
    std::vector<std::size_t> faceOf_;  // of each triangle
    std::vector<Index> corners_;       // of the face that is made into triangles
    std::vector<Index> sorted_;
    Tally few_, flat_;
};

Expected<void> SurfaceMaker::triangulate() {
    for (std::size_t face = 0; face < soup_.faceEnd.size(); ++face) {
        if (auto done = readCorners(face); !done) return done;
        if (corners_.size() < 3) {
            few_.add(face);
            continue;
        }
        if (auto done = addTriangles(face); !done) return done;
    }
    note(few_, "of fewer than three corners left out");
    if (mesh_.triangles.empty()) return wrong(few_.first, "no face of the file has three corners");
    return {};
}

/// The corners of a face without those that are there twice in a row.
Expected<void> SurfaceMaker::readCorners(std::size_t face) {
    const std::size_t begin = face == 0 ? 0 : soup_.faceEnd[face - 1], end = soup_.faceEnd[face];
    corners_.clear();
    for (std::size_t k = begin; k < end; ++k) {
        const Index point = soup_.corners[k];
        if (!soup_.points[point].allFinite()) {
            const auto found = soup_.wrongPoints.find(point);
            if (found != soup_.wrongPoints.end()) return fail(found->second);
            return wrong(face, fmt::format("the point {} has no place within range", point + 1));
        }
        const std::size_t size = corners_.size();
        if (!strict_ && size > 1 && corners_[size - 2] == point)
            corners_.pop_back();  // there and back
        else if (strict_ || size == 0 || corners_.back() != point)
            corners_.push_back(point);
    }
    while (!strict_ && corners_.size() > 1 && corners_.front() == corners_.back()) corners_.pop_back();
    if (strict_ && corners_.size() < 3)
        return wrong(face, fmt::format("a face of {}", countedWord(corners_.size(), "corner")),
                     {"three corners or more"});
    sorted_ = corners_;
    std::sort(sorted_.begin(), sorted_.end());
    if (corners_.size() >= 3)
        if (const auto twice = std::adjacent_find(sorted_.begin(), sorted_.end()); twice != sorted_.end())
            return wrong(face, fmt::format("the face has the corner {} twice", *twice + 1));
    return {};
}

Expected<void> SurfaceMaker::addTriangles(std::size_t face) {
    const auto add = [&](Index a, Index b, Index c) {
        mesh_.triangles.push_back({a, b, c});
        faceOf_.push_back(face);
    };
    if (corners_.size() == 3) {
        add(corners_[0], corners_[1], corners_[2]);
        return {};
    }
    std::vector<Vec3> places;
    for (const Index corner : corners_) places.push_back(soup_.points[corner]);
    const auto triangles = triangulatePolygon(places);
    if (!triangles) return wrong(face, triangles.error().message);
    for (std::size_t k = 0; k < triangles->size(); ++k) {
        const PolygonTriangle& t = (*triangles)[k];
        if (strict_ && t != PolygonTriangle{0, k + 1, k + 2})
            return wrong(face, "the triangles around the first corner would fold: the face is not convex");
        add(corners_[t[0]], corners_[t[1]], corners_[t[2]]);
    }
    return {};
}

void SurfaceMaker::dropTriangles(const std::vector<bool>& gone) {
    std::size_t kept = 0;
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
        if (gone[t]) continue;
        mesh_.triangles[kept] = mesh_.triangles[t];
        faceOf_[kept++] = faceOf_[t];
    }
    mesh_.triangles.resize(kept);
    faceOf_.resize(kept);
}

Expected<void> SurfaceMaker::dropFlat() {
    std::vector<Index> flat;
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
        const auto& [a, b, c] = mesh_.triangles[t];
        if (isDegenerate(soup_.points[a], soup_.points[b], soup_.points[c])) flat.push_back(Index(t));
    }
    if (flat.empty()) return {};
    const auto name = [&](Index t) {
        const auto& [a, b, c] = mesh_.triangles[t];
        return fmt::format("the triangle {} {} {} has no area: its corners lie on a line", a + 1, b + 1, c + 1);
    };
    if (strict_) return wrong(faceOf_[flat[0]], name(flat[0]));
    const FlatTriangles done = removeFlat(mesh_.triangles, soup_.points, flat);
    if (done.left >= 0)
        return wrong(faceOf_[done.left], name(done.left) + ", and without it the surface would come apart there");
    for (const Index t : flat) flat_.add(faceOf_[t]);
    note(flat_, "without area left out");
    dropTriangles(done.gone);
    if (mesh_.triangles.empty()) return wrong(flat_.first, "no face of the file has an area");
    return {};
}

Expected<void> SurfaceMaker::refuseLoose() {
    if (!strict_) return {};
    std::vector<bool> used(soup_.points.size(), false);
    for (const Triangle& t : mesh_.triangles)
        for (const Index corner : t) used[corner] = true;
    const auto loose = std::find(used.begin(), used.end(), false);
    if (loose == used.end()) return {};
    const auto point = std::size_t(loose - used.begin());
    return fail(mistakeAt(
        soup_.pointPlace[point], file_,
        fmt::format("the point {} is in no face: nothing would hold it, and it would weigh nothing", point + 1)));
}

/// Keeps the first of the triangles over the same three points.
void SurfaceMaker::dropDoubles() {
    std::vector<std::pair<Triangle, Index>> sorted;
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
        Triangle corners = mesh_.triangles[t];
        std::sort(corners.begin(), corners.end());
        sorted.emplace_back(corners, Index(t));
    }
    std::sort(sorted.begin(), sorted.end());
    std::vector<bool> gone(mesh_.triangles.size(), false);
    for (std::size_t k = 1; k < sorted.size(); ++k)
        if (sorted[k].first == sorted[k - 1].first) gone[sorted[k].second] = true;
    Tally doubles;
    for (std::size_t t = 0; t < gone.size(); ++t)
        if (gone[t]) doubles.add(faceOf_[t]);
    note(doubles, "left out, over the points of another one");
    dropTriangles(gone);
}

Expected<void> SurfaceMaker::mendEdges() {
    const auto points = Index(soup_.points.size());
    auto fault = findEdgeFault(mesh_.triangles, points);
    if (fault && !strict_) {
        dropDoubles();
        fault = findEdgeFault(mesh_.triangles, points);
    }
    if (!fault) return {};
    // A third triangle counts more than one that is turned: it cannot be mended.
    if (!strict_ && !fault->third)
        if (const auto third = findEdgeFault(mesh_.triangles, points, EdgeFaults::Thirds)) fault = third;
    const std::string edge = fmt::format("the edge {} {}", fault->a + 1, fault->b + 1);
    if (fault->third) return wrong(faceOf_[fault->triangle], edge + " has three triangles: at most two can meet there");
    const auto turned = strict_ ? std::nullopt : turnToAgree(mesh_.triangles, points);
    if (!turned)
        return wrong(faceOf_[fault->triangle],
                     fmt::format("{} is run through the same way as in {}: neighbours list it in opposite ways{}", edge,
                                 soup_.facePlace[faceOf_[fault->other]].text(),
                                 strict_ ? "" : ", and the patch has one side only, as a Moebius strip"),
                     {"all faces counter-clockwise, seen from the front"});
    Tally faces;
    for (const Index t : *turned) faces.add(faceOf_[t]);
    note(faces, "turned over to agree with the faces around");
    return {};
}

/// Leaves out the points in no face.
Expected<void> SurfaceMaker::compactPoints() {
    mesh_.filePoints = Index(soup_.points.size());
    std::vector<Index> pointOf(soup_.points.size(), -1);
    for (const Triangle& t : mesh_.triangles)
        for (const Index corner : t) pointOf[corner] = 0;
    std::vector<Index> numberOf;
    Index loose = -1;
    for (Index i = 0; i < mesh_.filePoints; ++i) {
        if (pointOf[i] < 0) {
            loose = loose < 0 ? i : loose;
            continue;
        }
        pointOf[i] = Index(numberOf.size());
        numberOf.push_back(i);
        mesh_.points.push_back(soup_.points[i]);
        if (!soup_.textures.empty()) mesh_.textures.push_back(soup_.textures[i]);
    }
    const auto none = [](const TextureCoordinate& t) { return !(std::isfinite(t[0]) && std::isfinite(t[1])); };
    if (std::any_of(mesh_.textures.begin(), mesh_.textures.end(), none)) mesh_.textures.clear();
    if (loose < 0) return {};
    for (Triangle& t : mesh_.triangles)
        for (Index& corner : t) corner = pointOf[corner];
    const std::size_t count = soup_.points.size() - numberOf.size();
    notes_.push_back(count == 1 ? fmt::format("point {} is in no face and becomes no particle", loose + 1)
                                : fmt::format("{} points are in no face and become no particles, the first is point {}",
                                              count, loose + 1));
    mesh_.pointOf = std::move(pointOf);
    mesh_.numberOf = std::move(numberOf);
    return {};
}

}  // namespace

std::string FilePlace::text() const { return line > 0 ? fmt::format("line {}", line) : fmt::format("byte {}", byte); }

Error mistakeAt(const FilePlace& place, const std::string& file, std::string message,
                std::vector<std::string> choices) {
    if (place.line == 0) message = fmt::format("byte {}: {}", place.byte, message);
    return {.message = std::move(message),
            .file = file,
            .line = place.line,
            .column = place.column,
            .choices = std::move(choices)};
}

std::string countedWord(std::size_t number, std::string_view word) {
    return fmt::format("{} {}{}", number, word, plural(number));
}

Expected<FileMesh> makeSurface(PolygonSoup&& soup, const std::string& file, MeshReading reading,
                               std::vector<std::string>&& notes) {
    auto mesh = SurfaceMaker(soup, file, reading == MeshReading::Strict, notes).make();
    if (mesh) mesh->notes = std::move(notes);
    return mesh;
}

}  // namespace clothlab::geometry
