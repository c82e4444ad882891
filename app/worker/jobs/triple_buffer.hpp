#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace clothlab::app::worker {

/// Three slots between one producer and one consumer; the latest value wins and neither ever waits.
///
/// The producer owns the back slot, the consumer the front one, and the third lies between them: publishing and
/// taking are one atomic exchange of an index each. A bit beside the index says that the middle one is new.
template <class T>
class TripleBuffer {
public:
    /// Producer: the slot to fill. It still holds an old value, so its memory is reused.
    T& back() { return slots_[back_]; }
    /// Producer: hands the back slot over and gets another one.
    void publish() { back_ = middle_.exchange(back_ | kNew, std::memory_order_acq_rel) & kIndex; }

    /// Consumer: takes the newest value; false when there is none since the last call.
    bool take() {
        if ((middle_.load(std::memory_order_relaxed) & kNew) == 0) return false;
        front_ = middle_.exchange(front_, std::memory_order_acq_rel) & kIndex;
        return true;
    }
    /// Consumer: the value taken last (default-constructed before the first).
    const T& front() const { return slots_[front_]; }

private:
    static constexpr std::uint32_t kIndex = 3, kNew = 4;

    std::array<T, 3> slots_{};
    alignas(64) std::atomic<std::uint32_t> middle_{1};
    alignas(64) std::uint32_t back_ = 0;
    alignas(64) std::uint32_t front_ = 2;
};

}  // namespace clothlab::app::worker
