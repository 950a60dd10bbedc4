/* Hash functions for tables, checksums of files, and seeds. */
#ifndef XHPROF_BASE_HASH_H
#define XHPROF_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define XHPROF_HASH_FACTOR UINT64_C(0x9E3779B97F4A7C15) /* 2^64 divided by the golden ratio; odd */

/* Hashes a number so that close numbers differ in the upper bits. The fastest of these functions. */
static inline uint64_t xhprof_hash_spread(uint64_t number)
{
	return number * XHPROF_HASH_FACTOR;
}

/* Hashes a number so that all bits differ (SplitMix64). */
static inline uint64_t xhprof_hash_mix(uint64_t number)
{
	number += XHPROF_HASH_FACTOR;
	number = (number ^ number >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	number = (number ^ number >> 27) * UINT64_C(0x94D049BB133111EB);
	return number ^ number >> 31;
}

/* Hashes bytes; never 0. `seed`: the hash of the preceding bytes, or 0. Files hold such hashes, so the function must
 * not change. */
uint64_t xhprof_hash_bytes(const void *bytes, size_t length, uint64_t seed);

/* Hashes a text after another one (FNV-1a); never 0. `before`: the hash of the preceding text, or 0. The result is the
 * hash of both texts as one, wherever that is cut. */
uint64_t xhprof_hash_append(uint64_t before, const char *text, size_t length);

#endif
