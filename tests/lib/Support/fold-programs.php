<?php

/**
 * Small random programs, each profiled by itself: php -d extension=... fold-programs.php FOLDER FIRST LAST [spans|all]. Prints a
 * line per program, base64 of serialize(): seed, edges, tree, names that were called, generators that have begun by function, and
 * the id of the saved run. With "spans" each is a span, which leaves no edges nor tree but those of the saved run. With "all" each
 * has all metrics and edges of files' code, as saved runs have them, and some have a timeline.
 */

declare(strict_types=1);

namespace XHProf\Fold;

const NAMES = [
    'plain', 'a==>b', '==>', '==>x', 'x==>', 'a==>b==>c', 'a===>b', '=>', 'tpl@2', 'tpl@', '@3', 'x@1@2', 'a@12b', 'a==>b@4',
    'main()', 'main()@1', 'load::tpl@2', 'é@9', "bad\xFF@2", 'semi;colon@7', "line\n@5", '{closure:a.php:3}@1', 'main()==>f@2',
];

$budget = 0;
$resuming = 0;
/** @var list<\Generator> $pool */
$pool = [];

final class Any
{
    public function __call(string $name, array $arguments): mixed
    {
        return step(...$arguments);
    }

    public static function __callStatic(string $name, array $arguments): mixed
    {
        return step(...$arguments);
    }
}

function leaf(): int
{
    return strlen('leaf');
}

function numbers(int $depth): \Generator
{
    $GLOBALS['begun'][__FUNCTION__] = ($GLOBALS['begun'][__FUNCTION__] ?? 0) + 1;
    try {
        $sent = yield step($depth - 1);
        leaf();
        yield $sent;
        yield step($depth - 1);
    } catch (\RuntimeException) {
        leaf();
        yield 0;
    } finally {
        leaf();
    }
}

function delegating(int $depth): \Generator
{
    $GLOBALS['begun'][__FUNCTION__] = ($GLOBALS['begun'][__FUNCTION__] ?? 0) + 1;
    yield leaf();
    yield from numbers($depth - 1);
    yield from [1, 2];
    yield step($depth - 1);
}

function make(int $depth): void
{
    global $pool;
    $pool[] = mt_rand(0, 1) === 0 ? numbers($depth) : delegating($depth);
}

function resume(int $depth): void
{
    global $pool, $resuming;
    if ($pool === []) {
        return;
    }
    $generator = $pool[mt_rand(0, count($pool) - 1)];
    $resuming++;
    try {
        match (mt_rand(0, 6)) {
            0 => $generator->current(),
            1 => $generator->next(),
            2 => $generator->send($depth),
            3 => $generator->valid(),
            // PHP itself takes all memory where it throws into a generator that is running.
            4 => $resuming === 1 ? $generator->throw(new \RuntimeException()) : null,
            5 => loop($generator),
            6 => $generator->key(),
        };
    } catch (\Throwable) {
        // It is running, or over.
    } finally {
        $resuming--;
    }
}

function loop(\Generator $generator): void
{
    foreach ($generator as $_) {
        leaf();
        if (mt_rand(0, 2) === 0) {
            return;
        }
    }
}

function abandon(): void
{
    global $pool;
    array_splice($pool, mt_rand(0, max(0, count($pool) - 1)), 1);
    gc_collect_cycles();
}

function fiber(int $depth): void
{
    $fiber = new \Fiber(static function () use ($depth): void {
        step($depth - 1);
        leaf();
        \Fiber::suspend();
        step($depth - 1);
    });
    try {
        $fiber->start();
        resume($depth);
        if (mt_rand(0, 3) > 0 && $fiber->isSuspended()) {
            resumeFiber($fiber);
        }
    } catch (\FiberError) {
        // A destructor must not suspend.
    }
}

function resumeFiber(\Fiber $fiber): void
{
    $fiber->resume();
}

function recursive(int $depth, int $times): int
{
    return $times > 0 && $depth > 0 ? recursive($depth - 1, $times - 1) + recursive($depth - 2, $times - 1) : step($depth - 1);
}

function thrower(int $depth): never
{
    step($depth - 1);
    throw new \RuntimeException();
}

function caught(int $depth): void
{
    try {
        thrower($depth);
    } catch (\RuntimeException) {
        leaf();
    }
}

function sorted(int $depth): void
{
    $values = [3, 1, 2];
    usort($values, static fn (int $a, int $b): int => $a <=> $b + 0 * step($depth - 2));
}

function ignored(int $depth): void
{
    step($depth - 1);
}

