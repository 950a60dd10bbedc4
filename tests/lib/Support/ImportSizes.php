<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use XHProf\Export\Proto;

/**
 * Files of every reader with any number of calls: main() calls one function again and again, others once each, and these call
 * that one too. Lines that are none of the format stand between them.
 */
final class ImportSizes
{
    /** Of so many calls one has its own name, and calls leaf(). */
    private const EACH = 4;

    /** @return non-empty-array<string, array{string, \Closure(int): string}> reader and file, by what is in it */
    public static function all(): array
    {
        return [
            'run file' => ['xhprof', static fn (int $calls): string => serialize(self::edges($calls))],
            'our JSON' => ['json', self::json(...)],
            'speedscope, events' => ['speedscope', static fn (int $calls): string => self::speedscope($calls, false)],
            'speedscope, samples' => ['speedscope', static fn (int $calls): string => self::speedscope($calls, true)],
            'SPX report' => ['spx', self::spx(...)],
            'memprof array' => ['memprof', self::memprofArray(...)],
            'memprof pprof' => ['memprof-pprof', self::memprofPprof(...)],
            'Xdebug trace' => ['xdebug-trace', self::trace(...)],
            'Blackfire' => ['blackfire', self::blackfire(...)],
            'pprof' => ['pprof', self::pprof(...)],
            'XHGui document' => ['xhgui', static fn (int $calls): string => (string) json_encode([
                'meta' => ['url' => '/'], 'profile' => self::edges($calls),
            ])],
            'XHGui lines' => ['xhgui', static fn (int $calls): string => str_repeat(
                json_encode(['profile' => self::edges(8), 'meta' => ['url' => '/']]) . "\n",
                intdiv($calls, 8),
            )],
            'Xdebug cachegrind' => ['callgrind', static fn (int $calls): string => self::blocks($calls, true)],
            'memprof callgrind' => ['callgrind', static fn (int $calls): string => self::blocks($calls, false)],
            'callgrind' => ['callgrind', self::callgrind(...)],
            'cachegrind, appended' => ['callgrind', static fn (int $calls): string => str_repeat(
                "==== NEW PROFILING FILE ====\n" . self::blocks(500, true),
                intdiv($calls, 500),
            )],
            'a recursion' => ['callgrind', self::recursion(...)],
            'folded stacks' => ['folded', self::folded(...)],
        ];
    }

    /** @return \Generator<int, string> names of the calls of main() */
    private static function calls(int $calls): \Generator
    {
        for ($i = 0; $i < $calls; $i++) {
            yield $i => self::isOwn($i) ? "f$i" : 'leaf';
        }
    }

    private static function isOwn(int $call): bool
    {
        return $call % self::EACH === 0;
    }

    /** @return array<string, array<string, int>> */
    private static function edges(int $calls): array
    {
        $edges = [];
        for ($i = 0; $i < $calls; $i++) {
            $edges[$i % 2 === 0 ? "main()==>f$i" : 'f' . $i - 1 . '==>leaf'] = ['ct' => 1, 'wt' => 2 - $i % 2, 'mu' => $i];
        }

        return $edges + ['main()' => ['ct' => 1, 'wt' => $calls, 'mu' => 0]];
    }

    private static function json(int $calls): string
    {
        $names = ['main()', 'leaf'];
        $fn = $depth = $edges = [];
        for ($i = 0; $i < $calls; $i += 2) {
            $names[] = "f$i";
            array_push($fn, count($names) - 1, 1);
            array_push($depth, 1, 2);
            array_push($edges, [0, count($names) - 1], [count($names) - 1, 1]);
        }
        $nodes = count($fn);

        return (string) json_encode(['v' => 1, 'kind' => 'xhprof-run', 'names' => $names, 'edges' => [
            'p' => [-1, ...array_column($edges, 0)], 'c' => [0, ...array_column($edges, 1)],
            'm' => ['ct' => array_fill(0, $nodes + 1, 1), 'wt' => [$nodes, ...array_fill(0, $nodes, 1)]],
        ], 'tree' => [
            'names' => $names, 'fn' => [0, ...$fn], 'depth' => [0, ...$depth], 'ct' => array_fill(0, $nodes + 1, 1),
            'self' => ['wt' => [0, ...array_fill(0, $nodes, 1000)]],
        ]]);
    }

