// Whether this build looks for its own faults: the address and thread sanitizers need more than a child may have.
#ifndef SANITIZED_H
#define SANITIZED_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define RW_SANITIZED 1
#endif
#endif

#endif
