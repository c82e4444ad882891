#include "records/positions_file.hpp"

#include <fmt/format.h>

#include <bit>
#include <filesystem>

namespace clothlab::records {
namespace {

static_assert(std::endian::native == std::endian::little, "files say '<f8' and hold the memory as it is");

/// NumPy's header, format 1.0: always of one length, so that the number of frames can be written over it.
std::string npyHeader(std::string_view type, const std::string& shape) {
    constexpr std::size_t kLength = 192;  // a multiple of 64
    constexpr std::size_t kBefore = 10;   // magic, version and length
    std::string out("\x93NUMPY\x01\x00", 8);
    out.push_back(char((kLength - kBefore) & 0xff));
    out.push_back(char((kLength - kBefore) >> 8));
    out += fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shape);
    out.resize(kLength - 1, ' ');
    return out + '\n';
}

std::string framesHeader(std::int64_t frames, Index particles) {
    return npyHeader("<f8", fmt::format("({}, 2, {}, 3)", frames, particles));
}
std::string stepsHeader(std::int64_t frames) { return npyHeader("<i8", fmt::format("({},)", frames)); }

/// The same vectors under the numbers by which the particles are known outside.
linalg::BlockVector outside(const linalg::BlockVector& vectors, const cloth::ClothModel& model) {
    if (model.outsideNumber.empty()) return vectors;
    linalg::BlockVector out(vectors.size());
    for (Index i = 0; i < vectors.size(); ++i) out[model.outsideNumber[i]] = vectors[i];
    return out;
}

void addVectors(const linalg::BlockVector& vectors, const cloth::ClothModel& model, std::string& out) {
    const linalg::BlockVector numbered = outside(vectors, model);
    for (Index i = 0; i < numbered.size(); ++i)
        for (int c = 0; c < 3; ++c) {
            const double value = numbered[i][c];
            out.append(reinterpret_cast<const char*>(&value), sizeof value);
        }
}

std::string rows(const linalg::BlockVector& vectors, const cloth::ClothModel& model) {
    const linalg::BlockVector numbered = outside(vectors, model);
    fmt::memory_buffer out;
    for (Index i = 0; i < numbered.size(); ++i) {
        const Vec3 v = numbered[i];
        fmt::format_to(std::back_inserter(out), "{}[{},{},{}]", i == 0 ? "" : ",", v[0], v[1], v[2]);
    }
    return fmt::to_string(out);
}

}  // namespace

std::string stateNpy(const integrators::SimulationState& state, const cloth::ClothModel& model) {
    std::string out = npyHeader("<f8", fmt::format("(2, {}, 3)", state.x.size()));
    addVectors(state.x, model, out);
    addVectors(state.v, model, out);
    return out;
}

Expected<PositionsFile> PositionsFile::create(const std::string& path, const cloth::ClothModel& model,
                                              const InputFiles& inputs) {
    const std::string ending = std::filesystem::path(path).extension().string();
    const bool binary = ending == ".npy";
    if (!binary && ending != ".ndjson" && !isStandardOutput(path))
        return fail(Error{.message = "positions are written as numbers of NumPy or as lines",
                          .file = path,
                          .choices = {"FILE.npy", "FILE.ndjson", "-"}});
    auto frames = GrowingFile::create(path, inputs);
    if (!frames) return tl::unexpected(frames.error());
    if (!binary) return PositionsFile(std::move(*frames), std::nullopt, model);
    if (frames->direct())
        return fail(Error{
            .message = "cannot write: .npy counts its frames at the start, and a pipe cannot go back; choose .ndjson",
            .file = path});
    auto steps = GrowingFile::create(path.substr(0, path.size() - ending.size()) + ".steps.npy", inputs);
    if (!steps) return tl::unexpected(steps.error());
    return PositionsFile(std::move(*frames), std::move(*steps), model);
}

Expected<void> PositionsFile::add(const integrators::SimulationState& state) {
    if (steps_) return addBinary(state);
    return frames_.line(fmt::format("{{\"step\":{},\"time_s\":{},\"x\":[{}],\"v\":[{}]}}", state.step, state.time,
                                    rows(state.x, *model_), rows(state.v, *model_)));
}

Expected<void> PositionsFile::addBinary(const integrators::SimulationState& state) {
    // The headers go out with the first frame: a file without a frame is no file.
    scratch_ = count_ == 0 ? framesHeader(1, model_->particles()) : std::string();
    addVectors(state.x, *model_, scratch_);
    addVectors(state.v, *model_, scratch_);
    if (auto done = frames_.append(scratch_); !done) return done;
    std::string step = count_ == 0 ? stepsHeader(1) : std::string();
    step.append(reinterpret_cast<const char*>(&state.step), sizeof state.step);
    if (auto done = steps_->append(step); !done) return done;
    ++count_;
    // Each time, and not in the end alone: whatever ends the run, the count is true.
    if (auto done = frames_.replaceStart(framesHeader(count_, model_->particles())); !done) return done;
    return steps_->replaceStart(stepsHeader(count_));
}

Expected<void> PositionsFile::finish() {
    auto done = frames_.finish();
    if (!steps_) return done;
    auto steps = steps_->finish();
    return done ? steps : done;
}

}  // namespace clothlab::records
