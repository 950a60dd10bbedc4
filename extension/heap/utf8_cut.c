#include "utf8_cut.h"

size_t xhprof_utf8_cut(const char *bytes, size_t available, size_t total, size_t max)
{
	if (available > max) {
		available = max;
	}
	if (available >= total) {
		return available;
	}
	/* The beginning of the last character, if it is within the last four bytes. */
	for (size_t back = 1; back <= 4 && back <= available; back++) {
		unsigned char byte = (unsigned char)bytes[available - back];
		if ((byte & 0xC0) == 0x80) {
			continue;
		}
		size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
		return length > back ? available - back : available;
	}
	return available;
}
