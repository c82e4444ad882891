#include "scene/toml/set_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.hpp"
#include "scene/toml/range_reader.hpp"
#include "scene/toml/table_reader.hpp"

namespace clothlab::scene {
namespace {

constexpr std::string_view kWays[] = {"particles", "near", "box"};
constexpr double kBeyond = 1e9;  // m: beyond any particle

/// One [[set]] being read.
class SetReader {
public:
    SetReader(const TomlNode& table, const std::string& file) : table_(table), file_(file) {}

    Expected<ParticleSet> read(const std::vector<ClothPatch>& cloths, const std::vector<ParticleSet>& known) {
        if (auto done = refuseUnknown(); !done) return fail(done.error());
        if (auto done = readName(known); !done) return fail(done.error());
        const auto cloth = readClothNumber(table_, "set", cloths.size(), file_);
        if (!cloth) return fail(cloth.error());
        set_.cloth = *cloth;
        const TomlNode* given = nullptr;
        for (const std::string_view way : kWays) {
            const TomlNode::Entry* entry = table_.find(way);
            if (!entry) continue;
            if (given)
                return failAt(file_, entry->line, entry->column, "a set says in one way which particles it has",
                              {std::begin(kWays), std::end(kWays)});
            given = &entry->value;
            if (auto done = readWhich(way, entry->value); !done) return fail(done.error());
        }
        if (!given)
            return failAt(file_, table_, "the set does not say which particles it has",
                          {"particles = [0, 7]", "near = [x, y, z]", "box = [[x, y, z], [x, y, z]]"});
        if (const auto found = resolve(set_, cloths[set_.cloth]); !found)
            return failAt(file_, *given, found.error().message, found.error().choices);
        return std::move(set_);
    }

private:
    Expected<void> refuseUnknown() const {
        std::vector<std::string> valid{"name", "cloth"};
        valid.insert(valid.end(), std::begin(kWays), std::end(kWays));
        for (const TomlNode::Entry& entry : table_.entries)
            if (std::find(valid.begin(), valid.end(), entry.key) == valid.end())
                return failAt(file_, entry.line, entry.column, fmt::format("unknown key '{}' in set", shown(entry.key)),
                              valid);
        return {};
    }
    Expected<void> readName(const std::vector<ParticleSet>& known) {
        const TomlNode::Entry* entry = table_.find("name");
        if (!entry) return failAt(file_, table_, "the set has no name", {"name = \"rim\""});
        if (entry->value.kind != TomlNode::Kind::Text || entry->value.text.empty())
            return failAt(file_, entry->value, "set.name: a text is needed that is not empty", {"name = \"rim\""});
        const auto same = [&](const ParticleSet& one) { return one.name == entry->value.text; };
        if (std::any_of(known.begin(), known.end(), same))
            return failAt(file_, entry->value, fmt::format("there is a set '{}' already", shown(entry->value.text)));
        set_.name = entry->value.text;
        return {};
    }
    Expected<void> readWhich(std::string_view way, const TomlNode& node) {
        if (way == "particles") return readList(node);
        if (way == "near") {
            ParticleSet::Near near;
            FieldList list;
            list.add("set.near", near.point, {.unit = "m", .min = -kBeyond, .max = kBeyond});
            auto done = assignNode(list.fields()[0], node, file_);
            set_.which = near;
            return done;
        }
        if (node.kind != TomlNode::Kind::Array || node.items.size() != 2)
            return failAt(file_, node, "set.box: a low corner and a high one are needed",
                          {"box = [[x, y, z], [x, y, z]]"});
        ParticleSet::Box box;
        FieldList list;
        list.add("set.box", box.low, {.unit = "m", .min = -kBeyond, .max = kBeyond});
        list.add("set.box", box.high, {.unit = "m", .min = -kBeyond, .max = kBeyond});
        for (std::size_t k = 0; k < 2; ++k)
            if (auto done = assignNode(list.fields()[k], node.items[k], file_); !done) return done;
        if ((box.low.array() > box.high.array()).any())
            return failAt(file_, node, "set.box: the first corner is to be the low one in x, y and z");
        set_.which = box;
        return {};
    }
    Expected<void> readList(const TomlNode& node) {
        const std::vector<std::string> valid{"particles = [0, 7, 12]"};
        if (node.kind != TomlNode::Kind::Array || node.items.empty())
            return failAt(file_, node, "set.particles: a list of numbers is needed", valid);
        std::vector<Index> listed;
        for (const TomlNode& item : node.items) {
            const auto number = readInteger(item, "set.particles", 0, std::numeric_limits<Index>::max(), file_);
            if (!number) return fail(number.error());
            listed.push_back(*number);
        }
        set_.which = std::move(listed);
        return {};
    }

    const TomlNode& table_;
    const std::string& file_;
    ParticleSet set_;
};

}  // namespace

Expected<ParticleSet> readSet(const TomlNode& table, const std::vector<ClothPatch>& cloths,
                              const std::vector<ParticleSet>& known, const std::string& file) {
    return SetReader(table, file).read(cloths, known);
}

Expected<void> checkSetName(const TomlNode& table, std::string_view name, const std::vector<ParticleSet>& known,
                            const std::string& file) {
    const TomlNode::Entry* entry = table.find("set");
    if (!entry || entry->value.text.empty()) return {};  // what is no name is refused where it is read
    std::vector<std::string> valid;
    for (const ParticleSet& set : known) {
        if (set.name == entry->value.text) return {};
        valid.push_back(fmt::format("set = \"{}\"", shown(set.name)));
    }
    if (valid.empty()) valid.emplace_back("a [[set]] with this name, which the file does not have yet");
    return failAt(file, entry->value, fmt::format("{}: there is no set '{}'", name, shown(entry->value.text)), valid);
}

}  // namespace clothlab::scene
