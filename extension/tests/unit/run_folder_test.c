/* Bounds for the runs of a folder. */
#include "unit.h"

#include "folder/run_folder.h"
#include "trace/clock.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/xhprof-unit-XXXXXX";
static const char state_name[] = ".xhprof-folder.auto";
/* Both may have one name; they are one run then. */
static const char *const kinds[] = {"run", "xhprof"};
enum { FILES = sizeof(kinds) / sizeof(kinds[0]) };

static const char *path_of(const char *name)
{
	static char path[400];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static const char *path_of_run(int number, const char *source, const char *kind)
{
	char name[200];
	snprintf(name, sizeof(name), "%032x.%s.%s", (unsigned)number, source, kind);
	return path_of(name);
}

static void put(const char *path, const char *bytes, size_t length)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || write(fd, bytes, length) != (ssize_t)length) {
		printf("# cannot write %s\n", path);
	}
	close(fd);
}

/* Files of a run that began `number` seconds after the others. */
static void put_run(int number, const char *source)
{
	static const char bytes[100];
	struct timespec times[2] = {{1000000000 + number, 0}, {1000000000 + number, 0}};
	for (size_t i = 0; i < FILES; i++) {
		const char *path = path_of_run(number, source, kinds[i]);
		put(path, bytes, sizeof(bytes));
		utimensat(AT_FDCWD, path, times, 0);
	}
}

static int admit(uint64_t max_runs, uint64_t max_bytes)
{
	int directory = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC); /* as a run's writer has it */
	int error = xhprof_run_folder_admit(directory, "auto", max_runs, max_bytes, 300);
	close(directory);
	return error;
}

static int there(int number, const char *source)
{
	int files = 0;
	for (size_t i = 0; i < FILES; i++) {
		files += access(path_of_run(number, source, kinds[i]), F_OK) == 0;
	}
	return files == FILES ? 1 : files ? -1000000 : 0;
}

static int runs_between(int first, int end)
{
	int runs = 0;
	for (int i = first; i < end; i++) {
		runs += there(i, "auto");
	}
	return runs;
}

static int files_in_folder(void)
{
	int files = 0;
	DIR *directory = opendir(folder);
	for (const struct dirent *entry; (entry = readdir(directory));) {
		files += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
	}
	closedir(directory);
	return files;
}

static void clear(void)
{
	char command[200];
	snprintf(command, sizeof(command), "find '%s' -mindepth 1 -delete", folder);
	CHECK(system(command) == 0);
}

static void oldest_runs_are_deleted_first(void)
{
	int max = 0, wrong = 0;
	for (int i = 0; i < 500; i++) {
		put_run(i, "auto");
		wrong += admit(100, 0) != 0;
		int runs = runs_between(0, i + 1);
		max = runs > max ? runs : max;
		wrong += !there(i, "auto");
	}
	CHECK(wrong == 0 && max == 100);
	int left = runs_between(0, 500);
	CHECK(left >= 90 && left <= 100 && runs_between(500 - left, 500) == left);
	CHECK(files_in_folder() == FILES * left + 1);
	clear();
	for (int i = 0; i < 200; i++) {
		put_run(i, "auto");
		wrong += admit(0, FILES * 1000) != 0;
	}
	left = runs_between(0, 200);
	CHECK(wrong == 0 && left >= 9 && left <= 10 && runs_between(200 - left, 200) == left);
	clear();
	for (int i = 0; i < 5; i++) {
		put_run(i, "auto");
		wrong += admit(1, 1) != 0;
		wrong += runs_between(0, i + 1) != 1 || !there(i, "auto"); /* never the last one */
	}
	CHECK(wrong == 0);
	clear();
	put_run(1, "auto");
	CHECK(admit(0, 0) == 0 && files_in_folder() == FILES);
	clear();
}

