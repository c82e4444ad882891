#include "experiments/race/slow_motion.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/systems/timed_solve.hpp"
#include "solvers/catalogue.hpp"
#include "solvers/kind.hpp"
#include "solvers/yardstick.hpp"

namespace clothlab::experiments {
namespace {

std::vector<double> values(const linalg::BlockVector& v) {
    const auto flat = v.flat();
    return {flat.begin(), flat.end()};
}

/// Whether iterate k is kept when `most` frames are to reach over `last` iterations.
bool kept(int k, std::size_t most, int last) {
    const int all = int(most) / 2;
    if (k <= all) return true;
    // Behind the first half, each frame lies a constant share farther than the one before, the last of them at the last
    // iteration.
    const double share = std::pow(std::max(2.0, double(last) / all), 1.0 / (all - 2));
    return std::floor(std::log(double(k)) / std::log(share)) > std::floor(std::log(k - 1.0) / std::log(share));
}

void keep(const linalg::LinearSystem& system, int k, const linalg::BlockVector& deltaV, linalg::BlockVector& r,
          SlowMotion::Method& method) {
    method.iteration.push_back(k);
    method.deltaV.push_back(values(deltaV));
    const double rhs = solvers::residual(system, deltaV, r), left = r.flat().norm();
    method.residuals.push_back(rhs > 0 ? left / rhs : left > 0 ? INFINITY : 0);
    const double scale = rhs > 0 ? std::sqrt(double(r.size())) / rhs : 0;
    auto& undone = method.undone.emplace_back();
    for (Index i = 0; i < r.size(); ++i) undone.push_back(float(scale * r[i].norm()));
}

void solve(const SlowMotionOf& of, SlowMotion::Method& method, std::size_t mostFrames, const std::stop_token& stop,
           WorkerPool& pool) {
    solvers::Method cold = method.who.method;
    solvers::SolverSettings& settings = cold.solver;
    settings.warmStart = false;
    settings.decompose = false;  // the iterates of a component are no picture of the cloth
    const auto solver = solvers::makeSolver(cold);
    linalg::BlockVector deltaV, full(of.system.A.rows()), r;
    solvers::SolveSummary summary;
    if (of.earlier && method.who.isLagged())
        solver->solve(fromZero(*of.earlier), deltaV, summary, {.stop = stop, .observer = {}}, pool);
    const linalg::LinearSystem system = fromZero(of.system);
    int next = 0;
    const solvers::Observer observer = [&](const solvers::Iterate& it) {
        if (it.k == 0 && next > 0) return;  // a second loop, behind a factor that was too old, repeats its start
        const int k = next++;
        if (method.frames() + 1 >= mostFrames || !kept(k, mostFrames, settings.maxIterations))
            return;  // one is left for the end
        solver->toDeltaV(it.x, full);
        keep(system, k, full, r, method);
    };
    solver->solve(system, deltaV, summary, {.stop = stop, .observer = observer}, pool);
    method.status = summary.status;
    method.message = summary.message;
    if (!solvers::acceptable(summary.status)) return;
    if (method.frames() > 0 && method.iteration.back() == summary.iterations) return;
    keep(system, std::max(summary.iterations, 1), deltaV, r,
         method);  // the end is always there, and a direct solver's is all there is
}

/// Those of a grid, or else the Ritz vectors of all errors that are drawn; of large cloth, of some of them.
ErrorWaves chooseWaves(const SlowMotionOf& of, const SlowMotion& motion, const std::stop_token& stop,
                       WorkerPool& pool) {
    constexpr double kMostBytes = 5e7;
    if (of.grid) return ErrorWaves::ofGrid(of.grid->rows, of.grid->columns, of.grid->spacing);
    const double bytes = double(motion.solution.size()) * sizeof(double) + 1;
    const auto most = std::size_t(std::clamp(kMostBytes / bytes, 16.0, 200.0));
    std::size_t frames = 0;
    for (const auto& method : motion.methods) frames += method.frames();
    std::vector<std::vector<double>> errors;
    for (std::size_t m = 0; m < motion.methods.size(); ++m)
        for (std::size_t frame = 0; frame < motion.methods[m].frames(); frame += 1 + frames / most)
            errors.push_back(motion.computeError(m, frame));
    return ErrorWaves::ofRitzVectors(of.system, errors, stop, pool);
}

}  // namespace

void SlowMotion::errors(std::size_t method, std::size_t frame, std::vector<float>& out) const {
    const std::vector<double> e = computeError(method, frame);
    out.resize(e.size() / 3);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = float(std::sqrt(e[3 * i] * e[3 * i] + e[3 * i + 1] * e[3 * i + 1] + e[3 * i + 2] * e[3 * i + 2]));
}

void SlowMotion::positions(std::size_t method, std::size_t frame, double exaggeration, std::vector<float>& out) const {
    const std::vector<double>& dv = methods[method].deltaV[frame];
    out.resize(dv.size());
    for (std::size_t i = 0; i < dv.size(); ++i)
        out[i] = float(inertial[i] + reach * (solution[i] + exaggeration * (dv[i] - solution[i])));
}

std::vector<double> SlowMotion::computeError(std::size_t method, std::size_t frame) const {
    std::vector<double> error = methods[method].deltaV[frame];
    for (std::size_t i = 0; i < error.size(); ++i) error[i] -= solution[i];
    return error;
}

std::vector<double> SlowMotion::amplitudes(std::size_t method, std::size_t frame) const {
    return waves->amplitudes(computeError(method, frame));
}

SlowMotion recordSlowMotion(const SlowMotionOf& of, const std::vector<Contestant>& methods, std::size_t mostFrames,
                            const std::stop_token& stop, WorkerPool& pool) {
    SlowMotion out;
    out.step = of.system.step;
    out.reach = of.system.reach;
    linalg::BlockVector at(of.after.size());
    at.flat() = of.after.flat() - of.system.reach * of.system.deltaV.flat();
    out.inertial = values(at);
    linalg::BlockVector exact;
    solvers::SolveSummary summary;
    solvers::makeSolver({.kind = solvers::SolverKind::Cholesky}, {})
        ->solve(fromZero(of.system), exact, summary, {.stop = stop, .observer = {}}, pool);
    if (!solvers::acceptable(summary.status)) exact = of.system.deltaV;
    out.solution = values(exact);
    for (const Contestant& who : methods) {
        SlowMotion::Method& method = out.methods.emplace_back();
        method.who = who;
        solve(of, method, mostFrames, stop, pool);
    }
    out.waves = std::make_shared<const ErrorWaves>(chooseWaves(of, out, stop, pool));
    return out;
}

}  // namespace clothlab::experiments
