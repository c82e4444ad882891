#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/build_info.hpp"
#include "base/platform.hpp"
#include "simulation/json_text.hpp"
#include "simulation/race_text.hpp"
#include "simulation/report.hpp"
#include "simulation/runner.hpp"
#include "simulation/sweep.hpp"
#include "simulation/system_files.hpp"

namespace clothlab::simulation {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
/// Not measured is negative, and null outside.
Json measured(double value) { return value >= 0 ? number(value) : Json(nullptr); }
Json vector(const Vec3& v) { return Json::array({number(v[0]), number(v[1]), number(v[2])}); }
std::string hashText(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

std::string dump(const Json& json, int indent = -1) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

struct FieldValue {
    const Field& field;

    Json operator()(const bool* b) const { return *b; }
    Json operator()(const int* i) const {
        return *i == 0 && !field.meta.autoWord.empty() ? Json(std::string(field.meta.autoWord)) : Json(*i);
    }
    Json operator()(const double* d) const { return number(*d); }
    Json operator()(const Vec3* v) const { return vector(*v); }
    Json operator()(const std::string* s) const { return *s; }
    Json operator()(const EnumRef&) const { return valueText(field.ref); }
};

/// Nested by the dots of the keys. Of density and particle mass, the active one.
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
            place = &(*place)[std::string(key.substr(0, dot))];
            key.remove_prefix(dot + 1);
        }
        (*place)[std::string(key)] = std::visit(FieldValue{field}, field.ref);
    }
    return out;
}

}  // namespace

std::string toJsonLine(const StepReport& r) {
    Json out;
    out["step"] = r.step;
    out["time_s"] = number(r.timeSeconds);
    out["status"] = enumKey(r.status);
    out["solve_status"] = enumKey(r.solveStatus);
    out["iterations"] = r.iterations;
    out["linear_iterations"] = r.iterations;  // one linear solve a step: the same number
    out["double_iterations"] = r.doubleIterations;
    out["dt"] = r.dt;
    out["explicit_limit_s"] = number(r.explicitLimit);
    out["rejected"] = r.rejected;
    out["substeps"] = r.substeps;
    out["implicit_springs"] = r.implicitSprings;
    out["explicit_springs"] = r.explicitSprings;
    out["true_relative_residual"] = measured(r.trueRelativeResidual);
    out["ic_shift"] = number(r.icShift);
    out["factor_age"] = r.factorAge;
    out["factor_entries"] = number(r.fill);
    out["factor_flops"] = number(r.flops);
    out["solver_bytes"] = number(r.solverBytes);
    out["step_ms"] = number(r.stepMs);
    out["assemble_ms"] = number(r.assembleMs);
    out["analyze_ms"] = number(r.analyzeMs);
    out["factor_ms"] = number(r.factorMs);
    out["solve_ms"] = number(r.solveMs);
    out["contact_ms"] = number(r.contactMs);
    out["other_ms"] = number(r.otherMs);
    out["kinetic_j"] = number(r.kineticJ);
    out["gravity_j"] = number(r.gravityJ);
    out["stretch_j"] = number(r.stretchJ);
    out["shear_j"] = number(r.shearJ);
    out["bend_j"] = number(r.bendJ);
    out["repulsion_j"] = number(r.repulsionJ);
    out["elastic_j"] = number(r.elasticJ());
    out["total_j"] = number(r.totalJ());
    out["max_strain"] = number(r.maxStrain);
    out["contacts"] = r.contacts;
    out["repulsion_pairs"] = r.repulsionPairs;
    out["ndof_counts"] = Json::array({r.ndofCounts[0], r.ndofCounts[1], r.ndofCounts[2], r.ndofCounts[3]});
    out["components"] = r.components < 0 ? Json(nullptr) : Json(r.components);
    out["largest_component"] = r.components < 0 ? Json(nullptr) : Json(r.largestComponent);
    out["row_iterations"] = number(r.rowIterations);
    out["cut_pairs"] = r.cutPairs;
    out["decompose_ms"] = number(r.decomposeMs);
    out["ghost_distance_m"] = measured(r.ghostDistance);
    out["ghost_rms_m"] = measured(r.ghostRms);
    out["threads"] = r.threads;
    out["state_hash"] = hashText(r.stateHash);
    out["message"] = r.message;
    return dump(out);
}