static void files_of_others_stay(void)
{
	put_run(1, "mine");
	put_run(1, "autos");
	put_run(1, "auto.x");
	put_run(1, "");
	put(path_of("notes.auto.xhprof"), "x", 1);
	put(path_of("0123456789ABCDEF0123456789ABCDEF.auto.xhprof"), "x", 1);
	put(path_of("0123456789abcdef0123456789abcdef.auto.xhprof.bak"), "x", 1);
	put(path_of("0123456789abcdef0123456789abcdef0.auto.xhprof"), "x", 1);
	put(path_of("0123456789abcdef0123456789abcdef"), "x", 1);
	put(path_of(".0123456789abcdef0123456789abcdef.run.tmp"), "x", 1); /* being written */
	put(path_of(".1123456789abcdef0123456789abcdef.run.tmp"), "x", 1); /* long ago */
	struct timespec times[2] = {{1000000000, 0}, {1000000000, 0}};
	utimensat(AT_FDCWD, path_of(".1123456789abcdef0123456789abcdef.run.tmp"), times, 0);
	int before = files_in_folder();
	for (int i = 10; i < 40; i++) {
		put_run(i, "auto");
		CHECK(admit(10, 0) == 0);
	}
	CHECK(files_in_folder() == before - 1 + FILES * runs_between(0, 40) + 1);
	CHECK(access(path_of(".0123456789abcdef0123456789abcdef.run.tmp"), F_OK) == 0);
	clear();
}

static void pinned_runs_stay(void)
{
	static const char *const labels[] = {"{\"v\":1,\"pinned\":true,\"tags\":[],\"note\":\"\"}\n",
										 "{\"v\":1,\"pinned\":true,\"tags\":[],\"note\":\"\\\"pinned\\\":false\"}\n",
										 "damaged", "", "{\"v\":1,\"pinned\":false,\"tags\":[\"x\"],\"note\":\"\"}\n"};
	int wrong = 0;
	for (int i = 0; i < 5; i++) {
		put_run(i, "auto");
		put(path_of_run(i, "auto", "label.json"), labels[i], strlen(labels[i]));
	}
	put(path_of_run(900, "auto", "label.json"), labels[0], strlen(labels[0])); /* not of a run */
	for (int i = 5; i < 60; i++) {
		put_run(i, "auto");
		wrong += admit(20, 0) != 0;
	}
	CHECK(wrong == 0);
	CHECK(runs_between(0, 4) == 4 && !there(4, "auto"));
	CHECK(access(path_of_run(4, "auto", "label.json"), F_OK) != 0);
	CHECK(runs_between(0, 60) <= 20 && runs_between(0, 60) >= 18);
	CHECK(access(path_of_run(900, "auto", "label.json"), F_OK) == 0);
	/* More are pinned than the bound allows: only the new ones are removed, and not every run counts the folder again. */
	for (int i = 100; i < 400; i++) {
		put_run(i, "auto");
		put(path_of_run(i, "auto", "label.json"), labels[0], strlen(labels[0]));
	}
	unlink(path_of(state_name)); /* these were not admitted one by one */
	for (int i = 400; i < 500; i++) {
		put_run(i, "auto");
		wrong += admit(200, 0) != 0;
	}
	CHECK(wrong == 0 && runs_between(100, 400) == 300 && runs_between(400, 500) <= 5 && there(499, "auto"));
	clear();
}

static void damaged_state_files_are_rebuilt(void)
{
	char state[1000];
	int wrong = 0, fd;
	for (int i = 0; i < 10; i++) {
		put_run(i, "auto");
		wrong += admit(10, 0) != 0;
	}
	fd = open(path_of(state_name), O_RDONLY);
	ssize_t length = read(fd, state, sizeof(state));
	close(fd);
	CHECK(length > 16 && wrong == 0);
	put_run(10, "auto");                   /* each time there are 11 */
	for (ssize_t i = 0; i < length; i++) { /* one byte is wrong */
		state[i] = (char)(state[i] ^ (1 + i % 255));
		put(path_of(state_name), state, (size_t)length);
		state[i] = (char)(state[i] ^ (1 + i % 255));
		wrong += admit(10, 0) != 0;
		wrong += runs_between(0, 11) != 9;
		put_run(0, "auto");
		put_run(1, "auto");
	}
	CHECK(wrong == 0);
	for (size_t i = 0; i < sizeof(state); i += 1 + i / 3) { /* any length */
		put(path_of(state_name), state, i);
		wrong += admit(10, 0) != 0;
		wrong += (i != (size_t)length && runs_between(0, 11) != 9);
		put_run(0, "auto");
		put_run(1, "auto");
	}
	CHECK(wrong == 0);
	clear();
}

