#include "bench.hpp"
#include "linalg/reduced_system.hpp"
#include "preconditioners/catalogue.hpp"
#include "preconditioners/kind.hpp"

namespace clothlab::bench {
namespace {

using preconditioners::PreconditionerKind;

/// A preconditioner with its defaults on one matrix, and something to apply it to.
class Applied {
public:
    Applied(PreconditionerKind kind, const linalg::BlockMatrix& A, const linalg::BlockVector& r)
        : preconditioner_(preconditioners::makePreconditioner({.kind = kind})), A_(A), r_(r), z_(r.size()) {
        WorkerPool one(1);
        preconditioner_->analyze(A, nullptr, one);
        update(one);
    }
    void update(WorkerPool& pool) { preconditioner_->update({A_}, pool); }
    std::function<void()> applications(WorkerPool& pool) {
        return [this, &pool] {
            for (int k = 0; k < kTimes; ++k) preconditioner_->applyDot(r_, z_, pool);
        };
    }

private:
    static constexpr int kTimes = 10;  // a single application is too short to time

    std::unique_ptr<preconditioners::Preconditioner> preconditioner_;
    const linalg::BlockMatrix& A_;
    const linalg::BlockVector& r_;
    linalg::BlockVector z_;
};

}  // namespace

void incompletePoissonRatios(const Frame& frame, std::vector<Ratio>& out) {
    constexpr int kPairs = 31;
    WorkerPool one(1), two(2);
    linalg::ReducedSystem reduced;
    reduced.build(frame.system.view(), one);
    Applied poisson(PreconditionerKind::IncompletePoisson, reduced.matrix(), reduced.rhs());
    Applied ssor(PreconditionerKind::Ssor, reduced.matrix(), reduced.rhs());
    out.push_back(
        compare("incomplete_poisson_apply_2t_over_1t", poisson.applications(two), poisson.applications(one), kPairs));
    out.push_back(
        compare("incomplete_poisson_apply_vs_ssor_1t", poisson.applications(one), ssor.applications(one), kPairs));
    out.push_back(
        compare("incomplete_poisson_apply_vs_ssor_2t", poisson.applications(two), ssor.applications(two), kPairs));
    out.push_back(compare(
        "incomplete_poisson_update_2t_over_1t", [&] { poisson.update(two); }, [&] { poisson.update(one); }));
}

}  // namespace clothlab::bench
