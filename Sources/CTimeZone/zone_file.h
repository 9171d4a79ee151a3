// Where zones come from: the files below one folder of the system, by names that cannot lead anywhere else.
#ifndef CTZ_ZONE_FILE_H
#define CTZ_ZONE_FILE_H

#include "CTimeZone.h"

#include <cstddef>
#include <string>

namespace ctz {

/// Whether a text is shaped like the name of a zone: letters, digits, `_`, `-`, `+` in parts divided by single slashes.
/// The names of the folder's other things are none: the machine's own zone, zones with leap seconds, second copies.
bool is_zone_name(const char *name, std::size_t length);

/// Whether the system has the rules of the zone. `name` is shaped like one.
bool zone_file_exists(const std::string &name);

/// Bytes of a zone's file; a larger one is none.
constexpr std::size_t kLargestFile = CTZ_LARGEST_FILE;

/// What the file of a zone holds; empty: there is none. `name` is shaped like one.
std::string zone_bytes(const std::string &name);

/// From now on `fetch` is asked instead of the folder.
void zones_from(ctz_fetch fetch);

/// The names of all zone files, sorted, a line each.
std::string zone_names();

}  // namespace ctz

#endif