static void links_are_not_followed(void)
{
	char outside[] = "/tmp/xhprof-unit-outside-XXXXXX";
	int fd = mkstemp(outside), wrong = 0;
	CHECK(fd >= 0 && write(fd, "precious", 8) == 8);
	close(fd);
	CHECK(symlink(outside, path_of(state_name)) == 0);
	for (int i = 0; i < 30; i++) {
		put_run(i, "auto");
		wrong += admit(10, 0) != 0; /* with a state file of another name */
	}
	CHECK(wrong == 0 && runs_between(0, 30) <= 10);
	char text[20] = "";
	fd = open(outside, O_RDONLY);
	CHECK(read(fd, text, 19) == 8 && !strcmp(text, "precious"));
	close(fd);
	clear();
	/* Of a link in the folder only the link is removed. Its label may be a link too: then it may be pinned. */
	put_run(0, "auto");
	put_run(1, "auto");
	unlink(path_of_run(0, "auto", "xhprof"));
	CHECK(symlink(outside, path_of_run(0, "auto", "xhprof")) == 0);
	CHECK(symlink(outside, path_of_run(1, "auto", "label.json")) == 0);
	struct timespec old[2] = {{1000000000, 0}, {1000000000, 0}};
	utimensat(AT_FDCWD, path_of_run(0, "auto", "xhprof"), old, AT_SYMLINK_NOFOLLOW);
	put_run(2, "auto");
	put_run(3, "auto");
	CHECK(admit(2, 0) == 0);
	CHECK(!there(0, "auto") && there(1, "auto") && !there(2, "auto") && there(3, "auto"));
	CHECK(access(outside, F_OK) == 0);
	/* A pipe in the state file's place blocks no process. */
	clear();
	CHECK(mkfifo(path_of(state_name), 0600) == 0);
	put_run(1, "auto");
	CHECK(admit(2, 0) == 0);
	unlink(outside);
	clear();
}

static void locked_folder_is_not_waited_for(void)
{
	put_run(1, "auto");
	CHECK(admit(10, 0) == 0);
	int fd = open(path_of(state_name), O_RDWR);
	CHECK(flock(fd, LOCK_EX) == 0);
	CHECK(admit(10, 0) == EAGAIN);
	close(fd);
	CHECK(admit(10, 0) == 0);
	CHECK(xhprof_run_folder_admit(-1, "auto", 10, 0, 1) == EBADF);
	unlink(path_of(state_name));
	unit_mmaps = 0;
	CHECK(admit(10, 0) == ENOMEM);
	unit_mmaps = -1;
	CHECK(admit(10, 0) == 0);
	clear();
}

/* Several processes write and enforce bounds at once, and another one deletes at random. */
static void concurrent_processes_keep_the_bound(void)
{
	enum { PROCESSES = 6, EACH = 400, MAX_RUNS = 100 };
	pid_t children[PROCESSES + 1];
	int failed = 0, status;
	for (int i = 0; i <= PROCESSES; i++) {
		children[i] = fork();
		if (!children[i]) {
			int wrong = 0;
			for (int j = 0; j < EACH; j++) {
				int number = i * EACH + j;
				if (i == PROCESSES) {
					unlink(path_of_run((number * 7919) % (PROCESSES * EACH), "auto", kinds[j % FILES]));
					continue;
				}
				put_run(number, "auto");
				int error = admit(MAX_RUNS, 0);
				wrong += error != 0 && error != EAGAIN;
			}
			_exit(wrong > 255 ? 255 : wrong);
		}
	}
	for (int i = 0; i <= PROCESSES; i++) {
		failed += waitpid(children[i], &status, 0) != children[i] || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
	}
	CHECK(failed == 0);
	put_run(PROCESSES * EACH, "auto");
	unlink(path_of(state_name)); /* runs not counted while another process counted are found at the next count */
	CHECK(admit(MAX_RUNS, 0) == 0);
	CHECK(files_in_folder() <= FILES * MAX_RUNS + 1);
	clear();
}

