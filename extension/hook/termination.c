#include "termination.h"

#include "base/process.h"
#include "trace/clock.h"

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

#define COUNT XHPROF_TERMINATION_SIGNALS

typedef struct xhprof_termination termination;

/* The states of arming. A sampled request of a server has nothing to lose before its first sample: so the sampler's
 * thread arms, at its first look, and most requests end before that. The states pass from one thread to the other;
 * neither waits for long. */
enum { NOT_AWAITED, AWAITED, ARMING };

/* The time within which a second signal is the same one: a signal for the whole process group comes twice if a program
 * above passes it on, as `timeout` and bin/xhprof do. */
#define SAME_NS UINT64_C(300000000)

/* The time within which a profile has to be saved, or is lost: neither a safe place nor a system call was reached.
 * Until then the program is checked repeatedly, as it may have begun to wait just after the signal. */
#define PATIENCE_NS UINT64_C(1000000000)
#define LOOK_AGAIN_NS 20000000

/* The time that saving may take in a server. PHP-FPM repeats its SIGTERM as long as the worker exists: it must neither
 * cut the saving short nor wait for it forever. */
#define SAVING_NS UINT64_C(5000000000)
#define LATE_CHECK_S 1

/* The size of the handler's stack; it may run while a fiber with a small stack runs. */
#define STACK_SIZE ((size_t)128 * 1024)

static const struct {
	int number;
	const char *name;
} signals[COUNT] = {{SIGTERM, "SIGTERM"}, {SIGINT, "SIGINT"}, {SIGHUP, "SIGHUP"}};

/* The interrupt function of before; written in MINIT. */
static void (*previous_interrupt)(zend_execute_data *call);
static void (*save_profile)(const char *signal, bool at_rest); /* NULL: too late for hooks */

static bool in_main_thread(void)
{
	return syscall(SYS_gettid) == getpid(); /* true in a forked child too, whichever thread forked */
}

static void set_handler(int number, void (*handler)(int))
{
	struct sigaction action;
	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	action.sa_flags = handler == SIG_DFL ? 0 : SA_RESTART | SA_ONSTACK;
	sigaction(number, &action, NULL);
}

/* Ends the process by the signal, as if it had not been handled. */
static void die_by_signal(int number)
{
	sigset_t set;
	set_handler(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), number);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

/* Returns whether the signal has interrupted a waiting system call: then the instruction before the next one is the
 * call, and it has failed with EINTR; the rest of this thread is in the state of the call. */
static bool program_waits(const void *context)
{
#if defined(__x86_64__)
	const ucontext_t *user = context;
	const unsigned char *next = (const unsigned char *)user->uc_mcontext.gregs[REG_RIP];
	return user->uc_mcontext.gregs[REG_RAX] == -EINTR && next[-2] == 0x0F && next[-1] == 0x05;
#elif defined(__aarch64__)
	const ucontext_t *user = context;
	const uint32_t *next = (const uint32_t *)user->uc_mcontext.pc;
	return (int64_t)user->uc_mcontext.regs[0] == -EINTR && next[-1] == 0xD4000001u;
#else
	return false;
#endif
}

/* Repeats the signal, for this thread; glibc's function for it would allocate. */
static bool repeat_signal(int number)
{
	struct sigevent event;
	int timer;
	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_signo = number;
	event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	struct itimerspec when = {{0, LOOK_AGAIN_NS}, {0, LOOK_AGAIN_NS}};
	if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) != 0) {
		return false;
	}
	XHPROF_G(termination).timer = timer;
	return syscall(SYS_timer_settime, timer, 0, &when, NULL) == 0;
}

static bool in_server(void)
{
	return strcmp(sapi_module.name, "cli") != 0;
}

/* Handles a signal that comes while the profile is saved. */
static void on_late(int number)
{
	int error = errno;
	if (in_main_thread() && xhprof_clock_monotonic_ns() > XHPROF_G(termination).deadline_ns) {
		die_by_signal(number);
	}
	errno = error;
}

/* Saves the profile and ends the process. From here on another signal ends it, however long the saving takes, unless it
 * is the same; in a server it does so if the saving takes too long. */
