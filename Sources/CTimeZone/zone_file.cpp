// Opens zone files. cctz would follow the environment (TZDIR) to another folder; the factory below keeps it to one.
#include "zone_file.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>
#include <system_error>
#include <vector>

#include <cctz/zone_info_source.h>

#include <sys/stat.h>

namespace {

constexpr const char *kFolder = "/usr/share/zoneinfo/";
constexpr std::size_t kLongestName = 64;

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE *)>;

/// Opened only when it begins as a zone file does.
File open_zone(const std::string &name) {
    const std::string path = kFolder + name;
    // A folder can be opened but not read, a pipe would be waited for.
    struct stat about;
    if (stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return File(nullptr, std::fclose);
    File file(std::fopen(path.c_str(), "rbe"), std::fclose);
    char mark[4];
    if (!file || std::fread(mark, 1, sizeof mark, file.get()) != sizeof mark || std::memcmp(mark, "TZif", 4) != 0 ||
        std::fseek(file.get(), 0, SEEK_SET) != 0) {
        return File(nullptr, std::fclose);
    }
    return file;
}

class ZoneFile final : public cctz::ZoneInfoSource {
  public:
    explicit ZoneFile(File file) : file_(std::move(file)) {}
    std::size_t Read(void *bytes, std::size_t size) override { return std::fread(bytes, 1, size, file_.get()); }
    int Skip(std::size_t bytes) override { return std::fseek(file_.get(), static_cast<long>(bytes), SEEK_CUR); }

  private:
    File file_;
};

/// A zone that came as bytes.
class ZoneBytes final : public cctz::ZoneInfoSource {
  public:
    explicit ZoneBytes(std::string bytes) : bytes_(std::move(bytes)) {}
    std::size_t Read(void *bytes, std::size_t size) override {
        const std::size_t count = std::min(size, bytes_.size() - place_);
        std::memcpy(bytes, bytes_.data() + place_, count);
        place_ += count;
        return count;
    }
    int Skip(std::size_t bytes) override {
        if (bytes > bytes_.size() - place_) return -1;
        place_ += bytes;
        return 0;
    }

  private:
    std::string bytes_;
    std::size_t place_ = 0;
};

/// Who is asked instead of the folder; null: nobody.
ctz_fetch fetcher = nullptr;

/// Empty: there is none. A zone is looked for and then read: the last one is kept for that.
const std::string &fetched(const std::string &name) {
    static std::string last_name, last;
    if (last.empty() || last_name != name) {
        std::string room(ctz::kLargestFile, '\0');
        room.resize(std::min(room.size(), fetcher(name.data(), name.size(), room.data(), room.size())));
        last_name = name;
        last = std::move(room);
    }
    return last;
}

std::unique_ptr<cctz::ZoneInfoSource> zone_file(
    const std::string &name, const std::function<std::unique_ptr<cctz::ZoneInfoSource>(const std::string &)> &) {
    if (fetcher) {
        const std::string &bytes = fetched(name);
        if (bytes.empty()) return nullptr;
        return std::make_unique<ZoneBytes>(bytes);
    }
    File file = open_zone(name);
    if (!file) return nullptr;
    return std::make_unique<ZoneFile>(std::move(file));
}

}  // namespace

bool ctz::is_zone_name(const char *name, std::size_t length) {
    if (length == 0 || length > kLongestName) return false;
    bool part_has_begun = false;
    for (std::size_t place = 0; place < length; place++) {
        const char c = name[place];
        if (c == '/') {
            if (!part_has_begun) return false;
            part_has_begun = false;
        } else if (is_letter_or_digit(c) || c == '_' || c == '-' || c == '+') {
            part_has_begun = true;
        } else {
            return false;
        }
    }
    if (!part_has_begun) return false;
    const std::string_view text(name, length);
    for (const std::string_view other : {"localtime", "posixrules", "Factory"}) {
        if (text == other) return false;
    }
    return text.substr(0, 6) != "posix/" && text.substr(0, 6) != "right/";
}

bool ctz::zone_file_exists(const std::string &name) {
    // UTC has no rules and needs no file.
    if (name == "UTC") return true;
    return fetcher ? !fetched(name).empty() : open_zone(name) != nullptr;
}

std::string ctz::zone_bytes(const std::string &name) {
    const File file = open_zone(name);
    if (!file) return {};
    std::string bytes(kLargestFile, '\0');
    const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), file.get());
    bytes.resize(std::feof(file.get()) ? count : 0);
    return bytes;
}

void ctz::zones_from(ctz_fetch fetch) { fetcher = fetch; }

std::string ctz::zone_names() {
    if (fetcher) return fetched("");
    std::vector<std::string> names;
    std::error_code failed;  // a folder that cannot be read has no names
    std::filesystem::recursive_directory_iterator place(kFolder, failed), end;
    while (!failed && place != end) {
        const std::string name = place->path().string().substr(std::strlen(kFolder));
        if (place->is_directory(failed)) {
            if (name == "posix" || name == "right") place.disable_recursion_pending();
        } else if (is_zone_name(name.data(), name.size()) && open_zone(name)) {
            names.push_back(name);
        }
        place.increment(failed);
    }
    std::sort(names.begin(), names.end());
    std::string lines;
    for (const std::string &name : names) lines += name + "\n";
    return lines;
}

namespace cctz_extension {
// Takes the place of cctz's own, which is weak.
ZoneInfoSourceFactory zone_info_source_factory = zone_file;
}  // namespace cctz_extension
