#include "help.h"

#include "php_process.h"

#include <stdio.h>

static const char all[] = "Shows what running PHP processes have in memory, and which calls they are in.\n"
						  "\n"
						  "  xhprof-inspect memory -p PID [options]        takes a snapshot of the heap\n"
						  "  xhprof-inspect memory [options] -- COMMAND    runs COMMAND, takes one later\n"
						  "  xhprof-inspect memory --image=FILE [options]  reads a file that image wrote\n"
						  "  xhprof-inspect core FILE [--exe=PHP]          prints the calls in a core file,\n"
						  "                                                writes a snapshot of its heap\n"
						  "  xhprof-inspect trace -p PID [options]         samples the call stack\n"
						  "  xhprof-inspect top -p PID [options]           shows where it is, live\n"
						  "  xhprof-inspect image -p PID -o FILE           copies PHP's memory to a file\n"
						  "  xhprof-inspect threads -p PID                 lists the threads that run PHP\n"
						  "\n"
						  "  xhprof-inspect COMMAND --help                 options of a command\n"
						  "  xhprof-inspect --version\n"
						  "\n";

static const char memory[] = "xhprof-inspect memory: a snapshot of what is in PHP's heap.\n"
							 "\n"
							 "  -p, --pid=PID[,PID]    processes; can be repeated\n"
							 "  -P, --pool=TEXT        all PHP processes with TEXT in their command, such as\n"
							 "                         \"php-fpm: pool www\"\n"
							 "  --thread=NUMBER        of a thread-safe PHP: the thread; \"all\": each. It is\n"
							 "                         needed if several threads run PHP\n"
							 "  -o, --output=FILE      default: standard output. %p and %t in it become the\n"
							 "                         numbers of process and thread; with several they are\n"
							 "                         needed. FILE is created with mode 0600 and only once\n"
							 "                         it is complete\n"
							 "  --image=FILE           instead of a process: a file that image wrote\n"
							 "  --core=FILE            instead of a process: a core file, of gcore or of a\n"
							 "                         process that a signal has ended\n"
							 "  --exe=PHP              the program that the core file is of; default: the\n"
							 "                         file that it names\n"
							 "  -- COMMAND ...         instead of a process: runs COMMAND; needs -o FILE\n"
							 "  --after=SECONDS        with COMMAND: takes it then; default 1\n"
							 "  --format=jsonl         the only one; `xhprof heap export FILE` converts it\n"
							 "                         for Chrome's DevTools and reli\n"
							 "  --max-string=N         bytes of each string that are shown; default 80\n"
							 "  --redact               names and keys only: no contents of strings, no numbers\n"
							 "  --scalars              also numbers, true, false and null\n"
							 "  --max-copy=MB          a larger process is stopped until all is read,\n"
							 "                         others only while their memory is copied.\n"
							 "                         Default: half of what the system has available\n"
							 "  --no-stop              does not stop the process; what changes meanwhile is\n"
							 "                         missing, or shown as it was before\n"
							 "\n"
							 "After a memory_limit error, while the process is in a shutdown function:\n"
							 "  --memory-limit-error-file=FILE, --memory-limit-error-line=LINE\n"
							 "                         finds the calls at that place; error_get_last()\n"
							 "                         has \"file\" and \"line\"\n"
							 "  --memory-limit-error-max-depth=N\n"
							 "                         how many calls must agree; default 512\n"
							 "\n"
							 "A process that is stopped inside its allocator, or by another program, continues\n"
							 "and is stopped again after 1 to 100 ms: up to 25 times in 2 seconds.\n";

static const char trace[] = "xhprof-inspect trace: samples of the call stack, until the process ends or ^C.\n"
							"\n"
							"  -p, --pid=PID[,PID]    processes; can be repeated. Several are added up\n"
							"  -P, --pool=TEXT        all PHP processes that have TEXT in their command now,\n"
							"                         such as \"php-fpm: pool www\"\n"
							"  --core=FILE, --exe=PHP instead of a process: prints the calls in a core file,\n"
							"                         a line for each\n"
							"  --thread=NUMBER        of a thread-safe PHP: only this thread. Otherwise all\n"
							"                         that run PHP are added up, later ones too\n"
							"  -o, --output=FILE      default: standard output. FILE is created with mode\n"
							"                         0600 and only once it is complete\n"
							"  --format=FORMAT        folded: paths with their counts, at the end (default);\n"
							"                         lines: each sample at once, as phpspy prints it\n";

static const char top[] = "xhprof-inspect top: the functions that a process is in, live; if the output\n"
						  "is not a terminal: a table at the end.\n"
						  "\n"
						  "  -p, --pid=PID          the process\n"
						  "  --thread=NUMBER        of a thread-safe PHP: only this thread, not all\n"
						  "  --interval=SECONDS     time between two tables; default 1\n";