    private static function speedscope(int $calls, bool $isSampled): string
    {
        $frames = [['name' => 'main'], ['name' => 'leaf']];
        $events = [['type' => 'O', 'frame' => 0, 'at' => 0]];
        $samples = [];
        foreach (self::calls($calls) as $i => $name) {
            if (self::isOwn($i)) {
                $frames[] = ['name' => $name];
            }
            $frame = self::isOwn($i) ? count($frames) - 1 : 1;
            $samples[] = [0, $frame];
            $events[] = ['type' => 'O', 'frame' => $frame, 'at' => $i];
            $events[] = ['type' => 'C', 'frame' => $frame, 'at' => $i + 1];
        }
        $events[] = ['type' => 'C', 'frame' => 0, 'at' => $calls];
        $profile = $isSampled
            ? ['type' => 'sampled', 'samples' => $samples, 'weights' => array_fill(0, $calls, 3)]
            : ['type' => 'evented', 'events' => $events];

        return (string) json_encode(['$schema' => 'https://www.speedscope.app/file-format-schema.json',
            'shared' => ['frames' => $frames],
            'profiles' => [$profile + ['name' => 'x', 'unit' => 'microseconds', 'startValue' => 0, 'endValue' => $calls]]]);
    }

    private static function spx(int $calls): string
    {
        $text = "[events]\n0 1 0 0\n";
        $names = "main\nleaf\n";
        $count = 2;
        foreach (self::calls($calls) as $i => $name) {
            $function = self::isOwn($i) ? $count++ : 1;
            $names .= self::isOwn($i) ? "$name\n" : '';
            $text .= "$function 1 $i 8\n$function 0 $i.5 8\n" . ($i % 50 === 0 ? "odd\n" : '');
        }

        return "{$text}0 0 $calls 8\n[functions]\n$names";
    }

    private static function memprofArray(int $calls): string
    {
        $leaf = ['memory_size' => 8, 'blocks_count' => 1, 'memory_size_inclusive' => 8, 'blocks_count_inclusive' => 1, 'calls' => 1,
            'called_functions' => new \stdClass()];
        $below = [];
        for ($i = 0; $i < $calls; $i += 2) {
            $below["f$i"] = array_replace($leaf, ['called_functions' => ['leaf' => $leaf]]);
        }

        return (string) json_encode(array_replace($leaf, ['called_functions' => $below]));
    }

    private static function memprofPprof(int $calls): string
    {
        $names = "--- symbol\nbinary=php\n0x0000000000000001 root\n0x0000000000000002 leaf\n";
        $records = pack('P*', 0, 3, 0, 0, 0);
        foreach (self::calls($calls) as $i => $name) {
            $names .= self::isOwn($i) ? sprintf("0x%016x %s\n", $i + 3, $name) : '';
            $records .= pack('P*', 8, 2, self::isOwn($i) ? $i + 3 : 2, 1);
        }

        return "$names---\n--- profile\n$records" . pack('P*', 0, 1, 0);
    }

    private static function trace(int $calls): string
    {
        $text = "Version: 3.2.0\nFile format: 4\nTRACE START [2026-11-28 20:35:56.821170]\n"
            . "1\t0\t0\t0.1\t8\t{main}\t1\t\t/x.php\t0\t0\n";
        foreach (self::calls($calls) as $i => $name) {
            $time = '1.' . str_pad((string) $i, 8, '0', STR_PAD_LEFT);
            $text .= "2\t" . $i + 1 . "\t0\t$time\t8\t$name\t1\t\t/x.php\t3\t0\n2\t" . $i + 1 . "\t1\t$time\t8\n"
                . ($i % 50 === 0 ? "odd\n" : '');
        }

        return "{$text}1\t0\t1\t2.0\t8\n\t\t\t2.1\t8\nTRACE END   [2026-11-28 20:35:58.821170]\n";
    }

    private static function blackfire(int $calls): string
    {
        $text = "file-format: BlackfireProbe\ncost-dimensions: wt mu\n\n";
        foreach (self::edges($calls) as $key => $row) {
            $text .= "$key//{$row['ct']} {$row['wt']} {$row['mu']}\n" . ($row['mu'] % 50 === 0 ? "odd\n" : '');
        }

        return $text;
    }

