#include "experiments/sweep/sweep_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "base/state_hash.hpp"
#include "base/text.hpp"

namespace clothlab::experiments {
namespace {

constexpr int kMostRuns = 1'000'000;
constexpr int kMostSteps = 100'000'000;  // as --steps
constexpr double kDivides = 1e-9;        // relative: steps of dt end where they should

tl::unexpected<Error> wrongOption(std::string_view option, std::string_view text, Error error) {
    error.message = fmt::format("{} {}: {}", option, shown(text), error.message);
    return fail(std::move(error));
}

/// The value as the scene holds it after `--set`, so that 0.010 and 1e-2 are one.
Expected<std::string> canonical(const scene::Scene& base, const std::string& key, const std::string& value) {
    scene::Scene scene = base;
    if (auto done = scene::applyOverride(scene, key + "=" + value, {}); !done) return fail(done.error());
    const Field field = *scene::overrideField(scene, key);
    return value == field.meta.autoWord ? value : valueText(field.ref);
}

/// "a..b" or "a..b:log"; nothing when the text is no range.
std::optional<VariedKey::Range> parseRange(std::string_view text) {
    VariedKey::Range range{};
    if (text.ends_with(":log")) {
        range.logarithmic = true;
        text.remove_suffix(4);
    }
    const std::size_t dots = text.find("..");
    if (dots == text.npos) return {};
    const auto from = parseNumber(text.substr(0, dots)), to = parseNumber(text.substr(dots + 2));
    if (!from || !to) return {};
    range.from = *from;
    range.to = *to;
    return range;
}

Expected<VariedKey> readRange(const scene::Scene& base, VariedKey varied, VariedKey::Range range, bool random) {
    if (!random)
        return fail(Error{.message = "a range needs --random N; a grid takes single values",
                          .choices = {"a,b,c", "--random N"}});
    if (!(range.from < range.to)) return fail("the smaller number of a range comes first");
    if (range.logarithmic && range.from <= 0) return fail("a logarithmic range must begin above 0");
    scene::Scene scene = base;
    range.whole = std::holds_alternative<int*>(scene::overrideField(scene, varied.key)->ref);
    for (const double end : {range.from, range.to})
        if (auto done = canonical(base, varied.key, fmt::format("{}", end)); !done) return fail(done.error());
    varied.range = range;
    return varied;
}

Expected<VariedKey> readVaried(const scene::Scene& base, const std::string& text, bool random) {
    const std::size_t equals = text.find('=');
    if (equals == text.npos || equals == 0 || equals + 1 == text.size())
        return fail(
            Error{.message = "this is not of the form key=a,b,c", .choices = {"for example integrator.dt=0.005,0.01"}});
    VariedKey varied{.key = text.substr(0, equals), .values = {}, .range = {}};
    scene::Scene scene = base;
    if (auto field = scene::overrideField(scene, varied.key); !field) return fail(field.error());
    const std::string values = text.substr(equals + 1);
    if (const auto range = parseRange(values)) return readRange(base, std::move(varied), *range, random);
    for (const std::string& value : splitText(values, values.find(';') != values.npos ? ';' : ',')) {
        auto kept = canonical(base, varied.key, value);
        if (!kept) return fail(kept.error());
        if (std::find(varied.values.begin(), varied.values.end(), *kept) != varied.values.end())
            return fail(fmt::format("the value {} appears twice", *kept));
        varied.values.push_back(std::move(*kept));
    }
    return varied;
}

/// Commas separate assignments, and the components of a vector.
std::vector<std::string> splitAssignments(const std::vector<std::string>& texts) {
    std::vector<std::string> out;
    for (const std::string& text : texts)
        for (const std::string& part : splitText(text, ',')) {
            if (part.find('=') == part.npos && !out.empty())
                out.back() += "," + part;
            else
                out.push_back(part);
        }
    return out;
}

Expected<int> stepsFor(double seconds, double dt) {
    const double steps = std::round(seconds / dt);
    if (!(steps <= kMostSteps))
        return fail(fmt::format("{} s are more than {} steps of {} s", seconds, kMostSteps, dt));
    if (steps >= 1 && std::abs(steps * dt - seconds) <= kDivides * seconds) return int(steps);
    return fail(fmt::format("{} s is not a whole number of steps of {} s", seconds, dt));
}

const VariedKey* variedKey(const SweepPlan& plan, std::string_view key) {
    for (const VariedKey& varied : plan.varied)
        if (varied.key == key) return &varied;
    return nullptr;
}

/// The base with each value of a key, or alone when the key is not varied.
std::vector<scene::Scene> scenesOver(const SweepPlan& plan, const std::string& key) {
    const VariedKey* varied = variedKey(plan, key);
    if (!varied) return {plan.base};
    std::vector<scene::Scene> scenes;
    for (const std::string& value : varied->values)
        (void)scene::applyOverride(scenes.emplace_back(plan.base), fmt::format("{}={}", key, value));
    return scenes;
}

/// All runs, and the reference, end at the same time, or it is said which does not.
Expected<void> checkLengths(const SweepPlan& plan) {
    const SweepRequest& request = plan.request;
    const bool measured = !plan.reference.empty();
    if (variedKey(plan, "steps") && (request.steps >= 0 || request.duration > 0 || measured))
        return fail("--vary steps: not together with --steps, --duration or --reference, which fix the length");
    if (request.duration <= 0 && !measured) return {};
    const char* option = request.duration > 0 ? "--duration" : "--reference";
    if (request.duration <= 0 && variedKey(plan, "integrator.dt"))
        return fail(Error{.message = "--reference: runs of different integrator.dt must end at the same time",
                          .choices = {"--duration SECONDS"}});
    if (const VariedKey* dt = variedKey(plan, "integrator.dt"); dt && dt->range)
        return fail(fmt::format("{}: steps of random length do not end at the same time: vary integrator.dt by a list",
                                option));

    const auto fixed = [&](const scene::Scene& scene) -> Expected<void> {
        const integrators::DtSchedule schedule = scene.settings.integrator.dtSchedule;
        if (schedule == integrators::DtSchedule::Fixed) return {};
        return fail(fmt::format("{}: with integrator.dt_schedule={} the number of steps is not known in advance",
                                option, enumKey(schedule)));
    };
    const auto divides = [&](const scene::Scene& scene) -> Expected<void> {
        const auto steps = stepsFor(plan.seconds(plan.base), scene.settings.integrator.dt);
        if (!steps) return fail(fmt::format("{}: {}", option, steps.error().message));
        return {};
    };
    for (const scene::Scene& scene : scenesOver(plan, "integrator.dt_schedule"))
        if (auto done = fixed(scene); !done) return done;
    for (const scene::Scene& scene : scenesOver(plan, "integrator.dt"))
        if (auto done = divides(scene); !done) return done;
    if (!measured) return {};
    const scene::Scene reference = plan.referenceScene(0);
    if (auto done = fixed(reference); !done) return done;
    return divides(reference);
}

Expected<void> checkReference(SweepPlan& plan) {
    plan.reference = splitAssignments(plan.request.reference);
    scene::Scene scene = plan.base;
    for (std::size_t i = 0; i < plan.reference.size(); ++i) {
        const std::string& assignment = plan.reference[i];
        if (auto done = scene::applyOverride(scene, assignment, {}); !done)
            return wrongOption("--reference", assignment, done.error());
        const std::string key = assignment.substr(0, assignment.find('='));
        if (key == "steps" || key == "cloth.rows" || key == "cloth.columns")
            return fail(
                fmt::format("--reference cannot change {}: runs are compared particle by particle at their end", key));
        for (std::size_t j = 0; j < i; ++j)
            if (plan.reference[j].starts_with(key + "=")) return fail(fmt::format("--reference: {} is set twice", key));
    }
    return {};
}

Expected<void> countRuns(SweepPlan& plan) {
    std::int64_t runs = 1;
    for (const VariedKey& varied : plan.varied)
        if (runs <= kMostRuns) runs *= std::int64_t(varied.values.size());
    if (plan.request.random > 0) runs = plan.request.random;
    if (runs > kMostRuns) return fail(fmt::format("these are more than {} runs", kMostRuns));
    plan.runs = int(runs);
    return {};
}

std::string lengthText(const SweepPlan& plan) {
    return plan.request.duration > 0  ? fmt::format("{} s", plan.request.duration)
           : variedKey(plan, "steps") ? "varied"
                                      : fmt::format("{} steps", plan.countSteps(plan.base));
}

void identifySweep(SweepPlan& plan) {
    scene::Scene scene = plan.base;
    scene.settings.threads = 0;  // the same bits at any number
    scene.steps = 0;             // said by the length
    StateHash hash;
    const std::string text = scene::writeScene(scene, true);
    hash.bytes(text.data(), text.size());
    std::vector<std::string> vary;
    for (const VariedKey& varied : plan.varied)
        vary.push_back(varied.range ? fmt::format("{}={}..{}{}", varied.key, varied.range->from, varied.range->to,
                                                  varied.range->logarithmic ? ":log" : "")
                                    : fmt::format("{}={}", varied.key, fmt::join(varied.values, ";")));
    if (plan.request.random > 0) vary.push_back(fmt::format("seed {}", plan.request.seed));
    plan.identity = {{"scene", hash.text()},
                     {"vary", fmt::format("{}", fmt::join(vary, " "))},
                     {"length", lengthText(plan)},
                     {"reference", fmt::format("{}", fmt::join(plan.reference, ","))},
                     {"sets", std::string(plan.request.random > 0 ? "random" : "grid")},
                     {"runs", double(plan.runs)}};
    if (const auto& start = plan.request.start)
        plan.identity.emplace_back("start",
                                   fmt::format("step {}, state {:016x}", start->step, integrators::stateHash(*start)));
}

std::string drawValue(const VariedKey& varied, std::uint64_t bits) {
    if (!varied.range) return varied.values[bits % varied.values.size()];
    const VariedKey::Range& r = *varied.range;
    const double share = double(bits >> 11) * 0x1p-53;  // [0, 1)
    if (r.whole && !r.logarithmic)
        return fmt::format("{}", std::min(r.to, r.from + std::floor(share * (r.to - r.from + 1))));
    double value = r.logarithmic ? r.from * std::pow(r.to / r.from, share) : r.from + share * (r.to - r.from);
    if (r.whole) value = std::round(value);
    value = *parseNumber(fmt::format("{:.6g}", value));  // the last digits of pow are the machine's
    return fmt::format("{}", std::clamp(value, r.from, r.to));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> SweepPlan::runValues(int run) const {
    std::vector<std::pair<std::string, std::string>> out;
    if (request.random > 0) {
        std::seed_seq seeds{std::uint32_t(request.seed), std::uint32_t(request.seed >> 32), std::uint32_t(run)};
        std::mt19937_64 bits(seeds);
        for (const VariedKey& key : varied) out.emplace_back(key.key, drawValue(key, bits()));
        return out;
    }
    auto rest = std::size_t(run);
    for (auto key = varied.rbegin(); key != varied.rend(); ++key) {
        out.emplace_back(key->key, key->values[rest % key->values.size()]);
        rest /= key->values.size();
    }
    std::reverse(out.begin(), out.end());
    return out;
}

scene::Scene SweepPlan::runScene(int run) const {
    scene::Scene scene = base;
    for (const auto& [key, value] : runValues(run))
        (void)scene::applyOverride(scene, fmt::format("{}={}", key, value));  // checked by planSweep
    return scene;
}

scene::Scene SweepPlan::referenceScene(int run) const {
    scene::Scene scene = runScene(run);
    for (const std::string& assignment : reference) (void)scene::applyOverride(scene, assignment);
    return scene;
}

int SweepPlan::countSteps(const scene::Scene& scene) const {
    const bool timed = request.duration > 0 || !reference.empty();
    if (timed) return int(std::lround(seconds(base) / scene.settings.integrator.dt));
    return request.steps >= 0 ? request.steps : scene.steps;
}

double SweepPlan::seconds(const scene::Scene& scene) const {
    if (request.duration > 0) return request.duration;
    return (request.steps >= 0 ? request.steps : scene.steps) * scene.settings.integrator.dt;
}

Expected<SweepPlan> planSweep(scene::Scene base, SweepRequest request) {
    SweepPlan plan{.base = std::move(base),
                   .request = std::move(request),
                   .varied = {},
                   .reference = {},
                   .runs = 0,
                   .identity = {}};
    if (plan.request.vary.empty())
        return fail(Error{.message = "sweep needs at least one --vary key=a,b,c",
                          .choices = {"for example --vary integrator.dt=0.005,0.01"}});
    for (const std::string& text : plan.request.vary) {
        auto varied = readVaried(plan.base, text, plan.request.random > 0);
        if (!varied) return wrongOption("--vary", text, varied.error());
        if (variedKey(plan, varied->key))
            return wrongOption("--vary", text, Error{.message = fmt::format("{} is varied twice", varied->key)});
        for (const std::string& assignment : plan.request.sets)
            if (assignment.starts_with(varied->key + "="))
                return wrongOption("--vary", text,
                                   Error{.message = fmt::format("--set {} assigns the same key", shown(assignment))});
        plan.varied.push_back(std::move(*varied));
    }
    if (auto done = checkReference(plan); !done) return fail(done.error());
    if (auto done = countRuns(plan); !done) return fail(done.error());
    if (auto done = checkLengths(plan); !done) return fail(done.error());
    identifySweep(plan);
    return plan;
}

Expected<Shard> parseShard(const std::string& text) {
    const std::vector<std::string> parts = splitText(text, '/');
    const auto part = parseWhole(parts[0]), of = parts.size() == 2 ? parseWhole(parts[1]) : std::nullopt;
    if (part && of && *part >= 1 && *part <= *of && *of <= kMostRuns) return Shard{int(*part), int(*of)};
    return fail(Error{.message = fmt::format("--shard {}: this is not a part of n, counted from 1", shown(text)),
                      .choices = {"1/n .. n/n"}});
}

}  // namespace clothlab::experiments
