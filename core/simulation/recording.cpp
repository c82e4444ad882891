#include "simulation/recording.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/base64.hpp"
#include "base/input.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "records/json.hpp"
#include "simulation/state_bytes.hpp"

namespace clothlab::simulation {
namespace {

using namespace recorded;
using records::Json;

constexpr InputLimits kRecordingLimits{.bytes = std::uintmax_t{4} << 30};

// --- writing

struct LineOf {
    Json out = Json::object();

    void operator()(const Load& e) {
        Json& load = out["load"];
        load["name"] = e.scene.name;
        load["scene"] = scene::writeScene(e.scene);
        if (e.state) {
            load["state"] = base64(stateBytes(e.scene, *e.state));  // which has the meshes' hashes
            return;
        }
        for (const auto& [name, hash] : meshHashes(e.scene)) load["meshes"].push(records::hashText(hash));
    }
    void operator()(const Steps& e) { out["steps"] = e.count; }
    static Json valuesOf(const Set& set) {
        Json values = Json::object();
        for (const auto& [key, value] : set.values) values[key] = value;
        return values;
    }
    void operator()(const Set& e) { out["set"] = valuesOf(e); }
    void operator()(const Hold& e) {
        out["hold"] = Json();
        if (e.cloth.active) {
            out["hold"]["particle"] = e.cloth.particle;
            out["hold"]["target"] = e.cloth.target;
        } else if (e.solid.active) {
            out["hold"]["solid"] = e.solid.collider;
            out["hold"]["target"] = e.solid.target;
        }
    }
    void operator()(const PinAt& e) {
        if (!e.hold) {
            out["unpin"] = e.particle;
            return;
        }
        Json& pin = out["pin"];
        pin["particle"] = e.particle;
        pin["ndof"] = e.hold->ndof;
        pin["direction"] = e.hold->direction;
        pin["velocity"] = e.motion.velocity;
        pin["from_s"] = e.motion.startTime;
    }
    void operator()(const Cut& e) {
        Json& cut = out["cut"];
        cut["eye"] = e.blade.eye;
        cut["from"] = e.blade.from;
        cut["to"] = e.blade.to;
    }
    void operator()(const Ball& e) {
        Json& ball = out["ball"];
        ball["from"] = e.from;
        ball["radius"] = e.ball.radius;
        ball["mass"] = e.ball.mass;
        ball["velocity"] = e.ball.velocity;
    }
    void operator()(const Paint& e) {
        out["paint"] = Json::array();
        for (const scene::Painting::Layer& layer : e.painting.layers) {
            Json one;
            one["cloth"] = layer.cloth;
            one["particles"] = Json::array(layer.particles);
            one["values"] = Json::object();
            cloth::MaterialSettings values = layer.says.values;
            FieldList fields;
            describe(values, fields);
            for (const std::string& key : layer.says.given) one["values"][key] = valueText(fields.find(key)->ref);
            out["paint"].push(std::move(one));
        }
    }
    void operator()(const Restart&) { out["restart"] = true; }
    void operator()(const Seek& e) { out["seek"] = e.step; }
    void operator()(const Keep& e) { out["keep"] = e.id; }
    void operator()(const Return& e) {
        out["return"] = e.id;
        out["anew"] = e.anew;
    }
    void operator()(const PinsOf& e) { out["pins_of"] = e.id; }
    void operator()(const Adopt&) { out["adopt"] = true; }
    void operator()(const recorded::Ghost& e) {
        Json& branch = out["branch"] = Json();
        if (!e.differs) return;
        branch = valuesOf(*e.differs);
        out["further"] = e.further;
    }
};

// --- reading

/// One line; what it finds wrong first stays.
class LineReader {
public:
    explicit LineReader(const JsonNode& root) : root_(root) {}

