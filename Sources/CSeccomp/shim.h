// The system's libseccomp, which makes the filter of system calls. CRuleWorker links it into the program, so that no
// other start of the program loads anything more.
#include <seccomp.h>
