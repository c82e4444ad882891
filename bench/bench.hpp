#pragma once

#include <functional>
#include <string>
#include <vector>

#include "linalg/linear_system.hpp"
#include "simulation/simulation.hpp"

/// Ratios of ours over a peer's time, measured side by side in one run: lower is better. Absolute times mean little on
/// a shared machine; the ratio of two things that took turns does.
namespace clothlab::bench {

struct Ratio {
    std::string name;
    double median, low, high;  ///< of ours / peer over the pairs; low and high are the quartiles
    double oursMs, peerMs;     ///< medians
    bool detail = false;       ///< a part of a named ratio: in the table, not in the JSON
};

/// Runs ours and the peer in turn, `pairs` times after one warm-up, and takes the median of the pairwise ratios.
Ratio compare(std::string name, const std::function<void()>& ours, const std::function<void()>& peer, int pairs = 11);

/// The fastest of some peers, each by its best of three runs.
std::function<void()> fastestOf(const std::vector<std::function<void()>>& peers);

/// A scene with Ye's parameters and the step whose system is used. By default a ratio measures step 40 from rest of
/// `hang` with 161x161 particles.
struct FrameOf {
    const char* scene = "hang";
    int side = 161;           ///< particles
    double stiffness = 6000;  ///< of stretch, N/m
    int steps = 40;
    const char *solver = "mpcg", *preconditioner = "jacobi";  ///< of the steps before
    bool carefully = false;  ///< with repeats for springs that turn taut (integrator.active_set), up to the last two
};
struct Frame {
    std::unique_ptr<simulation::Simulation> simulation;  ///< its state is that before the step
    linalg::FrozenSystem system;
};
Frame makeFrame(const FrameOf& of = {});

/// Sums `bytes` of memory at the speed of the machine: the peer of a memory-bound kernel.
class MemoryReader {
public:
    explicit MemoryReader(std::size_t bytes) : words_(bytes / 8, 1.0) {}
    void read();
    double sink() const { return sink_; }

private:
    linalg::AlignedVector<double> words_;
    double sink_ = 0;
};

void jacobiPcgRatios(const Frame& frame, std::vector<Ratio>& out);
void assemblyRatios(const Frame& frame, std::vector<Ratio>& out);
void productRatios(std::vector<Ratio>& out);
void incompleteCholeskyRatios(const Frame& frame, std::vector<Ratio>& out);
void incompletePoissonRatios(const Frame& frame, std::vector<Ratio>& out);
void matrixCoreRatios(std::vector<Ratio>& out);
void localGlobalRatios(std::vector<Ratio>& out);
void activeSetRatios(std::vector<Ratio>& out);
void contactIdleRatios(std::vector<Ratio>& out);
void idleContactRatios(std::vector<Ratio>& out);
void broadPhaseRatios(std::vector<Ratio>& out);
void wholeStepRatios(std::vector<Ratio>& out);
void realFrameRatios(const std::string& stateFile, std::vector<Ratio>& out);
void deflationRatios(std::vector<Ratio>& out);
void pngRatios(std::vector<Ratio>& out);

/// Prints what a step takes on one thread and on two, and what it would take on up to sixteen.
void printThreadModel();

}  // namespace clothlab::bench
