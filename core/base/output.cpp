#include "base/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>

namespace clothlab {
namespace {

namespace fs = std::filesystem;
using platform::FileType;

constexpr std::string_view kMark = ".clothlab-", kEnding = ".part";  // nobody else's files are called so

tl::unexpected<Error> refuse(const std::string& path, std::string_view why) {
    return fail(Error{.message = fmt::format("cannot write: {}", why), .file = path});
}

/// "NAME.clothlab-PROCESS.part", and with a number where this process writes the same output twice.
std::string temporaryName(const std::string& path, int attempt) {
    const std::string number = attempt == 0 ? "" : fmt::format("-{}", attempt + 1);
    return fmt::format("{}{}{}{}{}", path, kMark, platform::processId(), number, kEnding);
}

/// A temporary name taken apart: the output that it is of, and the process. 0 when the name is none.
struct Temporary {
    std::string_view output;
    int process = 0;
};

Temporary parseTemporary(std::string_view name) {
    if (!name.ends_with(kEnding)) return {};
    name.remove_suffix(kEnding.size());
    const std::size_t mark = name.rfind(kMark);
    if (mark == std::string_view::npos) return {};
    int process = 0;
    const char* end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + mark + kMark.size(), end, process);
    const bool numbered = read.ptr != end && *read.ptr == '-' &&
                          std::all_of(read.ptr + 1, end, [](unsigned char c) { return std::isdigit(c); });
    return read.ec == std::errc{} && (read.ptr == end || numbered) ? Temporary{name.substr(0, mark), process}
                                                                   : Temporary{};
}

/// Calls f(path, alive) for each temporary file of the outputs that are meant. A process number may be reused, or
/// belong to another machine; therefore a writer also keeps its file locked.
void eachTemporary(const std::string& folder, const std::function<bool(std::string_view output)>& meant,
                   const std::function<void(const fs::path&, bool alive)>& f) {
    std::error_code ignored;
    fs::directory_iterator entries(folder.empty() ? "." : folder, ignored);
    std::vector<fs::path> found;
    for (; !ignored && entries != fs::directory_iterator(); entries.increment(ignored))
        if (const std::string name = entries->path().filename().string(); parseTemporary(name).process != 0)
            if (meant(parseTemporary(name).output)) found.push_back(entries->path());
    for (const fs::path& file : found) {
        const std::string name = file.filename().string();
        const int process = parseTemporary(name).process;
        const bool runs = process != platform::processId() && platform::processRuns(process);
        f(file, runs || platform::isLocked(file.string()));
    }
}

/// Meant is this one output.
std::function<bool(std::string_view)> isOutput(const fs::path& final) {
    return [name = final.filename().string()](std::string_view output) { return output == name; };
}

void forTemporaries(const std::string& path, const std::function<void(const fs::path&, bool alive)>& f) {
    const fs::path final = followed(path);
    eachTemporary(final.parent_path().string(), isOutput(final), f);
}

}  // namespace

void clearLeftovers(const std::string& folder, const std::function<bool(std::string_view output)>& isOurs) {
    std::error_code ignored;
    eachTemporary(folder, isOurs, [&](const fs::path& file, bool alive) {
        if (!alive) fs::remove(file, ignored);
    });
}

std::vector<std::string> findLeftovers(const std::string& path) {
    std::vector<std::string> files;
    forTemporaries(path, [&](const fs::path& file, bool alive) {
        if (!alive) files.push_back(file.string());
    });
    std::ranges::sort(files);
    return files;
}

bool isBeingWritten(const std::string& path) {
    bool any = false;
    forTemporaries(path, [&](const fs::path&, bool alive) { any = any || alive; });
    return any;
}

std::string followed(const std::string& path) {
    std::error_code code;
    if (!fs::is_symlink(path, code)) return path;
    if (const fs::path whole = fs::canonical(path, code); !code) return whole.string();
    fs::path at = path;  // the last target is not there yet
    for (int links = 0; fs::is_symlink(at, code) && links < 40; ++links) {
        const fs::path aim = fs::read_symlink(at, code);
        if (code) return path;
        at = aim.is_absolute() ? aim : at.parent_path() / aim;
    }
    return at.string();
}

void InputFiles::add(const std::string& path) {
    if (const auto file = platform::identify(path); file && file->type == FileType::Regular)
        files_.push_back({path, *file});
}

bool InputFiles::has(const std::string& path) const {
    const auto file = platform::identify(path);
    return file && std::ranges::any_of(files_, [&](const Input& input) {
               if (!input.identity.sameAs(*file)) return false;
               // The number of a file that was deleted meanwhile is soon that of another one.
               const auto now = platform::identify(input.path);
               return now && now->sameAs(input.identity);
           });
}

