/* The help texts of xhprof-inspect. */
#ifndef XHPROF_INSPECT_HELP_H
#define XHPROF_INSPECT_HELP_H

/* Of all, or of the command with this name. */
void xhprof_help(const char *command);
void xhprof_help_version(void);

#endif
