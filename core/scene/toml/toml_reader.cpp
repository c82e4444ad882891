#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/input.hpp"
#include "base/text.hpp"
#include "scene/retired_keys.hpp"
#include "scene/scene_fields.hpp"
#include "scene/toml/collider_reader.hpp"
#include "scene/toml/material_reader.hpp"
#include "scene/toml/mesh_reader.hpp"
#include "scene/toml/paper_table.hpp"
#include "scene/toml/pin_table.hpp"
#include "scene/toml/range_reader.hpp"
#include "scene/toml/set_reader.hpp"
#include "scene/toml/table_reader.hpp"

namespace clothlab::scene {
namespace {

/// The tables of the settings: what stands before the dot of a key.
std::vector<std::string> settingsTables(const FieldList& list) {
    std::vector<std::string> names;
    for (const Field& field : list.fields())
        if (const std::size_t dot = field.key.find('.'); dot != field.key.npos)
            if (const std::string name = field.key.substr(0, dot); std::ranges::find(names, name) == names.end())
                names.push_back(name);
    return names;
}

/// Reads a scene's tables one after the other; the first mistake ends it.
class SceneReader {
public:
    SceneReader(const TomlNode& root, Scene& scene) : root_(root), scene_(scene), file_(scene.file) {}

    Expected<void> read() {
        for (auto part : {&SceneReader::refuseUnknown, &SceneReader::readTexts, &SceneReader::readSettings,
                          &SceneReader::checkSettings, &SceneReader::readCamera, &SceneReader::readCloths,
                          &SceneReader::readSets, &SceneReader::readRegions, &SceneReader::readPins,
                          &SceneReader::readPointForces, &SceneReader::readColliders, &SceneReader::readPaperValues})
            if (auto done = (this->*part)(); !done) return done;
        return {};
    }

private:
    Expected<void> refuseUnknown();
    Expected<void> readTexts();
    Expected<void> readSettings();
    Expected<void> checkSettings();
    Expected<void> readCamera();
    Expected<void> readCloths();
    Expected<void> readCloth(const TomlNode& table);
    Expected<void> readSets();
    Expected<void> readRegions();
    Expected<void> readPins();
    Expected<void> readPointForces();
    Expected<void> readColliders();
    Expected<void> readPaperValues();
    Expected<std::vector<const TomlNode*>> findTables(std::string_view name) const;

