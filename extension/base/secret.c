#include "secret.h"

#include "words.h"

#include <string.h>

/* Texts are percent-decoded while they are read, up to this many times; names of parameters up to twice. */
#define LEVELS 3
#define NAME_LEVELS 2

/* From this length on the known secret is searched within values, not only as a whole value. */
#define LONG_SECRET 8

#define NAME_ROOM 256 /* longer names are not treated as parameter names */
#define WORD_ROOM 16  /* the last bytes of a word, to recognize a token's beginning and what is before it */
#define CARD_MIN 13
#define CARD_MIN_OF_2 16
#define CARD_MAX 19

/* Shorter words, without anything else, hide nothing: all tokens and cards are longer, names and logins have other bytes. */
#define SHORTEST 10

typedef struct span {
	const char *at, *end;
} span;

typedef struct name_text {
	char bytes[NAME_ROOM];
	size_t length; /* may be more */
} name_text;

/* The states of reading a login: a name that an "@" may follow, with a password between. */
typedef enum login { LOGIN_USER, LOGIN_COLON, LOGIN_PORT, LOGIN_PASSWORD, LOGIN_NONE } login;

#define START(text) text, sizeof(text) - 1

/* Kinds of tokens, by how they begin. */
static const struct {
	const char *start; /* "?": any byte */
	size_t length;     /* of that */
	size_t min;        /* bytes from there to the end of the word */
	bool dot;          /* one of them is */
} kinds[] = {{START("eyJ"), 20, true},        {START("gh?_"), 20, false},     {START("github_pat_"), 20, false},
			 {START("glpat-"), 20, false},    {START("AKIA"), 20, false},     {START("ASIA"), 20, false},
			 {START("xox?-"), 15, false},     {START("sk_live_"), 16, false}, {START("sk_test_"), 16, false},
			 {START("rk_live_"), 16, false},  {START("whsec_"), 16, false},   {START("AIza"), 35, false},
			 {START("-----BEGIN"), 10, false}};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* The first beginning of a token in a word: any later one is of a shorter token. */
typedef struct token_start {
	size_t behind; /* the number of bytes up to its end; 0: there is no such token */
	bool dot;      /* since */
} token_start;

/* State of reading a value. Each part of it resets itself. */
typedef struct reading {
	const xhprof_secret_rules *rules;
	name_text name; /* since the last byte that ends one */
	login login;
	size_t user;          /* bytes of the user's name */
	char user_bytes[8];   /* its first ones */
	char word[WORD_ROOM]; /* letters, digits, "_", "-" and "."; the byte at place i is at i % WORD_ROOM */
	size_t word_length;
	token_start tokens[KINDS]; /* in the word, by kind */
	bool bearer;               /* before the word */
	unsigned char digits[CARD_MAX];
	int digits_count; /* -1: within a word */
	int before;       /* the byte before, or -1 */
} reading;

