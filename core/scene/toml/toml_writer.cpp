#include <fmt/format.h>

#include "scene/scene_fields.hpp"
#include "scene/toml/collider_fields.hpp"
#include "scene/toml/keyframes.hpp"
#include "scene/toml/paper_table.hpp"
#include "scene/toml/pin_table.hpp"
#include "scene/toml/toml_text.hpp"

namespace clothlab::scene {
namespace {

/// Density or particle mass: the one that is 0 was not given. Beside a particle mass there is no volume density.
bool unusedMass(const Field& field, const FieldList& list) {
    const auto isZero = [](const Field& mass) { return **std::get_if<double*>(&mass.ref) == 0; };
    if (field.key.ends_with("material.volume_density")) {
        const std::string prefix = field.key.substr(0, field.key.size() - std::string_view("volume_density").size());
        const Field* mass = list.find(prefix + "particle_mass");
        return mass && !isZero(*mass);
    }
    const bool isMass = field.key.ends_with("material.density") || field.key.ends_with("material.particle_mass");
    return isMass && isZero(field);
}

bool written(const Field& field, const FieldList& list, const FieldRef& reference, bool all) {
    return !unusedMass(field, list) && (all || !equalValues(field.ref, reference));
}

/// The fields under one prefix ("" = those without a dot) as lines "key = value". `base`, when given, is a list of the
/// same fields that holds what need not be said.
std::string fieldLines(const FieldList& list, std::string_view prefix, bool all, const FieldList* base = nullptr) {
    std::string out;
    for (std::size_t i = 0; i < list.fields().size(); ++i) {
        const Field& field = list.fields()[i];
        const std::size_t dot = field.key.rfind('.');
        const std::string_view table = dot == field.key.npos ? "" : std::string_view(field.key).substr(0, dot);
        if (table != prefix) continue;
        if (!written(field, list, base ? base->fields()[i].ref : field.defaults, all)) continue;
        out += fmt::format("{} = {}\n", field.key.substr(dot == field.key.npos ? 0 : dot + 1), tomlValue(field));
    }
    return out;
}

std::vector<std::string> tableNames(const FieldList& list) {
    std::vector<std::string> names;
    for (const Field& field : list.fields()) {
        const std::size_t dot = field.key.rfind('.');
        if (dot == field.key.npos) continue;
        if (names.empty() || names.back() != field.key.substr(0, dot)) names.push_back(field.key.substr(0, dot));
    }
    return names;
}

std::string settingsTables(const FieldList& list, bool all) {
    std::string out;
    for (const std::string& name : tableNames(list))
        if (const std::string lines = fieldLines(list, name, all); !lines.empty())
            out += fmt::format("\n[{}]\n{}", name, lines);
    return out;
}

std::string rangeText(const ParticleRange& range, std::size_t cloths) {
    if (!range.set.empty()) return fmt::format("set = {}\n", quotedText(range.set));
    std::string out;
    const auto axis = [&out](std::string_view word, int from, int to, int step) {
        if (from == to)
            out += from == kMiddle ? fmt::format("{} = \"middle\"\n", word) : fmt::format("{} = {}\n", word, from);
        else
            out += fmt::format("{}s = [{}, {}]\n", word, from, to);
        if (step != 1) out += fmt::format("{}_step = {}\n", word, step);
    };
    if (cloths > 1) out += fmt::format("cloth = {}\n", range.cloth);
    axis("row", range.rowFrom, range.rowTo, range.rowStep);
    axis("column", range.columnFrom, range.columnTo, range.columnStep);
    return out;
}

std::string clothText(const Scene& scene, ClothPatch cloth, bool all) {
    const bool several = scene.cloths.size() > 1;
    std::string out = several ? "\n[[cloth]]\n" : "\n[cloth]\n";
    if (cloth.mesh && cloth.mesh.garmentSpacing > 0)
        out += fmt::format("garment = {}\ngarment_spacing = {}\n", quotedText(cloth.mesh.path),
                           numberText(cloth.mesh.garmentSpacing));
    else if (cloth.mesh)
        out += fmt::format("mesh = {}\n{}", quotedText(cloth.mesh.path), cloth.mesh.strict ? "strict = true\n" : "");
    const FieldList fields = listFields(cloth, "cloth");
    for (const Field& field : fields.fields()) {
        const std::string_view key = std::string_view(field.key).substr(6);  // after "cloth."
        if (takesKey(cloth, key) && written(field, fields, field.defaults, all))
            out += fmt::format("{} = {}\n", key, tomlValue(field));
    }
    if (cloth.material) {
        cloth::MaterialSettings common = scene.settings.material;
        const FieldList base = listFields(common, "material");
        out += "\n[cloth.material]\n" + fieldLines(listFields(*cloth.material, "material"), "material", all, &base);
    }
    return out;
}

struct WhichText {
    std::string operator()(const std::vector<Index>& listed) const {
        return fmt::format("particles = [{}]\n", fmt::join(listed, ", "));
    }
    std::string operator()(const ParticleSet::Near& near) const {
        return fmt::format("near = {}\n", vectorText(near.point));
    }
    std::string operator()(const ParticleSet::Box& box) const {
        return fmt::format("box = [{}, {}]\n", vectorText(box.low), vectorText(box.high));
    }
};

std::string setText(const ParticleSet& set, std::size_t cloths) {
    std::string out = fmt::format("\n[[set]]\nname = {}\n", quotedText(set.name));
    if (cloths > 1) out += fmt::format("cloth = {}\n", set.cloth);
    return out + std::visit(WhichText{}, set.which);
}

std::string regionText(MaterialRegion region, std::size_t cloths) {
    std::string out = "\n[[region]]\n" + rangeText(region.where, cloths);
    const FieldList values = listFields(region.values);
    for (const std::string& key : region.given) out += fmt::format("{} = {}\n", key, tomlValue(*values.find(key)));
    return out;
}

std::string colliderText(const contact::Collider& collider, bool all) {
    ColliderRecord record = toRecord(collider), usual;
    usual.shape = record.shape;
    const FieldList list = describeCollider(record), defaults = describeCollider(usual);
    std::string out = "\n[[collider]]\n";
    for (std::size_t i = 0; i < list.fields().size(); ++i) {
        const Field& field = list.fields()[i];
        if (field.key == "collider.axis" || field.key == "collider.rotation") continue;  // orientation says it
        const bool always = field.key == "collider.name" || field.key == "collider.shape";
        const bool friction = field.key == "collider.mu_s" || field.key == "collider.mu_k";  // none: the scene's
        if (always || (all && !friction) || !equalValues(field.ref, defaults.fields()[i].ref))
            out += fmt::format("{} = {}\n", field.key.substr(9), tomlValue(field));
    }
    const Eigen::Quaterniond& q = collider.orientation;
    if (all || q.coeffs() != Eigen::Quaterniond::Identity().coeffs())
        out += fmt::format("orientation = [{}, {}, {}, {}]\n", numberText(q.w()), numberText(q.x()), numberText(q.y()),
                           numberText(q.z()));
    return out + keyframesText(collider.keyframes);
}

}  // namespace

std::string writeScene(const Scene& scene, bool all) {
    Scene copy = scene;  // the tables bind to something that may change
    std::string out = fmt::format("title = {}\nwatch = {}\nsteps = {}\n", quotedText(scene.title),
                                  quotedText(scene.watch), scene.steps);
    if (all || scene.overlay != OverlayKind::None) out += fmt::format("overlay = \"{}\"\n", enumKey(scene.overlay));
    if (all || scene.fabric != Fabric::Cotton) out += fmt::format("fabric = \"{}\"\n", enumKey(scene.fabric));
    const FieldList settings = listFields(copy.settings);
    out += fieldLines(settings, "", all) + settingsTables(settings, all);
    for (const ClothPatch& cloth : scene.cloths) out += clothText(scene, cloth, all);
    for (const ParticleSet& set : scene.sets) out += setText(set, scene.cloths.size());
    for (const MaterialRegion& region : scene.regions) out += regionText(region, scene.cloths.size());
    for (const ScenePin& pin : scene.pins)
        out += "\n[[pins]]\n" + rangeText(pin.where, scene.cloths.size()) + pinText(pin);
    for (const ScenePointForce& point : scene.pointForces)
        out += "\n[[point_force]]\n" + rangeText(point.where, scene.cloths.size()) +
               fmt::format("force = {}\n", vectorText(point.force));
    for (const contact::Collider& collider : scene.colliders) out += colliderText(collider, all);
    const FieldList camera = listFields(copy.camera, "camera");
    return out + settingsTables(camera, all) + paperText(scene);
}

std::string writeSettings(const Settings& settings) {
    Settings copy = settings;
    const FieldList list = listFields(copy);
    return fieldLines(list, "", true) + settingsTables(list, true);
}

}  // namespace clothlab::scene
