<?php

/**
 * The benchmark's child: runs one workload once in this process and prints nanoseconds and calls.
 *
 *     php workloads.php WORKLOAD MODE
 *
 * MODE: "bare" (whatever extensions are loaded, nothing enabled) or XHPROF_FLAGS_* as a number.
 */

declare(strict_types=1);

function bench_empty(): void
{
}

function bench_fib(int $n): int
{
    return $n < 2 ? $n : bench_fib($n - 1) + bench_fib($n - 2);
}

function bench_deep(int $n): int
{
    return $n === 0 ? 0 : bench_deep($n - 1) + 1;
}

/** @var list<callable-string> $names the functions that "2000 functions" calls in turn */
$names = [];

/** @var array<string, array{calls?: int, run: callable(): mixed, prepare?: callable(): void}> $workloads */
$workloads = [
    'empty function' => [
        'calls' => 1_000_000,
        'run' => static function (): void {
            for ($i = 0; $i < 1_000_000; $i++) {
                bench_empty();
            }
        },
    ],
    'fib' => ['calls' => 1_664_079, 'run' => static fn(): int => bench_fib(29)],
    'internal function' => [
        'calls' => 1_000_000,
        'run' => static function (): void {
            for ($i = 0; $i < 1_000_000; $i++) {
                $sum = abs(-$i);
            }
        },
    ],
    'methods' => [
        'calls' => 1_000_000,
        'run' => static function (): void {
            $object = new class () {
                private int $sum = 0;

                public function add(int $n): self
                {
                    $this->sum += $n;

                    return $this;
                }

                public static function twice(int $n): int
                {
                    return $n * 2;
                }
            };
            for ($i = 0; $i < 500_000; $i++) {
                $object->add($object::twice($i));
            }
        },
    ],
    '2000 functions' => [
        'prepare' => static function () use (&$names): void {
            $code = '';
            $names = [];
            for ($i = 0; $i < 2000; $i++) {
                // Every function calls another one on every fifth call: many edges, little regularity.
                $code .= sprintf(
                    'function bench_many_%d(int $n): int { return $n %% 5 === %d ? bench_many_leaf_%d($n) : $n; }' . "\n",
                    $i,
                    $i % 5,
                    $i * 7 % 2000
                );
                $code .= "function bench_many_leaf_$i(int \$n): int { return \$n + $i; }\n";
            }
            eval($code);
            for ($i = 0; $i < 2000; $i++) {
                $name = 'bench_many_' . $i * 13 % 2000;
                assert(is_callable($name));
                $names[] = $name;
            }
        },
        'run' => static function () use (&$names): int {
            for ($round = 0, $calls = 0; $calls < 1_000_000; $round++) {
                foreach ($names as $i => $name) {
                    $name($round);
                    $calls += $round % 5 === $i * 13 % 5 ? 2 : 1;
                }
            }

            return $calls;
        },
    ],
    'deep recursion' => [
        'calls' => 1_000_000,
        'run' => static function (): void {
            for ($i = 0; $i < 50; $i++) {
                bench_deep(19_999);
            }
        },
    ],
];

[$wanted, $mode] = array_slice($argv, 1) + ['', 'bare'];
$workload = $workloads[$wanted] ?? null;
if ($workload === null) {
    echo json_encode(array_keys($workloads), JSON_THROW_ON_ERROR), "\n";
    exit(0);
}
($workload['prepare'] ?? static function (): void {
})();
if ($mode !== 'bare') {
    xhprof_enable((int) $mode);
}
$start = hrtime(true);
$result = ($workload['run'])();
$nanoseconds = hrtime(true) - $start;
if ($mode !== 'bare') {
    xhprof_disable();
}
echo json_encode(['ns' => $nanoseconds, 'calls' => $workload['calls'] ?? $result], JSON_THROW_ON_ERROR), "\n";
