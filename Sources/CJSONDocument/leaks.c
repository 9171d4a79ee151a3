/* For the leak sanitizer alone, which asks every program that it is built into what not to tell of; no other build has anything
 * of this file. Swift keeps marks of its own in spare bits of the pointers inside enums, so that the sanitizer does not find
 * what hangs on them: plans of rules, tables of tests. Swift objects are counted and are left out; what C has allocated and
 * nothing points to is told. Foundation, which only tests use, keeps its buffer for files whose size it cannot know, such as pipes, and
 * a mark of a program that it has started. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:swift_allocObject\nleak:FoundationEssentials*readBytesFromFile\nleak:Foundation7Process\n"; }
/* Without a table of them behind every output. */
const char *__lsan_default_options(void);
const char *__lsan_default_options(void) { return "print_suppressions=0"; }
#endif
#endif