    std::optional<RecordedEvent> event() {
        if (root_.kind != JsonNode::Kind::Object || root_.entries.empty()) return wrong(root_, "an object is needed");
        const std::string& key = root_.entries.front().key;
        const JsonNode& value = root_.entries.front().value;
        if (key == "load") return load(value);
        if (key == "steps") return Steps{whole(value, 1)};
        if (key == "set") return set(value);
        if (key == "hold") return hold(value);
        if (key == "pin") return pin(value);
        if (key == "unpin") return PinAt{index(value), std::nullopt, {}};
        if (key == "cut") return Cut{{vector(value, "eye"), vector(value, "from"), vector(value, "to")}};
        if (key == "ball") return ball(value);
        if (key == "paint") return paint(value);
        if (key == "restart") return Restart{};
        if (key == "seek") return Seek{whole(value, 0)};
        if (key == "keep") return Keep{whole(value, 0)};
        if (key == "return") return Return{whole(value, 0), flag("anew")};
        if (key == "pins_of") return PinsOf{whole(value, 0)};
        if (key == "adopt") return Adopt{};
        if (key == "branch") return branch(value);
        return wrong(root_, fmt::format("'{}' is nothing that is recorded", shown(key)),
                     {"load", "steps", "set", "hold", "pin", "unpin", "cut", "ball", "paint", "restart", "seek", "keep",
                      "return", "pins_of", "adopt", "branch"});
    }
    const std::optional<Error>& problem() const { return problem_; }
    std::size_t at() const { return at_; }

private:
    std::nullopt_t wrong(const JsonNode& node, std::string message, std::vector<std::string> choices = {}) {
        if (!problem_) {
            problem_ = Error{.message = std::move(message), .choices = std::move(choices)};
            at_ = node.at;
        }
        return std::nullopt;
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
        if (!(value >= least && value <= kMost) || value != std::floor(value))
            return wrong(node, fmt::format("a whole number is needed, {:g} or more", least)), 0;
        return std::int64_t(value);
    }
    Index index(const JsonNode& node) {
        const std::int64_t value = whole(node, 0);
        if (value > std::numeric_limits<Index>::max())
            return wrong(node, "a number of a particle or a solid is needed"), 0;
        return Index(value);
    }
    Vec3 vector(const JsonNode& of, std::string_view key) {
        const JsonNode& node = member(of, key);
        if (node.kind != JsonNode::Kind::Array || node.items.size() != 3)
            return wrong(node, fmt::format("'{}' has three numbers", key)), Vec3(Vec3::Zero());
        return {number(node.items[0]), number(node.items[1]), number(node.items[2])};
    }
    std::string text(const JsonNode& of, std::string_view key) {
        const JsonNode& node = member(of, key);
        if (node.kind != JsonNode::Kind::Text) wrong(node, fmt::format("'{}' is a text", key));
        return node.text;
    }
    bool flag(std::string_view key) {
        const JsonNode* node = root_.find(key);
        return node && node->kind == JsonNode::Kind::Boolean && node->boolean;
    }

    std::optional<RecordedEvent> load(const JsonNode& node) {
        auto scene = scene::readSceneText(text(node, "scene"), "recorded scene");
        if (problem_) return std::nullopt;
        if (!scene) return wrong(node, scene.error().text());
        Load load{std::move(*scene), std::nullopt};
        load.scene.name = text(node, "name");
        load.scene.file.clear();
        if (!node.find("state"))
            return sameMeshes(node, load.scene) ? std::optional<RecordedEvent>(load) : std::nullopt;
        const auto bytes = fromBase64(text(node, "state"));
        if (!bytes) return wrong(node, "'state' is a saved state in base64");
        auto saved = readStateBytes(*bytes, "recorded state");
        if (!saved) return wrong(node, saved.error().text());
        load.scene = std::move(saved->scene);
        load.state = std::move(saved->state);
        return load;
    }
    /// A mesh stays in its file, which may be another one by now.
    bool sameMeshes(const JsonNode& load, const scene::Scene& scene) {
        const JsonNode* then = load.find("meshes");
        const auto now = meshHashes(scene);
        for (std::size_t k = 0; then && k < std::min(now.size(), then->items.size()); ++k)
            if (then->items[k].text != records::hashText(now[k].second)) {
                wrong(load, fmt::format("the mesh {} is not what it was when this was recorded", shown(now[k].first)));
                return false;
            }
        return true;
    }
    std::optional<RecordedEvent> branch(const JsonNode& node) {
        if (node.kind == JsonNode::Kind::Null) return recorded::Ghost{};
        return recorded::Ghost{set(node), flag("further")};
    }
    Set set(const JsonNode& node) {
        Set set;
        if (node.kind != JsonNode::Kind::Object) return wrong(node, "keys and values of settings are needed"), set;
        scene::Settings trial;
        FieldList fields;
        describe(trial, fields);
        for (const JsonNode::Entry& entry : node.entries) {
            const Field* field = fields.find(entry.key);
            if (!field) return wrong(entry.value, fmt::format("there is no setting '{}'", shown(entry.key))), set;
            if (entry.value.kind != JsonNode::Kind::Text) return wrong(entry.value, "a value is a text"), set;
            if (auto done = assignText(*field, entry.value.text); !done)
                return wrong(entry.value, fmt::format("{}: {}", entry.key, done.error().message), done.error().choices),
                       set;
            set.values.emplace_back(entry.key, entry.value.text);
        }
        return set;
    }
    std::optional<RecordedEvent> hold(const JsonNode& node) {
        Hold hold;
        if (node.kind == JsonNode::Kind::Null) return hold;
        const bool solid = node.kind == JsonNode::Kind::Object && node.find("solid");
        if (solid)
            hold.solid = {true, index(member(node, "solid")), vector(node, "target")};
        else
            hold.cloth = {true, index(member(node, "particle")), vector(node, "target")};
        return hold;
    }
    std::optional<RecordedEvent> pin(const JsonNode& node) {
        PinAt pin{index(member(node, "particle")), integrators::PinHold{}, {}};
        pin.hold->ndof = int(whole(member(node, "ndof"), 0));
        pin.hold->direction = vector(node, "direction");
        pin.motion.velocity = vector(node, "velocity");
        pin.motion.startTime = number(member(node, "from_s"));
        const bool straight = pin.hold->ndof == 0 || std::abs(pin.hold->direction.norm() - 1) < 1e-9;
        if (pin.hold->ndof > 2 || !straight) return wrong(node, "ndof is 0, 1 or 2, and the direction has length 1");
        return pin;
    }
    std::optional<RecordedEvent> ball(const JsonNode& node) {
        Ball ball{vector(node, "from"), {}};
        ball.ball = {number(member(node, "radius")), number(member(node, "mass")), vector(node, "velocity")};
        if (!(ball.ball.radius > 0 && ball.ball.mass > 0)) return wrong(node, "a ball has a radius and a mass");
        return ball;
    }
    std::optional<RecordedEvent> paint(const JsonNode& node) {
        if (node.kind != JsonNode::Kind::Array) return wrong(node, "'paint' is a list of layers");
        Paint paint;
        for (const JsonNode& one : node.items) {
            scene::Painting::Layer layer;
            layer.cloth = int(index(member(one, "cloth")));
            for (const JsonNode& particle : member(one, "particles").items) layer.particles.push_back(index(particle));
            FieldList fields;
            describe(layer.says.values, fields);
            for (const JsonNode::Entry& entry : member(one, "values").entries) {
                const Field* field = fields.find(entry.key);
                if (!field || entry.value.kind != JsonNode::Kind::Text || !assignText(*field, entry.value.text))
                    return wrong(entry.value, fmt::format("'{}' is no value of a material", shown(entry.key)));
                layer.says.given.push_back(entry.key);
            }
            paint.painting.layers.push_back(std::move(layer));
        }
        return paint;
    }

