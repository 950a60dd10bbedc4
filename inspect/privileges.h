/* This program often runs as root and reads what a hostile process has made up: it gives up what it does not need. */
#ifndef XHPROF_INSPECTOR_PRIVILEGES_H
#define XHPROF_INSPECTOR_PRIVILEGES_H

#include <stdbool.h>

/* Once, before anything is read, and after the program that is run has been started: it is not to inherit this. Of root's
 * capabilities those remain by which processes are read (CAP_SYS_PTRACE) and files of other users' folders are written and read
 * (CAP_DAC_OVERRIDE); with `signals` the one by which signals are passed on (CAP_KILL). No program that is run from then on gets
 * more, no core file is written, and memory that the system does not have is refused instead of taken from others. */
void xhprof_privileges_drop(bool signals);

#endif