namespace {

Json summaryJson(const RunSummary& s) {
    Json out;
    out["scene"] = s.scene;
    out["steps"] = s.steps;
    out["status"] = enumKey(s.status);
    out["unconverged"] = s.unconverged;
    out["time_s"] = number(s.timeSeconds);
    out["mean_iterations"] = number(s.meanIterations);
    out["mean_step_ms"] = number(s.meanStepMs);
    out["mean_assemble_ms"] = number(s.meanStages.assemble);
    out["mean_analyze_ms"] = number(s.meanStages.analyze);
    out["mean_factor_ms"] = number(s.meanStages.factor);
    out["mean_solve_ms"] = number(s.meanStages.solve);
    out["mean_contact_ms"] = number(s.meanStages.contact);
    out["mean_other_ms"] = number(s.meanStages.other);
    out["total_ms"] = number(s.totalMs);
    out["real_time_factor"] = number(s.realTimeFactor);
    out["start_total_j"] = number(s.startTotalJ);
    out["total_j"] = number(s.totalJ);
    out["peak_total_j"] = number(s.peakTotalJ);
    out["peak_kinetic_j"] = number(s.peakKineticJ);
    out["max_strain"] = number(s.maxStrain);
    if (s.ghostDistance >= 0 || !s.ghostProblem.empty()) {
        out["ghost_distance_m"] = measured(s.ghostDistance);
        out["ghost_rms_m"] = measured(s.ghostRms);
    }
    out["threads"] = s.threads;
    out["state_hash"] = hashText(s.stateHash);
    out["message"] = s.message;
    return out;
}

Json entriesJson(const Entries& entries) {
    Json out = Json::object();
    for (const auto& [key, value] : entries) {
        const double* v = std::get_if<double>(&value);
        const bool whole = v && *v == std::round(*v) && std::abs(*v) < 1e15;
        out[key] = !v ? Json(std::get<std::string>(value)) : whole ? Json(static_cast<std::int64_t>(*v)) : number(*v);
    }
    return out;
}

}  // namespace

std::string toJson(const RunSummary& s, const scene::Settings& settings) {
    Json out = summaryJson(s);
    out["ended_by"] = s.endedBy.empty() ? Json(nullptr) : Json(s.endedBy);
    out["settings"] = settingsJson(settings);
    return dump(out);
}

std::string toJsonLine(const SweepRow& row, const Entries& identity) {
    Json out;
    out["run"] = row.run;
    out["vary"] = entriesJson(row.vary);
    out.update(summaryJson(row.summary));
    if (!row.refusal.empty()) {
        out["status"] = "refused";
        out["message"] = row.refusal;
    }
    const double seconds = row.summary.timeSeconds;
    out["ms_per_simulated_s"] = seconds > 0 ? number(row.summary.totalMs / seconds) : Json(nullptr);
    out["repeats"] = row.repeats;
    out["slowest_total_ms"] = number(row.slowestMs);
    out["particles"] = row.particles;
    if (!row.referenceStatus.empty()) {
        out["error_m"] = measured(row.largestError);
        out["error_rms_m"] = measured(row.rmsError);
        out["reference_status"] = row.referenceStatus;
    }
    out["settings"] = settingsJson(row.settings);
    out["sweep"] = entriesJson(identity);
    return dump(out);
}

namespace {

void addOrigin(const SystemOrigin& origin, Json& out) {
    out["time_s"] = number(origin.time);
    out["wind_m_s"] = vector(origin.wind);
    Json& colliders = out["colliders"] = Json::array();
    for (const auto& [name, pose] : origin.colliders) {
        const Eigen::Quaterniond& q = pose.orientation;
        colliders.push_back({{"name", name},
                             {"position", vector(pose.position)},
                             {"orientation_wxyz", Json::array({q.w(), q.x(), q.y(), q.z()})},
                             {"velocity", vector(pose.velocity)},
                             {"angular_velocity", vector(pose.angularVelocity)}});
    }
    out["solve"] = {{"status", enumKey(origin.solve.status)},
                    {"iterations", origin.solve.iterations},
                    {"true_relative_residual", measured(origin.solve.trueRelativeResidual)}};
}

}  // namespace

