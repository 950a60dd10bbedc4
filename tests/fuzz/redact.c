/* Reads lines "url TAB hex", "argv TAB hex[,hex...]" or "route TAB hex" and writes for each the text that the extension saves,
 * as hex. Tests of tests/fuzz compare it with the library's. */
#include "base/redact.h"
#include "base/route.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 17000
#define ARGUMENTS 64

/* The bytes of a hexadecimal text, in a block of exactly their length: reads past its end are detected. */
static char *decoded(const char *hex)
{
	size_t length = strlen(hex) / 2;
	char *bytes = malloc(length + 1);
	unsigned byte;
	for (size_t i = 0; i < length; i++) {
		sscanf(hex + 2 * i, "%2x", &byte);
		bytes[i] = (char)byte;
	}
	bytes[length] = '\0';
	return bytes;
}

static size_t answer(const char *kind, char *given, char *to, const xhprof_secret_rules *rules)
{
	char *argv[ARGUMENTS];
	int argc = 0;
	size_t length;
	if (strcmp(kind, "argv")) {
		char *text = decoded(given);
		length = strcmp(kind, "url") ? xhprof_route_of_url(to, "GET", text) : xhprof_redact_url(to, 16385, text, rules);
		free(text);
		return length;
	}
	for (char *each = strtok(given, ","); each && argc < ARGUMENTS; each = strtok(NULL, ",")) {
		argv[argc++] = decoded(each);
	}
	length = xhprof_redact_command(to, 16385, argc, argv, rules);
	while (argc > 0) {
		free(argv[--argc]);
	}
	return length;
}

int main(int argc, char **argv)
{
	const xhprof_secret_rules rules = {argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : ""};
	char *line = NULL, to[ROOM];
	size_t room = 0;
	ssize_t length;
	while ((length = getline(&line, &room, stdin)) > 0) {
		line[length - 1] = '\0';
		char *given = strchr(line, '\t');
		*given++ = '\0';
		size_t bytes = answer(line, given, to, &rules);
		for (size_t i = 0; i < bytes; i++) {
			printf("%02x", (unsigned char)to[i]);
		}
		printf("\n");
	}
	free(line);
	return 0;
}
