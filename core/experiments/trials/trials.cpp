#include "experiments/trials/trials.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <set>
#include <thread>

#include "base/platform.hpp"
#include "base/splitmix.hpp"

namespace clothlab::experiments {
namespace {

constexpr int kCandidateCells = 24;
constexpr int kFillings = 200;
constexpr std::uint64_t kSampleSeed = 40;

/// Values of some axes that are to stand together in a cell.
struct Tuple {
    std::vector<int> axes, values;
    auto operator<=>(const Tuple&) const = default;
};

/// f(chosen axes) for each choice of `count` axes out of `of`, in ascending order.
void forEachChoice(int of, int count, const std::function<void(const std::vector<int>&)>& f) {
    std::vector<int> chosen(count);
    for (int k = 0; k < count; ++k) chosen[k] = k;
    while (true) {
        f(chosen);
        int k = count - 1;
        while (k >= 0 && chosen[k] == of - count + k) --k;
        if (k < 0) return;
        ++chosen[k];
        for (int next = k + 1; next < count; ++next) chosen[next] = chosen[next - 1] + 1;
    }
}

class Cover {
public:
    Cover(const TrialAxes& axes, const std::function<bool(std::span<const int>)>& exists)
        : axes_(axes), exists_(exists) {}

    /// Adds cells until all tuples of so many axes are covered, or there are `most` cells.
    void by(int count, int most) {
        std::set<Tuple> open;
        forEachChoice(axes_.axes(), count, [&](const std::vector<int>& chosen) { addAll(chosen, open); });
        for (const std::vector<int>& cell : cells_)
            for (const Tuple& tuple : listTuples(cell, count)) open.erase(tuple);
        while (!open.empty() && int(cells_.size()) < most) {
            std::vector<int> best;
            int bestNew = 0;
            auto first = open.begin();
            std::advance(first, random(int(open.size())));
            const Tuple seed = *first;
            for (int k = 0; k < kCandidateCells; ++k) {
                const std::vector<int> cell = filled(seed);
                if (cell.empty()) break;
                int fresh = 0;
                for (const Tuple& tuple : listTuples(cell, count)) fresh += open.contains(tuple);
                if (fresh > bestNew) best = cell, bestNew = fresh;
            }
            open.erase(seed);  // where no cell has it
            if (best.empty()) continue;
            for (const Tuple& tuple : listTuples(best, count)) open.erase(tuple);
            cells_.push_back(std::move(best));
        }
    }

    const std::vector<std::vector<int>>& cells() const { return cells_; }

private:
    int random(int below) {
        return std::min(below - 1, int(splitmixUnit(kSampleSeed + 0x9e3779b97f4a7c15ull * ++drawn_) * below));
    }

    void addAll(const std::vector<int>& chosen, std::set<Tuple>& open) const {
        std::vector<int> values(chosen.size(), 0);
        while (true) {
            open.insert({chosen, values});
            std::size_t k = 0;
            while (k < values.size() && ++values[k] == axes_.size(chosen[k])) values[k++] = 0;
            if (k == values.size()) return;
        }
    }

    std::vector<Tuple> listTuples(const std::vector<int>& cell, int count) const {
        std::vector<Tuple> out;
        forEachChoice(axes_.axes(), count, [&](const std::vector<int>& chosen) {
            Tuple tuple{chosen, {}};
            for (const int axis : chosen) tuple.values.push_back(cell[axis]);
            out.push_back(std::move(tuple));
        });
        return out;
    }

    /// A random cell with these values; empty when none is found that exists.
    std::vector<int> filled(const Tuple& tuple) {
        std::vector<int> cell(axes_.axes());
        for (int tried = 0; tried < kFillings; ++tried) {
            for (int axis = 0; axis < axes_.axes(); ++axis) cell[axis] = random(axes_.size(axis));
            for (std::size_t k = 0; k < tuple.axes.size(); ++k) cell[tuple.axes[k]] = tuple.values[k];
            if (exists_(cell)) return cell;
        }
        return {};
    }

