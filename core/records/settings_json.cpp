#include "records/settings_json.hpp"

namespace clothlab::records {
namespace {

struct FieldValue {
    const Field& field;

    Json operator()(const bool* b) const { return *b; }
    Json operator()(const int* i) const {
        return *i == 0 && !field.meta.autoWord.empty() ? Json(field.meta.autoWord) : Json(*i);
    }
    Json operator()(const double* d) const { return *d; }
    Json operator()(const Vec3* v) const { return *v; }
    Json operator()(const std::string* s) const { return *s; }
    Json operator()(const EnumRef&) const { return valueText(field.ref); }
};

}  // namespace

Json valueJson(const Field& field) { return std::visit(FieldValue{field}, field.ref); }

Json settingsJson(const scene::Settings& settings) {
    scene::Settings copy = settings;
    FieldList list;
    describe(copy, list);
    Json out = Json::object();
    for (const Field& field : list.fields()) {
        const bool isMass = field.key == "material.density" || field.key == "material.particle_mass";
        if (isMass && **std::get_if<double*>(&field.ref) == 0) continue;
        Json* place = &out;
        std::string_view key = field.key;
        for (std::size_t dot = key.find('.'); dot != key.npos; dot = key.find('.')) {
            place = &(*place)[key.substr(0, dot)];
            key.remove_prefix(dot + 1);
        }
        (*place)[key] = valueJson(field);
    }
    return out;
}

std::string sceneListJson(std::span<const scene::Scene> scenes) {
    Json out = Json::array();
    for (const scene::Scene& s : scenes) {
        long particles = 0;
        for (const scene::ClothPatch& cloth : s.cloths) particles += scene::particleCount(cloth);
        Json one;
        one["name"] = s.name;
        one["title"] = s.title;
        one["watch"] = s.watch;
        if (s.paper) one["paper"] = s.paper.source;
        one["steps"] = s.steps;
        one["particles"] = particles;
        one["file"] = s.file;
        out.push(std::move(one));
    }
    return out.text();
}

}  // namespace clothlab::records
