#include "records/positions_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <span>

#include "records/counted_file.hpp"
#include "records/npy.hpp"

namespace clothlab::records {
namespace {

void addVectors(const linalg::BlockVector& vectors, std::span<const Index> particles, std::string& out) {
    for (const Index i : particles) out.append(reinterpret_cast<const char*>(vectors[i].data()), 3 * sizeof(double));
}

std::string rows(const linalg::BlockVector& vectors, std::span<const Index> particles) {
    fmt::memory_buffer out;
    for (const Index i : particles) {
        const auto v = vectors[i];
        fmt::format_to(std::back_inserter(out), "{}[{},{},{}]", out.size() == 0 ? "" : ",", v[0], v[1], v[2]);
    }
    return fmt::to_string(out);
}

class NumPyFile : public PositionsFile {
public:
    NumPyFile(CountedFile frames, CountedFile steps, const cloth::ClothModel& model)
        : frames_(std::move(frames)), steps_(std::move(steps)), particles_(cloth::particlesByOutsideNumber(model)) {}

    Expected<void> add(const integrators::SimulationState& state) override {
        scratch_.clear();
        addVectors(state.x, particles_, scratch_);
        addVectors(state.v, particles_, scratch_);
        if (auto done = frames_.append(scratch_); !done) return done;
        if (auto done = steps_.append({reinterpret_cast<const char*>(&state.step), sizeof state.step}); !done)
            return done;
        if (auto done = frames_.count(); !done) return done;
        return steps_.count();
    }
    Expected<void> finish() override {
        auto done = frames_.finish();
        auto steps = steps_.finish();
        return done ? steps : done;
    }

private:
    CountedFile frames_, steps_;
    std::vector<Index> particles_;
    std::string scratch_;
};

class LinesFile : public PositionsFile {
public:
    LinesFile(GrowingFile lines, const cloth::ClothModel& model)
        : lines_(std::move(lines)), particles_(cloth::particlesByOutsideNumber(model)) {}

    Expected<void> add(const integrators::SimulationState& state) override {
        return lines_.line(fmt::format("{{\"step\":{},\"time_s\":{},\"x\":[{}],\"v\":[{}]}}", state.step, state.time,
                                       rows(state.x, particles_), rows(state.v, particles_)));
    }
    Expected<void> finish() override { return lines_.finish(); }

private:
    GrowingFile lines_;
    std::vector<Index> particles_;
};

}  // namespace

std::string stateNpy(const integrators::SimulationState& state, const cloth::ClothModel& model) {
    std::string out = npyHeader("<f8", fmt::format("(2, {}, 3)", state.x.size()));
    const std::vector<Index> particles = cloth::particlesByOutsideNumber(model);
    addVectors(state.x, particles, out);
    addVectors(state.v, particles, out);
    return out;
}

std::string numPySteps(const std::string& path) {
    return std::filesystem::path(path).replace_extension(".steps.npy").string();
}

Expected<std::unique_ptr<PositionsFile>> createNumPy(const std::string& path, const cloth::ClothModel& model,
                                                     const InputFiles& inputs) {
    const auto ofFrames = [n = model.particles()](std::int64_t frames) {
        return npyHeader("<f8", fmt::format("({}, 2, {}, 3)", frames, n));
    };
    const auto ofSteps = [](std::int64_t frames) { return npyHeader("<i8", fmt::format("({},)", frames)); };
    auto frames = CountedFile::create(path, ofFrames, inputs);
    if (!frames) return fail(frames.error());
    auto steps = CountedFile::create(numPySteps(path), ofSteps, inputs);
    if (!steps) return fail(steps.error());
    return std::make_unique<NumPyFile>(std::move(*frames), std::move(*steps), model);
}

Expected<std::unique_ptr<PositionsFile>> createLines(const std::string& path, const cloth::ClothModel& model,
                                                     const InputFiles& inputs) {
    auto lines = GrowingFile::create(path, inputs);
    if (!lines) return fail(lines.error());
    return std::make_unique<LinesFile>(std::move(*lines), model);
}

}  // namespace clothlab::records
