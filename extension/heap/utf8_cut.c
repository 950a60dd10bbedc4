#include "utf8_cut.h"

size_t xhprof_utf8_cut(const char *bytes, size_t told, size_t whole, size_t max)
{
	if (told > max) {
		told = max;
	}
	if (told >= whole) {
		return told;
	}
	/* The beginning of the last character, if it is within the last four bytes. */
	for (size_t back = 1; back <= 4 && back <= told; back++) {
		unsigned char byte = (unsigned char)bytes[told - back];
		if ((byte & 0xC0) == 0x80) {
			continue;
		}
		size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
		return length > back ? told - back : told;
	}
	return told;
}
