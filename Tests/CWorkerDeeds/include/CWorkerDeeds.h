// System calls that a child which runs rules must not be able to make. Called by WorkerDouble alone.
#ifndef CWORKERDEEDS_H
#define CWORKERDEEDS_H

/// Makes the call of that name and comes back only when it was let through: 0 when it did what it is for, else an errno.
/// -1: there is no call of that name.
int wd_call(const char *_Nonnull word);

#endif
