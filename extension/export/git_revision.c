#include "git_revision.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The most bytes of a path; longer ones have no revision, as several paths must fit into a small fiber's stack. */
#define PATH_ROOM 1024

#define PACKED_MAX (1 << 20) /* bytes of packed-refs that are searched */

/* A repository being read, and its owner. */
typedef struct repository {
	uid_t owner; /* of the script */
	bool (*allowed)(const char *path);
} repository;

/* Makes the path "folder/name". False if it does not fit. */
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

/* Returns whether a file or folder may be used: another user may have put it there, and it may lead anywhere. */
static bool is_trusted(const repository *repository, const struct stat *info)
{
	return info->st_uid == repository->owner || info->st_uid == geteuid() || info->st_uid == 0;
}

/* Opens a regular file of a trusted user, which is no link; -1 for any other. */
static int open_file(const repository *repository, const char *path)
{
	struct stat info;
	int fd = repository->allowed(path) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY) : -1;
	if (fd >= 0 && (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || !is_trusted(repository, &info))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Reads the start of a small file, without its trailing newline. */
static bool read_text(const repository *repository, const char *path, char *text, size_t size)
{
	int fd = open_file(repository, path);
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

/* Reads the revision from a line of packed-refs, "REVISION refs/heads/main", if it is of this reference. */
static bool line_has(char *line, const char *reference, char revision[65])
{
	char *space = strchr(line, ' ');
	line[strcspn(line, "\r\n")] = '\0';
	if (!space || strcmp(space + 1, reference) != 0) {
		return false;
	}
	*space = '\0';
	bool found = is_revision(line);
	strcpy(revision, found ? line : "");
	return found;
}

static bool packed_revision(const repository *repository, const char *git_dir, const char *reference, char revision[65])
{
	char path[PATH_ROOM], line[PATH_ROOM], block[PATH_ROOM];
	int fd = join_path(path, git_dir, "packed-refs") ? open_file(repository, path) : -1;
	bool found = false;
	size_t length = 0;
	ssize_t got = 1;
	for (size_t sum = 0; fd >= 0 && !found && sum < PACKED_MAX && got > 0; sum += (size_t)got) {
		got = read(fd, block, sizeof(block));
		for (ssize_t i = 0; i < got && !found; i++) {
			line[length] = block[i];
			length += length + 1 < sizeof(line); /* the end of a longer line is dropped */
			if (block[i] == '\n') {
				line[length] = '\0';
				found = line_has(line, reference, revision);
				length = 0;
			}
		}
	}
	if (fd >= 0) {
		close(fd);
	}
	return found;
}

/* Resolves `target` from a file of `folder`: absolute, or relative to the folder. It must be a folder of a trusted
 * user. */
static bool resolve_folder(const repository *repository, char path[PATH_ROOM], const char *folder, const char *target)
{
	struct stat info;
	bool fits =
		target[0] != '/' ? join_path(path, folder, target) : strlen(target) < PATH_ROOM && (strcpy(path, target), true);
	return fits && repository->allowed(path) && stat(path, &info) == 0 && S_ISDIR(info.st_mode) &&
		   is_trusted(repository, &info);
}

/* Returns whether a folder is git's own: HEAD alone may be a file of any program. */
static bool is_git_dir(const repository *repository, const char *folder)
{
	static const char *const folders[] = {"refs", "objects"};
	char path[PATH_ROOM];
	struct stat info;
	for (size_t i = 0; i < 2; i++) {
		if (!join_path(path, folder, folders[i]) || !repository->allowed(path) || lstat(path, &info) != 0 ||
			!S_ISDIR(info.st_mode) || !is_trusted(repository, &info)) {
			return false;
		}
	}
	return true;
}

/* Finds git's folder with the refs. A linked working tree keeps them in the main one: .git/worktrees/NAME/commondir
 * leads there. */
static bool common_dir(const repository *repository, char common[PATH_ROOM], const char *git_dir)
{
	char path[PATH_ROOM], target[PATH_ROOM];
	if (join_path(path, git_dir, "commondir") && read_text(repository, path, target, sizeof(target))) {
		return resolve_folder(repository, common, git_dir, target) && is_git_dir(repository, common);
	}
	strcpy(common, git_dir);
	return true;
}

static bool head_revision(const repository *repository, const char *git_dir, char revision[65])
{
	char path[PATH_ROOM], common[PATH_ROOM], head[1024], reference[1024];
	if (!join_path(path, git_dir, "HEAD") || !read_text(repository, path, head, sizeof(head))) {
		return false;
	}
	if (strncmp(head, "ref: refs/", 10) == 0) {
		strcpy(reference, head + 5);
		if (strstr(reference, "..") || !common_dir(repository, common, git_dir)) {
			return false;
		}
		if (!join_path(path, common, reference) || !read_text(repository, path, head, sizeof(head))) {
			return packed_revision(repository, common, reference, revision);
		}
	}
	if (!is_revision(head)) {
		return false;
	}
	strcpy(revision, head);
	return true;
}

bool xhprof_git_revision(const char *file, bool (*allowed)(const char *path), char revision[65])
{
	char folder[PATH_ROOM], git_dir[PATH_ROOM], text[PATH_ROOM];
	struct stat info;
	repository repository = {.allowed = allowed};
	char *slash;
	char *real = realpath(file, NULL);
	bool fits = real && strlen(real) < sizeof(folder) && stat(real, &info) == 0;
	strcpy(folder, fits ? real : "");
	free(real);
	repository.owner = fits ? info.st_uid : 0;
	while ((slash = strrchr(folder, '/'))) {
		*slash = '\0';
		if (!join_path(git_dir, folder, ".git") || !allowed(git_dir) || lstat(git_dir, &info) != 0) {
			continue;
		}
		if (!is_trusted(&repository, &info)) {
			return false;
		}
		if (S_ISDIR(info.st_mode)) {
			return head_revision(&repository, git_dir, revision);
		}
		/* "gitdir: PATH" of a linked working tree or a submodule */
		return read_text(&repository, git_dir, text, sizeof(text)) && strncmp(text, "gitdir: ", 8) == 0 &&
			   resolve_folder(&repository, git_dir, folder, text + 8) && head_revision(&repository, git_dir, revision);
	}
	return false;
}
