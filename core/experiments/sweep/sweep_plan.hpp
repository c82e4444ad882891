#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "integrators/state/state.hpp"
#include "records/entries.hpp"
#include "scene/scene.hpp"

/// Which runs a sweep has. Everything that the user can get wrong is found here, before the first run.
namespace clothlab::experiments {

struct SweepRequest {
    /// "key=a,b,c" (vectors: "key=a;b"); of random sets also "key=a..b", uniform, and "key=a..b:log".
    std::vector<std::string> vary;
    std::vector<std::string> sets;  ///< "key=value" that the base has already: these keys cannot be varied
    std::vector<std::string>
        reference;   ///< "key=value[,key=value]": what the run differs in that the others are measured by; empty = none
    int steps = -1;  ///< negative = the scene's own
    double duration = 0;  ///< s, in place of steps; 0 = not given
    int random = 0;       ///< so many random sets in place of the grid
    std::uint64_t seed = 1;
    /// All runs begin at this state of the base's cloths; null: at the scene's own start.
    std::shared_ptr<const integrators::SimulationState> start = {};
};

struct VariedKey {
    struct Range {
        double from, to;
        bool logarithmic, whole;  ///< evenly in the logarithm; whole numbers only
    };
    std::string key;
    std::vector<std::string> values;  ///< as `--set` takes them
    std::optional<Range> range;       ///< in place of values
};

/// One part of n, counted from 1: the runs whose index leaves part - 1 when divided by n.
struct Shard {
    int part = 1, of = 1;
    bool has(int run) const { return run % of == part - 1; }
};

struct SweepPlan {
    scene::Scene base;
    SweepRequest request;
    std::vector<VariedKey> varied;
    std::vector<std::string> reference;  ///< "key=value" one by one
    int runs = 0;
    /// What tells this sweep from others, as each line of its file says it: scene (a hash, settings included), what is
    /// varied, length, reference, number of runs.
    records::Entries identity;

    /// Key and value of a run. A grid counts like a clock, the last key fastest; a random set depends on seed and run
    /// alone.
    std::vector<std::pair<std::string, std::string>> valuesOf(int run) const;
    scene::Scene sceneOf(int run) const;
    /// The scene that measures a run: the run's own with the assignments of --reference.
    scene::Scene referenceOf(int run) const;
    int stepsOf(const scene::Scene& scene) const;
    /// Simulated seconds of a run (those of a reference are the same).
    double seconds(const scene::Scene& scene) const;
};

/// An Error names the option, what is wrong with it and what is valid.
Expected<SweepPlan> planSweep(scene::Scene base, SweepRequest request);

/// "2/8"
Expected<Shard> parseShard(const std::string& text);

}  // namespace clothlab::experiments
