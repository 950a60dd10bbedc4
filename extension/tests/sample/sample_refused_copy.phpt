--TEST--
Sampling where process_vm_readv() is forbidden, as in some containers: calls by generators and fibers are their own all the same
--SKIPIF--
<?php
require __DIR__ . '/../needs.inc';
xhprof_test_needs('sampling');
if (PHP_OS_FAMILY !== 'Linux' || !in_array(php_uname('m'), ['x86_64', 'aarch64'], true)) {
    die('skip does not know the number of the system call here');
}
// Nothing has so high a number.
$range = FFI::cdef('long syscall(long number, unsigned int first, unsigned int last, unsigned int flags);')->syscall(436, 1 << 30, ~0 & 0xFFFFFFFF, 2);
if ($range !== 0) {
    die('skip the kernel has no close_range(), so the sampling thread opens no file');
}
?>
--EXTENSIONS--
ffi
--INI--
ffi.enable=1
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function resumes(): Generator
{
    for ($i = 0; $i < 3; $i++) {
        hash_pbkdf2('sha256', 'x', 'y', 60_000);
        yield $i;
    }
}

function starts(): void
{
    $fiber = new Fiber(static function (): void {
        hash_pbkdf2('sha256', 'x', 'y', 60_000);
        Fiber::suspend();
        hash_pbkdf2('sha256', 'x', 'y', 60_000);
    });
    $fiber->start();
    $fiber->resume();
}

$libc = FFI::cdef('struct rule { unsigned short code; unsigned char match, other; unsigned int value; };
    struct filter { unsigned short length; struct rule *rules; };
    struct vector { void *at; size_t size; };
    int prctl(int option, unsigned long a, struct filter *b, unsigned long c, unsigned long d);
    int getpid(void);
    long process_vm_readv(int pid, struct vector *here, unsigned long heres, struct vector *there, unsigned long theres, unsigned long flags);');
// A filter of system calls, if there can be one: the number of this one gives EPERM, others are allowed.
$rules = $libc->new('struct rule[4]');
foreach ([[0x20, 0, 0, 0], [0x15, 0, 1, php_uname('m') === 'x86_64' ? 310 : 270], [0x06, 0, 0, 0x50001], [0x06, 0, 0, 0x7FFF0000]] as $i => $rule) {
    [$rules[$i]->code, $rules[$i]->match, $rules[$i]->other, $rules[$i]->value] = $rule;
}
$filter = $libc->new('struct filter');
$filter->length = 4;
$filter->rules = FFI::addr($rules[0]);
$libc->prctl(38, 1, null, 0, 0) === 0 && $libc->prctl(22, 2, FFI::addr($filter), 0, 0) === 0; // PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP
$bytes = $libc->new('char[16]');
[$here, $there] = [$libc->new('struct vector'), $libc->new('struct vector')];
[$here->at, $there->at, $here->size, $there->size] = [FFI::addr($bytes[0]), FFI::addr($bytes[8]), 8, 8];
echo 'copied: ', $libc->process_vm_readv($libc->getpid(), FFI::addr($here), 1, FFI::addr($there), 1, 0), "\n";

$wanted = ['resumes==>hash_pbkdf2', 'starts==>Fiber::start==>{closure}==>hash_pbkdf2', 'starts==>Fiber::resume==>{closure}==>hash_pbkdf2'];
foreach (['wall', 'cpu', 'wall'] as $clock) {
    for ($try = 0; $try < 10; $try++) {
        xhprof_sample_enable(['interval' => 500, 'clock' => $clock]);
        foreach (resumes() as $x) {
            strlen('x');
        }
        starts();
        $paths = preg_replace(['/^main\(\)==>/', '/\{closure:[^}]*\}/'], ['', '{closure}'], xhprof_sample_disable());
        $counts = array_count_values($paths);
        $missing = array_filter($wanted, static fn (string $path): bool => ($counts[$path] ?? 0) < 10);
        if ($missing === []) {
            break;
        }
    }
    echo "$clock: ", $missing === [] ? 'theirs' : json_encode($counts), "\n";
}
?>
--EXPECT--
copied: -1
wall: theirs
cpu: theirs
wall: theirs
