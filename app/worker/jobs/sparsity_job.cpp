#include "worker/jobs/sparsity_job.hpp"

#include <algorithm>

#include "worker/jobs/step_on_show.hpp"

namespace clothlab::app::worker {
namespace {

/// The largest kind of the blocks in each cell.
void fillRaster(SparsityResult& result) {
    constexpr int kMostCells = 360;
    const experiments::Sparsity& s = result.blocks;
    result.cells = std::min<int>(kMostCells, s.places());
    result.raster.assign(result.cells * std::size_t(result.cells), 0);
    const auto cellAt = [&](Index place) { return std::size_t(std::int64_t(place) * result.cells / s.places()); };
    for (Index i = 0; i < s.places(); ++i)
        for (std::size_t k = s.rowStart[i]; k < s.rowStart[i + 1]; ++k) {
            std::uint8_t& cell = result.raster[cellAt(i) * std::size_t(result.cells) + cellAt(s.column[k])];
            cell = std::max(cell, std::uint8_t(int(s.kind[k]) + 1));
        }
}

class Sparsities final : public SparsityJob::Job {
public:
    void ask(SparsityJob::Request request, const JobContext& context) override {
        context.thread.add([this, what = std::get<ShowSparsity>(request),
                            source = StepOnShow::of(context)](const std::stop_token& stop) {
            SparsityResult result{.origin = source.origin, .blocks = {}, .raster = {}, .problem = {}};
            if (const auto step = source.remake(stop, result.problem)) {
                result.blocks = experiments::sparsity(step->system, what.of, what.ordering, what.byComponents);
                fillRaster(result);
            }
            if (!stop.stop_requested()) publish(std::move(result));
        });
    }
};

}  // namespace

std::unique_ptr<SparsityJob::Job> SparsityJob::make() { return std::make_unique<Sparsities>(); }

}  // namespace clothlab::app::worker
