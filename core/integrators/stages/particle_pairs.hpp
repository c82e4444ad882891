#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cloth/forces.hpp"
#include "cloth/sewing.hpp"
#include "contact/repulsion.hpp"
#include "contact/robust/layer_pairs.hpp"
#include "integrators/integrator.hpp"

namespace clothlab::integrators {

/// Forces between particles other than springs, by contact and threads, and of solids on edges: finds the pairs at the
/// start of a step and decides which of them are implicit. Holds scratch, and data of the particles from mesh,
/// materials and settings.
class ParticlePairs {
public:
    ParticlePairs();
    ~ParticlePairs();

    /// Length of a step or a substep, s.
    struct Span {
        double end, dt;
    };
    /// Finds the pairs and the edges at x. None unless the settings ask for them.
    void find(const StepContext& context, const linalg::BlockVector& x, const Span& span);
    /// Finds only the pairs.
    void findPairs(const cloth::ClothModel& model, const cloth::ForceModel& forces,
                   const contact::ContactSettings& settings, const linalg::BlockVector& x, WorkerPool& pool);

    /// Passes the terms of these pairs at (x, v) to `forces`, all explicit.
    void giveExplicit(const linalg::BlockVector& x, const linalg::BlockVector& v, cloth::ForceModel& forces,
                      WorkerPool& pool);

    /// The same for a step of length h with a matrix. All are implicit; under adaptive-imex only those with
    /// (h/m)(h k + 2 d) >= threshold, m the lighter mass ([B] §4.4), and under its rule 'safe' also those that would
    /// bring the sum over explicit terms at a particle above 2; `loads` has that sum over the springs, one entry per
    /// particle, or none.
    struct ImplicitStep {
        const IntegratorSettings& integrator;
        double h;
        std::span<const double> loads;
        const cloth::ClothModel& model;
    };
    void giveImplicit(const ImplicitStep& step, const linalg::BlockVector& x, const linalg::BlockVector& v,
                      cloth::ForceModel& forces, WorkerPool& pool);

    /// Seconds of the last search for edges: contact's time, although within the assembly.
    double edgeSeconds() const { return edgeSeconds_; }
    Index count() const { return Index(repulsion_.pairs().size()); }
    /// The energy of the pairs found, at x, J.
    double energy(const linalg::BlockVector& x, WorkerPool& pool) const { return repulsion_.energy(x, pool); }
    /// The energy of the threads at x and the time, J.
    double sewingEnergy(const linalg::BlockVector& x, double time) const { return sewing_.energy(x, time); }

private:
    void describeParticles(const cloth::ClothModel& model, const cloth::ForceModel& forces);
    void chooseExplicit(const ImplicitStep& step);
    void computeTerms(const linalg::BlockVector& x, const linalg::BlockVector& v, std::span<const double> mass,
                      WorkerPool& pool);
    void addThreads(const linalg::BlockVector& x, const linalg::BlockVector& v);

    contact::Repulsion repulsion_;
    cloth::Sewing sewing_;
    double damping_ = 0;  // N s/m
    struct Edges;
    std::unique_ptr<Edges> edges_;  // of the surface, with the walls of solids
    std::span<const double> mass_;  // kg, of the model of the last search
    double edgeSeconds_ = 0;
    double dt_ = 0, end_ = 0;  // s, of the span
    const contact::LayerPairs* layers_ = nullptr;
    std::vector<mechanics::PairTerm> terms_;
    std::vector<double> loads_;

    // One entry per particle, and springs that are shorter than the distance; for these revisions and this share.
    std::vector<double> spacing_, stiffness_;
    std::vector<std::pair<Index, Index>> exempt_;
    std::vector<Index> seam_;
    std::uint64_t mesh_ = 0, laws_ = 0;
    double distance_ = 0;
};

}  // namespace clothlab::integrators
