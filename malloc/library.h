/* The process of the library. */
#ifndef XHPROF_LIBRARY_H
#define XHPROF_LIBRARY_H

/* The end of this process, unless it has been reported already. */
void xhprof_library_end(void);

#endif