function named(int $depth): void
{
    mt_rand(0, 1) === 0 ? (new Any())->any($depth - 1) : Any::any($depth - 1);
}

function included(int $depth): void
{
    $GLOBALS['depth'] = $depth - 1;
    $name = NAMES[mt_rand(0, count(NAMES) - 1)];
    $GLOBALS['called'][$name] = true;
    include $GLOBALS['folder'] . "/included/$name";
}

function evaluated(int $depth): void
{
    eval('\XHProf\Fold\step(' . ($depth - 1) . ');');
}

function freeing(int $depth): void
{
    $freed = new class ($depth - 1) {
        public function __construct(private readonly int $depth)
        {
        }

        public function __destruct()
        {
            step($this->depth);
        }
    };
}

/** A profile may begin and end anywhere. */
function step(int $depth): int
{
    global $budget;
    for ($i = mt_rand(0, 3); $i > 0 && $depth > 0 && $budget-- > 0; $i--) {
        match (mt_rand(0, 16)) {
            0, 1 => make($depth),
            2, 3, 4, 5 => resume($depth),
            6 => abandon(),
            7 => fiber($depth),
            8 => recursive($depth, 3),
            9 => caught($depth),
            10 => sorted($depth),
            11 => array_map(step(...), [$depth - 1, $depth - 2]),
            12 => named($depth),
            13 => included($depth),
            14 => evaluated($depth),
            15 => freeing($depth),
            16 => ignored($depth),
        };
    }

    return leaf();
}

/** What is profiled begins and ends in it, and is resumed by others meanwhile: it is no call of that profile. */
function profiled(int $seed, bool $isSpan, bool $isAll): \Generator
{
    $flags = [0, XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY, XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_NO_BUILTINS, XHPROF_FLAGS_ALLOC];
    $all = $isAll ? XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY | ($seed % 5 < 2 ? XHPROF_FLAGS_TIMELINE : 0) : 0;
    $ignored = $seed % 3 === 0 && !$isSpan ? [__NAMESPACE__ . '\ignored', __NAMESPACE__ . '\delegating'] : [];
    if ($isSpan) {
        xhprof_begin_span("program $seed");
    } else {
        $options = $isAll ? ['run_init' => true] : [];
        xhprof_enable($flags[$seed % 4] | $all, $options + ($ignored === [] ? [] : ['ignored_functions' => $ignored]));
    }
    $GLOBALS['called'] = [];
    $GLOBALS['begun'] = [];
    for ($i = 0; $i < 7; $i++) {
        step(7);
        yield $i; // the last time it is resumed where it has begun: a span belongs to its fiber
    }
    $begun = array_diff_key($GLOBALS['begun'], array_flip($ignored));
    $called = $GLOBALS['called'];
    if ($isSpan) {
        return ['id' => xhprof_end_span()] + compact('seed', 'called', 'begun');
    }
    $edges = xhprof_disable();
    $tree = xhprof_call_tree();

    return ['id' => xhprof_save('fold')] + compact('seed', 'edges', 'tree', 'called', 'begun');
}

/** @return array<string, mixed> what it returns in the end, however often others resume it */
function driven(\Generator $profiled): array
{
    for ($turn = 0; $profiled->valid(); $turn++) {
        match ($turn % 3) {
            0 => $profiled->next(),
            1 => advance($profiled),
            2 => resumedInAFiber($profiled),
        };
    }

    return $profiled->getReturn();
}

function advance(\Generator $generator): void
{
    $generator->next();
}

function resumedInAFiber(\Generator $generator): void
{
    (new \Fiber(advance(...)))->start($generator);
}

[, $folder, $first, $last] = $argv;
$kind = $argv[4] ?? '';
@mkdir("$folder/included");
foreach (NAMES as $name) {
    $code = '<?php (static fn (): int => \XHProf\Fold\step($GLOBALS["depth"]))();';
    file_put_contents("$folder/included/$name", $code);
}
for ($seed = (int) $first; $seed <= (int) $last; $seed++) {
    mt_srand($seed);
    $pool = [];
    $resuming = 0;
    $called = [];
    $budget = 40;
    step(4); // what is suspended when the profile begins
    $budget = 160;
    $program = profiled($seed, $kind === 'spans', $kind === 'all');
    if ($seed % 2 === 0) {
        $result = driven($program);
    } else {
        // From one place, as a program without generators would.
        foreach ($program as $_) {
        }
        $result = $program->getReturn();
    }
    echo base64_encode(serialize($result)), "\n";
}
