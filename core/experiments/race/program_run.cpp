#include "experiments/race/program_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/input.hpp"
#include "base/json_reader.hpp"
#include "base/output.hpp"
#include "base/processes/process.hpp"
#include "base/processes/temporary_folder.hpp"
#include "base/text.hpp"
#include "experiments/systems/system_files.hpp"
#include "records/json.hpp"
#include "records/npy.hpp"
#include "solvers/verdict.hpp"
#include "solvers/yardstick.hpp"

namespace clothlab::experiments {
namespace {

using platform::ProcessEnd;
using records::Json;
using solvers::SolveStatus;

constexpr const char* kSolution = "x.npy";
constexpr const char* kAnswer = "answer.json";
constexpr std::size_t kMostAnswer = 1u << 20, kMostHeader = 1u << 16;
constexpr std::uint64_t kLeastFileLimit = 256u << 20;  ///< bytes that any program may write into a file
constexpr double kHonest = 2;                          ///< factor by which a claimed residual may be off
constexpr double kNegligible = 1e-13;                  ///< below it nothing is made of a residual
constexpr double kTimerSlack = 0.01;                   ///< s
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

constexpr std::string_view kPositions = "positions";

/// What the folder has, and in words.
struct Part {
    std::string_view stem;
    bool isMatrix;
    std::string_view help;
};
constexpr std::array kParts{
    Part{"A", true, "the matrix, symmetric, kg, 3N x 3N; rows 3i to 3i + 2 are those of particle i"},
    Part{"S", true, "the filter, 3N x 3N: projects onto the directions in which a particle is free"},
    Part{"b", false, "the right-hand side, kg m/s, 3N"},
    Part{"z", false, "the velocity change that is prescribed, m/s, 3N; S z = 0"},
    Part{"x0", false, "the start, m/s, 3N: zero"},
    Part{kPositions, false, "where the particles are, m, 3N"},
};

std::string joined(const std::string& a, const std::string& b) { return a + (a.empty() || b.empty() ? "" : "; ") + b; }

/// |(I - S) x - z| / max(|x|, |z|)
double missedConstraints(const linalg::FrozenSystem& system, const linalg::BlockVector& x) {
    linalg::BlockVector kept = x, z(x.size());
    system.constraints.filterAndPrescribe(kept);
    system.constraints.prescribed(z);
    const double scale = std::max(x.flat().norm(), z.flat().norm());
    return scale > 0 ? (x.flat() - kept.flat()).norm() / scale : 0;
}

/// A file that a program had to write; an Error does not name the folder, which is gone by then.
Expected<std::string> written(const TemporaryFolder& folder, const char* name, std::size_t mostBytes) {
    const std::string path = folder.file(name);
    if (!somethingAt(path)) return fail(fmt::format("it wrote no {}", name));
    auto text = readFile(path, {.bytes = mostBytes, .pipes = false});
    if (!text) return fail(Error{.message = text.error().message, .file = name});
    return text;
}

/// One run of one program.
class ProgramRun {
public:
    ProgramRun(const linalg::FrozenSystem& system, double tolerance) : system_(system) {
        row_.tolerance = tolerance;
        row_.iterations = -1;
        for (double* time : {&row_.analyzeMs, &row_.setUpMs, &row_.multiplyMs, &row_.applyMs, &row_.totalMs,
                             &row_.coldMs, &row_.totalMinMs, &row_.totalMaxMs})
            *time = kUnknown;
    }

    RaceRow take(const Program& program, const ProgramFiles& files, const RaceOptions& options,
                 const RaceControl& control, int threads) {
        const auto folder = TemporaryFolder::create("race");
        if (!folder) return failed(folder.error().text());
        if (auto done = files.write(folder->path(), row_.tolerance, options.maxIterations); !done)
            return failed(done.error().text());
        platform::ProcessOrder order{.command = commandFor(program, folder->path()),
                                     .environment = {{"OMP_NUM_THREADS", fmt::format("{}", threads)},
                                                     {"OPENBLAS_CORETYPE", {}}},  // ours, not the user's
                                     .limitSeconds = options.programLimitSeconds,
                                     .mostFileBytes = std::max<std::uint64_t>(kLeastFileLimit, 4 * files.bytes()),
                                     .mostMemory = options.programMemory};
        if (control.hold) control.hold();
        const ProcessEnd end = platform::runProcess(order, control.stop);
        if (control.release) control.release();
        row_.runs = 1;
        row_.processMs = 1e3 * end.seconds;
        if (const bool answered = judgeEnd(end); answered) readFiles(*folder, end);
        if (row_.failed && options.programMemory > 0)
            note(fmt::format("a process of it could have {} MiB of memory", options.programMemory >> 20));
        if (end.leftBehind > 0)
            note(fmt::format("it left {} process{} behind, which {} ended", end.leftBehind,
                             end.leftBehind == 1 ? "" : "es", end.leftBehind == 1 ? "was" : "were"));
        if (!end.allEnded) note("a process of it could not be ended");
        return std::move(row_);
    }
    RaceRow failed(const std::string& why) {
        row_.failed = true;
        row_.status = SolveStatus::Breakdown;
        note(why);
        return std::move(row_);
    }

private:
    void note(const std::string& text) { row_.message = joined(row_.message, text); }
    void fail(const std::string& why) {
        row_.failed = true;
        row_.status = SolveStatus::Breakdown;
        note(why);
    }

