/* The one budget: instructions by the count hook, and the work of C functions by lg_charge.
 *
 * An end is final: `stop` is set, the hook is armed again for every single instruction, and a light userdata is raised
 * (it needs no memory). Our pcall raises it again; nothing else in a script can catch. The clock is only a net: the
 * coarse clock is looked at once per hook, and the thread's CPU time decides, so that a busy machine does not
 * change a result.
 */
#include "guard.h"
#include <stdio.h>
#include <string.h>
#include <time.h>


static uint64_t nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Files of one load have one allowance together: what those before have used counts. */
void lg_clock_resume(lg_machine *m) {
    m->cpu_begun = nanoseconds(CLOCK_THREAD_CPUTIME_ID) - m->cpu_spent;
    m->wall_check = nanoseconds(CLOCK_MONOTONIC_COARSE) + (m->cpu_spent < m->cpu_allowed ? (m->cpu_allowed - m->cpu_spent) / 2 : 0);
}

void lg_clock_pause(lg_machine *m) { m->cpu_spent = nanoseconds(CLOCK_THREAD_CPUTIME_ID) - m->cpu_begun; }

static void begin_clock(lg_machine *m) {
    m->cpu_begun = m->cpu_spent = 0;
    m->wall_check = nanoseconds(CLOCK_MONOTONIC_COARSE) + m->cpu_allowed / 2;
}

void lg_budget_begin(lg_machine *m, int64_t fuel, uint64_t allowed) {
    m->fuel = m->fuel_given = fuel;
    m->caught = 0;
    m->longest_chain = 0;
    m->within_table = 0;
    m->made = 0;
    m->overdrawn = 0;
    m->is_clean = 0;
    m->collections = 0;
    m->cpu_allowed = m->counts || m->trace ? allowed * LG_RECORDING_SLOWNESS : allowed;
    if (!LG_WALL) return;
    begin_clock(m);
    lg_arm_hook(m);
}

void lg_arm_hook(lg_machine *m) {
    lua_sethook(m->L, lg_hook, m->counts || m->trace ? LUA_MASKCOUNT | LUA_MASKLINE : LUA_MASKCOUNT, LG_HOOK_COUNT);
}

void lg_where(lua_State *L, lg_place *place) {
    lua_Debug ar;
    place->file[0] = 0;
    place->line = 0;
    for (int level = 0; level < 32 && lua_getstack(L, level, &ar); level++) {
        lua_getinfo(L, "Sl", &ar);
        if (ar.currentline <= 0) continue;
        const char *name = *ar.source == '=' ? ar.source + 1 : ar.source;
        snprintf(place->file, sizeof place->file, "%s", name);
        place->line = (uint32_t)ar.currentline;
        return;
    }
}

_Noreturn void lg_stop(lua_State *L, int why, const char *message) {
    lg_machine *m = lg_of(L);
    if (!m->stop) {
        m->stop = m->out_of_memory ? LG_MEMORY : why;
        if (!m->out_of_memory) lg_where(L, &m->stop_place);
        snprintf(m->stop_message, sizeof m->stop_message, "%s", message);
    }
    lua_sethook(L, lg_hook, LUA_MASKCOUNT, 1);
    lua_pushlightuserdata(L, m);
    lua_error(L);
    __builtin_unreachable();
}

void lg_spent_message(const lg_machine *m, char *out, size_t room) {
    snprintf(out, room, "the fuel of %lld units is used up", (long long)m->fuel_given);
}

_Noreturn void lg_spent(lua_State *L) {
    lg_machine *m = lg_of(L);
    char message[80];
    lg_spent_message(m, message, sizeof message);
    lg_stop(L, LG_FUEL, message);
}

/* Twice the allowance is the promise: half of it passes before the dear clock is read for the first time, and the whole
 * allowance counts from there. */
void lg_look_at_clock(lua_State *L, lg_machine *m) {
    uint64_t wall = nanoseconds(CLOCK_MONOTONIC_COARSE);
    if (wall < m->wall_check) return;
    uint64_t cpu = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    if (!m->cpu_begun) m->cpu_begun = cpu;
    uint64_t used = cpu - m->cpu_begun;
    if (used >= m->cpu_allowed) {
        char message[80];
        snprintf(message, sizeof message, "the time of %llu ms is used up", (unsigned long long)(m->cpu_allowed / 1000000u));
        lg_stop(L, LG_TIME, message);
    }
    m->wall_check = wall + (m->cpu_allowed - used) / 2;
}

static void note_line(lua_State *L, lg_machine *m, lua_Debug *ar) {
    lua_getinfo(L, "S", ar); /* makes no text, and cannot raise */
    if (m->counts) lg_count_line(m, ar);
    if (m->trace) lg_trace_line(m, ar);
}

void lg_hook(lua_State *L, lua_Debug *ar) {
    lg_machine *m = lg_of(L);
    if (ar->event == LUA_HOOKLINE) {
        note_line(L, m, ar);
        return;
    }
    m->fuel -= LG_HOOK_COUNT;
    if (m->longest_chain > LG_USUAL_CHAIN) m->fuel -= (int64_t)m->longest_chain * LG_HOOK_COUNT / 4;
    if (m->fuel < 0 || m->stop || m->out_of_memory) lg_spent(L);
    lg_check_stack(L, m, ar->i_ci, 0);
    lg_look_at_clock(L, m);
}

/* A fault is cleaned, told and written out. What of that is beyond the fuel left is told all the same: the call is over and has
 * its answer; the next one finds nothing. */
#define FAULT_FUEL 2000

void lg_machine_charge_fault(lg_machine *m) {
    int64_t left = m->fuel < 0 ? 0 : m->fuel;
    m->fuel -= FAULT_FUEL;
    if (left < FAULT_FUEL) m->overdrawn += FAULT_FUEL - left;
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LG_SLOWNESS 10
#endif
#endif
#ifndef LG_SLOWNESS
#define LG_SLOWNESS 1
#endif

int lg_slowness(void) { return LG_SLOWNESS; }
