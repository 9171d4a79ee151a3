// The zones of the world behind a plain C face: which offset holds at an instant, and which instants a wall time means.
// Called by CivilTime alone. The rules of the zones come from the system's tzdata (cctz reads them); the zone of this
// machine is never looked at.
#ifndef CTIMEZONE_H
#define CTIMEZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One zone. Never freed: there are as many as the system has files for, and each is read once.
typedef struct ctz_zone ctz_zone;

/// A date and time on a calendar, and the seconds by which it is ahead of UTC.
typedef struct {
    int64_t year;
    int32_t month, day, hour, minute, second;
    int32_t offset;
} ctz_civil;

/// What a wall time means in a zone.
typedef enum { CTZ_UNIQUE, CTZ_SKIPPED, CTZ_REPEATED } ctz_meaning;

/// The zone of an IANA name such as "Europe/Berlin", capitals as they are there. NULL: the system does not know it, or
/// the text is not a name of a zone. Only files below the system's zone folder are opened, and "localtime" is not a
/// name. May be called from any thread.
const ctz_zone *_Nullable ctz_zone_named(const char *_Nullable name, size_t length);

/// Bytes of the largest zone file, and of the list of names, that are taken.
#define CTZ_LARGEST_FILE 65536

/// Gives the file of the zone `name`, or the list of names when it is empty: writes at most `room` bytes and says how
/// many; 0: there is none.
typedef size_t (*ctz_fetch)(const char *_Nonnull name, size_t length, char *_Nonnull bytes, size_t room);

/// From now on zones come from `fetch`, in a process that may open no files. Called once, before any thread asks.
void ctz_zones_from(ctz_fetch _Nonnull fetch);

/// What `fetch` gives elsewhere: the system's file, or the names.
size_t ctz_zone_file(const char *_Nullable name, size_t length, char *_Nonnull bytes, size_t room);

/// UTC, which needs no file.
const ctz_zone *_Nonnull ctz_zone_utc(void);

/// The names of all zones, sorted, a line each, for people who have misspelt one: writes at most `room` bytes and says
/// how many there are in all. Reads the folder each time.
size_t ctz_zone_names(char *_Nullable names, size_t room);

/// Date and time of an instant, in Unix seconds. Instants beyond what a calendar of 32 bits of days holds are held at
/// its edge.
void ctz_civil_at(const ctz_zone *_Nonnull zone, int64_t seconds, ctz_civil *_Nonnull civil);

/// The instant of a wall time, in Unix seconds: of one that does not exist the first instant after the gap, of one that
/// comes twice the first. Fields beyond their range carry over (hour 24 is the next day's 0). `offset` is not read.
int64_t ctz_instant_of(const ctz_zone *_Nonnull zone, const ctz_civil *_Nonnull civil, ctz_meaning *_Nonnull meaning);

/// The first instant after `seconds` at which the zone's wall clock jumps; false when there is none.
bool ctz_next_change(const ctz_zone *_Nonnull zone, int64_t seconds, int64_t *_Nonnull change);

#ifdef __cplusplus
}
#endif

#endif
