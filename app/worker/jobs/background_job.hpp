#pragma once

#include <memory>
#include <utility>
#include <variant>

#include "worker/jobs/triple_buffer.hpp"

namespace clothlab::app::worker {

struct JobContext;  // worker/jobs/job_context.hpp

/// One kind of work in the background: requests go in, each result replaces the one before (latest wins), and none of
/// the three threads waits for another. `Request` is a variant of what may be asked for, `Result` a plain value: how
/// far it has come, or what came of it.
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

    /// The simulation's thread, between two steps: takes from the context what it needs, and gives the thread in it a
    /// task for the rest.
    virtual void ask(Request request, const JobContext& context) = 0;

    // --- one thread, the window's
    /// Takes the newest result; false when there is none since the last call.
    bool update() { return results_.take(); }
    /// Null before the first. It changes in `update`.
    const Result* result() const { return results_.front().get(); }

protected:
    /// From tasks alone: these are all on one thread.
    void publish(Result result) {
        results_.back() = std::make_shared<const Result>(std::move(result));
        results_.publish();
    }

private:
    TripleBuffer<std::shared_ptr<const Result>> results_;
};

/// A job as the rest of the program knows it: what it may be asked for, what it answers. Its header derives a name from
/// this and declares `static std::unique_ptr<Job> make()`; the class that does the work stands in its source.
template <class RequestType, class ResultType>
struct JobKind {
    using Request = RequestType;
    using Result = ResultType;
    using Job = BackgroundJob<Request, Result>;
};

}  // namespace clothlab::app::worker
