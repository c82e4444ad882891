#include "experiments/systems/constraints_file.hpp"

#include <fmt/format.h>

#include <array>

#include "base/json_reader.hpp"
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

constexpr double kTolerance = 1e-6;  // digits of a foreign program

void checkDirections(const JsonValue& one, const linalg::DofConstraint& c) {
    const auto needUnit = [&](std::string_view name, const Vec3& v) {
        if (!within(v.norm(), 1 - kTolerance, 1 + kTolerance))
            one[name].refuse(fmt::format("{} has length {:.6g}: a removed direction is a unit vector", name, v.norm()));
    };
    if (c.ndof >= 1) needUnit("p", c.p);
    if (c.ndof == 1) needUnit("q", c.q);
    if (c.ndof == 1 && !within(c.p.dot(c.q), -kTolerance, kTolerance))
        one["q"].refuse("p and q are not at a right angle");
    if (!((c.S() * c.z).norm() <= kTolerance * c.z.norm()))
        one["z"].refuse("z has a component along a free direction; only removed directions are prescribed");
}

/// S says again what ndof, p and q say.
void checkFilter(const JsonValue& filter, const linalg::DofConstraint& c) {
    const std::vector<JsonValue> rows = filter.items();
    const Mat3 S = c.S();
    bool good = rows.size() == 3;
    for (Eigen::Index r = 0; good && r < 3; ++r)
        good = (rows[r].vector() - S.row(r).transpose()).cwiseAbs().maxCoeff() <= 10 * kTolerance;
    if (!good) filter.refuse("S is not the filter of this ndof, p and q", {"I - p p' - q q' (3 x 3), or no S"});
}

linalg::DofConstraint readConstraint(const JsonValue& one, Index particles) {
    linalg::DofConstraint c;
    c.particle = Index(one["particle"].whole(0, particles - 1));
    c.ndof = int(one["ndof"].whole(0, 2));
    if (c.ndof >= 1) c.p = one["p"].vector();  // a direction that this ndof does not use may be anything
    if (c.ndof == 1) c.q = one["q"].vector();
    c.z = one["z"].vector();
    checkDirections(one, c);
    if (one.has("S")) checkFilter(one["S"], c);
    return c;
}

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
    JsonReader reader(text, file);
    const JsonValue root = reader.root();
    if (root.has("particles") && root["particles"].number() != particles)
        root["particles"].refuse(fmt::format("the matrix has {} particles", particles));
    linalg::DofConstraints out(particles);
    for (const JsonValue& one : root["constraints"].items()) {
        const linalg::DofConstraint c = readConstraint(one, particles);
        if (!reader.problem() && out.find(c.particle))
            one.refuse(fmt::format("particle {} has a constraint already", c.particle));
        if (reader.problem()) break;
        out.set(c);
    }
    out.sort();
    return reader.result(std::move(out));
}

}  // namespace clothlab::experiments