    private static function pprof(int $calls): string
    {
        $two = static fn (int $a, int $b): string => Proto::int(1, $a) . Proto::int(2, $b);
        $function = static fn (int $id): string => Proto::message(4, Proto::int(1, $id) . Proto::message(4, $two($id, 3)))
            . Proto::message(5, $two($id, $id + 2));
        $texts = ['', 'samples', 'count', 'main', 'leaf'];
        $bytes = Proto::message(1, $two(1, 2));
        $functions = $function(1) . $function(2);
        foreach (self::calls($calls) as $i => $name) {
            if (self::isOwn($i)) {
                $texts[] = $name;
                $functions .= $function(count($texts) - 3);
            }
            $location = self::isOwn($i) ? count($texts) - 3 : 2;
            $bytes .= Proto::message(2, Proto::message(1, Proto::varint($location) . Proto::varint(1))
                . Proto::message(2, Proto::varint(1)));
        }
        foreach ($texts as $text) {
            $functions .= Proto::message(6, $text);
        }

        return $bytes . $functions;
    }

    /** A block for each call when it ends, as Xdebug writes them; or for each call path, as memprof does. */
    private static function blocks(int $calls, bool $isXdebug): string
    {
        $text = $isXdebug ? "version: 1\ncreator: xdebug 3.2.0\nevents: Time_(10ns)\n\n" : "events: MemorySize BlocksCount\n\n";
        $costs = $isXdebug ? '5' : '8 1';
        $main = '';
        foreach (self::calls($calls) as $i => $name) {
            $text .= "fl=/x.php\nfn=leaf\n1 $costs\n\n";
            $callee = 'leaf';
            if (self::isOwn($i)) {
                $text .= "fl=/x.php\nfn=$name\n1 $costs\ncfn=leaf\ncalls=1 0 0\n1 $costs\n\n" . ($i % 48 === 0 ? "odd\n" : '');
                $callee = $name;
            }
            $main .= "cfn=$callee\ncalls=1 0 0\n1 $costs\n";
        }

        return "{$text}fl=/x.php\n"
            . ($isXdebug ? "fn={main}\n1 5\n{$main}summary: 5\n" : "fn=root\n1 8 1\n{$main}total: 8 1\n");
    }

    /** Costs of functions, of which a part calls the next one: cycles too. */
    private static function callgrind(int $calls): string
    {
        $text = "# callgrind format\nevents: Ir\n\nfn=(0) main\n1 5\n";
        foreach (self::calls($calls) as $i => $name) {
            $text .= "cfn=(" . (self::isOwn($i) ? $i + 2 : '1') . ") $name\ncalls=1 0\n* 7\n";
        }
        foreach (self::calls($calls) as $i => $name) {
            if (self::isOwn($i)) {
                $next = ($i + self::EACH) % $calls;
                $text .= "\nfn=(" . $i + 2 . ")\n1 4\ncfn=(1)\ncalls=1 0\n+2 3\n"
                    . ($i % 8 === 0 ? 'cfn=(' . $next + 2 . ") f$next\ncalls=1 0\n+2 1\n" : '') . ($i % 48 === 0 ? "odd\n" : '');
            }
        }

        return "$text\nfn=(1)\n1 $calls\ntotals: 5\n";
    }

    /** Calls of functions in each other, a quarter as many as they may be. */
    private static function recursion(int $calls): string
    {
        $text = "version: 1\ncreator: xdebug 3.2.0\nevents: Time_(10ns)\n\n";
        $most = intdiv($calls, 5);
        for ($i = $most; $i > 0; $i--) {
            $text .= "fl=/x.php\nfn=f" . $i % 3 . "\n1 5\n"
                . ($i < $most ? 'cfn=f' . ($i + 1) % 3 . "\ncalls=1 0 0\n1 5\n\n" : "\n");
        }

        return "{$text}fl=/x.php\nfn={main}\n1 5\ncfn=f1\ncalls=1 0 0\n1 5\nsummary: 5\n";
    }

    private static function folded(int $calls): string
    {
        $text = '';
        foreach (self::calls($calls) as $i => $name) {
            $text .= "main;$name 1\n" . (self::isOwn($i) ? "main;$name;leaf 0.25\n" : '') . ($i % 50 === 0 ? "odd\n" : '');
        }

        return $text;
    }
}