    const TrialAxes& axes_;
    const std::function<bool(std::span<const int>)>& exists_;
    std::vector<std::vector<int>> cells_;
    std::uint64_t drawn_ = 0;
};

}  // namespace

TrialVerdict judgeTrial(bool holds, integrators::StepStatus worst) {
    if (holds) return TrialVerdict::Ok;
    return worst == integrators::StepStatus::Ok ? TrialVerdict::Wrong : TrialVerdict::SaysSo;
}

int TrialAxes::cells() const {
    int product = 1;
    for (const int size : sizes_) product *= size;
    return product;
}

std::vector<int> TrialAxes::cell(int number) const {
    std::vector<int> out(sizes_.size());
    for (std::size_t k = sizes_.size(); k-- > 0; number /= sizes_[k]) out[k] = number % sizes_[k];
    return out;
}

int TrialAxes::number(std::span<const int> cell) const {
    int out = 0;
    for (std::size_t k = 0; k < sizes_.size(); ++k) out = out * sizes_[k] + cell[k];
    return out;
}

std::vector<int> coveringSample(const TrialAxes& axes, const std::function<bool(std::span<const int>)>& exists,
                                int most) {
    Cover cover(axes, exists);
    for (const int count : {2, 3}) cover.by(count, most);
    std::vector<int> out;
    for (const std::vector<int>& cell : cover.cells()) out.push_back(axes.number(cell));
    std::ranges::sort(out);
    return out;
}

bool runTrials(int count, const TrialControl& control, const std::function<void(int)>& run) {
    std::atomic<int> next{0};
    std::mutex telling;
    int done = 0;
    const auto stopped = [&] { return control.stop.stop_requested(); };
    const auto work = [&] {
        platform::singleThreadedBlas();
        for (int k = next++; k < count && !stopped(); k = next++) {
            run(k);
            const std::scoped_lock lock(telling);
            ++done;
            if (control.progress) control.progress(done, count);
        }
    };
    {
        std::vector<std::jthread> others;
        for (int t = 1; t < std::min(control.threads, count); ++t) others.emplace_back(work);
        work();
    }
    return done == count && !stopped();
}

void TrialSteps::take(const simulation::StepReport& report) {
    if (report.status != integrators::StepStatus::Ok && message.empty()) message = report.message;
    worst = std::max(worst, report.status);
    if (hasFailed(report.status)) return;
    ++steps;
    maxStrain = std::max(maxStrain, report.maxStrain);
}

bool runTrial(const scene::Scene& scene, double seconds, const std::stop_token& stop, TrialSteps& steps,
              const TrialLooks& looks) {
    auto made = simulation::Simulation::create(scene, 1);
    if (!made || !(*made)->refusal().empty()) {
        steps.worst = integrators::StepStatus::SolveFailed;
        steps.message = made ? (*made)->refusal() : made.error().text();
        return true;
    }
    simulation::Simulation& simulation = **made;
    looks.start(simulation);
    simulation::Simulation::StepOptions options;
    options.hash = false;
    options.stop = stop;
    const int count = int(std::lround(seconds / scene.settings.integrator.dt));
    for (int k = 0; k < count; ++k) {
        const simulation::StepReport& report = simulation.step(options);
        if (stop.stop_requested()) return false;
        steps.take(report);
        if (hasFailed(report.status)) break;
        looks.step(simulation);
    }
    if (looks.end) looks.end(simulation);
    return true;
}

void TrialCount::add(TrialVerdict verdict) {
    ++runs;
    (verdict == TrialVerdict::Ok ? ok : verdict == TrialVerdict::SaysSo ? saysSo : wrong) += 1;
}

void addSteps(const TrialSteps& steps, TrialVerdict verdict, records::Json& out) {
    out["max_strain"] = steps.maxStrain;
    out["steps"] = steps.steps;
    out["status"] = enumKey(steps.worst);
    out["message"] = steps.message;
    out["verdict"] = enumKey(verdict);
}

void TrialReport::take(std::string_view trials, const TrialCount& all, records::Json allRuns) {
    runs = all.runs;
    wrong = all.wrong;
    json = records::Json::object();
    json["trials"] = trials;
    json["count"] = all.runs;
    json["wrong"] = all.wrong;
    json["runs"] = std::move(allRuns);
}

}  // namespace clothlab::experiments
