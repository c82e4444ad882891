#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "geometry/files/mesh_file.hpp"

namespace clothlab::geometry {

/// A place in a file: a line and a column of a text, from 1, or a byte of a binary file.
struct FilePlace {
    int line = 0, column = 0;
    std::uint64_t byte = 0;

    /// "line 7", "byte 1234".
    std::string text() const;
};
/// A mistake at a place. For a binary file the message has the byte.
Error mistakeAt(const FilePlace& place, const std::string& file, std::string message,
                std::vector<std::string> choices = {});

/// In place of a number that is invalid or out of range.
inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// Points and polygons as a reader finds them. A coordinate that is invalid or out of range is kept as NaN.
struct PolygonSoup {
    std::vector<Vec3> points;
    std::vector<TextureCoordinate> textures;  ///< one per point, NaN if it has none; or empty
    std::vector<Index> corners;               ///< points of all faces, within range
    std::vector<std::size_t> faceEnd;         ///< the end of each face's corners
    std::vector<FilePlace> facePlace;
    std::vector<FilePlace> pointPlace;   ///< of each point, for a strict reading; or empty
    std::map<Index, Error> wrongPoints;  ///< the mistakes of points that are NaN; only the first ones if very many

    /// The mistake of the next point.
    void addWrongPoint(Error error) {
        constexpr std::size_t kMost = 1000;
        if (wrongPoints.size() < kMost) wrongPoints.emplace(Index(points.size()), std::move(error));
    }
};

/// Makes the surface of a cloth or a solid from polygons. An Error, with the place of the face, if there is none: a
/// face that is no plane polygon, a triangle without area whose loss would open the surface, an edge of three
/// triangles, a patch of one side.
///
/// Repairs, with a note: duplicate corners and faces, faces without area, inverted faces, points in no face. A strict
/// reading refuses all of it, and a face whose fan folds.
Expected<FileMesh> makeSurface(PolygonSoup&& soup, const std::string& file, MeshReading reading,
                               std::vector<std::string>&& notes);

/// "1 face", "3 faces".
std::string countedWord(std::size_t number, std::string_view word);

}  // namespace clothlab::geometry
