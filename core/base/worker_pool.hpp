#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

#include "base/types.hpp"

/// A small pool of workers with fixed chunks.
///
/// Determinism: work is cut into chunks by its size only (never by the number of threads), each chunk is run by exactly
/// one thread, and reductions add the chunks' results in their order. So any number of threads gives the same bits. The
/// calling thread works too. A region of fewer rows than `inlineRows` runs on the caller.
///
/// Affinity: thread t starts with the t-th share of the chunks, the same in every region of as many chunks, so that a
/// chunk's rows stay in one core's cache from region to region; idle threads take over chunks of others.
///
/// Waiting: waking a thread takes 20 to 300 us, longer than most regions, and there is often serial work between two of
/// them. So a worker spins for 50 us, then yields its core at each turn, and sleeps in atomic::wait after 1 ms. A
/// region waits only for the workers inside it: one that wakes after the last chunk has begun finds it closed. A pool
/// belongs to one thread: never share it. oneTBB and OpenMP would do the job, but the thread sanitizer cannot see
/// through either here.
namespace clothlab {

class WorkerPool {
public:
    static constexpr Index kDefaultInlineRows = 1024;

    explicit WorkerPool(int threads = 1, Index inlineRows = kDefaultInlineRows);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    int threads() const { return int(workers_.size()) + 1; }
    Index inlineRows() const { return inlineRows_; }

    /// Calls f(chunk) for chunk = 0 .. chunks-1, each once, and returns when all are done. `rows` is the size of
    /// the work and decides only whether the region runs inline.
    template <class F>
    void forChunks(Index chunks, Index rows, F&& f) {
        if (workers_.empty() || rows < inlineRows_ || chunks <= 1) {
            for (Index c = 0; c < chunks; ++c) f(c);
            return;
        }
        using Function = std::remove_reference_t<F>;
        run({[](void* object, Index c) { (*static_cast<Function*>(object))(c); },
             const_cast<void*>(static_cast<const void*>(&f)), chunks});
    }

private:
    struct Job {
        void (*call)(void*, Index) = nullptr;
        void* object = nullptr;
        Index chunks = 0;
    };
    struct alignas(64) Share {  ///< chunks next .. end-1 of a thread, including those taken over
        std::atomic<Index> next{0};
        Index end = 0;
    };
    void run(const Job& job);
    void work(std::size_t thread);
    void workerLoop(std::size_t thread);

    Job job_;
    Index inlineRows_;
    std::unique_ptr<Share[]> shares_;
    std::atomic<std::uint32_t> generation_{0};
    std::atomic<std::uint32_t> busy_;  ///< workers inside the region, and whether it is closed
    std::atomic<bool> stopping_{false};
    std::vector<std::thread> workers_;
};

/// Cuts [0, rows) into chunks of nearly equal size, at most `rowsPerChunk`: a function of the number of rows only. If
/// there are several, their number is even, or two threads would share thirteen as six and seven.
struct RowChunks {
    Index rows = 0;
    Index rowsPerChunk = 512;

    Index count() const {
        const Index least = (rows + rowsPerChunk - 1) / rowsPerChunk;
        return least > 1 ? least + least % 2 : least;
    }
    Index begin(Index chunk) const { return Index(std::int64_t(rows) * chunk / count()); }
    Index end(Index chunk) const { return begin(chunk + 1); }
};

/// f(begin, end) over the chunks of [0, rows), in parallel.
template <class F>
void parallelRows(WorkerPool& pool, Index rows, F&& f) {
    const RowChunks chunks{rows};
    pool.forChunks(chunks.count(), rows, [&](Index c) { f(chunks.begin(c), chunks.end(c)); });
}

/// f(begin, end, part) over chunks of [0, rows) in parallel, each with its own result vector; `out` gets them appended,
/// in the order of the chunks.
template <class T, class F>
void parallelAppend(WorkerPool& pool, const RowChunks& chunks, std::vector<T>& out, F&& f) {
    std::vector<std::vector<T>> parts(std::size_t(chunks.count()));
    pool.forChunks(chunks.count(), chunks.rows, [&](Index c) { f(chunks.begin(c), chunks.end(c), parts[c]); });
    for (const std::vector<T>& part : parts) out.insert(out.end(), part.begin(), part.end());
}

/// Sum over the chunks of [0, rows) of f(chunk, begin, end) -> T, added in chunk order: the same bits at any number of
/// threads.
template <class T, class F>
T parallelSumChunks(WorkerPool& pool, Index rows, T zero, F&& f) {
    const RowChunks chunks{rows};
    constexpr Index kStack = 256;
    T stack[kStack];
    std::vector<T> heap;
    T* partial = stack;
    if (chunks.count() > kStack) {
        heap.resize(chunks.count());
        partial = heap.data();
    }
    pool.forChunks(chunks.count(), rows, [&](Index c) { partial[c] = f(c, chunks.begin(c), chunks.end(c)); });
    T sum = zero;
    for (Index c = 0; c < chunks.count(); ++c) sum += partial[c];
    return sum;
}

template <class T, class F>
T parallelSum(WorkerPool& pool, Index rows, T zero, F&& f) {
    return parallelSumChunks(pool, rows, zero, [&](Index, Index begin, Index end) { return f(begin, end); });
}

}  // namespace clothlab
