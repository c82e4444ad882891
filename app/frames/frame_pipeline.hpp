#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "render/gl/capture.hpp"

namespace clothlab::app::frames {

/// A picture on its way into a film.
struct Frame {
    render::Image image;
    std::string packed;      ///< what pack() made of it
    int times = 1;           ///< so many frames of the film, one after the other
    std::int64_t first = 0;  ///< the number of the first of them
};

/// Packs frames on several threads at once and hands them on one at a time, in the order in which they were added.
/// Adding a frame returns at once, unless every thread is busy and four more frames wait. So memory holds at most
/// `threads` + 4 frames, or half a GiB of them if that is less, but always two. Threads start when they are needed, and
/// their priority is lower than that of the simulation.
class FramePipeline {
public:
    /// On any thread, several at once.
    using Pack = std::function<Expected<void>(Frame&)>;
    /// On any thread, one at a time. After the first Error nothing is handed on.
    using Hand = std::function<Expected<void>(const Frame&)>;

    FramePipeline(int threads, Pack pack, Hand hand) : pack_(std::move(pack)), hand_(std::move(hand)), most_(threads) {}
    /// What has not been handed on is dropped.
    ~FramePipeline();
    FramePipeline(const FramePipeline&) = delete;
    FramePipeline& operator=(const FramePipeline&) = delete;

    /// The Error may be that of an earlier frame.
    Expected<void> add(render::Image image, int times);
    /// Waits until every frame has been handed on.
    Expected<void> finish();

private:
    using Lock = std::unique_lock<std::mutex>;
    void work();
    void handOn(Lock& lock);

    Pack pack_;
    Hand hand_;
    int most_;

    std::mutex mutex_;
    std::condition_variable came_, went_;  ///< a frame to pack; one that is done with
    std::deque<std::pair<std::int64_t, Frame>> waiting_;
    std::map<std::int64_t, Frame> packed_;  ///< by place
    std::int64_t added_ = 0, next_ = 0;     ///< places: of the next one to add, of the next one to hand on
    std::int64_t frames_ = 0;
    int idle_ = 0;
    bool handing_ = false, closing_ = false;
    Expected<void> result_;
    std::vector<std::thread> threads_;
};

}  // namespace clothlab::app::frames
