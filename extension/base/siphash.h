/* SipHash-2-4 (Aumasson and Bernstein, 2012): a hash with a key. Without the key, hashes show only which texts are equal:
 * contents cannot be tried out. */
#ifndef XHPROF_BASE_SIPHASH_H
#define XHPROF_BASE_SIPHASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct xhprof_siphash_key {
	uint64_t words[2];
} xhprof_siphash_key;

/* A hash of bytes that come in pieces. */
typedef struct xhprof_siphash {
	uint64_t v[4];
	uint64_t length; /* bytes of the pieces so far */
} xhprof_siphash;

/* Makes a new key of random bytes. False if the system has none. */
bool xhprof_siphash_make_key(xhprof_siphash_key *key);

/* Overwrites the key. */
void xhprof_siphash_clear_key(xhprof_siphash_key *key);

void xhprof_siphash_begin(xhprof_siphash *hash, const xhprof_siphash_key *key);

/* Takes a piece whose length is a multiple of 8. */
void xhprof_siphash_add(xhprof_siphash *hash, const void *bytes, size_t length);

/* Takes the last piece, of any length, and returns the hash of all. */
uint64_t xhprof_siphash_end(xhprof_siphash *hash, const void *bytes, size_t length);

#endif