    const TomlNode& root_;
    Scene& scene_;
    const std::string& file_;
};

Expected<void> SceneReader::refuseUnknown() {
    std::vector<std::string> valid{"title", "watch", "steps", "overlay", "fabric", "gravity", "threads"};
    for (std::string& name : settingsTables(listFields(scene_.settings))) valid.push_back(std::move(name));
    for (std::string_view name : {"cloth", "set", "region", "pins", "point_force", "collider", "camera", "paper"})
        valid.emplace_back(name);
    FieldList words;  // only for its search of similar words
    int unused = 0;
    for (const std::string& name : valid) words.add(name, unused, {});
    for (const TomlNode::Entry& entry : root_.entries)
        if (std::find(valid.begin(), valid.end(), entry.key) == valid.end()) {
            const Error error = unknownKey(entry.key, words.similar(entry.key), valid);
            return failAt(file_, entry.line, entry.column, error.message, error.choices);
        }
    return {};
}

Expected<void> SceneReader::readTexts() {
    FieldList list = lengthFields(scene_);
    list.add("title", scene_.title, {.label = "title"});
    list.add("watch", scene_.watch, {.label = "what to watch"});
    for (std::string_view key : {"title", "watch", "steps", "overlay", "fabric"})
        if (const TomlNode::Entry* entry = root_.find(key))
            if (auto done = assignNode(*list.find(key), entry->value, file_); !done) return done;
    return {};
}

Expected<void> SceneReader::readSettings() {
    const FieldList list = listFields(scene_.settings);
    for (std::string_view key : {"gravity", "threads"})
        if (const TomlNode::Entry* entry = root_.find(key))
            if (auto done = assignNode(*list.find(key), entry->value, file_); !done) return done;
    for (const std::string& name : settingsTables(list)) {
        const TomlNode::Entry* entry = root_.find(name);
        if (!entry) continue;
        if (auto done = expectTable(entry->value, name, file_); !done) return done;
        auto done = name == "material" ? readMaterial(entry->value, name, scene_.settings.material, file_)
                                       : readTable(entry->value, name, list, file_);
        if (!done) return done;
        for (const TomlNode::Entry& each : entry->value.entries)
            if (const std::string key = fmt::format("{}.{}", name, each.key); isRetired(key))
                scene_.notes.push_back(fmt::format("{}:{}: {}", shownPath(file_), each.line, retiredNote(key)));
    }
    return {};
}

/// What `run` would refuse is refused here, where the file can be pointed at.
Expected<void> SceneReader::checkSettings() {
    const SettingsFault fault = findFault(scene_.settings);
    if (fault.message.empty()) return {};
    const std::size_t dot = fault.key.find('.');
    const TomlNode::Entry* table = root_.find(fault.key.substr(0, dot));
    const TomlNode::Entry* entry = table ? table->value.find(fault.key.substr(dot + 1)) : nullptr;
    return failAt(file_, entry ? entry->value : root_, fmt::format("{}: {}", fault.key, fault.message));
}

Expected<void> SceneReader::readCamera() {
    const TomlNode::Entry* entry = root_.find("camera");
    if (!entry) return {};
    if (auto done = expectTable(entry->value, "camera", file_); !done) return done;
    return readTable(entry->value, "camera", listFields(scene_.camera, "camera"), file_);
}

/// One table or an array of tables.
Expected<std::vector<const TomlNode*>> SceneReader::findTables(std::string_view name) const {
    std::vector<const TomlNode*> tables;
    const TomlNode::Entry* entry = root_.find(name);
    if (!entry) return tables;
    if (entry->value.kind == TomlNode::Kind::Array)
        for (const TomlNode& item : entry->value.items) tables.push_back(&item);
    else
        tables.push_back(&entry->value);
    for (const TomlNode* table : tables)
        if (table->kind != TomlNode::Kind::Table)
            return failAt(file_, *table, fmt::format("{}: {} where a table is needed", name, kindText(*table)),
                          {fmt::format("[[{}]] and its keys on the lines below", name)});
    return tables;
}

Expected<void> SceneReader::readCloths() {
    const auto tables = findTables("cloth");
    if (!tables) return fail(tables.error());
    if (tables->empty()) return failAt(file_, root_, "the scene has no cloth", {"a table [cloth], which may be empty"});
    if (tables->size() > 65535) return failAt(file_, root_, "the scene has more than 65535 cloths");
    long particles = 0;
    for (const TomlNode* table : *tables) {
        if (auto done = readCloth(*table); !done) return done;
        if (scene_.cloths.back().solid) continue;  // filled, and counted, when the world is built
        particles += particleCount(scene_.cloths.back());
        if (particles > kMaxParticles)
            return failAt(file_, *table, fmt::format("the scene has more than {} particles", kMaxParticles));
    }
    return {};
}

Expected<void> SceneReader::readCloth(const TomlNode& table) {
    ClothPatch cloth;
    if (auto done = readMesh(table, cloth, file_); !done) return done;
    if (auto done = readTable(table, "cloth", listFields(cloth, "cloth"), file_,
                              {"mesh", "strict", "garment", "garment_spacing", "material"});
        !done)
        return done;
    if (const ClothFault fault = findFault(cloth); !fault.key.empty()) {
        const TomlNode::Entry* entry = table.find(fault.key);
        return failAt(file_, entry ? entry->value : table, fault.message);
    }
    if (const TomlNode::Entry* weld = table.find("weld"))
        if (auto done = makeCloth(cloth); !done) return failAt(file_, weld->value, done.error().message);
    if (const TomlNode::Entry* own = table.find("material")) {
        if (auto done = expectTable(own->value, "cloth.material", file_); !done) return done;
        cloth.material = scene_.settings.material;
        if (auto done = readMaterial(own->value, "material", *cloth.material, file_); !done) return done;
    }
    scene_.cloths.push_back(std::move(cloth));
    return {};
}

/// Before whatever names a set, so that a name can be checked where it stands.
Expected<void> SceneReader::readSets() {
    const auto tables = findTables("set");
    if (!tables) return fail(tables.error());
    for (const TomlNode* table : *tables) {
        auto set = readSet(*table, scene_.cloths, scene_.sets, file_);
        if (!set) return fail(set.error());
        scene_.sets.push_back(std::move(*set));
    }
    for (const std::string_view name : {"region", "pins", "point_force"}) {
        const auto named = findTables(name);
        if (!named) return fail(named.error());
        for (const TomlNode* table : *named)
            if (auto done = checkSetName(*table, name, scene_.sets, file_); !done) return done;
    }
    return {};
}

Expected<void> SceneReader::readRegions() {
    const auto tables = findTables("region");
    if (!tables) return fail(tables.error());
    for (const TomlNode* table : *tables) {
        auto region = readRegion(*table, scene_.cloths, file_);
        if (!region) return fail(region.error());
        scene_.regions.push_back(std::move(*region));
    }
    return {};
}

Expected<void> SceneReader::readPins() {
    const auto tables = findTables("pins");
    if (!tables) return fail(tables.error());
    for (const TomlNode* table : *tables) {
        auto pin = readPin(*table, scene_.cloths, file_);
        if (!pin) return fail(pin.error());
        scene_.pins.push_back(std::move(*pin));
    }
    return {};
}

Expected<void> SceneReader::readPointForces() {
    const auto tables = findTables("point_force");
    if (!tables) return fail(tables.error());
    for (const TomlNode* table : *tables) {
        ScenePointForce point;
        FieldList list;
        list.add("point_force.force", point.force, {.unit = "N", .min = -1e9, .max = 1e9});
        constexpr std::string_view kOwn[]{"force"};
        const auto range = readRange(*table, "point_force", scene_.cloths, file_, kOwn);
        if (!range) return fail(range.error());
        point.where = *range;
        const TomlNode::Entry* force = table->find("force");
        if (!force) return failAt(file_, *table, "a point_force needs a force", {"force = [x, y, z] in N"});
        if (auto done = assignNode(list.fields()[0], force->value, file_); !done) return done;
        scene_.pointForces.push_back(point);
    }
    return {};
}

Expected<void> SceneReader::readColliders() {
    const auto tables = findTables("collider");
    if (!tables) return fail(tables.error());
    for (const TomlNode* table : *tables) {
        auto collider = readCollider(*table, int(scene_.colliders.size()) + 1, file_);
        if (!collider) return fail(collider.error());
        scene_.colliders.push_back(std::move(*collider));
    }
    return {};
}

/// After all else: what it says is checked against the scene.
Expected<void> SceneReader::readPaperValues() {
    const TomlNode::Entry* entry = root_.find("paper");
    return entry ? readPaper(entry->value, scene_, file_) : Expected<void>{};
}

}  // namespace

Expected<Scene> readSceneText(std::string_view text, const std::string& file) {
    const auto root = parseToml(text, file);
    if (!root) return fail(root.error());
    Scene scene;
    scene.file = file;
    scene.name = std::filesystem::path(file).stem().string();
    if (auto done = SceneReader(*root, scene).read(); !done) return fail(done.error());
    return scene;
}

Expected<Scene> readScene(const std::string& path) {
    const auto text = readFile(path, kHandWritten);
    if (!text) return fail(text.error());
    return readSceneText(*text, path);
}

}  // namespace clothlab::scene