static void save_and_die(bool at_rest)
{
	int number = XHPROF_G(termination).pending;
	sigset_t set;
	XHPROF_G(termination).saving = true;
	if (in_server()) {
		struct itimerspec when = {{LATE_CHECK_S, 0}, {LATE_CHECK_S, 0}};
		XHPROF_G(termination).deadline_ns = xhprof_clock_monotonic_ns() + SAVING_NS;
		syscall(SYS_timer_settime, XHPROF_G(termination).timer, 0, &when, NULL);
	} else {
		syscall(SYS_timer_delete, XHPROF_G(termination).timer);
		XHPROF_G(termination).deadline_ns = XHPROF_G(termination).first_ns + SAME_NS;
	}
	for (size_t i = 0; i < COUNT; i++) {
		if (XHPROF_G(termination).armed[i]) {
			set_handler(signals[i].number, on_late);
		}
	}
	sigemptyset(&set);
	sigaddset(&set, number);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	for (size_t i = 0; i < COUNT; i++) {
		if (signals[i].number == number) {
			save_profile(signals[i].name, at_rest);
		}
	}
	die_by_signal(number);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	int error = errno;
	if (!in_main_thread()) { /* where PHP runs; a system's threads may have received it */
		syscall(SYS_tgkill, getpid(), getpid(), number);
		errno = error;
		return;
	}
	if (XHPROF_G(termination).saving) { /* it came while the sampler's thread armed */
		on_late(number);
		return;
	}
	uint64_t now = xhprof_clock_monotonic_ns();
	bool first = !XHPROF_G(termination).pending || XHPROF_G(termination).pid != getpid();
	if (first) {
		XHPROF_G(termination).pid = getpid();
		XHPROF_G(termination).pending = number;
		XHPROF_G(termination).first_ns = now;
		XHPROF_G(termination).deadline_ns = now + PATIENCE_NS;
		first = repeat_signal(number);
	} else if (info->si_code == SI_TIMER || in_server() || now - XHPROF_G(termination).first_ns < SAME_NS) {
		first = now < XHPROF_G(termination).deadline_ns;
	}
	if (!first) { /* a second one, or too late */
		die_by_signal(number);
	} else if (!XHPROF_G(termination).held && program_waits(context)) {
		save_and_die(true);
	}
	zend_atomic_bool_store(&EG(vm_interrupt), true);
	errno = error;
}

bool xhprof_termination_is_pending(void)
{
	return XHPROF_G(termination).pending && XHPROF_G(termination).pid == getpid();
}

static void termination_interrupt(zend_execute_data *call)
{
	if (xhprof_termination_is_pending() && !XHPROF_G(termination).held) {
		save_and_die(false);
	}
	if (previous_interrupt) {
		previous_interrupt(call);
	}
}

void xhprof_termination_minit(void (*save)(const char *signal, bool at_rest))
{
	save_profile = save;
	previous_interrupt = zend_interrupt_function;
	zend_interrupt_function = termination_interrupt;
}

static void clear_signal_stack(void)
{
	stack_t there;
	if (XHPROF_G(termination).stack && sigaltstack(NULL, &there) == 0 && there.ss_sp == XHPROF_G(termination).stack) {
		there.ss_flags = SS_DISABLE;
		sigaltstack(&there, NULL);
	}
}

void xhprof_termination_mshutdown(void)
{
	if (zend_interrupt_function == termination_interrupt) {
		zend_interrupt_function = previous_interrupt;
	}
	clear_signal_stack();
	xhprof_pages_unmap(XHPROF_G(termination).stack, STACK_SIZE);
	XHPROF_G(termination).stack = NULL;
	save_profile = NULL;
}

/* Returns whether the signal has its default action. If the engine defers signals its own handler is set for all of
 * them, and knows the program's choice. */
