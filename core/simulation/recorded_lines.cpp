#include "simulation/recorded_lines.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "base/base64.hpp"
#include "base/text.hpp"
#include "records/json.hpp"
#include "scene/retired_keys.hpp"
#include "simulation/state_bytes.hpp"

namespace clothlab::simulation {

// The values of each event, in one list that LineWriter and LineReader (below) both go by. `io(key, value)` is a member
// of the event's object; `value` and `mark` are the event itself; `beside` is a key next to the event's own.

template <class Io>
void fields(Io& io, Steps& e) {
    io.value(e.count, 1);
}
template <class Io>
void fields(Io& io, Adopt&) {
    io.mark();
}

namespace edits {

template <class Io>
void fields(Io& io, Load& e) {
    io.scene(e);
}
template <class Io>
void fields(Io& io, Set& e) {
    io.settings(e.values);
}
template <class Io>
void fields(Io& io, Hold& e) {
    if (io.none(!e.cloth.active && !e.solid.active)) return;
    if (io.has("solid", e.solid.active)) {
        io("solid", e.solid.collider);
        io("target", e.solid.target);
    } else {
        e.cloth.active = true;
        io("particle", e.cloth.particle);
        io("target", e.cloth.target);
    }
}
template <class Io>
void fields(Io& io, Pin& e) {
    io("particle", e.particle);
    io("ndof", e.hold.ndof);
    io("direction", e.hold.direction);
    io("velocity", e.motion.velocity);
    io("from_s", e.motion.startTime);
    const bool straight = e.hold.ndof == 0 || std::abs(e.hold.direction.norm() - 1) < 1e-9;
    io.check(e.hold.ndof <= 2 && straight, "ndof is 0, 1 or 2, and the direction has length 1");
}
template <class Io>
void fields(Io& io, Unpin& e) {
    io.value(e.particle, 0);
}
template <class Io>
void fields(Io& io, Cut& e) {
    io("eye", e.blade.eye);
    io("from", e.blade.from);
    io("to", e.blade.to);
}
template <class Io>
void fields(Io& io, Ball& e) {
    io("from", e.from);
    io("radius", e.ball.radius);
    io("mass", e.ball.mass);
    io("velocity", e.ball.velocity);
    io.check(e.ball.radius > 0 && e.ball.mass > 0, "a ball has a radius and a mass");
}
template <class Io>
void fields(Io& io, Paint& e) {
    io.layers(e.painting.layers);
}
template <class Io>
void fields(Io& io, Restart&) {
    io.mark();
}
template <class Io>
void fields(Io& io, Seek& e) {
    io.value(e.step, 0);
}
template <class Io>
void fields(Io& io, Keep& e) {
    io.value(e.id, 0);
}
template <class Io>
void fields(Io& io, Return& e) {
    io.value(e.id, 0);
    io.beside("anew", e.anew);
}
template <class Io>
void fields(Io& io, PinsOf& e) {
    io.value(e.id, 0);
}
template <class Io>
void fields(Io& io, Ghost& e) {
    if (io.none(!e.differs)) return;
    if (!e.differs) e.differs.emplace();
    io.settings(e.differs->values);
    io.beside("further", e.further);
}

}  // namespace edits

namespace {

using records::Json;
using Settings = std::vector<std::pair<std::string, std::string>>;
using Layers = std::vector<scene::Painting::Layer>;

class LineWriter {
public:
    explicit LineWriter(std::string_view key) : value_(line_[key]) {}
    LineWriter(const LineWriter&) = delete;  // value_ is a part of it
    std::string text() const { return line_.text(); }

