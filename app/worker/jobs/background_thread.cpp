#include "worker/jobs/background_thread.hpp"

#include "base/platform.hpp"
#include "worker/jobs/either_stop.hpp"

namespace clothlab::app::worker {

BackgroundThread::BackgroundThread() : thread_([this](const std::stop_token& stop) { run(stop); }) {}

void BackgroundThread::add(Task task) { tasks_.push(std::move(task)); }

void BackgroundThread::replace(Task task) {
    cancel();
    cancel_ = std::stop_source();
    tasks_.push([task = std::move(task), cancelled = cancel_.get_token()](const std::stop_token& stop) {
        const EitherStop either(cancelled, stop);
        task(either.token());
    });
}

void BackgroundThread::run(const std::stop_token& stop) {
    platform::singleThreadedBlas();
    std::vector<Task> batch;
    while (!stop.stop_requested()) {
        tasks_.wait(stop);
        tasks_.drain(batch);
        for (const Task& task : batch)
            if (!stop.stop_requested()) task(stop);
    }
}

}  // namespace clothlab::app::worker
