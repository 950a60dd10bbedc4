/* malloc() and its family as every program calls them, and the ones of the C library behind. */
#ifndef XHPROF_INTERPOSE_H
#define XHPROF_INTERPOSE_H

/* The end of this process, unless it has been told already: in library.c. */
void xhprof_library_end(void);

#endif
