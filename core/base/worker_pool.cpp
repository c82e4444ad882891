#include "base/worker_pool.hpp"

#include <algorithm>
#include <chrono>

#include "base/simd.hpp"

namespace clothlab {
namespace {

/// Waits until `value` differs from `old`.
void waitChange(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
    using namespace std::chrono;
    const auto start = steady_clock::now();
    for (int i = 0; value.load(std::memory_order_acquire) == old; ++i) {
        simd::pause();
        if ((i & 31) != 31) continue;
        const auto waited = steady_clock::now() - start;
        if (waited > milliseconds(1)) break;
        if (waited > microseconds(50)) std::this_thread::yield();
    }
    while (value.load(std::memory_order_acquire) == old) value.wait(old, std::memory_order_acquire);
}

/// A bit of `busy_`, next to the number of workers inside the region: no more may enter.
constexpr std::uint32_t kClosed = 1u << 31;

/// Whether the region is still open; then one more is inside.
bool enter(std::atomic<std::uint32_t>& busy) {
    std::uint32_t inside = busy.load(std::memory_order_acquire);
    while (!(inside & kClosed))
        if (busy.compare_exchange_weak(inside, inside + 1, std::memory_order_acq_rel, std::memory_order_acquire))
            return true;
    return false;
}

}  // namespace

WorkerPool::WorkerPool(int threads, Index inlineRows) : inlineRows_(inlineRows), busy_(kClosed) {
    if (threads <= 1) return;
    shares_ = std::make_unique<Share[]>(std::size_t(threads));
    workers_.reserve(threads - 1);
    for (int t = 1; t < threads; ++t) workers_.emplace_back([this, t] { workerLoop(std::size_t(t)); });
}

WorkerPool::~WorkerPool() {
    stopping_.store(true, std::memory_order_release);
    generation_.fetch_add(1, std::memory_order_acq_rel);
    generation_.notify_all();
    for (std::thread& t : workers_) t.join();
}

void WorkerPool::work(std::size_t thread) {
    const std::size_t count = workers_.size() + 1;
    for (std::size_t k = 0; k < count; ++k) {
        Share& share = shares_[(thread + k) % count];
        for (;;) {
            const Index chunk = share.next.fetch_add(1, std::memory_order_acq_rel);
            if (chunk >= share.end) break;
            job_.call(job_.object, chunk);
        }
    }
}

void WorkerPool::run(const Job& job) {
    job_ = job;
    const auto count = Index(workers_.size()) + 1;
    for (Index t = 0; t < count; ++t) {
        Share& share = shares_[t];
        share.next.store(Index(std::int64_t(job.chunks) * t / count), std::memory_order_relaxed);
        share.end = Index(std::int64_t(job.chunks) * (t + 1) / count);
    }
    busy_.store(0, std::memory_order_release);
    generation_.fetch_add(1, std::memory_order_acq_rel);
    generation_.notify_all();
    work(0);
    // Nothing is left to begin. Only who is inside is waited for: a worker that the system has not even woken yet would
    // cost a time slice in each region, where other programs keep the cores busy.
    for (std::uint32_t busy = busy_.fetch_or(kClosed, std::memory_order_acq_rel) | kClosed; busy != kClosed;
         busy = busy_.load(std::memory_order_acquire))
        waitChange(busy_, busy);
}

void WorkerPool::workerLoop(std::size_t thread) {
    std::uint32_t seen = 0;
    for (;;) {
        waitChange(generation_, seen);
        seen = generation_.load(std::memory_order_acquire);
        if (stopping_.load(std::memory_order_acquire)) return;
        if (!enter(busy_)) continue;
        work(thread);
        if (busy_.fetch_sub(1, std::memory_order_acq_rel) == kClosed + 1) busy_.notify_all();
    }
}

}  // namespace clothlab