    const JsonNode& root_;
    std::optional<Error> problem_;
    std::size_t at_ = 0;
};

}  // namespace

std::string recordingHead() { return fmt::format("{{\"clothlab_recording\": {}}}", kRecordingVersion); }

std::string recordedLine(const RecordedEvent& event) {
    LineOf line;
    std::visit(line, event);
    return line.out.text();
}

Expected<Recording> readRecording(std::string_view text, const std::string& file) {
    Recording recording;
    int number = 0;
    bool head = false;
    const auto refuse = [&](Error error, int column) {
        error.file = file;
        error.line = number;
        error.column = column;
        return fail(std::move(error));
    };
    for (std::size_t start = 0; start < text.size();) {
        ++number;
        const std::size_t end = text.find('\n', start);
        const std::string_view line = text.substr(start, end == text.npos ? text.npos : end - start);
        start = end == text.npos ? text.size() : end + 1;
        const auto root = parseJson(line, file);
        if (!root && end == text.npos && head) {
            recording.note =
                fmt::format("{}:{}: the last line is cut off; what comes before it is replayed", shown(file), number);
            break;
        }
        if (!root) return refuse({.message = root.error().message}, root.error().column);
        if (!head) {
            const JsonNode* version = root->kind == JsonNode::Kind::Object ? root->find("clothlab_recording") : nullptr;
            if (!version || !version->isNumber())
                return refuse({.message = "this is no recording", .choices = {recordingHead() + " in the first line"}},
                              1);
            if (version->number != kRecordingVersion)
                return refuse({.message = fmt::format("a recording of version {}; this program reads version {}",
                                                      version->number, kRecordingVersion)},
                              1);
            head = true;
            continue;
        }
        LineReader reader(*root);
        auto event = reader.event();
        if (reader.problem()) return refuse(*reader.problem(), int(reader.at()) + 1);
        recording.events.push_back(std::move(*event));
    }
    if (!head) return fail(Error{.message = "this is no recording: the file is empty", .file = file, .line = 1});
    return recording;
}

Expected<Recording> loadRecording(const std::string& path) {
    const auto text = readFile(path, kRecordingLimits);
    if (!text) return fail(text.error());
    return readRecording(*text, path);
}

}  // namespace clothlab::simulation
