#include "experiments/systems/constraints_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <tuple>

#include "base/input.hpp"
#include "base/json.hpp"
#include "base/text.hpp"

#include "experiments/systems/system_files.hpp"
#include "records/json.hpp"

namespace clothlab::experiments {
namespace {

using records::Json;

void addOrigin(const SystemOrigin& origin, Json& out) {
    out["time_s"] = origin.time;
    out["wind_m_s"] = origin.wind;
    Json colliders = Json::array();
    for (const auto& [name, pose] : origin.colliders) {
        const Eigen::Quaterniond& q = pose.orientation;
        Json one;
        one["name"] = name;
        one["position"] = pose.position;
        one["orientation_wxyz"] = Json::array(std::array{q.w(), q.x(), q.y(), q.z()});
        one["velocity"] = pose.velocity;
        one["angular_velocity"] = pose.angularVelocity;
        colliders.push(std::move(one));
    }
    out["colliders"] = std::move(colliders);
    Json& solve = out["solve"];
    solve["status"] = enumKey(origin.solve.status);
    solve["iterations"] = origin.solve.iterations;
    solve["true_relative_residual"] = records::measured(origin.solve.trueRelativeResidual);
}

Json constraintJson(const linalg::DofConstraint& c) {
    const Mat3 S = c.S();
    Json out;
    out["particle"] = c.particle;
    out["ndof"] = c.ndof;
    out["p"] = c.p;
    out["q"] = c.q;
    out["z"] = c.z;
    out["S"] = Json::array(std::array<Vec3, 3>{S.row(0), S.row(1), S.row(2)});
    return out;
}

/// constraints.json being read. Each mistake points at its place.
class ConstraintsReader {
public:
    ConstraintsReader(std::string_view text, const std::string& file, Index particles)
        : text_(text), file_(file), constraints_(particles) {}

    Expected<linalg::DofConstraints> read() {
        const auto root = parseJson(text_, file_);
        if (!root) return fail(root.error());
        if (auto done = readRoot(*root); !done) return fail(done.error());
        constraints_.sort();
        return std::move(constraints_);
    }

private:
    static constexpr double kTolerance = 1e-6;  // digits of a foreign program