    /// Whether there should be an answer.
    bool judgeEnd(const ProcessEnd& end) {
        using How = ProcessEnd::How;
        if (end.how == How::Exited && end.code == 0) return true;
        const std::string last = end.lastLine.empty() ? "" : ": " + shown(end.lastLine, 200);
        if (end.how == How::TimedOut || end.how == How::Cancelled) {
            row_.cut = end.how == How::TimedOut;
            row_.status = SolveStatus::Cancelled;
            note(describeEnd(end) + last);
        } else {
            fail(describeEnd(end) + last);
        }
        return false;
    }

    void readFiles(const TemporaryFolder& folder, const ProcessEnd& end) {
        const auto answerText = written(folder, kAnswer, kMostAnswer);
        if (!answerText) return fail(answerText.error().text());
        const auto answer = readAnswer(*answerText, kAnswer);
        if (!answer) return fail(answer.error().text());
        const auto solutionText = written(folder, kSolution, kMostHeader + 24 * std::size_t(system_.A.rows()));
        if (!solutionText) return fail(solutionText.error().text());
        const auto x = readSolution(*solutionText, kSolution, system_.A.rows());
        if (!x) return fail(x.error().text());
        copyClaims(*answer, end);
        measure(*x, *answer);
    }

    void copyClaims(const ProgramAnswer& answer, const ProcessEnd& end) {
        row_.claimed = true;
        row_.iterations = answer.iterations;
        row_.setUpMs = 1e3 * answer.setUpSeconds;
        row_.totalMs = row_.coldMs = 1e3 * (answer.setUpSeconds + answer.solveSeconds);
        row_.totalMinMs = row_.totalMaxMs = row_.middleMinMs = row_.middleMaxMs = row_.totalMs;
        if (const double says = 1e-3 * row_.totalMs; says > end.seconds + kTimerSlack)
            note(fmt::format("it says that it took {:.3g} s, and its process was there for {:.3g} s", says,
                             end.seconds));
    }

    void measure(const linalg::BlockVector& x, const ProgramAnswer& answer) {
        const auto values = x.flat();
        for (Eigen::Index k = 0; k < values.size(); ++k)
            if (!std::isfinite(values[k])) {
                row_.status = SolveStatus::NotFinite;
                return note(fmt::format("{}: value {} is {}", kSolution, k, values[k]));
            }
        const double residual = solvers::trueRelativeResidual(system_.view(), x);
        solvers::SolveSummary end;
        solvers::conclude(end, residual, row_.tolerance);
        row_.status = end.status;
        row_.trueRelativeResidual = residual;
        note(end.message);
        if (const double missed = missedConstraints(system_, x); missed > std::max(row_.tolerance, 1e-9))
            fail(fmt::format("x violates the constraints, (I - S) x = z, by {:.2g} of the norm", missed));
        if (answer.residual) compare(*answer.residual, residual);
        row_.residuals = {1.0f, float(residual)};
        row_.milliseconds = {float(row_.setUpMs), float(row_.totalMs)};
    }

    void compare(double says, double measured) {
        if (std::max(says, measured) < kNegligible) return;
        if (says * kHonest >= measured && measured * kHonest >= says) return;
        note(fmt::format("it says that its residual is {:.2e}, and it is {:.2e}", says, measured));
    }

