--TEST--
What a block holds, asked for after memory_limit ended the program in the middle of something
--SKIPIF--
<?php
if (getenv('SKIP_ASAN') || getenv('USE_ZEND_ALLOC') === '0') die('skip without PHP\'s heap there is no memory_limit');
?>
--FILE--
<?php
require __DIR__ . '/../alloc_types.inc';

/** @var array<string, callable(): void> $ways to run out of memory */
$ways = [
    'a string' => static function (): void {
        $text = text(1);
        while (true) {
            $text .= $text;
        }
    },
    'a list' => static function (): void {
        $list = [text(1)];
        while (true) {
            $list[] = 1;
        }
    },
    'a map' => static function (): void {
        $map = ['text' => text(1)];
        for ($i = 0; $map !== []; $i++) { // opcache would leave out a map that nobody reads, and never end
            $map["k$i"] = $i;
        }
    },
    'a list that becomes a map' => static function (): void {
        $kept = [];
        for ($size = 1000; ; $size *= 2) {
            $list = range(1, $size);
            $list['key'] = text(1);
            $kept[] = $list;
        }
    },
    'objects' => static function (): void {
        $list = [];
        while (true) {
            $list[] = new ArrayObject([text(2)]);
        }
    },
    'closures' => static function (): void {
        $list = [];
        while (true) {
            $list[] = static function () use ($list): array {
                static $kept = [1];
                return [$kept, $list];
            };
        }
    },
    'generators' => static function (): void {
        $list = [];
        while (true) {
            $list[] = $generator = (static fn () => yield [text(1), yield])();
            $generator->current();
            $generator->send(1);
        }
    },
    'within a generator' => static function (): void {
        $generator = (static function (): Generator {
            $local = [text(1)];
            yield 1;
            extract(['a' => text(2)]);
            $list = [];
            while (true) {
                $list[] = [text(3)];
            }
        })();
        $generator->next();
        $generator->next();
    },
    'within a fiber' => static function (): void {
        $fiber = new Fiber(static function (): void {
            $list = [text(1)];
            Fiber::suspend();
            while (true) {
                $list[] = [text(2)];
            }
        });
        $fiber->start();
        $fiber->resume();
    },
    'fibers' => static function (): void {
        $list = [];
        while (true) {
            $list[] = $fiber = new Fiber(static function (): void {
                $local = [text(1)];
                Fiber::suspend($local);
            });
            $fiber->start();
        }
    },
    'calls' => static function (): void {
        $call = static function (array $list) use (&$call): void {
            $list[] = text(1);
            $call($list);
        };
        $call([]);
    },
    'scopes' => static function (): void {
        $call = static function (array $list) use (&$call): void {
            $name = text(1);
            $$name = [$list];
            $large = str_repeat('x', 30_000); // most often it is this that finds no memory, and leaves some for a call
            $call(get_defined_vars());
        };
        $call([]);
    },
    'containers' => static function (): void {
        $lists = [new SplQueue(), new SplObjectStorage(), new SplMinHeap(), new SplFixedArray(10)];
        for ($i = 0; ; $i++) {
            $lists[0][] = [$i];
            // Not an ArrayIterator: PHP puts it among the objects before it has handlers, and allocates in between.
            $lists[1][(object) [$i]] = [text(1)];
            $lists[2]->insert([$i]);
            $lists[3]->setSize(10 + $i);
            $lists[3][9 + $i] = text(2);
        }
    },
    'compiled code' => static function (): void {
        for ($i = 0; ; $i++) {
            eval("class C$i { const A = ['a' => [$i]]; static \$s = [[$i]]; public \$p = [1, [$i]];"
                . "function f() { static \$x = [$i]; return fn () => [['x' => $i]]; } }");
        }
    },
    'sorting' => static function (): void {
        $list = array_map(text(...), range(1, 2000));
        usort($list, static function (string $a, string $b) use (&$kept): int {
            $kept[] = [$a . $b];
            return $a <=> $b;
        });
        while (true) {
            $kept[] = $list;
            $list[] = array_merge($list, [text(1)]);
        }
    },
];

function text(int $i): string { return str_repeat('x', 20 + $i); }
function work(callable $function): void { $function(); }

if (isset($argv[1])) {
    $kept = [text(1), new ArrayObject([text(2)])];
    xhprof_enable(XHPROF_FLAGS_ALLOC | XHPROF_FLAGS_NO_BUILTINS);
    $new = [text(3)];
    register_shutdown_function(static function (): void {
        ini_set('memory_limit', -1);
        echo 'after: ', isset(alloc_types_of('main()')['string']) ? 'strings' : 'nothing', "\n";
        for ($i = 0; $i < 3; $i++) {
            $types = alloc_types_of('work');
        }
        echo $types === [] ? 'nothing' : 'something', "\n";
    });
    work($ways[$argv[1]]);
}
$jit = ['opcache.enable_cli' => 1, 'opcache.file_update_protection' => 0, 'opcache.jit' => 'tracing', 'opcache.jit_buffer_size' => '16M',
    'opcache.jit_hot_func' => 2, 'opcache.jit_hot_loop' => 2, 'opcache.jit_hot_return' => 2];
$limits = [[8, [], []], [24, [], []], [16, $jit, ['opcache']]];
$asked = 0;
$ran = 0;
foreach (array_keys($ways) as $way) {
    foreach ($limits as [$megabytes, $ini, $extensions]) {
        // Without a profiler, too: the first may end at the hard limit that Debian's 8.2.35 has besides; with the second a debug
        // build under the address sanitizer may free an object that the JIT's code had not finished.
        if ($ini !== [] && ($way === 'compiled code' || (PHP_DEBUG && $way === 'containers'))) {
            continue;
        }
        $ran++;
        // There may be no memory left for the shutdown function: then nothing can be asked, but with one more of the heap's chunks.
        for ($more = 0; $more < 10; $more++) {
            $limit = $megabytes + 2 * $more << 20;
            $child = xhprof_test_child(__FILE__, [$way], ['memory_limit' => $limit] + $ini, $extensions);
            $silent = substr_count($child['out'], 'Fatal error: Allowed memory size') === 2
                && !str_contains($child['out'], 'after:') && $child['err'] === '' && $child['code'] === 255;
            if (!$silent) {
                break;
            }
        }
        $expected = preg_match('/^\s*Fatal error: (Allowed memory size|Maximum call stack).*\n(?:Stack trace.*\n(#.*\n)*)?'
            . 'after: strings\nsomething\n$/s', $child['out']) && $child['err'] === '' && $child['code'] === 255;
        $asked += $expected ? 1 : 0;
        echo $expected ? '' : "$way, $limit: {$child['code']} {$child['err']}{$child['out']}\n";
    }
}
echo $ran - $asked, ' not asked; ', 3 * count($ways) - 1 - $ran <= PHP_DEBUG ? 'all' : 'not all', " were tried\n";
?>
--EXPECT--
0 not asked; all were tried
