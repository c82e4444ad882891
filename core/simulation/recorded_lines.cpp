#include "simulation/recorded_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
    void value(std::int64_t number, std::int64_t) { value_ = number; }
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

class LineReader {
public:
    LineReader(JsonValue root, JsonValue value) : root_(root), value_(value) {}

    void operator()(std::string_view key, double& number) { number = value_[key].number(); }
    void operator()(std::string_view key, Index& index) { index = value_[key].index(); }
    void operator()(std::string_view key, Vec3& vector) { vector = value_[key].vector(); }
    void value(std::int64_t& number, std::int64_t least) { number = value_.whole(least); }
    void value(Index& index, std::int64_t) { index = value_.index(); }
    void mark() const {}
    bool none(bool) const { return value_.is(JsonNode::Kind::Null); }
    bool has(std::string_view key, bool& flag) const { return flag = value_.has(key); }
    void beside(std::string_view key, bool& flag) const { flag = root_.has(key) && root_[key].flag(); }
    void check(bool holds, std::string_view message) {
        if (!holds) value_.refuse(std::string(message));
    }
    void settings(Settings& values) {
        scene::Settings trial;
        FieldList list;
        describe(trial, list);
        for (const JsonValue& value : value_.members()) {
            if (scene::isRetired(value.name())) continue;  // of an earlier version
            if (assign(value, list)) values.emplace_back(value.name(), value.text());
        }
    }
    void scene(edits::Load& load) {
        auto scene = scene::readSceneText(value_["scene"].text(), "recorded scene");
        if (!scene) return value_["scene"].refuse(scene.error().text());
        load.scene = std::move(*scene);
        load.scene.name = value_["name"].text();
        load.scene.file.clear();
        if (!value_.has("state")) return checkMeshes(load.scene);
        const JsonValue state = value_["state"];
        const auto bytes = fromBase64(state.text());
        if (!bytes) return state.refuse("'state' is a saved state in base64");
        auto saved = readStateBytes(*bytes, "recorded state");
        if (!saved) return state.refuse(saved.error().text());
        load.scene = std::move(saved->scene);
        load.state = std::move(saved->state);
    }
    void layers(Layers& layers) {
        for (const JsonValue& one : value_.items()) {
            scene::Painting::Layer layer;
            layer.cloth = int(one["cloth"].index());
            for (const JsonValue& particle : one["particles"].items()) layer.particles.push_back(particle.index());
            FieldList list;
            describe(layer.says.values, list);
            for (const JsonValue& value : one["values"].members())
                if (assign(value, list)) layer.says.given.emplace_back(value.name());
            layers.push_back(std::move(layer));
        }
    }

private:
    /// A text as the value of the setting of this name.
    static bool assign(const JsonValue& value, const FieldList& list) {
        const Field* field = list.find(value.name());
        if (!field) {
            value.refuse(fmt::format("there is no setting '{}'", shown(value.name())), list.similar(value.name()));
            return false;
        }
        const auto done = assignText(*field, value.text());
        if (!done) value.refuse(fmt::format("{}: {}", field->key, done.error().message), done.error().choices);
        return done.has_value();
    }
    /// A mesh stays in its file, which may be another one by now.
    void checkMeshes(const scene::Scene& scene) {
        if (!value_.has("meshes")) return;
        const std::vector<std::string> then = value_["meshes"].texts();
        const auto now = meshHashes(scene);
        for (std::size_t k = 0; k < std::min(now.size(), then.size()); ++k)
            if (then[k] != records::hashText(now[k].second))
                return value_.refuse(
                    fmt::format("the mesh {} has changed since this was recorded", shown(now[k].first)));
    }

    JsonValue root_, value_;
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
std::string makeLine(Event event) {
    LineWriter io(Event::kTraits.key);
    fields(io, event);
    io.finish();
    return io.text();
}

}  // namespace

std::string recordedLine(const RecordedEvent& event) {
    if (const Edit* edit = std::get_if<Edit>(&event))
        return std::visit([](const auto& e) { return makeLine(e); }, *edit);
    if (const Steps* steps = std::get_if<Steps>(&event)) return makeLine(*steps);
    return makeLine(Adopt{});
}

std::optional<RecordedEvent> readLine(JsonReader& line) {
    const JsonValue root = line.root();
    const std::vector<JsonValue> members = root.members();
    std::optional<RecordedEvent> out;
    std::vector<std::string> keys;
    forEachEvent([&]<class Event>(std::type_identity<Event>) {
        keys.emplace_back(Event::kTraits.key);
        if (members.empty() || members.front().name() != keys.back()) return;
        Event event;
        LineReader io(root, members.front());
        fields(io, event);
        out = std::move(event);
    });
    if (!out)
        root.refuse(
            members.empty() ? "an event is needed" : fmt::format("unknown event '{}'", shown(members.front().name())),
            std::move(keys));
    return out;
}

}  // namespace clothlab::simulation
