/* This program often runs as root and reads memory that a hostile process has forged: it drops unneeded rights. */
#ifndef XHPROF_INSPECT_PRIVILEGES_H
#define XHPROF_INSPECT_PRIVILEGES_H

#include <stdbool.h>

/* Once, before anything is read, and after the program to run has been started: it must not inherit this. Of root's
 * capabilities, those remain for reading processes (CAP_SYS_PTRACE) and for writing and reading files in other users'
 * folders (CAP_DAC_OVERRIDE); with `signals` also the one for passing on signals (CAP_KILL). No program started from
 * then on gets more, no core file is written, and allocations beyond the system's memory are refused instead of taken
 * from others. */
void xhprof_privileges_drop(bool signals);

#endif
