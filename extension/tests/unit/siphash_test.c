/* SipHash-2-4 against the vectors of its authors: key 00 01 ... 0f, texts 00 01 ... of each length. */
#include "unit.h"

#include "base/siphash.h"

static void hashes_are_the_reference_vectors(void)
{
	static const struct {
		size_t length;
		uint64_t hash;
	} vectors[] = {
		{0, UINT64_C(0x726fdb47dd0e0e31)},  {1, UINT64_C(0x74f839c593dc67fd)},  {2, UINT64_C(0x0d6c8009d9a94f5a)},
		{7, UINT64_C(0xab0200f58b01d137)},  {8, UINT64_C(0x93f5f5799a932462)},  {15, UINT64_C(0xa129ca6149be45e5)},
		{16, UINT64_C(0x3f2acc7f57c29bdb)}, {63, UINT64_C(0x958a324ceb064572)},
	};
	unsigned char text[64];
	xhprof_siphash_key key;
	for (size_t i = 0; i < sizeof(text); i++) {
		text[i] = (unsigned char)i;
	}
	memcpy(&key, text, sizeof(key));
	for (size_t i = 0; i < sizeof(vectors) / sizeof(*vectors); i++) {
		/* However it is cut. */
		for (size_t piece = 0; piece <= vectors[i].length; piece += 8) {
			xhprof_siphash hash;
			xhprof_siphash_begin(&hash, &key);
			xhprof_siphash_add(&hash, text, piece);
			CHECK(xhprof_siphash_end(&hash, text + piece, vectors[i].length - piece) == vectors[i].hash);
		}
	}
}

static uint64_t hash_of(const xhprof_siphash_key *key, const char *text)
{
	xhprof_siphash hash;
	xhprof_siphash_begin(&hash, key);
	return xhprof_siphash_end(&hash, text, strlen(text));
}

static void each_key_is_another(void)
{
	xhprof_siphash_key a, b;
	CHECK(xhprof_siphash_make_key(&a) && xhprof_siphash_make_key(&b) && memcmp(&a, &b, sizeof(a)) != 0);
	CHECK(hash_of(&a, "a text") == hash_of(&a, "a text") && hash_of(&a, "a text") != hash_of(&b, "a text"));
	CHECK(hash_of(&a, "a text") != hash_of(&a, "a text."));
	xhprof_siphash_clear_key(&a);
	CHECK(a.words[0] == 0 && a.words[1] == 0);
}

int main(void)
{
	hashes_are_the_reference_vectors();
	each_key_is_another();
	return unit_end();
}
