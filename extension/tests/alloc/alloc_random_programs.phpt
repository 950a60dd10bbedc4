--TEST--
Random programs: what is from before never changes, and all live blocks and it are memory_get_usage(), at every point
--FILE--
<?php
require __DIR__ . '/../alloc.inc';

class Heap
{
    /** @var array<int, mixed> what programs hold on to */
    public static array $all = [];
    public static int $budget = 0;
    /** @var resource where dumps go */
    public static mixed $file;
}

class Thing
{
    public mixed $more = null;
    public array $list = [];

    public function __construct(public int $n)
    {
    }

    public function __destruct()
    {
        if ($this->n % 7 === 0) {
            Heap::$all[mt_rand(0, 63)] = $this; // lives on
        }
    }
}

function look(): void
{
    $usage = memory_get_usage();
    xhprof_alloc_dump(Heap::$file, 'json', ['types' => false]);
    fwrite(Heap::$file, "usage $usage\n");
}

function numbers(int $depth): Generator
{
    $kept = [];
    for ($i = 0; $i < 5; $i++) {
        $kept[] = yield act($depth + 1);
    }
}

function act(int $depth): mixed
{
    if ($depth > 8 || Heap::$budget-- <= 0) {
        return str_repeat('end', mt_rand(0, 50));
    }
    $at = mt_rand(0, 63);
    $old = Heap::$all[$at];
    mt_rand(0, 99) || look();
    switch (mt_rand(0, 21)) {
        case 0:
            return Heap::$all[$at] = str_repeat('s', mt_rand(0, 5000));
        case 1:
            return Heap::$all[$at] = range(0, mt_rand(1, 500));
        case 2:
            return Heap::$all[$at] = new Thing(mt_rand(0, 1000));
        case 3:
            return Heap::$all[$at] = static fn (int $x): array => [$x, $old, act($depth + 1)];
        case 4:
            Heap::$all[$at] = null;
            return act($depth + 1);
        case 5:
            if (is_array($old)) {
                $old[] = act($depth + 1);
                return Heap::$all[$at] = $old;
            }
            return act($depth + 1);
        case 6:
            if (is_string($old)) {
                $old .= str_repeat('+', mt_rand(0, 9000));
                return Heap::$all[$at] = strlen($old) > 50_000 ? '' : $old;
            }
            return act($depth + 1);
        case 7:
            try {
                return act($depth + 1) ?? throw new LogicException(str_repeat('e', mt_rand(0, 300)));
            } catch (LogicException $e) {
                return Heap::$all[$at] = $e;
            } finally {
                Heap::$all[mt_rand(0, 63)] = null;
            }
        case 8:
            throw new LogicException("at $depth");
        case 9:
            $g = numbers($depth);
            $g->current();
            return Heap::$all[$at] = $g;
        case 10:
            if ($old instanceof Generator) {
                try {
                    $old->send($depth);
                } catch (Error) {
                }
            }
            return null;
        case 11:
            $fiber = new Fiber(static function () use ($depth): mixed {
                $before = act($depth + 1);
                Fiber::suspend($before);
                return [$before, act($depth + 1)];
            });
            Heap::$all[$at] = $fiber;
            $fiber->start();
            return null;
        case 12:
            if ($old instanceof Fiber && $old->isSuspended()) {
                $old->resume();
            }
            return null;
        case 13:
            return eval('return [act($depth + 1), act($depth + 1), "' . str_repeat('v', mt_rand(0, 100)) . '"];');
        case 14:
            return array_map(static fn (int $i): mixed => act($depth + $i), [1, 2, 3]);
        case 15:
            $thing = new Thing(mt_rand(0, 1000));
            $thing->more = $thing;
            $thing->list = [act($depth + 1), $old];
            return null;
        case 16:
            return mt_rand(0, 9) ? null : gc_collect_cycles();
        case 17:
            return Heap::$all[$at] = unserialize(serialize(array_fill(0, mt_rand(0, 60), ['a' => 'b', 'c' => 'dddddddddddddd'])));
        case 18:
            return Heap::$all[$at] = str_repeat('big', mt_rand(1, 300_000));
        case 19:
            return Heap::$all[$at] = preg_split('/,/', str_repeat('a,', mt_rand(1, 300)));
        case 20:
            return Heap::$all[$at] = include __DIR__ . '/../include/fixture_functions.inc';
        default:
            return mt_rand(0, 20) === 0 ? Heap::$all[$at] = array_fill(0, mt_rand(1, 200_000), $at) : act($depth + 1);
    }
}

function program(int $seed): int
{
    mt_srand($seed);
    Heap::$budget = 400;
    $calls = 0;
    while (Heap::$budget > 0) {
        $calls++;
        try {
            act(0);
        } catch (LogicException | FiberError) {
        }
    }
    return $calls;
}

function forget(): void
{
    for ($i = 0; $i < 5; $i++) { // destructors put things back
        for ($at = 0; $at < 64; $at++) {
            Heap::$all[$at] = null;
        }
        gc_collect_cycles();
    }
}

$folder = xhprof_test_folder();
Heap::$file = fopen("$folder/dumps", 'w+');
for ($at = 0; $at < 64; $at++) {
    Heap::$all[$at] = null;
}
[$from, $to] = explode('-', getenv('XHPROF_TEST_SEEDS') ?: '1-30');
xhprof_enable(XHPROF_FLAGS_ALLOC);
for ($seed = 1; $seed < 20; $seed++) {
    program($seed); // tables grow now, and no more
    forget();
}
xhprof_disable();
ftruncate(Heap::$file, 0);
rewind(Heap::$file);
$before = memory_get_usage();
xhprof_enable(XHPROF_FLAGS_ALLOC);
look();
for ($seed = (int) $from; $seed <= (int) $to; $seed++) {
    program($seed);
    look();
}
forget();
look();
xhprof_disable();
look();
rewind(Heap::$file);
$dumps = 0;
$json = '';
$left = [];
while (($line = fgets(Heap::$file)) !== false) {
    if (!preg_match('/^usage (\d+)/', $line, $m)) {
        $json .= $line;
        continue;
    }
    $dumps++;
    $live = array_map(static fn (array $of): int => $of[0], xhprof_test_live($json));
    $json = '';
    if (array_sum($live) !== (int) $m[1]) {
        echo "dump $dumps: ", array_sum($live), " B live, usage $m[1]\n";
    }
    if ($live['(before)'] !== $before) {
        echo "dump $dumps: before {$live['(before)']}, was $before\n";
    }
    unset($live['(before)']);
    $left = $live;
}
echo $dumps > 30 ? 'many dumps' : "$dumps dumps", "\n";
xhprof_test_between('left when all is forgotten', array_sum($left), 0, 1 << 20);
?>
--EXPECT--
many dumps
left when all is forgotten: ok
