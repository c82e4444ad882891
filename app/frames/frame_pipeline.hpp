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
    std::string packed;      ///< encoded by pack()
    int times = 1;           ///< number of consecutive frames of the film that show it
    std::int64_t first = 0;  ///< number of the first of them
};

/// Encodes frames on several threads at once and passes them on one at a time, in the order in which they were added.
/// Adding a frame returns at once, unless every thread is busy and four more frames wait. So memory holds at most
/// `threads` + 4 frames, or half a GiB of them if that is less, but always two. Threads start on demand, with a
/// priority below that of the simulation.
class FramePipeline {
public:
    /// Called on any thread, concurrently.
    using Pack = std::function<Expected<void>(Frame&)>;
    /// Called on any thread, one at a time. After the first Error no frame is passed on.
    using Hand = std::function<Expected<void>(const Frame&)>;

    FramePipeline(int threads, Pack pack, Hand hand) : pack_(std::move(pack)), hand_(std::move(hand)), most_(threads) {}
    /// Drops frames that have not been passed on.
    ~FramePipeline();
    FramePipeline(const FramePipeline&) = delete;
    FramePipeline& operator=(const FramePipeline&) = delete;

    /// The Error may belong to an earlier frame.
    Expected<void> add(render::Image image, int times);
    /// Waits until every frame has been passed on.
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
