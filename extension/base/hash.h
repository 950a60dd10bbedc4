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

/* Hashes bytes; the result is well spread and never 0. `seed`: the hash of the preceding bytes, or 0. Files contain
 * these hashes: they must not change. */
uint64_t xhprof_hash_bytes(const void *bytes, size_t length, uint64_t seed);

/* Hashes a text that continues another (FNV-1a): wherever a text is cut, its parts give the hash of the whole.
 * `before`: the hash of the preceding text, or 0. The result is never 0. */
uint64_t xhprof_hash_append(uint64_t before, const char *text, size_t length);

#endif
