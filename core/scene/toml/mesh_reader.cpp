#include "scene/toml/mesh_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/input.hpp"
#include "base/text.hpp"
#include "geometry/files/mesh_file.hpp"
#include "geometry/fillings/t_shirt.hpp"
#include "scene/scene_fields.hpp"
#include "scene/toml/table_reader.hpp"

namespace clothlab::scene {
namespace {

constexpr std::string_view kTShirt = "t-shirt";
constexpr double kFinestGarment = 0.003;  // m: 100,000 points

std::string absolutePath(const std::string& mesh, const std::string& sceneFile) {
    // Without a working folder the path stays as it is, and reading says why it cannot be read.
    std::error_code ignored;
    const std::filesystem::path path = std::filesystem::path(sceneFile).parent_path() / mesh;
    const std::filesystem::path absolute = std::filesystem::absolute(path, ignored);
    return (ignored ? path : absolute).lexically_normal().string();
}

Expected<bool> readStrict(const TomlNode& table, const std::string& file) {
    bool strict = false;
    FieldList list;
    list.add("cloth.strict", strict, {});
    if (const TomlNode::Entry* entry = table.find("strict"))
        if (auto done = assignNode(list.fields()[0], entry->value, file); !done) return fail(done.error());
    return strict;
}

/// What only another kind of cloth has.
Expected<void> refuseForeignKeys(const TomlNode& table, const ClothPatch& cloth, const std::string& file) {
    for (const TomlNode::Entry& entry : table.entries) {
        if (takesKey(cloth, entry.key) || entry.key == "strict" || entry.key.starts_with("garment")) continue;
        std::vector<std::string> choices{"mesh = \"FILE.obj\" beside it", "column_axis and row_axis, which turn a grid",
                                         "side, which is the size of a grid"};
        if (cloth.mesh)
            choices = {
                "origin, rotation, scale, weld, sew, sew_time, sew_stiffness, sew_then, noise, noise_seed, "
                "velocity, material"};
        if (cloth.solid) choices = {"spacing, surface_spacing, origin, rotation, scale, velocity, material"};
        return failAt(file, entry.line, entry.column,
                      fmt::format("cloth.{}: {}", entry.key, refusalOfKey(cloth, entry.key)), choices);
    }
    return {};
}

}  // namespace

Expected<MeshSource> readMeshSource(const TomlNode& node, std::string_view key, const std::string& file, bool strict) {
    if (node.kind != TomlNode::Kind::Text || node.text.empty())
        return failAt(file, node, fmt::format("{}: the path of an OBJ or PLY file is needed", key), {"\"disc.obj\""});
    const std::string path = absolutePath(node.text, file);
    const auto text = readFile(path);
    if (!text) return failAt(file, node, fmt::format("{}: {}: {}", key, shownPath(path), text.error().message));
    auto mesh =
        geometry::readMeshText(*text, path, strict ? geometry::MeshReading::Strict : geometry::MeshReading::Tolerant);
    if (!mesh) return fail(mesh.error());
    return MeshSource{path, 0, strict, std::make_shared<const geometry::FileMesh>(std::move(*mesh))};
}

MeshSource tShirtSource(double spacing) {
    return {std::string(kTShirt), spacing, false,
            std::make_shared<const geometry::FileMesh>(geometry::makeTShirt(spacing))};
}

/// `garment = "t-shirt"`, made by the program with edges of about `garment_spacing`.
Expected<void> readGarment(const TomlNode& table, ClothPatch& cloth, const std::string& file) {
    const TomlNode::Entry *garment = table.find("garment"), *wanted = table.find("garment_spacing");
    if (!garment) {
        if (!wanted) return {};
        return failAt(file, wanted->line, wanted->column, "cloth.garment_spacing: there is no garment",
                      {"garment = \"t-shirt\" beside it"});
    }
    if (garment->value.kind != TomlNode::Kind::Text || garment->value.text != kTShirt)
        return failAt(file, garment->value, "cloth.garment: no such garment", {fmt::format("\"{}\"", kTShirt)});
    if (cloth.mesh)
        return failAt(file, garment->line, garment->column,
                      "cloth.garment: the cloth is a mesh: it is one or the other");
    double spacing = geometry::kTShirtOfYe;
    if (wanted) {
        if (!wanted->value.isNumber() || !(wanted->value.number >= kFinestGarment) ||
            !(wanted->value.number <= geometry::kCoarsestTShirt))
            return failAt(file, wanted->value, "cloth.garment_spacing: out of range",
                          {fmt::format("{} .. {} m", kFinestGarment, geometry::kCoarsestTShirt)});
        spacing = wanted->value.number;
    }
    cloth.mesh = tShirtSource(spacing);
    return {};
}

Expected<void> readMesh(const TomlNode& table, ClothPatch& cloth, const std::string& file) {
    if (const TomlNode::Entry* entry = table.find("mesh")) {
        auto strict = readStrict(table, file);
        if (!strict) return fail(strict.error());
        auto mesh = readMeshSource(entry->value, "cloth.mesh", file, *strict);
        if (!mesh) return fail(mesh.error());
        cloth.mesh = std::move(*mesh);
    } else if (const TomlNode::Entry* strict = table.find("strict")) {
        return failAt(file, strict->line, strict->column, "cloth.strict: there is no file to read",
                      {"mesh = \"FILE.obj\" beside it"});
    }
    if (auto done = readGarment(table, cloth, file); !done) return done;
    if (const TomlNode::Entry* entry = table.find("solid")) {
        if (cloth.mesh)
            return failAt(file, entry->line, entry->column,
                          fmt::format("cloth.solid: the cloth is the mesh {}: it is one or the other",
                                      shownPath(cloth.mesh.name())));
        const FieldList fields = listFields(cloth, "cloth");
        if (auto done = assignNode(*fields.find("cloth.solid"), entry->value, file); !done) return done;
    }
    return refuseForeignKeys(table, cloth, file);
}

std::vector<std::string> readingNotes(const Scene& scene) {
    std::vector<std::string> notes = scene.notes;
    const auto add = [&](const std::string& path, const std::vector<std::string>& of) {
        for (const std::string& note : of)
            notes.push_back(fmt::format("{}: {}", shownPath(std::filesystem::path(path).filename().string()), note));
    };
    for (const ClothPatch& cloth : scene.cloths)
        if (cloth.mesh) {
            add(cloth.mesh.path, cloth.mesh.content->notes);
            if (const auto& seams = cloth.mesh.content->seams; !seams.empty() && !cloth.sewing.on && !cloth.mesh.strict)
                add(cloth.mesh.path, {fmt::format("{} sewing edge{} (l) passed over: cloth.sew = true sews them",
                                                  seams.size(), plural(seams.size()))});
        }
    for (const contact::Collider& collider : scene.colliders)
        if (const auto* mesh = std::get_if<geometry::MeshSolid>(&collider.shape)) add(mesh->path, mesh->notes);
    // Two cloths of one file say the same.
    std::vector<std::string> once;
    for (std::string& note : notes)
        if (std::ranges::find(once, note) == once.end()) once.push_back(std::move(note));
    return once;
}

}  // namespace clothlab::scene
