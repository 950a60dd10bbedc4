<?php

declare(strict_types=1);

namespace XHProf\Tests\Inspector;

/** A request that allocates and frees all the time. ?what= chooses what; ?for= is its duration in milliseconds. */

/** @return \Generator<int, string> */
function generate(int $n): \Generator
{
    for ($i = 0; $i < $n; $i++) {
        yield $i => str_repeat('g', $i * 3 % 3000);
    }
}

final class Item
{
    /** @var list<int> */
    public array $values = [];

    public function __construct(public ?Item $other = null)
    {
        $this->values = range(1, mt_rand(1, 60));
    }
}

$works = [
    'small' => static function (): void {
        $kept = [];
        for ($i = 0; $i < 2000; $i++) {
            $kept[] = str_repeat('x', $i * 7 % 5000);
            unset($kept[$i >> 1]);
        }
    },
    'huge' => static function (): void {
        $kept = [];
        for ($i = 0; $i < 12; $i++) {
            $kept[$i % 3] = str_repeat('h', (2 << 20) + $i * 300_000);
        }
    },
    'objects' => static function (): void {
        $last = null;
        for ($i = 0; $i < 600; $i++) {
            $last = new Item($i % 7 === 0 ? null : $last);
            $last->other ??= $last; // only the collector frees it
        }
        gc_collect_cycles();
    },
    'growing' => static function (): void {
        $text = '';
        for ($i = 0; $i < 3000; $i++) {
            $text .= 'some more of it ' . $i;
        }
        json_decode((string) json_encode(array_fill(0, 2000, ['text' => substr($text, 0, 20), 'of' => 1.5])), true);
    },
    'code' => static function (): void {
        for ($i = 0; $i < 20; $i++) {
            eval('return static function (int $a): int { $b = [$a, "' . $i . '"]; return count($b); };');
        }
    },
    'calls' => static function (): void {
        $fiber = new \Fiber(static function (): void {
            foreach (generate(200) as $text) {
                \Fiber::suspend(strtoupper($text));
            }
        });
        $fiber->start();
        while (!$fiber->isTerminated()) {
            $fiber->resume();
        }
        preg_match_all('/\w+/', str_repeat('many words of a text ', 400), $matches);
    },
];
$what = is_string($_GET['what'] ?? null) ? $_GET['what'] : '';
$end = hrtime(true) + 1_000_000 * (int) ($_GET['for'] ?? 0);
do {
    ($works[$what] ?? $works['small'])();
} while (hrtime(true) < $end);
echo 'done';
