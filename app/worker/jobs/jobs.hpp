#pragma once

#include <tuple>
#include <type_traits>

#include "worker/jobs/descent_job.hpp"
#include "worker/jobs/paper_job.hpp"
#include "worker/jobs/race_job.hpp"
#include "worker/jobs/slow_motion_job.hpp"
#include "worker/jobs/sparsity_job.hpp"
#include "worker/jobs/work_job.hpp"

namespace clothlab::app::worker {

template <class... Kind>
struct JobList {};

/// All background jobs. A new one is a name here: its requests are commands, its results are the window's.
using AllJobs = JobList<DescentJob, PaperJob, RaceJob, SlowMotionJob, SparsityJob, WorkJob>;

/// Whether a type is a request to a job.
template <class What, class Request>
inline constexpr bool kIsRequest = false;
template <class What, class... Alternative>
inline constexpr bool kIsRequest<What, std::variant<Alternative...>> = (std::is_same_v<What, Alternative> || ...);

/// The latest result of each job of a list; the window's.
template <class List>
class LatestResults;
template <class... Kind>
class LatestResults<JobList<Kind...>> {
public:
    /// Null before the first of them.
    template <class Result>
    const Result* of() const {
        return std::get<const Result*>(results_);
    }
    template <class Result>
    void set(const Result* result) {
        std::get<const Result*>(results_) = result;
    }

private:
    std::tuple<const typename Kind::Result*...> results_{};
};
using JobResults = LatestResults<AllJobs>;

/// The jobs of a list themselves.
template <class List>
class JobSet;
template <class... Kind>
class JobSet<JobList<Kind...>> {
public:
    /// The simulation's thread: passes a request to its job.
    template <class What>
    void ask(What what, const JobContext& context) {
        static_assert((kIsRequest<What, typename Kind::Request> || ...), "no job of the list takes this");
        (askOne<Kind>(what, context), ...);
    }
    /// The window's thread: true when a job has something new.
    bool update(LatestResults<JobList<Kind...>>& results) {
        const auto take = [&results](auto& job) {
            const bool fresh = job.update();
            if (fresh) results.set(job.result());
            return fresh;
        };
        return (int(take(*std::get<std::unique_ptr<typename Kind::Job>>(jobs_))) + ...) > 0;
    }

private:
    template <class One, class What>
    void askOne(What& what, const JobContext& context) {
        if constexpr (kIsRequest<What, typename One::Request>)
            std::get<std::unique_ptr<typename One::Job>>(jobs_)->ask(std::move(what), context);
    }

    std::tuple<std::unique_ptr<typename Kind::Job>...> jobs_{Kind::make()...};
};

/// The alternatives of all of these variants in one.
template <class... Variant>
struct Joined;
template <class All>
struct Joined<All> {
    using Type = All;
};
template <class... A, class... B, class... Rest>
struct Joined<std::variant<A...>, std::variant<B...>, Rest...> : Joined<std::variant<A..., B...>, Rest...> {};

/// A variant extended by all requests to the jobs of a list.
template <class Own, class List>
struct WithRequests;
template <class Own, class... Kind>
struct WithRequests<Own, JobList<Kind...>> : Joined<Own, typename Kind::Request...> {};

}  // namespace clothlab::app::worker
