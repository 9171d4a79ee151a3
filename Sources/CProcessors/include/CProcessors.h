// What the system says of processors, which Swift's module of the C library leaves out. Called by RuleHosting alone.
#ifndef CPROCESSORS_H
#define CPROCESSORS_H

/// How many processors this process may run on (`taskset`, `CPUAffinity=`), 1 or more; fewer than the machine has perhaps.
/// sched_getaffinity(2).
int ps_usable(void);

#endif
