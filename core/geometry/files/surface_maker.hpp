#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "geometry/files/mesh_file.hpp"

namespace clothlab::geometry {

/// Where something stands in a file: a line and a column of a text, from 1, or a byte of a binary file.
struct FilePlace {
    int line = 0, column = 0;
    std::uint64_t byte = 0;

    /// "line 7", "byte 1234".
    std::string text() const;
};
/// A mistake at a place. What is no text has its byte in the message.
Error mistakeAt(const FilePlace& place, const std::string& file, std::string message,
                std::vector<std::string> choices = {});

/// In place of a number that is none or out of range.
inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// Points and polygons as a reader finds them. A coordinate out of range or that is none is kept as NaN.
struct PolygonSoup {
    std::vector<Vec3> points;
    std::vector<TextureCoordinate> textures;  ///< one a point, NaN where it has none; or none at all
    std::vector<Index> corners;               ///< of all faces: points, within range
    std::vector<std::size_t> faceEnd;         ///< of each face: where its corners end
    std::vector<FilePlace> facePlace;
    std::vector<FilePlace> pointPlace;   ///< of each point, for a strict reading; or empty
    std::map<Index, Error> wrongPoints;  ///< of points that are NaN, what is wrong; of very many only the first

    /// Of the point that comes next.
    void addWrongPoint(Error error) {
        constexpr std::size_t kMost = 1000;
        if (wrongPoints.size() < kMost) wrongPoints.emplace(Index(points.size()), std::move(error));
    }
};

/// Makes the surface of a cloth or a solid from polygons. An Error says where there is none, with the place of the
/// face: a face that is no polygon of a plane, a triangle without area whose loss would open the surface, an edge of
/// three triangles, a patch of one side.
///
/// What can be mended is mended and adds a note: corners and faces that are there twice, faces without area, faces that
/// are turned over, points in no face. A strict reading refuses all of it, and a face whose fan folds.
Expected<FileMesh> makeSurface(PolygonSoup&& soup, const std::string& file, MeshReading reading,
                               std::vector<std::string>&& notes);

/// "1 face", "3 faces".
std::string countOf(std::size_t number, std::string_view word);

}  // namespace clothlab::geometry