static void cost_of_admission_is_printed(void)
{
	enum { RUNS = 4000 };
	uint64_t usual = 0, prune = 0;
	int wrong = 0;
	for (int i = 0; i < RUNS; i++) {
		put_run(i, "auto");
	}
	uint64_t start = xhprof_clock_monotonic_ns();
	wrong += admit(RUNS, 0) != 0;
	uint64_t count = xhprof_clock_monotonic_ns() - start;
	unlink(path_of_run(0, "auto", "xhprof")); /* the run has its other file still */
	for (int i = 0; i < 100; i++) {
		start = xhprof_clock_monotonic_ns();
		wrong += admit(RUNS + 200, 0) != 0;
		usual += xhprof_clock_monotonic_ns() - start;
	}
	start = xhprof_clock_monotonic_ns();
	put(path_of(state_name), "", 0);
	wrong += admit(RUNS - 100, 0) != 0;
	prune = xhprof_clock_monotonic_ns() - start;
	CHECK(wrong == 0);
	printf("# of %d runs: usually %.1f us, first count %.1f ms, count that deletes a tenth %.1f ms\n", RUNS,
		   (double)usual / 1e5, (double)count / 1e6, (double)prune / 1e6);
	CHECK(files_in_folder() == FILES * (RUNS - 100 - (RUNS - 100) / 10) + 1);
	clear();
}

/* Another user's runs, dated to the future: this user's stay, and only they are counted. */
static void runs_of_other_users_do_not_count(void)
{
	if (geteuid() != 0) {
		return;
	}
	for (int i = 0; i < 10; i++) {
		put_run(i, "auto");
	}
	for (int i = 100; i < 120; i++) {
		put_run(i, "auto");
		for (size_t kind = 0; kind < FILES; kind++) {
			CHECK(chown(path_of_run(i, "auto", kinds[kind]), 65534, 65534) == 0);
		}
	}
	CHECK(admit(10, 0) == 0);
	CHECK(runs_between(0, 10) == 10 && runs_between(100, 120) == 20);
	put_run(10, "auto");
	CHECK(admit(10, 0) == 0);
	CHECK(runs_between(0, 11) < 11 && there(10, "auto") && runs_between(100, 120) == 20);
	/* In a setgid folder all files of its group are counted. */
	CHECK(chown(folder, 0, 65534) == 0 && chmod(folder, 02770) == 0);
	unlink(path_of(state_name));
	CHECK(admit(10, 0) == 0);
	CHECK(runs_between(0, 120) <= 10);
	CHECK(chmod(folder, 0700) == 0 && chown(folder, 0, 0) == 0);
	clear();
}

enum { BY_FOLDER, BY_LINK, BY_HARD_LINK, BY_PIPE, BY_SOCKET, BY_USER, TAKEN_WAYS };

static void take(int way, const char *name, const char *outside)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const char *path = path_of(name);
	int fd;
	switch (way) {
		case BY_FOLDER:
			CHECK(mkdir(path, 0755) == 0);
			break;
		case BY_LINK:
			CHECK(symlink(outside, path) == 0);
			break;
		case BY_HARD_LINK:
			CHECK(link(outside, path) == 0);
			break;
		case BY_PIPE:
			CHECK(mkfifo(path, 0600) == 0);
			break;
		case BY_SOCKET:
			snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
			fd = socket(AF_UNIX, SOCK_STREAM, 0);
			CHECK(bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
			close(fd);
			break;
		default:
			put(path, "", 0);
			CHECK(geteuid() != 0 || chown(path, 65534, 65534) == 0);
	}
}