static const char sampling[] = "  --rate=N/s             samples per second, at most 1000; default 100\n"
							   "  --for=SECONDS          default: until the process ends\n"
							   "  --depth=N              innermost calls that are shown; default 512\n"
							   "  --stop                 stops the process for each sample: exact paths.\n"
							   "                         Otherwise it runs on. If calls change while they are\n"
							   "                         read, the sample has those that stayed, or is\n"
							   "                         dropped\n";

static const char image[] = "xhprof-inspect image: copies PHP's memory to a file, from which memory --image\n"
							"takes snapshots later, also on another machine with the same PHP.\n"
							"\n"
							"  -p, --pid=PID[,PID]    processes; can be repeated\n"
							"  -P, --pool=TEXT        all PHP processes with TEXT in their command, such as\n"
							"                         \"php-fpm: pool www\"\n"
							"  --thread=NUMBER        of a thread-safe PHP: the thread that snapshots show;\n"
							"                         \"all\": a file for each\n"
							"  -o, --output=FILE      %p and %t in it become the numbers of process and\n"
							"                         thread; with several they are needed. FILE is created\n"
							"                         with mode 0600 and only once it is complete\n"
							"  --max-copy=MB, --no-stop\n"
							"                         see xhprof-inspect memory --help\n";

static const char threads[] = "xhprof-inspect threads: the threads that run PHP, a line for each: process,\n"
							  "thread, idle or busy, script and address of the request. A PHP that is not\n"
							  "thread-safe has one, with the number of the process.\n"
							  "\n"
							  "  -p, --pid=PID[,PID]    processes; can be repeated\n"
							  "  -P, --pool=TEXT        all PHP processes with TEXT in their command\n";

static const char core[] = "xhprof-inspect core FILE: prints the PHP calls in a core file, and writes a\n"
						   "snapshot of its heap. memory --core and trace --core do one of the two. Same as\n"
						   "xhprof-inspect --core FILE --exe PHP\n"
						   "\n"
						   "  FILE, --core=FILE      a core file: of gcore, or of a process that has crashed\n"
						   "                         (ulimit -c unlimited; coredumpctl dump)\n"
						   "  --exe=PHP              the program that has run; default: the file that the\n"
						   "                         core file names. What a core file leaves out, such as\n"
						   "                         code, is read from the program and the libraries, if\n"
						   "                         their first pages are still the same\n"
						   "  -o, --output=FILE      the snapshot; default: the core file's name with\n"
						   "                         .heap.jsonl behind it, in the current folder\n"
						   "  --thread=NUMBER        of a thread-safe PHP: the thread\n"
						   "  --depth=N              innermost calls that are printed; default 512\n"
						   "  --max-string=N, --redact, --scalars\n"
						   "                         see xhprof-inspect memory --help\n";

static const char end[] = "The process must run the PHP version that this program is built for, thread-safe\n"
						  "or not. It runs on, however this program ends. Another user's process needs root\n"
						  "or CAP_SYS_PTRACE.\n"
						  "\n"
						  "Exit codes: 0 done; 1 cannot write, no memory, COMMAND cannot run; 2 wrong\n"
						  "options; 3 no such process; 4 no permission; 5 not PHP; 6 PHP of another ABI;\n"
						  "7 the PHP is thread-safe and this program is built for one that is not, or the\n"
						  "reverse; 8 the process ended meanwhile; 9 it cannot be stopped; 10 its\n"
						  "heap is not the Zend heap (USE_ZEND_ALLOC=0), or damaged; 11 the image or core\n"
						  "file is damaged, or of another program; 12 no calls were found, at the\n"
						  "memory_limit error's place or in the core file. With COMMAND\n"
						  "its own, or 128 and the signal that ended it; with several processes the first\n"
						  "failure's.\n";

static const struct {
	const char *command, *text, *more;
} texts[] = {{"memory", memory, ""}, {"trace", trace, sampling}, {"top", top, sampling},
			 {"image", image, ""},   {"threads", threads, ""},   {"core", core, ""}};

void xhprof_help(const char *command)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		if (strcmp(texts[i].command, command) == 0) {
			printf("%s%s", texts[i].text, texts[i].more);
			return;
		}
	}
	printf("%s%s", all, end);
}

void xhprof_help_version(void)
{
	char build[64];
	uint64_t sizes[4];
	xhprof_php_build(build, sizeof(build), sizes);
	printf("xhprof-inspect " XHPROF_INSPECT_VERSION ", for PHP %s (%s)\n", xhprof_php_own_version(), build);
}
