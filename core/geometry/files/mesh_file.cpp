#include "geometry/files/mesh_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/input.hpp"
#include "geometry/files/obj_reader.hpp"
#include "geometry/files/ply_reader.hpp"

namespace clothlab::geometry {

Expected<FileMesh> readMeshText(std::string_view text, const std::string& file, MeshReading reading) {
    return isPly(text) ? readPly(text, file, reading) : readObj(text, file, reading);
}

Expected<FileMesh> readMeshFile(const std::string& path, MeshReading reading) {
    const auto text = readFile(path);
    if (!text) return fail(text.error());
    return readMeshText(*text, path, reading);
}

bool namesMesh(std::string_view path) {
    constexpr std::array<std::string_view, 2> kEndings{".obj", ".ply"};
    const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) {
        return path.size() >= ending.size() &&
               std::ranges::equal(path.substr(path.size() - ending.size()), ending, same);
    });
}

}  // namespace clothlab::geometry