    tl::unexpected<Error> wrong(const JsonNode& node, std::string message,
                                std::vector<std::string> choices = {}) const {
        const TextPlace place = placeOf(text_, node.at);
        return fail(Error{.message = std::move(message),
                          .file = file_,
                          .line = place.line,
                          .column = place.column,
                          .choices = std::move(choices)});
    }
    Expected<void> readRoot(const JsonNode& root) {
        const JsonNode* list = root.find("constraints");
        if (!list || list->kind != JsonNode::Kind::Array)
            return wrong(root, "there is no list of constraints", {"{\"constraints\": [...]}, as `system` writes it"});
        if (const JsonNode* count = root.find("particles");
            count && !(count->isNumber() && count->number == constraints_.particles()))
            return wrong(*count, fmt::format("the matrix has {} particles", constraints_.particles()));
        for (const JsonNode& one : list->items)
            if (auto done = readOne(one); !done) return done;
        return {};
    }
    Expected<void> readOne(const JsonNode& one) {
        if (one.kind != JsonNode::Kind::Object)
            return wrong(one, "a constraint is an object", {"particle, ndof, p, q, z, S"});
        linalg::DofConstraint c;
        const auto particle = whole(one, "particle", 0, constraints_.particles() - 1);
        if (!particle) return fail(particle.error());
        const auto ndof = whole(one, "ndof", 0, 2);
        if (!ndof) return fail(ndof.error());
        c.particle = Index(*particle);
        c.ndof = int(*ndof);
        if (constraints_.find(c.particle))
            return wrong(one, fmt::format("particle {} has a constraint already", c.particle));
        for (const auto& [key, vector, needed] :
             {std::tuple{"p", &c.p, c.ndof > 0}, {"q", &c.q, c.ndof == 1}, {"z", &c.z, true}})
            if (auto done = readVector(one, key, needed, *vector); !done) return done;
        if (auto done = checkDirections(one, c); !done) return done;
        if (auto done = checkFilter(one, c); !done) return done;
        constraints_.set(c);
        return {};
    }
    Expected<long> whole(const JsonNode& one, std::string_view key, long min, long max) const {
        const JsonNode* node = one.find(key);
        const bool good = node && node->isNumber() && within(node->number, double(min), double(max)) &&
                          node->number == std::floor(node->number);
        if (good) return static_cast<long>(node->number);
        return wrong(node ? *node : one, fmt::format("{} {}", key, node ? "is not valid" : "is missing"),
                     {fmt::format("a whole number, {} .. {}", min, max)});
    }
    Expected<void> readVector(const JsonNode& one, std::string_view key, bool needed, Vec3& out) const {
        const JsonNode* node = one.find(key);
        if (!needed) return {};  // a direction that this ndof does not use may be anything
        bool good = node && node->kind == JsonNode::Kind::Array && node->items.size() == 3;
        for (std::size_t c = 0; good && c < 3; ++c) {
            good = node->items[c].isNumber();
            out[Eigen::Index(c)] = node->items[c].number;
        }
        if (good) return {};
        return wrong(node ? *node : one, fmt::format("{} {}", key, node ? "is not three numbers" : "is missing"),
                     {fmt::format("\"{}\": [x, y, z]", key)});
    }
    Expected<void> checkDirections(const JsonNode& one, const linalg::DofConstraint& c) const {
        const auto unit = [](const Vec3& v) { return within(v.norm(), 1 - kTolerance, 1 + kTolerance); };
        if (c.ndof >= 1 && !unit(c.p))
            return wrong(*one.find("p"),
                         fmt::format("p has length {:.6g}: a removed direction is a unit vector", c.p.norm()));
        if (c.ndof == 1 && !unit(c.q))
            return wrong(*one.find("q"),
                         fmt::format("q has length {:.6g}: a removed direction is a unit vector", c.q.norm()));
        if (c.ndof == 1 && !within(c.p.dot(c.q), -kTolerance, kTolerance))
            return wrong(*one.find("q"), "p and q are not at a right angle");
        if (!((c.S() * c.z).norm() <= kTolerance * c.z.norm()))
            return wrong(*one.find("z"),
                         "z has a component along a free direction; only removed directions are prescribed");
        return {};
    }
    /// S says again what ndof, p and q say.
    Expected<void> checkFilter(const JsonNode& one, const linalg::DofConstraint& c) const {
        const JsonNode* node = one.find("S");
        if (!node) return {};
        const Mat3 S = c.S();
        bool good = node->kind == JsonNode::Kind::Array && node->items.size() == 3;
        for (std::size_t r = 0; good && r < 3; ++r) {
            const JsonNode& row = node->items[r];
            good = row.kind == JsonNode::Kind::Array && row.items.size() == 3;
            for (std::size_t k = 0; good && k < 3; ++k)
                good = row.items[k].isNumber() &&
                       std::abs(row.items[k].number - S(Eigen::Index(r), Eigen::Index(k))) <= 10 * kTolerance;
        }
        if (good) return {};
        return wrong(*node, "S is not the filter of this ndof, p and q", {"I - p p' - q q' (3 x 3), or no S"});
    }

    std::string_view text_;
    const std::string& file_;
    linalg::DofConstraints constraints_;
};

}  // namespace

std::string constraintsJson(const linalg::DofConstraints& constraints, double dt, int step,
                            const SystemOrigin* origin) {
    Json list = Json::array();
    for (const linalg::DofConstraint& c : constraints.constrained()) list.push(constraintJson(c));
    Json out;
    out["step"] = step;
    out["dt_s"] = dt;
    out["particles"] = constraints.particles();
    if (origin) addOrigin(*origin, out);
    out["constraints"] = std::move(list);
    return out.text(1) + "\n";
}

Expected<linalg::DofConstraints> readConstraints(const std::string& text, const std::string& file, Index particles) {
    return ConstraintsReader(text, file, particles).read();
}

}  // namespace clothlab::experiments