    template <class T>
    void operator()(std::string_view key, const T& member) {
        value_[key] = member;
    }
    void value(std::int64_t number, double) { value_ = number; }
    void mark() { value_ = true; }
    bool none(bool isNone) const { return isNone; }
    bool has(std::string_view, bool flag) const { return flag; }
    void beside(std::string_view key, bool flag) { beside_.emplace_back(key, flag); }
    void check(bool, std::string_view) const {}
    void settings(const Settings& values) {
        value_ = Json::object();
        for (const auto& [key, text] : values) value_[key] = text;
    }
    void scene(const edits::Load& e) {
        value_["name"] = e.scene.name;
        value_["scene"] = scene::writeScene(e.scene);
        if (e.state) {
            value_["state"] = base64(stateBytes(e.scene, *e.state));  // which has the meshes' hashes
            return;
        }
        for (const auto& [name, hash] : meshHashes(e.scene)) value_["meshes"].push(records::hashText(hash));
    }
    void layers(const Layers& layers) {
        value_ = Json::array();
        for (const scene::Painting::Layer& layer : layers) {
            Json one;
            one["cloth"] = layer.cloth;
            one["particles"] = Json::array(layer.particles);
            one["values"] = Json::object();
            cloth::MaterialSettings values = layer.says.values;
            FieldList list;
            describe(values, list);
            for (const std::string& key : layer.says.given) one["values"][key] = valueText(list.find(key)->ref);
            value_.push(std::move(one));
        }
    }
    void finish() {
        for (const auto& [key, flag] : beside_) line_[key] = flag;
    }

private:
    Json line_ = Json::object();
    Json& value_;  // of the event's key; moves when another key is added, so those come last
    std::vector<std::pair<std::string_view, bool>> beside_;
};

/// What it finds wrong first stays.
class LineReader {
public:
    LineReader(const JsonNode& root, const JsonNode& value, ReadLine& out) : root_(root), value_(value), out_(out) {}

    void operator()(std::string_view key, double& number) { number = this->number(member(value_, key)); }
    void operator()(std::string_view key, Index& index) { index = this->index(member(value_, key)); }
    void operator()(std::string_view key, Vec3& vector) {
        const JsonNode& node = member(value_, key);
        if (node.kind != JsonNode::Kind::Array || node.items.size() != 3)
            return wrong(node, fmt::format("'{}' has three numbers", key));
        vector = {number(node.items[0]), number(node.items[1]), number(node.items[2])};
    }
    void value(std::int64_t& number, double least) { number = whole(value_, least); }
    void value(Index& index, double) { index = this->index(value_); }
    void mark() const {}
    bool none(bool) const { return value_.kind == JsonNode::Kind::Null; }
    bool has(std::string_view key, bool& flag) const {
        return flag = value_.kind == JsonNode::Kind::Object && value_.find(key);
    }
    void beside(std::string_view key, bool& flag) const {
        const JsonNode* node = root_.find(key);
        flag = node && node->kind == JsonNode::Kind::Boolean && node->boolean;
    }
    void check(bool holds, std::string_view message) {
        if (!holds) wrong(value_, std::string(message));
    }
    void settings(Settings& values) {
        if (value_.kind != JsonNode::Kind::Object) return wrong(value_, "keys and values of settings are needed");
        scene::Settings trial;
        FieldList list;
        describe(trial, list);
        for (const JsonNode::Entry& entry : value_.entries) {
            if (scene::isRetired(entry.key)) continue;  // of an earlier version
            const Field* field = list.find(entry.key);
            if (!field) return wrong(entry.value, fmt::format("there is no setting '{}'", shown(entry.key)));
            if (entry.value.kind != JsonNode::Kind::Text) return wrong(entry.value, "a value is a text");
            if (auto done = assignText(*field, entry.value.text); !done)
                return wrong(entry.value, fmt::format("{}: {}", entry.key, done.error().message), done.error().choices);
            values.emplace_back(entry.key, entry.value.text);
        }
    }
    void scene(edits::Load& load) {
        auto scene = scene::readSceneText(text(value_, "scene"), "recorded scene");
        if (out_.problem) return;
        if (!scene) return wrong(value_, scene.error().text());
        load.scene = std::move(*scene);
        load.scene.name = text(value_, "name");
        load.scene.file.clear();
        if (!value_.find("state")) return checkMeshes(load.scene);
        const auto bytes = fromBase64(text(value_, "state"));
        if (!bytes) return wrong(value_, "'state' is a saved state in base64");
        auto saved = readStateBytes(*bytes, "recorded state");
        if (!saved) return wrong(value_, saved.error().text());
        load.scene = std::move(saved->scene);
        load.state = std::move(saved->state);
    }
    void layers(Layers& layers) {
        if (value_.kind != JsonNode::Kind::Array) return wrong(value_, "'paint' is a list of layers");
        for (const JsonNode& one : value_.items) {
            scene::Painting::Layer layer;
            layer.cloth = int(index(member(one, "cloth")));
            for (const JsonNode& particle : member(one, "particles").items) layer.particles.push_back(index(particle));
            FieldList list;
            describe(layer.says.values, list);
            for (const JsonNode::Entry& entry : member(one, "values").entries) {
                const Field* field = list.find(entry.key);
                if (!field || entry.value.kind != JsonNode::Kind::Text || !assignText(*field, entry.value.text))
                    return wrong(entry.value, fmt::format("'{}' is no value of a material", shown(entry.key)));
                layer.says.given.push_back(entry.key);
            }
            layers.push_back(std::move(layer));
        }
    }

private:
    void wrong(const JsonNode& node, std::string message, std::vector<std::string> choices = {}) {
        if (out_.problem) return;
        out_.problem = Error{.message = std::move(message), .choices = std::move(choices)};
        out_.at = node.at;
    }
    const JsonNode& member(const JsonNode& of, std::string_view key) {
        static const JsonNode kNone;
        const JsonNode* node = of.kind == JsonNode::Kind::Object ? of.find(key) : nullptr;
        if (!node) wrong(of, fmt::format("'{}' is missing", key));
        return node ? *node : kNone;
    }
    double number(const JsonNode& node) {
        if (!node.isNumber()) wrong(node, "a number is needed");
        return node.number;
    }
    std::int64_t whole(const JsonNode& node, double least) {
        const double value = number(node);
        constexpr double kMost = 9007199254740992;
        if (value >= least && value <= kMost && value == std::floor(value)) return std::int64_t(value);
        wrong(node, fmt::format("a whole number is needed, {:g} or more", least));
        return 0;
    }
    Index index(const JsonNode& node) {
        const std::int64_t value = whole(node, 0);
        if (value <= std::numeric_limits<Index>::max()) return Index(value);
        wrong(node, "a number of a particle or a solid is needed");
        return 0;
    }
    std::string text(const JsonNode& of, std::string_view key) {
        const JsonNode& node = member(of, key);
        if (node.kind != JsonNode::Kind::Text) wrong(node, fmt::format("'{}' is a text", key));
        return node.text;
    }
    /// A mesh stays in its file, which may be another one by now.
    void checkMeshes(const scene::Scene& scene) {
        const JsonNode* then = value_.find("meshes");
        const auto now = meshHashes(scene);
        for (std::size_t k = 0; then && k < std::min(now.size(), then->items.size()); ++k)
            if (then->items[k].text != records::hashText(now[k].second))
                return wrong(value_,
                             fmt::format("the mesh {} is not what it was when this was recorded", shown(now[k].first)));
    }

