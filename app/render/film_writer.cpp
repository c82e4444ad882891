#include "render/film_writer.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#ifdef _WIN32
#define popen _popen
#define pclose _pclose
#endif

namespace clothlab::app {
namespace {

/// A word that the shell takes as it stands.
std::string shellWord(const std::string& text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'')
            out += "'\\''";
        else
            out += c;
    }
    return out + "'";
}

class PictureWriter : public FilmWriter {
public:
    explicit PictureWriter(std::string path) : path_(std::move(path)) {}
    Expected<void> add(const Image& frame) override {
        last_ = frame;
        return {};
    }
    Expected<void> finish() override { return writePng(path_, last_); }

private:
    std::string path_;
    Image last_;
};

class FolderWriter : public FilmWriter {
public:
    explicit FolderWriter(std::string folder) : folder_(std::move(folder)) {}
    Expected<void> add(const Image& frame) override {
        return writePng(fmt::format("{}/frame_{:05}.png", folder_, count_++), frame);
    }
    Expected<void> finish() override { return {}; }

private:
    std::string folder_;
    int count_ = 0;
};

/// Raw frames through a pipe: ffmpeg writes a temporary file, which takes the final name when it has ended well.
class PipeWriter : public FilmWriter {
public:
    explicit PipeWriter(std::string path) : path_(std::move(path)), temporary_(path_ + ".part.mp4") {}
    ~PipeWriter() override {
        if (pipe_ != nullptr) pclose(pipe_);
        std::error_code ignored;
        std::filesystem::remove(temporary_, ignored);
    }
    PipeWriter(const PipeWriter&) = delete;
    PipeWriter& operator=(const PipeWriter&) = delete;

    Expected<void> open(int width, int height, double fps) {
#ifdef SIGPIPE
        std::signal(SIGPIPE, SIG_IGN);  // a dead ffmpeg is an error message, not our end
#endif
        if (std::system("ffmpeg -version > /dev/null 2>&1") != 0)
            return fail(
                "films need ffmpeg, which is not there. Install it with:\n  apt-get install ffmpeg\n"
                "or give --out a folder for PNG frames");
        const std::string command = fmt::format(
            "ffmpeg -y -loglevel error -f rawvideo -pixel_format rgb24 -video_size {}x{} -framerate {} -i - "
            "-vf 'pad=ceil(iw/2)*2:ceil(ih/2)*2' -c:v libx264 -preset medium -crf 18 -pix_fmt yuv420p -movflags "
            "+faststart {}",
            width, height, fps, shellWord(temporary_));
        pipe_ = popen(command.c_str(), "w");
        if (pipe_ == nullptr) return fail("cannot start ffmpeg");
        return {};
    }

    Expected<void> add(const Image& frame) override {
        if (std::fwrite(frame.rgb.data(), 1, frame.rgb.size(), pipe_) == frame.rgb.size()) return {};
        return fail(fmt::format("ffmpeg stopped while it wrote {}; its own message is above", path_));
    }

    Expected<void> finish() override {
        const int status = pclose(pipe_);
        pipe_ = nullptr;
        if (status != 0) return fail(fmt::format("ffmpeg could not write {}; its own message is above", path_));
        std::error_code error;
        std::filesystem::rename(temporary_, path_, error);
        if (error) return fail(fmt::format("cannot rename {} to {}: {}", temporary_, path_, error.message()));
        return {};
    }

private:
    std::string path_, temporary_;
    std::FILE* pipe_ = nullptr;
};

Expected<void> makeFolder(const std::filesystem::path& folder) {
    std::error_code error;
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    if (error) return fail(fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
    return {};
}

}  // namespace

FilmKind filmKind(const std::string& out) {
    const std::string ending = std::filesystem::path(out).extension().string();
    return ending == ".mp4" ? FilmKind::Film : ending == ".png" ? FilmKind::Picture : FilmKind::Folder;
}

Expected<std::unique_ptr<FilmWriter>> FilmWriter::create(const std::string& out, int width, int height, double fps) {
    const FilmKind kind = filmKind(out);
    const std::filesystem::path path(out);
    if (auto made = makeFolder(kind == FilmKind::Folder ? path : path.parent_path()); !made)
        return tl::unexpected<Error>(made.error());
    if (kind == FilmKind::Picture) return std::make_unique<PictureWriter>(out);
    if (kind == FilmKind::Folder) return std::make_unique<FolderWriter>(out);
    auto film = std::make_unique<PipeWriter>(out);
    if (auto opened = film->open(width, height, fps); !opened) return tl::unexpected<Error>(opened.error());
    return film;
}

}  // namespace clothlab::app