static bool has_default_action(termination *state, int number, const struct sigaction *action)
{
	if (!(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL) {
		return true;
	}
#ifdef ZEND_SIGNALS
	if (!(action->sa_flags & SA_SIGINFO) || state->wanted[number - 1].handler != (void *)SIG_DFL) {
		return false;
	}
	if (!state->engine_handler) {
		Dl_info engine, handler;
		bool known = dladdr((void *)zend_sigaction, &engine) && dladdr((void *)action->sa_sigaction, &handler);
		state->engine_handler = known && engine.dli_fbase == handler.dli_fbase ? (void *)action->sa_sigaction : NULL;
	}
	return state->engine_handler == (void *)action->sa_sigaction;
#else
	return false;
#endif
}

/* Sets a signal stack, unless the program or this extension has set one before. */
static void set_signal_stack(void)
{
	stack_t there;
	if (XHPROF_G(termination).stack) {
		return;
	}
	if (sigaltstack(NULL, &there) != 0 || !(there.ss_flags & SS_DISABLE)) {
		return;
	}
	XHPROF_G(termination).stack = xhprof_pages_map(STACK_SIZE);
	if (XHPROF_G(termination).stack) {
		stack_t ours = {.ss_sp = XHPROF_G(termination).stack, .ss_size = STACK_SIZE};
		sigaltstack(&ours, NULL);
	}
}

/* Returns whether this server's signals are handled. The workers of others are threads, or have handlers of their
 * own. */
static bool is_handled_here(void)
{
	return !strcmp(sapi_module.name, "cli") || !strcmp(sapi_module.name, "fpm-fcgi") ||
		   !strcmp(sapi_module.name, "cgi-fcgi");
}

static bool is_ours(const struct sigaction *action)
{
	return action->sa_flags & SA_SIGINFO && action->sa_sigaction == on_signal;
}

/* Returns whether our handler is set. The program may have replaced it since, and removed that again. */
static bool is_armed(size_t i)
{
	struct sigaction now;
	return XHPROF_G(termination).armed[i] && sigaction(signals[i].number, NULL, &now) == 0 && is_ours(&now);
}

/* Puts our handler there if the signal has its default action. Usually it had that at the last request too: then it is
 * put there first and looked at afterwards, which takes one system call, not two. Programs of the command line change
 * handlers as they run: one of theirs is never out of its place, however shortly. */
static void arm_signal(termination *state, size_t i, const struct sigaction *ours)
{
	struct sigaction *before = &state->before[i], now;
	bool *usual = &state->usual[i];
	bool at_once = *usual && !state->armed[i] && in_server();
	if (sigaction(signals[i].number, at_once ? ours : NULL, before) != 0) {
		return;
	}
	*usual = has_default_action(state, signals[i].number, before);
	if (*usual != at_once && sigaction(signals[i].number, *usual ? ours : before, &now) == 0 && at_once &&
		!is_ours(&now)) {
		sigaction(signals[i].number, &now, NULL); /* the program has set another one since */
	}
	state->armed[i] |= *usual;
}

static struct sigaction our_action(void)
{
	struct sigaction ours;
	memset(&ours, 0, sizeof(ours));
	ours.sa_flags = SA_SIGINFO | SA_ONSTACK; /* without SA_RESTART: as if it were to end the process */
	ours.sa_sigaction = on_signal;
	sigemptyset(&ours.sa_mask);
	for (size_t i = 0; i < COUNT; i++) {
		sigaddset(&ours.sa_mask, signals[i].number);
	}
	return ours;
}

/* Stops the arming by the sampler's thread: from here on it does not arm, and what it has armed is known. */
static void stop_awaiting(termination *state)
{
	int awaited = AWAITED;
	if (!__atomic_load_n(&state->awaited, __ATOMIC_ACQUIRE) ||
		__atomic_compare_exchange_n(&state->awaited, &awaited, NOT_AWAITED, false, __ATOMIC_ACQ_REL,
									__ATOMIC_ACQUIRE)) {
		return;
	}
	while (__atomic_load_n(&state->awaited, __ATOMIC_ACQUIRE) == ARMING && state->arming == xhprof_process_id()) {
		sched_yield();
	}
	__atomic_store_n(&state->awaited, NOT_AWAITED, __ATOMIC_RELEASE); /* the thread was the parent's */
}

void xhprof_termination_arm(void)
{
	bool armed = true;
	pid_t process = xhprof_process_id();
	termination *state = &XHPROF_G(termination);
	stop_awaiting(state);
	for (size_t i = 0; i < COUNT; i++) {
		armed = armed && is_armed(i);
	}
	/* The system lets the first process of a container live on if it has no handler. */
	if (armed || !save_profile || !is_handled_here() || process == 1) {
		return;
	}
	if (state->main_of != process) {
		if (!in_main_thread()) {
			return;
		}
		state->main_of = process;
	}
	const struct sigaction ours = our_action();
#ifdef ZEND_SIGNALS
	state->wanted = SIGG(handlers);
#endif
	set_signal_stack();
	for (size_t i = 0; i < COUNT; i++) {
		if (!is_armed(i)) {
			arm_signal(state, i, &ours);
		}
	}
}

void xhprof_termination_await(void)
{
	termination *state = &XHPROF_G(termination);
	bool known = save_profile && state->main_of == xhprof_process_id() && in_server();
	for (size_t i = 0; i < COUNT && known; i++) {
		known = state->usual[i] && !state->armed[i];
	}
	if (known) { /* all of it is as it was at an earlier request, but what the program may have set */
		__atomic_store_n(&state->awaited, AWAITED, __ATOMIC_RELEASE);
	} else {
		xhprof_termination_arm();
	}
}

void xhprof_termination_look(void *context)
{
	termination *state = context;
	int awaited = AWAITED;
	if (__atomic_load_n(&state->awaited, __ATOMIC_ACQUIRE) != AWAITED) {
		return;
	}
	state->arming = xhprof_process_id();
	if (__atomic_compare_exchange_n(&state->awaited, &awaited, ARMING, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
		const struct sigaction ours = our_action();
		for (size_t i = 0; i < COUNT; i++) {
			arm_signal(state, i, &ours);
		}
		__atomic_store_n(&state->awaited, NOT_AWAITED, __ATOMIC_RELEASE);
	}
}

void xhprof_termination_release(void)
{
	stop_awaiting(&XHPROF_G(termination));
	for (size_t i = 0; i < COUNT; i++) {
		struct sigaction now;
		if (XHPROF_G(termination).armed[i]) {
			/* A handler that the program has set since stays, or is put back. */
			if ((in_server() || is_armed(i)) &&
				sigaction(signals[i].number, &XHPROF_G(termination).before[i], &now) == 0 && !is_ours(&now)) {
				sigaction(signals[i].number, &now, NULL);
			}
			XHPROF_G(termination).armed[i] = false;
		}
	}
	if (xhprof_termination_is_pending()) {
		die_by_signal(XHPROF_G(termination).pending);
	}
}

void xhprof_termination_hold(void)
{
	XHPROF_G(termination).held++;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

void xhprof_termination_reset(void)
{
	XHPROF_G(termination).held = 0;
}

void xhprof_termination_let_go(void)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	XHPROF_G(termination).held--;
	if (xhprof_termination_is_pending()) {
		zend_atomic_bool_store(&EG(vm_interrupt), true);
	}
}