    const JsonNode& root_;
    const JsonNode& value_;
    ReadLine& out_;
};

/// All types that a line can have.
template <class Visit>
void forEachEvent(Visit visit) {
    visit(std::type_identity<Steps>{}), visit(std::type_identity<Adopt>{});
    [&]<std::size_t... k>(std::index_sequence<k...>) {
        (visit(std::type_identity<std::variant_alternative_t<k, Edit>>{}), ...);
    }
    (std::make_index_sequence<std::variant_size_v<Edit>>());
}

template <class Event>
std::string lineOf(Event event) {
    LineWriter io(Event::kTraits.key);
    fields(io, event);
    io.finish();
    return io.text();
}

}  // namespace

std::string recordedLine(const RecordedEvent& event) {
    if (const Edit* edit = std::get_if<Edit>(&event)) return std::visit([](const auto& e) { return lineOf(e); }, *edit);
    if (const Steps* steps = std::get_if<Steps>(&event)) return lineOf(*steps);
    return lineOf(Adopt{});
}

ReadLine readLine(const JsonNode& root) {
    ReadLine out;
    if (root.kind != JsonNode::Kind::Object || root.entries.empty()) {
        out.problem = Error{.message = "an object is needed"};
        out.at = root.at;
        return out;
    }
    const auto& [key, value] = root.entries.front();
    forEachEvent([&, &key = key, &value = value]<class Event>(std::type_identity<Event>) {
        if (key != Event::kTraits.key) return;
        Event event;
        LineReader io(root, value, out);
        fields(io, event);
        out.event = std::move(event);
    });
    if (out.event) return out;
    out.problem = Error{.message = fmt::format("unknown event '{}'", shown(key))};
    forEachEvent(
        [&]<class Event>(std::type_identity<Event>) { out.problem->choices.emplace_back(Event::kTraits.key); });
    out.at = root.at;
    return out;
}

}  // namespace clothlab::simulation
