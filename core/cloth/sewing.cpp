#include "cloth/sewing.hpp"

#include <algorithm>

#include "cloth/joined_particles.hpp"
#include "cloth/springs.hpp"

namespace clothlab::cloth {
namespace {

constexpr double kMostShare = 0.2;    ///< c, of the mesh spacing
constexpr double kClosedShare = 0.1;  ///< of the mesh spacing

}  // namespace

double closedLength(const SewingThread& thread) { return kClosedShare * thread.spacing; }

double restLengthAt(const SewingThread& thread, double time) {
    return thread.length * std::max(0.0, 1 - time / thread.time);
}

std::vector<Index> findSeams(const ClothModel& model) {
    if (model.threads.empty()) return {};
    JoinedParticles groups(model.particles());
    for (const SewingThread& thread : model.threads) groups.join(thread.i, thread.j);
    return std::move(groups).firsts();
}

SeamCounts countSeams(const ClothModel& model, const linalg::BlockVector& x) {
    SeamCounts counts{.threads = Index(model.threads.size())};
    for (const SewingThread& thread : model.threads) {
        const double length = (x[thread.j] - x[thread.i]).norm();
        counts.open += length > closedLength(thread);
        counts.longest = std::max(counts.longest, length);
    }
    return counts;
}

void Sewing::configure(const ClothModel& model, const ForceModel& forces) {
    if (model_ == &model && mesh_ == model.revision && lawRevision_ == forces.lawRevision() &&
        laws_.size() == model.threads.size())
        return;
    model_ = &model;
    mesh_ = model.revision;
    lawRevision_ = forces.lawRevision();
    laws_.assign(model.threads.size(), {0, 0, 0});
    if (laws_.empty()) return;
    std::vector<Law> atParticle(std::size_t(model.particles()), {0, 0, 0});
    for (std::size_t e = 0; e < model.springs.size(); ++e) {
        const Spring& s = model.springs[e];
        if (s.family != SpringFamily::Stretch || forces.isBroken(e)) continue;
        const SpringLaw& law = forces.springLaw(e);
        for (const Index end : {s.i, s.j}) {
            atParticle[end].stiffness = std::max(atParticle[end].stiffness, law.stiffness);
            atParticle[end].damping = std::max(atParticle[end].damping, law.damping);
        }
    }
    for (std::size_t k = 0; k < laws_.size(); ++k) {
        const SewingThread& thread = model.threads[k];
        const Law &i = atParticle[thread.i], &j = atParticle[thread.j];
        laws_[k] = {thread.stiffness * std::min(i.stiffness, j.stiffness), std::min(i.damping, j.damping),
                    kMostShare * thread.spacing / thread.stiffness};
    }
}

void Sewing::addTerms(const linalg::BlockVector& x, const linalg::BlockVector& v, double time,
                      std::vector<mechanics::PairTerm>& terms) const {
    for (std::size_t k = 0; k < laws_.size(); ++k) {
        const SewingThread& thread = model_->threads[k];
        mechanics::PairTerm term{.i = thread.i, .j = thread.j};
        const Vec3 d = x[thread.j] - x[thread.i];
        const double l = d.norm(), r = restLengthAt(thread, time), stiffness = laws_[k].stiffnessAt(l - r);
        if (r == 0 || l > r) {
            const double across = r == 0 ? 1 : 1 - r / l;
            const Mat3 along = r == 0 ? Mat3(Mat3::Zero()) : Mat3((d / l) * (d / l).transpose());
            term.stiffness = stiffness * (across * Mat3::Identity() + (1 - across) * along);
            term.damping = laws_[k].damping * (r == 0 ? Mat3(Mat3::Identity()) : along);
            term.force = stiffness * across * d + term.damping * (v[thread.j] - v[thread.i]);
        }
        terms.push_back(term);
    }
}

double Sewing::energy(const linalg::BlockVector& x, double time) const {
    double sum = 0;
    for (std::size_t k = 0; k < laws_.size(); ++k) {
        const SewingThread& thread = model_->threads[k];
        const double longer = (x[thread.j] - x[thread.i]).norm() - restLengthAt(thread, time);
        const Law& law = laws_[k];
        if (longer > 0)
            sum += longer > law.most ? law.stiffness * law.most * (longer - law.most / 2)
                                     : 0.5 * law.stiffness * longer * longer;
    }
    return sum;
}

}  // namespace clothlab::cloth
