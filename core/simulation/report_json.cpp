#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "simulation/json_text.hpp"
#include "simulation/report.hpp"
#include "simulation/runner.hpp"

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

/// Nested by the dots of the keys. Of density and particle mass, the one in force.
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
    out["substeps"] = r.substeps;
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
    out["elastic_j"] = number(r.elasticJ());
    out["total_j"] = number(r.totalJ());
    out["max_strain"] = number(r.maxStrain);
    out["contacts"] = r.contacts;
    out["ndof_counts"] = Json::array({r.ndofCounts[0], r.ndofCounts[1], r.ndofCounts[2], r.ndofCounts[3]});
    out["components"] = r.components;
    out["threads"] = r.threads;
    out["state_hash"] = hashText(r.stateHash);
    out["message"] = r.message;
    return dump(out);
}

std::string toJson(const RunSummary& s, const scene::Settings& settings) {
    Json out;
    out["scene"] = s.scene;
    out["steps"] = s.steps;
    out["status"] = enumKey(s.status);
    out["unconverged"] = s.unconverged;
    out["mean_iterations"] = number(s.meanIterations);
    out["mean_step_ms"] = number(s.meanStepMs);
    out["real_time_factor"] = number(s.realTimeFactor);
    out["start_total_j"] = number(s.startTotalJ);
    out["total_j"] = number(s.totalJ);
    out["peak_total_j"] = number(s.peakTotalJ);
    out["peak_kinetic_j"] = number(s.peakKineticJ);
    out["max_strain"] = number(s.maxStrain);
    out["threads"] = s.threads;
    out["state_hash"] = hashText(s.stateHash);
    out["message"] = s.message;
    out["settings"] = settingsJson(settings);
    return dump(out);
}

std::string constraintsJson(const linalg::DofConstraints& constraints, double dt, int step) {
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
    out["constraints"] = std::move(list);
    return dump(out, 1) + "\n";
}

std::string sceneListJson(std::span<const scene::Scene> scenes) {
    Json out = Json::array();
    for (const scene::Scene& s : scenes) {
        long particles = 0;
        for (const scene::ClothPatch& cloth : s.cloths) particles += long{cloth.rows} * cloth.columns;
        out.push_back({{"name", s.name}, {"title", s.title}, {"watch", s.watch}, {"steps", s.steps},
                       {"particles", particles}, {"file", s.file}});
    }
    return dump(out);
}

}  // namespace clothlab::simulation
