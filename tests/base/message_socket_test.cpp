#include "base/processes/message_socket.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <condition_variable>

namespace clothlab::tests {
namespace {

using platform::MessageSocket;

/// One end of a socket, and its received messages.
struct End {
    void open(int socket) {
        link = std::move(*MessageSocket::take(
            socket,
            [this](char letter, std::uint64_t serial, std::string_view bytes) {
                const std::lock_guard lock(mutex);
                text += letter + std::to_string(serial) + ":" + std::to_string(bytes.size()) + " ";
                last = bytes;
                changed.notify_all();
            },
            [this] {
                const std::lock_guard lock(mutex);
                text += "end";
                changed.notify_all();
            }));
    }
    bool comesTo(const std::string& wanted) {
        std::unique_lock lock(mutex);
        return changed.wait_for(lock, std::chrono::seconds(60), [&] { return text == wanted; });
    }

    std::mutex mutex;
    std::condition_variable changed;
    std::string text, last;
    std::unique_ptr<MessageSocket> link;
};

TEST(MessageSocket, BringsWholeMessagesInTheirOrderAndTheEnd) {
    int sockets[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    End here, there;
    here.open(sockets[0]);
    there.open(sockets[1]);
    std::string large(5'000'000, 'a');
    large.back() = 'z';
    here.link->send('a', 1, "");
    here.link->send('b', 1234567890123, "short");
    here.link->send('c', 3, large);
    there.link->send('d', 4, large);  // both ways at once: neither end waits for the other to read
    EXPECT_TRUE(there.comesTo("a1:0 b1234567890123:5 c3:5000000 ")) << there.text;
    EXPECT_TRUE(here.comesTo("d4:5000000 ")) << here.text;
    EXPECT_EQ(here.last, large);
    here.link->send('e', 5, large);
    here.link->flush(60);
    here.link.reset();
    EXPECT_TRUE(there.comesTo("a1:0 b1234567890123:5 c3:5000000 e5:5000000 end")) << there.text;
    there.link->send('f', 6, large);  // the other end is closed
    there.link->flush(60);
}

TEST(MessageSocket, TakesNothingElse) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    for (const int number : {pipe[0], 12345, -1})
        EXPECT_FALSE(MessageSocket::take(
            number, [](char, std::uint64_t, std::string_view) {}, [] {}));
    close(pipe[0]);
    close(pipe[1]);
}

}  // namespace
}  // namespace clothlab::tests