bool sameOutput(const std::string& a, const std::string& b) {
    if (isStandardOutput(a) || isStandardOutput(b)) return isStandardOutput(a) && isStandardOutput(b);
    const auto one = platform::identify(a), two = platform::identify(b);
    if (one && two && one->type != FileType::Missing) return one->type != FileType::Null && one->sameAs(*two);
    // Made absolute first: weakly_canonical() leaves a relative name as it is where nothing of it is there.
    const auto place = [](const std::string& path) {
        std::error_code code;
        return fs::weakly_canonical(fs::absolute(followed(path), code), code);
    };
    return place(a) == place(b);
}

Expected<void> checkDistinct(std::span<const NamedOutput> outputs) {
    for (std::size_t k = 0; k < outputs.size(); ++k)
        for (std::size_t other = 0; other < k; ++other) {
            const auto& [what, path] = outputs[k];
            if (path.empty() || outputs[other].path.empty() || !sameOutput(outputs[other].path, path)) continue;
            return refuse(
                path, fmt::format("{} and {} go into the same file; choose another name", outputs[other].what, what));
        }
    return {};
}

bool isStandardOutput(const std::string& path) { return path == "-" || path == "/dev/stdout"; }

Expected<void> checkOutput(const std::string& path, const InputFiles& inputs) {
    if (path.empty()) return fail("cannot write: the name of the output is empty");
    if (isStandardOutput(path)) return {};
    const auto file = platform::identify(path);
    if (!file) return refuse(path, std::strerror(errno));
    switch (file->type) {
        case FileType::Folder:
            return refuse(path, "it is a folder");
        case FileType::Device:
            return refuse(path, "it is a device; outputs are files, pipes, /dev/null and - for standard output");
        case FileType::Pipe:
        case FileType::Null:
            return {};
        case FileType::Regular:
            if (inputs.has(path)) return refuse(path, "this command reads the same file; choose another name");
            if (!platform::mayWrite(path)) return refuse(path, std::strerror(errno));
            return {};
        case FileType::Missing:
            break;
    }
    const std::string folder = fs::path(followed(path)).parent_path().string();
    const auto above = platform::identify(folder.empty() ? "." : folder);
    if (!above) return refuse(path, std::strerror(errno));
    if (above->type == FileType::Missing) return refuse(path, fmt::format("there is no folder '{}'", folder));
    if (above->type != FileType::Folder) return refuse(path, fmt::format("'{}' is not a folder", folder));
    if (!platform::mayWrite(folder.empty() ? "." : folder)) return refuse(path, std::strerror(errno));
    return {};
}

Expected<OutputTarget> OutputTarget::open(const std::string& path, const InputFiles& inputs, Care care) {
    if (auto fits = checkOutput(path, inputs); !fits) return fail(fits.error());
    if (isStandardOutput(path)) return OutputTarget(path, {}, {}, stdout, care);
    const auto old = platform::identify(path);
    if (old && (old->type == FileType::Pipe || old->type == FileType::Null)) {
        std::FILE* file = platform::openToWrite(path);
        if (!file) return refuse(path, std::strerror(errno));
        return OutputTarget(path, {}, {}, file, care);
    }
    const std::string final = followed(path);
    if (care == Care::Full) clearLeftovers(fs::path(final).parent_path().string(), isOutput(final));
    const unsigned mode = old && old->type == FileType::Regular ? old->mode & 0777u : 0666u;
    for (int attempt = 0; attempt < 1000; ++attempt) {
        std::string temporary = temporaryName(final, attempt);
        if (std::FILE* file = platform::createExclusively(temporary, mode))
            return OutputTarget(path, final, std::move(temporary), file, care);
        if (errno != EEXIST) break;
    }
    return refuse(path, std::strerror(errno));
}

OutputTarget::OutputTarget(OutputTarget&& other) noexcept
    : path_(std::move(other.path_)),
      final_(std::move(other.final_)),
      temporary_(std::exchange(other.temporary_, {})),
      file_(std::exchange(other.file_, nullptr)),
      care_(other.care_) {}

OutputTarget::~OutputTarget() { close(); }

void OutputTarget::close() {
    if (!file_) return;
    if (file_ != stdout) std::fclose(file_);
    file_ = nullptr;
    std::error_code ignored;
    if (!temporary_.empty()) fs::remove(temporary_, ignored);
}

tl::unexpected<Error> OutputTarget::failure(int code) const {
    return refuse(path_, code == 0 ? "the disk did not take all of it" : std::strerror(code));
}

Expected<void> OutputTarget::write(std::string_view bytes) {
    if (!file_) return failure(EBADF);
    errno = 0;
    if (platform::writeAll(file_, bytes)) return {};
    return failure(errno);
}

Expected<void> OutputTarget::flush() {
    if (!file_) return failure(EBADF);
    errno = 0;
    if (direct() || care_ == Care::Quick ? std::fflush(file_) == 0 : platform::flushToDisk(file_)) return {};
    const int code = errno;
    close();
    return failure(code);
}

