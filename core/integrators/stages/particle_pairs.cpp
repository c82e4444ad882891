#include "integrators/stages/particle_pairs.hpp"

#include <algorithm>

#include "base/stage_timer.hpp"
#include "cloth/springs.hpp"
#include "contact/robust/solid_walls.hpp"
#include "integrators/stages/constraint_stage.hpp"
#include "integrators/traits.hpp"

namespace clothlab::integrators {

/// Not in the header, so that a change of the walls recompiles no integrator.
struct ParticlePairs::Edges {
    std::vector<std::array<Index, 2>> whole;    // no spring between their ends is broken
    std::vector<geometry::Triangle> triangles;  // between those
    contact::SolidWalls solids;
    std::vector<contact::FeatureWall> walls;
    linalg::BlockVector still;  // zero displacements
};

ParticlePairs::ParticlePairs() : edges_(std::make_unique<Edges>()) {}
ParticlePairs::~ParticlePairs() = default;

void ParticlePairs::describeParticles(const cloth::ClothModel& model, const cloth::ForceModel& forces) {
    const auto count = std::size_t(model.particles());
    spacing_.assign(count, 0.0);
    stiffness_.assign(count, 0.0);
    exempt_.clear();
    for (const cloth::ClothModel::Patch& patch : model.patches)
        std::fill_n(spacing_.begin() + patch.firstParticle, patch.particles, patch.spacing);
    for (std::size_t e = 0; e < model.springs.size(); ++e) {
        const cloth::Spring& s = model.springs[e];
        const auto i = std::size_t(s.i), j = std::size_t(s.j);
        if (s.family == cloth::SpringFamily::Stretch && !forces.isBroken(e))
            for (const std::size_t end : {i, j})
                stiffness_[end] = std::max(stiffness_[end], forces.springLaw(e).stiffness);
        if (s.restLength < distance_ * spacing_[i]) exempt_.emplace_back(s.i, s.j);
    }
    seam_ = cloth::findSeams(model);
    edges_->whole.clear();
    auto spring = model.springs.begin();  // both are sorted
    for (const geometry::MeshEdge& edge : model.edges) {
        while (spring != model.springs.end() && std::pair{spring->i, spring->j} < std::pair{edge.a, edge.b}) ++spring;
        const bool joined = spring != model.springs.end() && spring->i == edge.a && spring->j == edge.b;
        if (!joined || !forces.isBroken(std::size_t(spring - model.springs.begin())))
            edges_->whole.push_back({edge.a, edge.b});
    }
    edges_->triangles = model.triangles;
    std::erase_if(edges_->triangles, [&](const geometry::Triangle& t) {
        for (std::size_t k = 0; k < 3; ++k)
            if (!std::ranges::binary_search(edges_->whole,
                                            std::array{std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])}))
                return true;
        return false;
    });
}

void ParticlePairs::findPairs(const cloth::ClothModel& model, const cloth::ForceModel& forces,
                              const contact::ContactSettings& settings, const linalg::BlockVector& x,
                              WorkerPool& pool) {
    damping_ = settings.repulsionDamping;
    sewing_.configure(model, forces);
    layers_ = nullptr;
    repulsion_.clear();
    edges_->walls.clear();
    if (settings.selfCollision == contact::SelfCollision::Off) return;
    if (mesh_ != model.revision || laws_ != forces.lawRevision() || distance_ != settings.repulsionDistance ||
        spacing_.size() != model.mass.size()) {
        mesh_ = model.revision;
        laws_ = forces.lawRevision();
        distance_ = settings.repulsionDistance;
        describeParticles(model, forces);
    }
    repulsion_.find({x, spacing_, stiffness_, exempt_, seam_, settings}, pool);
}

void ParticlePairs::find(const StepContext& context, const linalg::BlockVector& x, const Span& span) {
    findPairs(context.model, context.forces, context.contact, x, context.pool);
    layers_ = context.layers;
    edgeSeconds_ = 0;
    end_ = span.end;
    if (context.contact.selfCollision != contact::SelfCollision::Robust || solvedSolids(context).empty()) return;
    const StageTimer timer;
    dt_ = span.dt;
    mass_ = context.model.mass;
    auto& [whole, triangles, solids, walls, still] = *edges_;
    if (still.size() != x.size()) still.resize(x.size());
    solids.place({.colliders = context.colliders,
                  .time = span.end,
                  .dt = span.dt,
                  .depth = 0,
                  .reach = *std::ranges::max_element(spacing_),
                  .muK = context.contact.muK,
                  .spacing = *std::ranges::max_element(spacing_)});
    solids.look(x, still, context.pool);
    solids.findFeatures(x, still, {whole, triangles}, walls, context.pool);
    edgeSeconds_ = timer.seconds();
}

/// Terms of the pairs in their order, and of solids on edges between them.
void ParticlePairs::computeTerms(const linalg::BlockVector& x, const linalg::BlockVector& v,
                                 std::span<const double> mass, WorkerPool& pool) {
    repulsion_.terms(x, v, damping_, terms_, pool);
    if (!edges_->walls.empty()) contact::featureTerms(edges_->walls, stiffness_, v, dt_, mass, terms_);
}

/// Comes after chooseExplicit(), which finds pairs by index, since it sorts the terms.
void ParticlePairs::addThreads(const linalg::BlockVector& x, const linalg::BlockVector& v) {
    const std::size_t before = terms_.size();
    sewing_.addTerms(x, v, end_, terms_);
    if (terms_.size() == before) return;
    std::ranges::stable_sort(terms_, {}, [](const mechanics::PairTerm& p) { return std::pair{p.i, p.j}; });
}

void ParticlePairs::giveExplicit(const linalg::BlockVector& x, const linalg::BlockVector& v, cloth::ForceModel& forces,
                                 WorkerPool& pool) {
    computeTerms(x, v, mass_, pool);
    addThreads(x, v);
    for (mechanics::PairTerm& term : terms_) term.implicit = false;
    forces.setPairs(terms_);
}

void ParticlePairs::giveImplicit(const ImplicitStep& step, const linalg::BlockVector& x, const linalg::BlockVector& v,
                                 cloth::ForceModel& forces, WorkerPool& pool) {
    computeTerms(x, v, {}, pool);
    if (traitsFor(step.integrator.kind).picksByCriterion()) chooseExplicit(step);
    addThreads(x, v);
    if (layers_) layers_->addTerms(terms_);
    forces.setPairs(terms_);
}

void ParticlePairs::chooseExplicit(const ImplicitStep& step) {
    const auto& [integrator, h, loads, model] = step;
    const bool safe = integrator.aimexRule == AimexRule::Safe;
    if (safe) {
        loads_.assign(loads.begin(), loads.end());
        loads_.resize(model.mass.size(), 0.0);
    }
    const std::span<const contact::Repulsion::Pair> pairs = repulsion_.pairs();
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const auto i = std::size_t(pairs[k].i), j = std::size_t(pairs[k].j);
        const double unit = h * (h * pairs[k].stiffness + 2 * damping_);
        const double atI = unit / model.mass[i], atJ = unit / model.mass[j];
        if (!(std::max(atI, atJ) < integrator.aimexThreshold)) continue;
        if (safe && (loads_[i] + atI > 2 || loads_[j] + atJ > 2)) continue;
        terms_[k].implicit = false;
        if (!safe) continue;
        loads_[i] += atI;
        loads_[j] += atJ;
    }
}

}  // namespace clothlab::integrators
