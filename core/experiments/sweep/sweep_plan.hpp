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

/// The runs of a sweep. All mistakes of the user are found here, before the first run.
namespace clothlab::experiments {

struct SweepRequest {
    /// "key=a,b,c" (vectors: "key=a;b"); of random sets also "key=a..b", uniform, and "key=a..b:log".
    std::vector<std::string> vary;
    std::vector<std::string> sets;  ///< "key=value" already applied to the base: these keys cannot be varied
    std::vector<std::string>
        reference;   ///< "key=value[,key=value]": changes of the run that the others are measured against; empty = none
    int steps = -1;  ///< negative = the scene's own
    double duration = 0;  ///< s, in place of steps; 0 = not given
    int random = 0;       ///< number of random sets in place of the grid
    std::uint64_t seed = 1;
    /// All runs begin at this state of the base's cloths; null: at the start of the scene.
    std::shared_ptr<const integrators::SimulationState> start = {};
};

struct VariedKey {
    struct Range {
        double from, to;
        bool logarithmic, whole;  ///< evenly in the logarithm; whole numbers only
    };
    std::string key;
    std::vector<std::string> values;  ///< as for `--set`
    std::optional<Range> range;       ///< in place of values
};

/// Part `part` of n, counted from 1: the runs whose index modulo n is part - 1.
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
    /// Identifies this sweep, as each line of its file has it: scene (a hash, settings included), varied keys, length,
    /// reference, number of runs.
    records::Entries identity;

    /// Keys and values of a run. In a grid the last key varies fastest; a random set depends on seed and run only.
    std::vector<std::pair<std::string, std::string>> runValues(int run) const;
    scene::Scene runScene(int run) const;
    /// The reference scene of a run: its own with the assignments of --reference.
    scene::Scene referenceScene(int run) const;
    int countSteps(const scene::Scene& scene) const;
    /// Simulated seconds of a run (those of a reference are the same).
    double seconds(const scene::Scene& scene) const;
};

/// An Error names the option, the mistake and the valid values.
Expected<SweepPlan> planSweep(scene::Scene base, SweepRequest request);

/// "2/8"
Expected<Shard> parseShard(const std::string& text);

}  // namespace clothlab::experiments
