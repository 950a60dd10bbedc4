--TEST--
Lines of samples: where calls are made, in loops, callbacks, generators, expressions of several lines; with opcache and the JIT
--INI--
opcache.enable_cli=1
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function in_loop(): void
{
    for ($i = 0; $i < 3; $i++) {
        usleep(10_000);                              // 7
        strlen('x');
    }
}

function arithmetic(): int
{
    $x = 0;
    for ($i = 0; $i < 20_000_000; $i++) {             // 15
        $x ^= $i;
        $x += 3;
    }                                                // 18
    return $x;
}

function several_lines(): array
{
    return array_merge(                              // 24
        [1],
        [
            usleep(30_000),                          // 27
        ],
    );
}

function resumes(): Generator
{
    usleep(10_000);                                  // 34
    yield 1;
    usleep(10_000);                                  // 36
    yield from [usleep(20_000)];                     // 37
}

function called(): void
{
    usleep(20_000);                                  // 42
}

final class Thing
{
    public function __get(string $name): int
    {
        usleep(20_000);                              // 49
        return 1;
    }
}

function calls_back(): void
{
    array_map(called(...), []);
    array_map(fn () => called(), [1]);               // 57
    call_user_func_array('usleep', [
        20_000,                                      // 59
    ]);
    (new Thing())->none;
    $f = new Fiber(function (): void {
        usleep(20_000);                              // 63
        Fiber::suspend();
        usleep(20_000);                              // 65
    });
    $f->start();
    $f->resume();
}

if (isset($argv[1])) {
    $wanted = ['in_loop==>usleep:7', 'several_lines==>usleep:27', 'resumes==>usleep:34', 'resumes==>usleep:36', 'resumes==>usleep:37',
        'calls_back==>array_map==>{closure}==>called==>usleep:42', 'calls_back==>Thing::__get==>usleep:49', 'calls_back==>usleep:59',
        'calls_back==>Fiber::start==>{closure}==>usleep:63', 'calls_back==>Fiber::resume==>{closure}==>usleep:65', 'usleep:84'];
    for ($try = 0; $try < 10; $try++) {
        xhprof_sample_enable(['interval' => 500, 'lines' => true]);
        in_loop();
        arithmetic();
        several_lines();
        foreach (resumes() as $x) {
            strlen('x');
        }
        calls_back();
        usleep(10_000);                              // 84
        $paths = preg_replace(['/^main\(\)==>/', '/\{closure:[^}]*\}/'], ['', '{closure}'], xhprof_sample_disable());
        $counts = array_count_values($paths);
        $missing = array_filter($wanted, static fn (string $path): bool => ($counts[$path] ?? 0) < 10);
        if ($missing === []) {
            break;
        }
    }
    echo $missing === [] ? 'calls' : json_encode([$missing, $counts]), ', ';
    $lines = array_map(static fn (string $path): int => (int) substr($path, 11), array_keys($counts));
    $loop = array_filter(array_keys($counts), static fn (string $path): bool => str_starts_with($path, 'arithmetic:'));
    // Whatever the engine has noted of a loop without calls, it is within the function.
    $outside = array_filter($loop, static fn (string $path): bool => (int) substr($path, 11) < 12 || (int) substr($path, 11) > 20);
    echo $loop !== [] && $outside === [] ? 'loop' : json_encode($loop), ', ';
    $none = preg_grep('/:[1-9]\d*$/', array_keys($counts), PREG_GREP_INVERT);
    echo $none === [] ? 'all' : json_encode($none), "\n";
    exit(0);
}
$opcache = ['opcache.enable_cli' => 1, 'opcache.file_update_protection' => 0, 'opcache.jit_buffer_size' => '16M'];
$ways = ['none' => [[], []]];
if (xhprof_test_available('opcache') || xhprof_test_available('Zend OPcache')) {
    $ways['opcache'] = [$opcache + ['opcache.jit' => 'disable'], ['opcache']];
    $ways['tracing'] = [$opcache + ['opcache.jit' => 'tracing'], ['opcache']];
}
foreach ($ways as $name => [$ini, $extensions]) {
    if ($name === 'tracing' && xhprof_test_sampling_refusal($ini, $extensions) !== null) {
        continue;
    }
    $child = xhprof_test_child(__FILE__, ['child'], $ini, $extensions);
    if ($name === 'none' || $child !== $first) {
        echo "$name: ";
        xhprof_test_show($child);
    }
    $first ??= $child;
}
?>
--EXPECT--
none: calls, loop, all
