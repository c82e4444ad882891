#include "frames/film_writer.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "base/file_system.hpp"
#include "base/output.hpp"
#include "base/platform.hpp"
#include "base/text.hpp"
#include "frames/film_file.hpp"
#include "frames/frame_pipeline.hpp"

#ifdef _WIN32
#define popen _popen
#define pclose _pclose
#endif

namespace clothlab::app::frames {

using render::Image;

namespace {

/// The folders above a single file, where they are missing: made at once, and taken away again if nothing comes into
/// them.
using FolderAbove = std::optional<OutputFolder>;

Expected<FolderAbove> folderAbove(const std::string& out, const InputFiles& inputs) {
    const std::filesystem::path parent = std::filesystem::path(out).parent_path();
    std::error_code ignored;
    if (parent.empty() || std::filesystem::is_directory(parent, ignored)) return FolderAbove{};
    auto folder = OutputFolder::create(parent.string(), {}, inputs);
    if (!folder) return fail(folder.error());
    return FolderAbove(std::move(*folder));
}

class PictureWriter : public FilmWriter {
public:
    PictureWriter(FolderAbove above, std::string path, InputFiles inputs)
        : above_(std::move(above)), path_(std::move(path)), inputs_(std::move(inputs)) {}
    Expected<void> add(Image frame, int) override {
        last_ = std::move(frame);
        return {};
    }
    Expected<void> finish() override { return render::writePng(path_, last_, inputs_); }

private:
    FolderAbove above_;
    std::string path_;
    InputFiles inputs_;
    Image last_;
};

/// Each frame is a file of its own, whole as soon as it has its name; the frames before it are there already.
class FolderWriter : public FilmWriter {
public:
    FolderWriter(OutputFolder folder, InputFiles inputs) : folder_(std::move(folder)), inputs_(std::move(inputs)) {
        folder_.clearLeftoversWith(kPrefix);
    }
    Expected<void> add(Image frame, int times) override { return pipeline_.add(std::move(frame), times); }
    Expected<void> finish() override { return pipeline_.finish(); }
    Expected<void> leave() override { return pipeline_.finish(); }

private:
    std::string file(std::int64_t number) const { return folder_.file(fmt::format("{}{:05}.png", kPrefix, number)); }
    Expected<void> pack(Frame& frame) const {
        auto png = render::encodePng(frame.image);
        if (!png) return fail(Error{.message = png.error().message, .file = file(frame.first)});
        frame.packed = std::move(*png);
        frame.image = {};
        return {};
    }
    Expected<void> write(const Frame& frame) const {
        for (int k = 0; k < frame.times; ++k)
            if (auto written = writeFile(file(frame.first + k), frame.packed, inputs_, Care::Quick); !written)
                return written;
        return {};
    }

    static constexpr std::string_view kPrefix = "frame_";
    OutputFolder folder_;
    InputFiles inputs_;
    FramePipeline pipeline_{platform::hardwareThreads(), [this](Frame& frame) { return pack(frame); },
                            [this](const Frame& frame) { return write(frame); }};
};

/// Raw frames through a pipe: ffmpeg writes the temporary file, which takes the final name when it is a film of all
/// frames.
class PipeWriter : public FilmWriter {
public:
    PipeWriter(FolderAbove above, OutputFile file, std::string path)
        : above_(std::move(above)), file_(std::move(file)), path_(std::move(path)) {}
    ~PipeWriter() override {
        pipeline_.reset();
        if (pipe_ != nullptr) pclose(pipe_);
    }
    PipeWriter(const PipeWriter&) = delete;
    PipeWriter& operator=(const PipeWriter&) = delete;

