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
    double median, low, high;      ///< of ours / peer over the pairs; low and high are the quartiles
    double oursMs, peerMs;         ///< medians
};

/// Runs ours and the peer in turn, `pairs` times after one warm-up, and takes the median of the pairwise ratios.
Ratio compare(std::string name, const std::function<void()>& ours, const std::function<void()>& peer, int pairs = 11);

/// The frame on which everything is measured: 161x161, Ye's parameters, `hang`, the system of step 40 from rest.
struct Frame {
    std::unique_ptr<simulation::Simulation> simulation;  ///< its state is that of step 39
    linalg::FrozenSystem system;
};
Frame makeFrame();

/// Seconds-free sum over `bytes` of memory at the speed the machine reads it: the peer of a memory-bound kernel.
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

}  // namespace clothlab::bench
