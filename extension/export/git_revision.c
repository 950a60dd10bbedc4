#include "git_revision.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Longer paths have no revision: several of them must fit into a small fiber's stack. */
#define PATH_ROOM 1024

/* "folder/name"; false when it does not fit. */
static bool join_path(char path[PATH_ROOM], const char *folder, const char *name)
{
	size_t length = strlen(folder), more = strlen(name);
	if (length + 1 + more >= PATH_ROOM) {
		return false;
	}
	memmove(path, folder, length);
	path[length] = '/';
	memcpy(path + length + 1, name, more + 1);
	return true;
}

/* The start of a small file, without its trailing newline. */
static bool read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		return false;
	}
	ssize_t length = read(fd, text, size - 1);
	close(fd);
	if (length <= 0) {
		return false;
	}
	text[length] = '\0';
	text[strcspn(text, "\r\n")] = '\0';
	return true;
}

static bool is_revision(const char *text)
{
	size_t length = strspn(text, "0123456789abcdef");
	return text[length] == '\0' && (length == 40 || length == 64);
}

/* packed-refs has lines "REVISION refs/heads/main". */
static bool packed_revision(const char *git_dir, const char *reference, char revision[65])
{
	char path[PATH_ROOM], line[1024];
	int fd = join_path(path, git_dir, "packed-refs") ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	bool found = false;
	while (file && !found && fgets(line, sizeof(line), file)) {
		char *space = strchr(line, ' ');
		line[strcspn(line, "\r\n")] = '\0';
		if (space && strcmp(space + 1, reference) == 0) {
			*space = '\0';
			found = is_revision(line);
			strcpy(revision, found ? line : "");
		}
	}
	if (file) {
		fclose(file);
	}
	return found;
}

/* `target` as it stands in a file of `folder`: absolute, or relative to the folder. */
static bool resolve(char path[PATH_ROOM], const char *folder, const char *target)
{
	return target[0] == '/' ? (strcpy(path, target), true) : join_path(path, folder, target);
}

/* A linked working tree keeps its refs in the main one: .git/worktrees/NAME/commondir leads there. */
static bool common_dir(char common[PATH_ROOM], const char *git_dir)
{
	char path[PATH_ROOM], target[PATH_ROOM];
	if (join_path(path, git_dir, "commondir") && read_text(path, target, sizeof(target))) {
		return resolve(common, git_dir, target);
	}
	strcpy(common, git_dir);
	return true;
}

static bool head_revision(const char *git_dir, char revision[65])
{
	char path[PATH_ROOM], common[PATH_ROOM], head[1024], reference[1024];
	if (!join_path(path, git_dir, "HEAD") || !read_text(path, head, sizeof(head))) {
		return false;
	}
	if (strncmp(head, "ref: ", 5) == 0) {
		strcpy(reference, head + 5);
		if (strstr(reference, "..") || !common_dir(common, git_dir)) {
			return false;
		}
		if (!join_path(path, common, reference) || !read_text(path, head, sizeof(head))) {
			return packed_revision(common, reference, revision);
		}
	}
	if (!is_revision(head)) {
		return false;
	}
	strcpy(revision, head);
	return true;
}

bool xhprof_git_revision(const char *file, char revision[65])
{
	char folder[PATH_ROOM], git_dir[PATH_ROOM], text[PATH_ROOM];
	struct stat info;
	char *slash;
	char *real = realpath(file, NULL);
	bool fits = real && strlen(real) < sizeof(folder);
	strcpy(folder, fits ? real : "");
	free(real);
	while ((slash = strrchr(folder, '/'))) {
		*slash = '\0';
		if (!join_path(git_dir, folder, ".git") || stat(git_dir, &info) != 0) {
			continue;
		}
		if (S_ISDIR(info.st_mode)) {
			return head_revision(git_dir, revision);
		}
		/* "gitdir: PATH" of a linked working tree or a submodule */
		return read_text(git_dir, text, sizeof(text)) && strncmp(text, "gitdir: ", 8) == 0 &&
			   resolve(git_dir, folder, text + 8) && head_revision(git_dir, revision);
	}
	return false;
}
