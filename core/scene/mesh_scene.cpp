#include "scene/mesh_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "geometry/files/mesh_file.hpp"

namespace clothlab::scene {

Expected<Scene> sceneOfMesh(const std::string& path) {
    auto mesh = geometry::readMeshFile(path);
    if (!mesh) return fail(mesh.error());
    Vec3 low = Vec3::Constant(1e300), high = -low;
    for (const Vec3& p : mesh->points) low = low.cwiseMin(p), high = high.cwiseMax(p);
    const double size = (high - low).norm();
    if (!(size > 0)) return fail(Error{.message = "the mesh has no size", .file = path});
    constexpr double kSize = 1.5, kAbove = 0.3;  // m
    std::error_code ignored;
    Scene scene;
    scene.file = path;
    scene.name = std::filesystem::path(path).stem().string();
    scene.title = std::filesystem::path(path).filename().string();
    scene.watch = fmt::format("The mesh, {:.3g} times as large as in its file, falls on the ground.", kSize / size);
    ClothPatch cloth;
    cloth.mesh = {std::filesystem::absolute(path, ignored).lexically_normal().string(), 0, false,
                  std::make_shared<const geometry::FileMesh>(std::move(*mesh))};
    cloth.scale = kSize / size;
    const Vec3 middle = 0.5 * (low + high) * cloth.scale;
    cloth.origin = {-middle.x(), kAbove - low.y() * cloth.scale, -middle.z()};
    scene.cloths.push_back(std::move(cloth));
    contact::Collider ground;
    ground.name = "ground";
    ground.shape = geometry::Plane{};
    scene.colliders.push_back(std::move(ground));
    scene.camera.target = {0, 0.5 * (high.y() - low.y()) * scene.cloths[0].scale, 0};
    scene.camera.distance = 1.7 * kSize;
    return scene;
}

}  // namespace clothlab::scene
