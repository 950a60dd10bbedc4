#include "run_directory.h"

#include "main/php_open_temporary_file.h"

#include <sys/stat.h>
#include <unistd.h>

const char *xhprof_run_directory(char own[MAXPATHLEN])
{
	const char *directory = XHPROF_G(ini).output_dir;
	if (!directory || !*directory) {
		directory = getenv("XHPROF_OUTPUT_DIR");
	}
	if (directory && *directory) {
		return directory;
	}
	snprintf(own, MAXPATHLEN, "%s/xhprof-%u", php_get_temporary_directory(), (unsigned)geteuid());
	return own;
}

/* Makes the user's own folder. Returns 0; an errno; or -1 if the name is a link, another user's folder, or one that
 * others may write to. */
static int make_own(const char *path)
{
	struct stat info;
	if (mkdir(path, 0700) != 0 && errno != EEXIST) {
		return errno;
	}
	if (lstat(path, &info) != 0) {
		return errno;
	}
	return S_ISDIR(info.st_mode) && info.st_uid == geteuid() && !(info.st_mode & 0022) ? 0 : -1;
}

const char *xhprof_run_directory_expand(const char *named, char *absolute, int *error)
{
	*error = 0;
	if (!expand_filepath_with_mode(named, absolute, NULL, 0, CWD_EXPAND)) {
		*error = ENAMETOOLONG;
		return strerror(ENAMETOOLONG);
	}
	if (php_check_open_basedir_ex(absolute, 0)) {
		return "it is not within open_basedir";
	}
	return NULL;
}

const char *xhprof_run_directory_make(const char *absolute, int *error)
{
	int made = make_own(absolute);
	*error = made > 0 ? made : 0;
	return !made ? NULL : made > 0 ? strerror(made) : "it does not belong to this user, or others may write there";
}

const char *xhprof_run_directory_open(const char *named, bool is_own, char *absolute, int *error)
{
	const char *refusal = xhprof_run_directory_expand(named, absolute, error);
	return refusal || !is_own ? refusal : xhprof_run_directory_make(absolute, error);
}

void xhprof_run_directory_now(char directory[MAXPATHLEN], bool is_own)
{
	char *user = is_own ? strrchr(directory, '-') : NULL;
	unsigned now = (unsigned)geteuid();
	if (user && strtoul(user + 1, NULL, 10) != now) {
		snprintf(user + 1, MAXPATHLEN - (size_t)(user + 1 - directory), "%u", now);
		make_own(directory);
	}
}
