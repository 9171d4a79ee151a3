// Answers the C face with cctz. Knows no clock and no zone of this machine; nothing in here lets an exception out.
#include "CTimeZone.h"

#include "zone_file.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <string>

#include <cctz/civil_time.h>
#include <cctz/time_zone.h>

namespace {

using Seconds = cctz::time_point<cctz::seconds>;

// About the year 100,000 on both sides: far beyond any message, and far from where numbers of days overflow.
constexpr int64_t kFarthest = int64_t{1} << 41;

Seconds at(int64_t seconds) { return Seconds(cctz::seconds(std::clamp(seconds, -kFarthest, kFarthest))); }

const cctz::time_zone *of(const ctz_zone *zone) { return reinterpret_cast<const cctz::time_zone *>(zone); }

/// Zones that were asked for. Holds only names that have a file, so it cannot grow beyond the system's folder.
class Zones {
  public:
    const cctz::time_zone *named(const std::string &name) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto known = zones_.find(name);
        if (known != zones_.end()) return &known->second;
        // cctz remembers every name it is asked for; one without a file must not get there.
        if (!ctz::zone_file_exists(name)) return nullptr;
        cctz::time_zone zone;
        if (!cctz::load_time_zone(name, &zone)) return nullptr;
        return &zones_.emplace(name, zone).first->second;
    }

  private:
    std::mutex mutex_;
    std::map<std::string, cctz::time_zone> zones_;
};

Zones &zones() {
    static auto *const all = new Zones;  // never destroyed: threads may still ask while the program ends
    return *all;
}

}  // namespace

const ctz_zone *ctz_zone_named(const char *name, size_t length) {
    if (!ctz::is_zone_name(name, length)) return nullptr;
    try {
        return reinterpret_cast<const ctz_zone *>(zones().named(std::string(name, length)));
    } catch (...) {  // no memory
        return nullptr;
    }
}

const ctz_zone *ctz_zone_utc() {
    static const cctz::time_zone utc = cctz::utc_time_zone();
    return reinterpret_cast<const ctz_zone *>(&utc);
}

size_t ctz_zone_names(char *names, size_t room) {
    try {
        const std::string all = ctz::zone_names();
        if (names) all.copy(names, room);
        return all.size();
    } catch (...) {  // no memory
        return 0;
    }
}

void ctz_zones_from(ctz_fetch fetch) { ctz::zones_from(fetch); }

size_t ctz_zone_file(const char *name, size_t length, char *bytes, size_t room) {
    if (length > 0 && !ctz::is_zone_name(name, length)) return 0;
    try {
        const std::string all = length == 0 ? ctz::zone_names() : ctz::zone_bytes(std::string(name, length));
        if (all.size() > room) return 0;
        all.copy(bytes, room);
        return all.size();
    } catch (...) {  // no memory
        return 0;
    }
}

void ctz_civil_at(const ctz_zone *zone, int64_t seconds, ctz_civil *civil) {
    const auto found = of(zone)->lookup(at(seconds));
    civil->year = found.cs.year();
    civil->month = found.cs.month();
    civil->day = found.cs.day();
    civil->hour = found.cs.hour();
    civil->minute = found.cs.minute();
    civil->second = found.cs.second();
    civil->offset = found.offset;
}

int64_t ctz_instant_of(const ctz_zone *zone, const ctz_civil *civil, ctz_meaning *meaning) {
    const cctz::civil_second wall(
        std::clamp<int64_t>(civil->year, -60'000, 60'000), civil->month, civil->day, civil->hour, civil->minute,
        civil->second);
    const auto found = of(zone)->lookup(wall);
    switch (found.kind) {
    case cctz::time_zone::civil_lookup::UNIQUE: *meaning = CTZ_UNIQUE; break;
    case cctz::time_zone::civil_lookup::SKIPPED: *meaning = CTZ_SKIPPED; break;
    case cctz::time_zone::civil_lookup::REPEATED: *meaning = CTZ_REPEATED; break;
    }
    const auto instant = *meaning == CTZ_SKIPPED ? found.trans : found.pre;
    return instant.time_since_epoch().count();
}

bool ctz_next_change(const ctz_zone *zone, int64_t seconds, int64_t *change) {
    cctz::time_zone::civil_transition found;
    if (!of(zone)->next_transition(at(seconds), &found)) return false;
    *change = of(zone)->lookup(found.to).trans.time_since_epoch().count();
    return true;
}
