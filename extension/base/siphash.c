#include "siphash.h"

#include <string.h>
#include <sys/random.h>

bool xhprof_siphash_make_key(xhprof_siphash_key *key)
{
	return getrandom(key, sizeof(*key), GRND_NONBLOCK) == (ssize_t)sizeof(*key);
}

void xhprof_siphash_clear_key(xhprof_siphash_key *key)
{
	explicit_bzero(key, sizeof(*key));
}

static inline uint64_t rotate(uint64_t word, int bits)
{
	return word << bits | word >> (64 - bits);
}

static inline void rounds(uint64_t v[4], int count)
{
	while (count--) {
		v[0] += v[1];
		v[2] += v[3];
		v[1] = rotate(v[1], 13) ^ v[0];
		v[3] = rotate(v[3], 16) ^ v[2];
		v[0] = rotate(v[0], 32);
		v[2] += v[1];
		v[0] += v[3];
		v[1] = rotate(v[1], 17) ^ v[2];
		v[3] = rotate(v[3], 21) ^ v[0];
		v[2] = rotate(v[2], 32);
	}
}

static inline void take_word(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	rounds(v, 2);
	v[0] ^= word;
}

void xhprof_siphash_begin(xhprof_siphash *hash, const xhprof_siphash_key *key)
{
	uint64_t first = key->words[0], second = key->words[1];
	*hash = (xhprof_siphash){.v = {first ^ UINT64_C(0x736f6d6570736575), second ^ UINT64_C(0x646f72616e646f6d),
								   first ^ UINT64_C(0x6c7967656e657261), second ^ UINT64_C(0x7465646279746573)}};
}

void xhprof_siphash_add(xhprof_siphash *hash, const void *bytes, size_t length)
{
	uint64_t v[4] = {hash->v[0], hash->v[1], hash->v[2], hash->v[3]};
	const unsigned char *at = bytes, *end = at + length;
	for (; at < end; at += 8) {
		uint64_t word; /* little-endian, as all machines that run files can be written on */
		memcpy(&word, at, 8);
		take_word(v, word);
	}
	memcpy(hash->v, v, sizeof(v));
	hash->length += length;
}

uint64_t xhprof_siphash_end(xhprof_siphash *hash, const void *bytes, size_t length)
{
	size_t whole = length & ~(size_t)7;
	const unsigned char *rest = (const unsigned char *)bytes + whole;
	xhprof_siphash_add(hash, bytes, whole);
	uint64_t *v = hash->v, word = (hash->length + length - whole) << 56;
	for (size_t i = 0; i < length - whole; i++) {
		word |= (uint64_t)rest[i] << 8 * i;
	}
	take_word(v, word);
	v[2] ^= 0xff;
	rounds(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}
