#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/systems/sparsity.hpp"
#include "worker/jobs/background_job.hpp"
#include "worker/jobs/step_origin.hpp"

namespace clothlab::app::worker {

/// The blocks of a matrix of the step shown.
struct ShowSparsity {
    experiments::SparsityOf of = experiments::SparsityOf::Matrix;
    factors::Ordering ordering = factors::Ordering::Natural;
    bool byComponents = false;
};

/// The blocks of a matrix, and a raster of them: cells x cells, 0 = nothing, else BlockKind + 1.
struct SparsityResult {
    StepOrigin origin;
    experiments::Sparsity blocks;
    int cells = 0;
    std::vector<std::uint8_t> raster;
    std::string problem;
};

struct SparsityJob : JobKind<std::variant<ShowSparsity>, SparsityResult> {
    static std::unique_ptr<Job> make();
};

}  // namespace clothlab::app::worker
