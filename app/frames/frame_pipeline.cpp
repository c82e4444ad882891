#include "frames/frame_pipeline.hpp"

#include <algorithm>
#include <utility>

#include "base/platform.hpp"

namespace clothlab::app::frames {
namespace {

constexpr std::int64_t kAhead = 4;
constexpr std::size_t kMostBytes = std::size_t(512) << 20;
constexpr int kNice = 10;

std::int64_t framesInMemory(int threads, std::size_t bytes) {
    const auto fit = std::int64_t(kMostBytes / std::max<std::size_t>(bytes, 1));
    return std::max<std::int64_t>(std::min(threads + kAhead, fit), 2);
}

}  // namespace

FramePipeline::~FramePipeline() {
    {
        const Lock lock(mutex_);
        closing_ = true;
        waiting_.clear();
    }
    came_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

Expected<void> FramePipeline::add(render::Image image, int times) {
    const std::int64_t room = framesInMemory(most_, image.rgb.size());
    Lock lock(mutex_);
    went_.wait(lock, [&] { return !result_ || added_ - next_ < room; });
    if (!result_) return result_;
    waiting_.emplace_back(added_++, Frame{std::move(image), {}, times, frames_});
    frames_ += times;
    if (idle_ < int(waiting_.size()) && int(threads_.size()) < most_) threads_.emplace_back([this] { work(); });
    came_.notify_one();
    return {};
}

Expected<void> FramePipeline::finish() {
    Lock lock(mutex_);
    went_.wait(lock, [&] { return !result_ || next_ == added_; });
    return result_;
}

void FramePipeline::work() {
    platform::lowerThreadPriority(kNice);
    Lock lock(mutex_);
    for (;;) {
        ++idle_;
        came_.wait(lock, [&] { return closing_ || !waiting_.empty(); });
        --idle_;
        if (closing_) return;
        auto [place, frame] = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        Expected<void> packed = pack_ ? pack_(frame) : Expected<void>();
        lock.lock();
        if (!packed && result_) result_ = std::move(packed);
        packed_.emplace(place, std::move(frame));
        handOn(lock);
    }
}

/// Hands on what is next, unless another thread is doing so: that one will find it.
void FramePipeline::handOn(Lock& lock) {
    if (handing_) return;
    handing_ = true;
    while (result_ && !closing_ && !packed_.empty() && packed_.begin()->first == next_) {
        const Frame frame = std::move(packed_.extract(packed_.begin()).mapped());
        lock.unlock();
        Expected<void> handed = hand_(frame);
        lock.lock();
        if (!handed && result_) result_ = std::move(handed);
        ++next_;
        went_.notify_all();
    }
    handing_ = false;
    if (!result_) went_.notify_all();
}

}  // namespace clothlab::app::frames
