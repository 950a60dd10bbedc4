/* Hashes: for tables, for checksums of files, for seeds. */
#ifndef XHPROF_BASE_HASH_H
#define XHPROF_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define XHPROF_HASH_FACTOR UINT64_C(0x9E3779B97F4A7C15) /* 2^64 divided by the golden ratio; odd */

/* Spreads close numbers in the upper bits. The fastest. */
static inline uint64_t xhprof_hash_spread(uint64_t number)
{
	return number * XHPROF_HASH_FACTOR;
}

/* Spreads in all bits (SplitMix64). */
static inline uint64_t xhprof_hash_mix(uint64_t number)
{
	number += XHPROF_HASH_FACTOR;
	number = (number ^ number >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	number = (number ^ number >> 27) * UINT64_C(0x94D049BB133111EB);
	return number ^ number >> 31;
}

/* Of bytes, well spread, never 0. `seed`: the hash of the preceding bytes, or 0. Part of the format of files. */
uint64_t xhprof_hash_bytes(const void *bytes, size_t length, uint64_t seed);

/* Of concatenated texts (FNV-1a): the hash of both parts is that of the whole, wherever it is cut. `before`: the hash
 * of the preceding text, or 0. Never 0. */
uint64_t xhprof_hash_append(uint64_t before, const char *text, size_t length);

#endif