Expected<void> OutputTarget::finish() {
    if (auto done = flush(); !done) return done;
    if (!direct()) {
        std::error_code code;
        fs::rename(temporary_, final_, code);
        if (code) {
            close();
            return refuse(path_, code.message());
        }
        temporary_.clear();
    }
    if (file_ != stdout && std::fclose(file_) != 0) {
        file_ = nullptr;
        return failure(errno);
    }
    file_ = nullptr;
    return {};
}

Expected<OutputFile> OutputFile::create(const std::string& path, const InputFiles& inputs, Care care) {
    auto target = OutputTarget::open(path, inputs, care);
    if (!target) return fail(target.error());
    return OutputFile(std::move(*target));
}

Expected<GrowingFile> GrowingFile::create(const std::string& path, const InputFiles& inputs, Care care) {
    auto target = OutputTarget::open(path, inputs, care);
    if (!target) return fail(target.error());
    return GrowingFile(std::move(*target));
}

GrowingFile::~GrowingFile() {
    if (target_.isOpen() && records_ > 0) (void)target_.finish();
}

Expected<void> GrowingFile::append(std::string_view record) {
    if (broken_) return target_.failure(0);
    auto done = target_.write(record);
    if (!done) {
        broken_ = true;
        // A record that is there in part goes again: what stays is whole.
        if (!target_.direct()) (void)platform::truncateTo(target_.file(), bytes_);
        return done;
    }
    bytes_ += record.size();
    ++records_;
    return {};
}

Expected<void> GrowingFile::line(std::string_view text) { return append(std::string(text) + "\n"); }

Expected<void> GrowingFile::replaceStart(std::string_view bytes) {
    std::FILE* file = target_.file();
    if (target_.direct() || !file) return target_.failure(ESPIPE);
    if (!platform::writeOverStart(file, bytes)) return target_.failure(errno);
    return {};
}

Expected<void> GrowingFile::finish() {
    if (broken_ && records_ == 0 && !target_.direct())
        return {};  // said when it happened; what stood there before stays
    return target_.finish();
}

Expected<OutputFolder> OutputFolder::create(const std::string& path, std::span<const std::string_view> names,
                                            const InputFiles& inputs) {
    if (path.empty()) return fail("cannot write: the name of the output folder is empty");
    std::vector<std::string> made;
    std::error_code code;
    // Those that are missing now are the ones to take away again, if nothing comes of it.
    for (fs::path at = fs::path(path).lexically_normal(); !at.empty(); at = at.parent_path()) {
        if (at.filename().empty()) continue;  // a slash at the end
        if (fs::exists(at, code) || code) break;
        made.push_back(at.string());
    }
    OutputFolder out(path, std::move(made), inputs);  // from here on what is made goes again
    fs::create_directories(path, code);
    const auto folder = platform::identify(path);
    if (!folder)
        return fail(Error{.message = fmt::format("cannot make the folder: {}", std::strerror(errno)), .file = path});
    if (folder->type != FileType::Folder)
        return fail(
            Error{.message = fmt::format("cannot make the folder: {}", code ? code.message() : "a file has this name"),
                  .file = path});
    if (!platform::mayWrite(path))
        return fail(
            Error{.message = fmt::format("cannot write into the folder: {}", std::strerror(errno)), .file = path});
    for (const std::string_view name : names)
        if (auto fits = checkOutput(out.file(name), inputs); !fits) return fail(fits.error());
    return out;
}

void OutputFolder::clearLeftoversWith(std::string_view prefix) const {
    clearLeftovers(path_, [prefix](std::string_view output) { return output.starts_with(prefix); });
}

OutputFolder::~OutputFolder() {
    std::error_code ignored;
    for (const std::string& folder : made_)
        if (!fs::is_empty(folder, ignored) || ignored || !fs::remove(folder, ignored)) return;
}

Expected<void> OutputFolder::write(std::span<const std::pair<std::string_view, std::string>> files) const {
    std::vector<OutputFile> written;
    for (const auto& [name, content] : files) {
        auto output = OutputFile::create(file(name), inputs_);
        if (!output) return fail(output.error());
        if (auto done = output->write(content); !done) return done;
        written.push_back(std::move(*output));
    }
    for (OutputFile& output : written)
        if (auto done = output.flush(); !done) return done;
    for (OutputFile& output : written)
        if (auto done = output.finish(); !done) return done;
    return {};
}

Expected<void> writeFile(const std::string& path, std::string_view content, const InputFiles& inputs, Care care) {
    auto file = OutputFile::create(path, inputs, care);
    if (!file) return fail(file.error());
    if (auto done = file->write(content); !done) return done;
    return file->finish();
}

Expected<void> writeStandardOutput(std::string_view text) {
    errno = 0;
    if (platform::writeAll(stdout, text)) return {};
    return fail(Error{
        .message = fmt::format("standard output cannot be written: {}", errno ? std::strerror(errno) : "it is closed"),
        .file = {}});
}

}  // namespace clothlab
