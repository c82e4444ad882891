#include "base/worker_pool.hpp"

#include <algorithm>
#include <chrono>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace clothlab {
namespace {

void pauseCpu() {
#if defined(__x86_64__)
    _mm_pause();
#else
    std::this_thread::yield();
#endif
}

/// Waits until `value` differs from `old`: a short spin, then sleep.
void waitChange(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; value.load(std::memory_order_acquire) == old; ++i) {
        pauseCpu();
        if ((i & 31) == 31 && std::chrono::steady_clock::now() - start > std::chrono::microseconds(20)) break;
    }
    while (value.load(std::memory_order_acquire) == old) value.wait(old, std::memory_order_acquire);
}

}  // namespace

WorkerPool::WorkerPool(int threads, Index inlineRows) : inlineRows_(inlineRows) {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { workerLoop(); });
}

WorkerPool::~WorkerPool() {
    stopping_.store(true, std::memory_order_release);
    generation_.fetch_add(1, std::memory_order_acq_rel);
    generation_.notify_all();
    for (std::thread& t : workers_) t.join();
}

void WorkerPool::work() {
    for (;;) {
        const Index chunk = next_.fetch_add(1, std::memory_order_acq_rel);
        if (chunk >= job_.chunks) return;
        job_.call(job_.object, chunk);
    }
}

void WorkerPool::run(const Job& job) {
    job_ = job;
    next_.store(0, std::memory_order_relaxed);
    busy_.store(static_cast<std::uint32_t>(workers_.size()), std::memory_order_relaxed);
    generation_.fetch_add(1, std::memory_order_acq_rel);
    generation_.notify_all();
    work();
    for (std::uint32_t busy = busy_.load(std::memory_order_acquire); busy != 0; busy = busy_.load(std::memory_order_acquire))
        waitChange(busy_, busy);
}

void WorkerPool::workerLoop() {
    std::uint32_t seen = 0;
    for (;;) {
        waitChange(generation_, seen);
        seen = generation_.load(std::memory_order_acquire);
        if (stopping_.load(std::memory_order_acquire)) return;
        work();
        if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_all();
    }
}

}  // namespace clothlab
