#pragma once

#include <memory>
#include <utility>
#include <variant>

#include "worker/jobs/triple_buffer.hpp"

namespace clothlab::app::worker {

struct JobContext;  // worker/jobs/job_context.hpp

/// One kind of background work: requests go in, each result replaces the previous one (latest wins), and none of the
/// three threads waits for another. `Request` is a variant of all requests, `Result` a plain value with progress or
/// outcome.
///
///     window ── Request ──> simulation thread: ask() ── task ──> background thread: publish() ── Result ──> window
///
/// A new one is NAME_job.hpp (requests and result as plain values, a JobKind), NAME_job.cpp (the class that does it)
/// and its name in AllJobs (jobs.hpp): its requests are then commands, and panels find its result in UiModel::results.
template <class Request, class Result>
class BackgroundJob {
public:
    BackgroundJob() = default;
    virtual ~BackgroundJob() = default;
    BackgroundJob(const BackgroundJob&) = delete;
    BackgroundJob& operator=(const BackgroundJob&) = delete;

    /// On the simulation's thread, between two steps: copies its inputs from the context, and gives the thread in it a
    /// task for the rest.
    virtual void ask(Request request, const JobContext& context) = 0;

    // --- one thread, the window's
    /// Takes the newest result; false when there is none since the last call.
    bool update() { return results_.take(); }
    /// Null before the first. It changes in `update`.
    const Result* result() const { return results_.front().get(); }

protected:
    /// Only from tasks, which all run on one thread.
    void publish(Result result) {
        results_.back() = std::make_shared<const Result>(std::move(result));
        results_.publish();
    }

private:
    TripleBuffer<std::shared_ptr<const Result>> results_;
};

/// The public side of a job: its request and result types. Its header derives a struct from this and declares
/// `static std::unique_ptr<Job> make()`; the class that does the work is in its source.
template <class RequestType, class ResultType>
struct JobKind {
    using Request = RequestType;
    using Result = ResultType;
    using Job = BackgroundJob<Request, Result>;
};

}  // namespace clothlab::app::worker
