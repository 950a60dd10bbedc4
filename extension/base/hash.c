#include "hash.h"

#include <string.h>

#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

uint64_t xhprof_hash_bytes(const void *bytes, size_t length, uint64_t seed)
{
	const unsigned char *at = bytes;
	uint64_t hash = seed ^ FNV_BASIS ^ length;
	while (length >= 8) {
		uint64_t word;
		memcpy(&word, at, 8);
		hash = xhprof_hash_spread(hash ^ word);
		hash ^= hash >> 32;
		at += 8;
		length -= 8;
	}
	while (length--) {
		hash = (hash ^ *at++) * FNV_PRIME;
	}
	hash ^= hash >> 29;
	hash *= UINT64_C(0xBF58476D1CE4E5B9);
	hash ^= hash >> 32;
	return hash ? hash : 1;
}

uint64_t xhprof_hash_append(uint64_t before, const char *text, size_t length)
{
	uint64_t hash = before ? before : FNV_BASIS;
	for (size_t i = 0; i < length; i++) {
		hash = (hash ^ (unsigned char)text[i]) * FNV_PRIME;
	}
	return hash ? hash : 1;
}