    Expected<void> open(int width, int height, double fps) {
        if (!platform::onPath("ffmpeg"))
            return fail("films need ffmpeg, which is not there. Install it with:\n  apt-get install ffmpeg");
        constexpr const char* kMp4 =
            "-vf 'pad=ceil(iw/2)*2:ceil(ih/2)*2' -c:v libx264 -preset medium -crf 18 -pix_fmt yuv420p -movflags "
            "+faststart -f mp4";
        // One palette for all: colours do not flicker.
        constexpr const char* kGif =
            "-filter_complex 'split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=bayer:bayer_scale=5:"
            "diff_mode=rectangle' -f gif";
        const std::string command = fmt::format(
            "ffmpeg -y -xerror -loglevel error -f rawvideo -pixel_format "
            "rgb24 -video_size {}x{} -framerate {} -i - {} {}",
            width, height, fps, filmKind(path_) == FilmKind::Gif ? kGif : kMp4,
            shellWord("file:" + file_.temporary()));  // else "a:b.mp4" is a protocol, and "-y.mp4" an option
        pipe_ = popen(command.c_str(), "w");
        if (pipe_ == nullptr) return fail("cannot start ffmpeg");
        pipeline_.emplace(1, FramePipeline::Pack(), [this](const Frame& frame) { return write(frame); });
        return {};
    }

    Expected<void> add(Image frame, int times) override {
        frames_ += times;
        return pipeline_->add(std::move(frame), times);
    }

    Expected<void> finish() override {
        if (auto written = pipeline_->finish(); !written) return written;
        const int status = pclose(pipe_);
        pipe_ = nullptr;
        if (status != 0)
            return fail(
                Error{.message = "cannot write: ffmpeg failed; its own message is on the terminal", .file = path_});
        const auto frames =
            filmKind(path_) == FilmKind::Gif ? gifFrames(file_.temporary()) : filmFrames(file_.temporary());
        if (!frames) return fail(Error{.message = "cannot write: " + frames.error().message, .file = path_});
        if (*frames != frames_)
            return fail(Error{.message = fmt::format("cannot write: the film has {} of {} frames", *frames, frames_),
                              .file = path_});
        return file_.finish();
    }

private:
    Expected<void> write(const Frame& frame) const {
        const std::string_view bytes(reinterpret_cast<const char*>(frame.image.rgb.data()), frame.image.rgb.size());
        for (int k = 0; k < frame.times; ++k)
            if (!platform::writeAll(pipe_, bytes))
                return fail(Error{.message = "cannot write: ffmpeg stopped; its own message is on the terminal",
                                  .file = path_});
        return {};
    }

    FolderAbove above_;  ///< before the file: a folder is looked at when its temporary file is gone
    OutputFile file_;
    std::string path_;
    std::FILE* pipe_ = nullptr;
    std::int64_t frames_ = 0;
    std::optional<FramePipeline> pipeline_;  ///< ffmpeg may be busy while frames are drawn
};

}  // namespace

FilmKind filmKind(const std::string& out) {
    const std::string ending = std::filesystem::path(out).extension().string();
    return ending == ".mp4"   ? FilmKind::Film
           : ending == ".gif" ? FilmKind::Gif
           : ending == ".png" ? FilmKind::Picture
                              : FilmKind::Folder;
}

FilmSize fittingSize(FilmKind kind, int width, int height) {
    if (kind != FilmKind::Film) return {width, height};
    return {width + width % 2, height + height % 2};
}

double mostFrames(FilmKind kind) { return kind == FilmKind::Gif ? 50 : 1000; }

double filmRate(FilmKind kind, double dt) { return std::clamp(1 / dt, 1.0, std::min(60.0, mostFrames(kind))); }

Expected<std::unique_ptr<FilmWriter>> FilmWriter::create(const std::string& out, int width, int height, double fps,
                                                         const InputFiles& inputs) {
    const FilmKind kind = filmKind(out);
    if (kind == FilmKind::Folder) {
        auto folder = OutputFolder::create(out, {}, inputs);
        if (!folder) return fail(folder.error());
        return std::make_unique<FolderWriter>(std::move(*folder), inputs);
    }
    auto above = folderAbove(out, inputs);
    if (!above) return fail(above.error());
    if (auto fits = checkOutput(out, inputs); !fits) return fail(fits.error());
    if (kind == FilmKind::Picture) return std::make_unique<PictureWriter>(std::move(*above), out, inputs);
    auto file = OutputFile::create(out, inputs);
    if (!file) return fail(file.error());
    if (file->temporary().empty())
        return fail(Error{
            .message = "cannot write: a film needs a file, since its index is written last; a pipe cannot go back",
            .file = out});
    auto film = std::make_unique<PipeWriter>(std::move(*above), std::move(*file), out);
    if (auto opened = film->open(width, height, fps); !opened) return fail(opened.error());
    return film;
}

}  // namespace clothlab::app::frames