    const linalg::FrozenSystem& system_;
    RaceRow row_;
};

}  // namespace

Expected<ProgramFiles> ProgramFiles::of(const linalg::FrozenSystem& system, const linalg::BlockVector* positions,
                                        int threads) {
    ProgramFiles out(system);
    out.threads_ = threads;
    out.withPositions_ = positions != nullptr;
    const linalg::BlockMatrix S = filterMatrix(system.constraints);
    linalg::BlockVector z(system.A.rows());
    system.constraints.prescribed(z);
    const linalg::BlockVector x0(system.A.rows());
    const auto partMatrix = [&](const Part& part) { return part.stem == "A" ? &system.A : &S; };
    const auto partVector = [&](const Part& part) {
        return part.stem == "b" ? &system.b : part.stem == "z" ? &z : part.stem == "x0" ? &x0 : positions;
    };
    for (const SystemFormat& format : systemFormats())
        for (const Part& part : kParts) {
            if (!out.has(part.stem)) continue;
            if (!part.isMatrix) {
                out.files_.emplace_back(format.vectorName(part.stem), format.vector(*partVector(part)));
                continue;
            }
            auto text = format.matrix(*partMatrix(part), nullptr);
            if (!text) return fail(text.error());
            out.files_.emplace_back(format.matrixName(part.stem), std::move(*text));
        }
    return out;
}

bool ProgramFiles::has(std::string_view stem) const { return withPositions_ || stem != kPositions; }

std::size_t ProgramFiles::bytes() const {
    std::size_t sum = 0;
    for (const auto& [name, content] : files_) sum += content.size();
    return sum;
}

Expected<void> ProgramFiles::write(const std::string& folder, double tolerance, int maxIterations) const {
    for (const auto& [name, content] : files_)
        if (auto done = writeFile(folder + "/" + name, content, {}, Care::Quick); !done) return done;
    Json out;
    out["version"] = 1;
    out["particles"] = system_->A.rows();
    out["rows"] = 3 * std::int64_t(system_->A.rows());
    out["tolerance"] = tolerance;
    out["max_iterations"] = maxIterations;
    out["threads"] = threads_;
    out["system"] = "S A x = S b, (I - S) x = z";
    out["measured"] = "|S(b - A x)|_2 / |S(b - A z)|_2, which is 1 at x = z";
    for (const Part& part : kParts) {
        if (!has(part.stem)) continue;
        Json file;
        file["help"] = part.help;
        for (const SystemFormat& format : systemFormats())
            file[enumKey(format.form)] = part.isMatrix ? format.matrixName(part.stem) : format.vectorName(part.stem);
        out["files"][part.stem] = std::move(file);
    }
    out["answer"]["x"] = kSolution;
    out["answer"]["times"] = kAnswer;
    return writeFile(folder + "/problem.json", out.text(1) + "\n", {}, Care::Quick);
}

Expected<ProgramAnswer> readAnswer(std::string_view json, const std::string& file) {
    JsonReader reader(json, file, {.depth = 8, .values = 10000});
    const JsonValue root = reader.root();
    const auto positive = [](const JsonValue& value) {
        const double number = value.number();
        if (number < 0) value.refuse(fmt::format("{}: {} is negative", value.name(), number));
        return number;
    };
    ProgramAnswer out{.setUpSeconds = positive(root["setup_s"]),
                      .solveSeconds = positive(root["solve_s"]),
                      .iterations = int(root["iterations"].whole(0, std::numeric_limits<int>::max()))};
    if (root.has("residual")) out.residual = positive(root["residual"]);
    return reader.result(out);
}

Expected<linalg::BlockVector> readSolution(std::string_view npy, const std::string& file, Index particles) {
    const auto wrong = [&](std::string what) { return fail(Error{.message = std::move(what), .file = file}); };
    const auto array = records::readNpy(npy, file);
    if (!array) return fail(array.error());
    if (array->type != "<f8" && array->type != ">f8")
        return wrong(fmt::format("its values have the type '{}', and float64 ('<f8') is needed", shown(array->type)));
    const std::int64_t rows = 3 * std::int64_t(particles);
    const auto& shape = array->shape;
    const bool column = (shape.size() == 1 || (shape.size() == 2 && shape[1] == 1)) && shape[0] == rows;
    const bool triples = shape.size() == 2 && shape[0] == particles && shape[1] == 3 && !array->fortranOrder;
    if (!column && !triples)
        return wrong(fmt::format("it has the shape {}{}, and ({},) or ({}, 3) is needed", array->shapeText(),
                                 array->fortranOrder && shape.size() > 1 ? " in Fortran's order" : "", rows,
                                 particles));
    const auto values = records::toNumbers(*array, file);
    if (!values) return fail(values.error());
    linalg::BlockVector x(particles);
    std::copy(values->begin(), values->end(), x.data());
    return x;
}

RaceRow runProgram(const Program& program, const linalg::FrozenSystem& system, const Expected<ProgramFiles>& files,
                   double tolerance, const RaceOptions& options, const RaceControl& control, int threads) {
    ProgramRun run(system, tolerance);
    return files ? run.take(program, *files, options, control, threads) : run.failed(files.error().text());
}

}  // namespace clothlab::experiments