static int hex_digit(int c)
{
	return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* Reads the next byte, decoded this many times; -1 at the end. */
static int next_byte(span *text, int level)
{
	if (!level) {
		return text->at < text->end ? (unsigned char)*text->at++ : -1;
	}
	int c = next_byte(text, level - 1);
	if (c != '%') {
		return c == '+' ? ' ' : c;
	}
	span after = *text;
	int high = hex_digit(next_byte(&after, level - 1)), low = high < 0 ? -1 : hex_digit(next_byte(&after, level - 1));
	if (low < 0) {
		return c;
	}
	*text = after;
	return high << 4 | low;
}

/* Returns how many times to decode a text: once if it has no "%", as each further decoding would give the same. */
static int levels_of(span text, int most)
{
	return text.at < text.end && memchr(text.at, '%', (size_t)(text.end - text.at)) ? most : 1;
}

static bool is_lower(int c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_upper(int c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
	return is_lower(c) || is_upper(c);
}

static char to_lower(char c)
{
	return is_upper(c) ? (char)(c + 32) : c;
}

static bool begins_with(const char *text, const char *word, size_t length)
{
	size_t i = 0;
	while (i < length && to_lower(text[i]) == to_lower(word[i])) {
		i++;
	}
	return i == length;
}

/* Returns whether a word begins between two bytes, or ends: "userPin", "user_pin", "pin2". */
static bool words_part(char before, char after)
{
	return !is_letter(before) || !is_letter(after) || (is_lower(before) && is_upper(after));
}

static bool name_contains(const name_text *name, const char *fragment, size_t length, bool word)
{
	for (size_t i = 0; i + length <= name->length; i++) {
		size_t end = i + length;
		if (begins_with(name->bytes + i, fragment, length) &&
			(!word || ((!i || words_part(name->bytes[i - 1], name->bytes[i])) &&
					   (end == name->length || words_part(name->bytes[end - 1], name->bytes[end]))))) {
			return true;
		}
	}
	return false;
}

static bool name_hides(const name_text *name, const xhprof_secret_rules *rules)
{
	if (name->length > NAME_ROOM) {
		return true;
	}
	for (xhprof_word one = xhprof_words_first(rules->fragments); one.length; one = xhprof_words_next(one)) {
		bool whole = one.length > 1 && *one.text == '=';
		if (name_contains(name, one.text + whole, one.length - whole, whole)) {
			return true;
		}
	}
	return false;
}

static void name_add(name_text *name, int c)
{
	if (name->length < NAME_ROOM) {
		name->bytes[name->length] = (char)c;
	}
	name->length++;
}

bool xhprof_secret_name(const char *name, const char *end, const xhprof_secret_rules *rules)
{
	bool hides = false;
	int levels = levels_of((span){name, end}, NAME_LEVELS);
	for (int level = 1; level <= levels && !hides; level++) {
		name_text decoded = {.length = 0};
		span text = {name, end};
		for (int c; decoded.length <= NAME_ROOM && (c = next_byte(&text, level)) >= 0;) {
			name_add(&decoded, c);
		}
		hides = name_hides(&decoded, rules);
	}
	return hides;
}

static bool is_at(span text, int level, const char *word, bool whole_word)
{
	for (; *word; word++) {
		if (next_byte(&text, level) != (unsigned char)*word) {
			return false;
		}
	}
	return !whole_word || next_byte(&text, level) < 0;
}

static bool span_contains(span text, int level, const char *word)
{
	do {
		if (is_at(text, level, word, false)) {
			return true;
		}
	} while (next_byte(&text, level) >= 0);
	return false;
}

bool xhprof_secret_known(const char *value, const char *end, const xhprof_secret_rules *rules)
{
	const char *secret = rules->secret ? rules->secret : "";
	bool found = false;
	for (int level = 0; *secret && level <= LEVELS && !found; level++) {
		span text = {value, end};
		found =
			is_at(text, level, secret, true) || (strlen(secret) >= LONG_SECRET && span_contains(text, level, secret));
	}
	return found;
}

static bool is_word_byte(int c)
{
	return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.';
}

/* Reads a byte of a name: "name=" or "\"name\":". */
static bool read_name(reading *r, int c)
{
	if (c == '=' || (c == ':' && (r->before == '"' || r->before == '\''))) {
		bool hides = name_hides(&r->name, r->rules);
		r->name.length = 0;
		return hides;
	}
	if (!is_word_byte(c) && (c < 0 || strchr("?&;#/, {[", c))) { /* '\0' too */
		r->name.length = 0;
	} else {
		name_add(&r->name, c);
	}
	return false;
}

static bool is_user_byte(int c)
{
	return is_letter(c) || is_digit(c) || c >= 0x80 || (c > 0 && strchr("._-+%~$!*", c));
}

/* Returns whether the text before a colon is a scheme and no user: "mailto:ann@example.org". */
static bool is_scheme(const reading *r)
{
	static const char *const schemes[] = {"mailto", "sip", "sips", "xmpp", "acct"};
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		if (r->user == strlen(schemes[i]) && begins_with(r->user_bytes, schemes[i], r->user)) {
			return true;
		}
	}
	return false;
}

static void read_user(reading *r, int c)
{
	if (is_user_byte(c)) {
		if (r->user < sizeof(r->user_bytes)) {
			r->user_bytes[r->user] = (char)c;
		}
		r->user++;
	} else if (c == ':' && (r->user || r->before == '/')) {
		r->login = is_scheme(r) ? LOGIN_NONE : LOGIN_COLON;
	} else {
		r->login = c == '@' ? LOGIN_NONE : LOGIN_USER;
		r->user = 0;
	}
}

/* Reads a byte of a login: "user:password@", but not "http://", "host:80/" or "Name::of@". */
static bool read_login(reading *r, int c)
{
	if (r->login == LOGIN_USER) {
		read_user(r, c);
	} else if (c < 0 || strchr(" \t\r\n&\"'", c) || (r->login == LOGIN_COLON && c == '/') ||
			   (r->login == LOGIN_PORT && strchr("/?#", c))) {
		r->login = LOGIN_USER;
		r->user = 0;
	} else if (r->login == LOGIN_COLON) {
		r->login = c == ':' || c == '@' ? LOGIN_NONE : is_digit(c) ? LOGIN_PORT : LOGIN_PASSWORD;
	} else if (r->login != LOGIN_NONE) {
		r->login = r->login == LOGIN_PORT && (is_digit(c) || c == '@') ? r->login : LOGIN_PASSWORD;
		return c == '@';
	}
	return false;
}

/* Returns whether the last bytes of the word are these, at its beginning or behind a byte that joins words. */
static bool ends_in(const reading *r, const char *start, size_t length)
{
	if (r->word_length < length) {
		return false;
	}
	size_t first = r->word_length - length;
	for (size_t i = length; i-- > 0;) {
		if (start[i] != '?' && r->word[(first + i) % WORD_ROOM] != start[i]) {
			return false;
		}
	}
	return !first || strchr("-_.", r->word[(first - 1) % WORD_ROOM]);
}

static void add_to_word(reading *r, char c)
{
	r->word[r->word_length++ % WORD_ROOM] = c;
	for (size_t i = 0; i < KINDS; i++) {
		token_start *token = &r->tokens[i];
		token->dot |= c == '.';
		if (!token->behind && ends_in(r, kinds[i].start, kinds[i].length)) {
			*token = (token_start){.behind = r->word_length};
		}
	}
}

static bool has_token(const reading *r)
{
	for (size_t i = 0; i < KINDS; i++) {
		const token_start *token = &r->tokens[i];
		size_t length = r->word_length - token->behind + kinds[i].length;
		if (token->behind && length >= kinds[i].min && (token->dot || !kinds[i].dot)) {
			return true;
		}
	}
	return false;
}

static bool read_word(reading *r, int c)
{
	if (is_word_byte(c)) {
		add_to_word(r, (char)c);
		return false;
	}
	if (!r->word_length) {
		r->bearer &= c == ' ';
		return false;
	}
	bool shows = r->bearer || has_token(r);
	r->bearer = c == ' ' && r->word_length == 6 && begins_with(r->word, "bearer", 6);
	r->word_length = 0;
	memset(r->tokens, 0, sizeof(r->tokens));
	return shows;
}

/* Returns whether digits are the number of a payment card, by Luhn's sum and an issuer's first digit. Those that begin
 * with 2 have 16 digits or more: the 14 of a date and a time, as 20261128101500, are none. */
static bool is_card(const reading *r)
{
	int sum = 0, least = r->digits[0] == 2 ? CARD_MIN_OF_2 : CARD_MIN;
	if (r->digits_count < least || r->digits_count > CARD_MAX || r->digits[0] < 2 || r->digits[0] > 6) {
		return false;
	}
	for (int i = r->digits_count - 1, twice = 0; i >= 0; i--, twice = !twice) {
		int digit = r->digits[i] << twice;
		sum += digit > 9 ? digit - 9 : digit;
	}
	return sum % 10 == 0;
}

/* Reads a byte of a card's number: 13 to 19 digits, with "-" or " " between groups. */
static bool read_card(reading *r, int c)
{
	if (is_digit(c)) {
		if (r->digits_count >= 0 && r->digits_count < CARD_MAX) {
			r->digits[r->digits_count++] = (unsigned char)(c - '0');
		} else {
			r->digits_count = -1;
		}
		return false;
	}
	bool card = !is_letter(c) && is_card(r);
	bool gap = r->digits_count > 0 && (c == ' ' || c == '-') && is_digit(r->before) &&
			   (r->digits_count % 4 == 0 || r->digits_count == 10);
	if (!gap) {
		r->digits_count = is_letter(c) || c == '_' ? -1 : 0;
	}
	return card;
}

bool xhprof_secret_shows(const char *value, const char *end)
{
	reading r = {.before = -1};
	span text = {value, end};
	for (;;) {
		int c = next_byte(&text, 1);
		bool shows = read_word(&r, c);
		shows |= read_card(&r, c);
		if (shows || c < 0) {
			return shows;
		}
		r.before = c;
	}
}

static bool value_hides(span value, int level, const xhprof_secret_rules *rules)
{
	reading r = {.rules = rules, .before = -1};
	for (;;) {
		int c = next_byte(&value, level);
		bool hides = read_name(&r, c);
		hides |= read_login(&r, c);
		hides |= read_word(&r, c);
		hides |= read_card(&r, c);
		if (hides || c < 0) {
			return hides;
		}
		r.before = c;
	}
}

bool xhprof_secret_is_harmless(char c, size_t place)
{
	return place < SHORTEST - 1 && is_word_byte((unsigned char)c);
}

static bool is_short_word(span text)
{
	const char *start = text.at;
	while (text.at < text.end && xhprof_secret_is_harmless(*text.at, (size_t)(text.at - start))) {
		text.at++;
	}
	return text.at == text.end;
}

bool xhprof_secret_value(const char *value, const char *end, const xhprof_secret_rules *rules)
{
	bool hidden = xhprof_secret_known(value, end, rules);
	if (is_short_word((span){value, end})) {
		return hidden;
	}
	int levels = levels_of((span){value, end}, LEVELS);
	for (int level = 1; level <= levels && !hidden; level++) {
		hidden = value_hides((span){value, end}, level, rules);
	}
	return hidden;
}