std::string constraintsJson(const linalg::DofConstraints& constraints, double dt, int step,
                            const SystemOrigin* origin) {
    Json list = Json::array();
    for (const linalg::DofConstraint& c : constraints.constrained()) {
        const Mat3 S = c.S();
        list.push_back({{"particle", c.particle},
                        {"ndof", c.ndof},
                        {"p", vector(c.p)},
                        {"q", vector(c.q)},
                        {"z", vector(c.z)},
                        {"S", Json::array({vector(S.row(0)), vector(S.row(1)), vector(S.row(2))})}});
    }
    Json out;
    out["step"] = step;
    out["dt_s"] = number(dt);
    out["particles"] = constraints.particles();
    if (origin) addOrigin(*origin, out);
    out["constraints"] = std::move(list);
    return dump(out, 1) + "\n";
}

namespace {

Json floats(const std::vector<float>& values) {
    Json out = Json::array();
    for (const float v : values) out.push_back(number(v));
    return out;
}

Json rowJson(const RaceRow& row, const Contestant& who, int rank) {
    const auto positive = [](double v) { return v > 0 ? number(v) : Json(nullptr); };
    Json out;
    out["solver"] = who.solverKey();
    out["method"] = who.methodText();
    out["in_force"] = who.inForce;
    out["tolerance"] = number(row.tolerance);
    out["status"] = row.cut ? "cut" : enumKey(row.status);
    out["iterations"] = row.iterations;
    out["runs"] = row.runs;
    out["true_relative_residual"] = measured(row.trueRelativeResidual);
    out["analyze_ms"] = number(row.analyzeMs);
    out["set_up_ms"] = number(row.setUpMs);
    out["multiply_ms"] = number(row.multiplyMs);
    out["apply_ms"] = number(row.applyMs);
    out["total_ms"] = number(row.totalMs);
    out["total_min_ms"] = number(row.totalMinMs);
    out["total_max_ms"] = number(row.totalMaxMs);
    out["rank"] = rank > 0 ? Json(rank) : Json(nullptr);
    out["cold_ms"] = number(row.coldMs);
    out["bytes"] = number(row.bytes);
    out["factor_entries"] = positive(row.fill);
    out["factor_age"] = row.factorAge;
    out["smallest_ritz"] = positive(row.smallestRitz);
    out["largest_ritz"] = positive(row.largestRitz);
    out["condition"] = positive(row.condition());
    out["message"] = row.message;
    out["residuals"] = floats(row.residuals);
    out["residual_ms"] = floats(row.milliseconds);
    out["ritz"] = floats(row.ritz);
    return out;
}

}  // namespace

std::string toJson(const RaceResult& race) {
    Json out;
    out["scene"] = race.scene;
    out["step"] = race.step;
    out["particles"] = race.particles;
    out["constrained"] = race.constrained;
    out["threads"] = race.threads;
    out["runs"] = race.options.runs;
    out["max_iterations"] = race.options.maxIterations;
    out["live"] = race.live;
    out["version"] = buildFacts().version;
    out["machine"] = platform::cpuName();
    out["note"] = busyNote(race);
    out["rows"] = Json::array();
    const std::vector<int> ranks = raceRanks(race);
    for (std::size_t k = 0; k < race.rows.size(); ++k)
        out["rows"].push_back(rowJson(race.rows[k], race.field[race.rows[k].contestant], ranks[k]));
    return dump(out, 1) + "\n";
}

std::string entriesLine(const Entries& entries) { return dump(entriesJson(entries)); }

std::string jsonText(std::string_view text) { return dump(Json(text)); }

std::string sceneListJson(std::span<const scene::Scene> scenes) {
    Json out = Json::array();
    for (const scene::Scene& s : scenes) {
        long particles = 0;
        for (const scene::ClothPatch& cloth : s.cloths) particles += long{cloth.rows} * cloth.columns;
        out.push_back({{"name", s.name},
                       {"title", s.title},
                       {"watch", s.watch},
                       {"steps", s.steps},
                       {"particles", particles},
                       {"file", s.file}});
    }
    return dump(out);
}

}  // namespace clothlab::simulation