/* Whatever has the names of the files with the counts: the bounds hold, after each run. */
static void others_take_the_names_of_the_counts(void)
{
	char outside[] = "/tmp/xhprof-unit-outside-XXXXXX", second[60];
	int wrong = 0;
	close(mkstemp(outside));
	snprintf(second, sizeof(second), "%s.%u", state_name, (unsigned)geteuid());
	for (int way = 0; way < TAKEN_WAYS * TAKEN_WAYS; way++) {
		take(way / TAKEN_WAYS, state_name, outside);
		take(way % TAKEN_WAYS, second, outside);
		for (int i = 0; i < 15; i++) {
			put_run(i, "auto");
			wrong += admit(5, 0) != 0 || runs_between(0, i + 1) > 5 || !there(i, "auto");
		}
		put_run(0, "auto");
		wrong += admit(0, FILES * 300) != 0 || runs_between(0, 15) > 3;
		rmdir(path_of(state_name));
		rmdir(path_of(second));
		clear();
	}
	CHECK(wrong == 0);
	/* Several processes at once delete no more than each of them would. */
	take(BY_FOLDER, state_name, outside);
	take(BY_FOLDER, second, outside);
	enum { PROCESSES = 4, EACH = 100, MAX_RUNS = 50 };
	pid_t children[PROCESSES];
	int status;
	for (int i = 0; i < PROCESSES; i++) {
		children[i] = fork();
		if (!children[i]) {
			for (int j = 0; j < EACH; j++) {
				put_run(i * EACH + j, "auto");
				wrong += admit(MAX_RUNS, 0) != 0;
			}
			_exit(wrong > 255 ? 255 : wrong);
		}
	}
	for (int i = 0; i < PROCESSES; i++) {
		wrong += waitpid(children[i], &status, 0) != children[i] || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
	}
	CHECK(wrong == 0);
	CHECK(admit(MAX_RUNS, 0) == 0 && files_in_folder() - 2 <= FILES * MAX_RUNS);
	CHECK(files_in_folder() - 2 >= FILES * (MAX_RUNS - MAX_RUNS / 10));
	/* Nor may others make each request read what they have put there. */
	char name[40];
	for (int i = 0; i < 65536; i++) {
		snprintf(name, sizeof(name), "other%d", i);
		close(open(path_of(name), O_WRONLY | O_CREAT, 0600));
	}
	CHECK(admit(MAX_RUNS, 0) == EFBIG);
	rmdir(path_of(state_name));
	CHECK(admit(MAX_RUNS, 0) == 0);
	rmdir(path_of(second));
	unlink(outside);
	clear();
}

static void runs_dated_to_the_future_are_not_the_newest(void)
{
	struct timespec times[2] = {{0, 0}, {0, 0}};
	times[0].tv_sec = times[1].tv_sec = time(NULL) + 365 * 86400;
	for (int i = 0; i < 12; i++) {
		put_run(i, "auto");
		for (size_t kind = 0; i >= 6 && kind < FILES; kind++) {
			utimensat(AT_FDCWD, path_of_run(i, "auto", kinds[kind]), times, 0);
		}
	}
	CHECK(admit(7, 0) == 0);
	CHECK(runs_between(0, 6) == 6);
	clear();
}

int main(void)
{
	CHECK(mkdtemp(folder) != NULL);
	oldest_runs_are_deleted_first();
	files_of_others_stay();
	pinned_runs_stay();
	damaged_state_files_are_rebuilt();
	links_are_not_followed();
	locked_folder_is_not_waited_for();
	concurrent_processes_keep_the_bound();
	cost_of_admission_is_printed();
	runs_of_other_users_do_not_count();
	runs_dated_to_the_future_are_not_the_newest();
	others_take_the_names_of_the_counts();
	CHECK(rmdir(folder) == 0);
	return unit_end();
}
