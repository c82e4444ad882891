#include "scene/field_cache.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/input.hpp"
#include "base/output.hpp"
#include "base/state_hash.hpp"
#include "geometry/triangle_mesh.hpp"

namespace clothlab::scene {
namespace {

using geometry::DistanceField;

/// By content: a file that has changed gets another name.
std::string fieldFileName(const geometry::MeshSolid& mesh) {
    StateHash hash;
    hash.value(mesh.cells);
    for (const Vec3& p : mesh.surface->points) hash.bytes(p.data(), 3 * sizeof(double));
    hash.values(std::span<const geometry::Triangle>(mesh.surface->triangles));
    return hash.text() + ".field";
}

}  // namespace

std::shared_ptr<const DistanceField> cachedField(const geometry::MeshSolid& mesh, const std::string& folder,
                                                 const DistanceField::Progress& progress, const std::stop_token& stop) {
    const std::string path = folder.empty() ? std::string() : fmt::format("{}/{}", folder, fieldFileName(mesh));
    if (!path.empty())
        if (const auto bytes = readFile(path, {.pipes = false}))
            if (auto field = DistanceField::fromBytes(*bytes))
                return std::make_shared<const DistanceField>(std::move(*field));
    auto built = DistanceField::build(*mesh.surface, mesh.cells, progress, stop);
    if (!built) return nullptr;
    auto field = std::make_shared<const DistanceField>(std::move(*built));
    if (path.empty()) return field;
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    // What stands there and is no file of ours (a link, a pipe) leads to something of somebody else's.
    const auto there = std::filesystem::symlink_status(path, ignored).type();
    if (there != std::filesystem::file_type::not_found && there != std::filesystem::file_type::regular) return field;
    if (auto file = OutputFile::create(path, {}, Care::Quick))
        if (file->write(field->bytes())) (void)file->finish();
    return field;
}

}  // namespace clothlab::scene
