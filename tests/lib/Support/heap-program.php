<?php

/*
 * A program whose memory is known: writes a snapshot of it to the file of its first argument, with "redact" as the second one
 * without the contents of strings and scalars.
 */

declare(strict_types=1);

namespace App;

final class Item
{
    public const SIZES = ['small' => 1, 'large' => 2];

    /** @var array<string, list<int>> */
    public static array $index = [];

    /**
     * @param list<string> $tags
     */
    public function __construct(public int $number, public ?Item $next, public array $tags = [])
    {
    }
}

/** @param \Closure(): void $snapshot */
function close(\Closure $snapshot, int $abc): string
{
    $items = [];
    for ($i = 0; $i < 20; $i++) {
        $items[] = new Item($i, null, [str_repeat('tag', $i), 'fixed']);
    }
    $xyz = str_repeat('a local variable ', 20);
    $copy = str_repeat('a local variable ', 20);
    $list = null;
    for ($i = 0; $i < 600; $i++) {
        $list = new Item($i, $list);
    }
    Item::$index = ['all' => range(1, 5000), "odd \" \\ \xff key" => [1]];
    $shared = $items[3];
    $snapshot();

    return "$abc $xyz $copy $list->number $shared->number";
}

$file = $argv[1];
$redact = ($argv[2] ?? '') === 'redact';
close(static function () use ($file, $redact): void {
    xhprof_heap_snapshot($file, ['scalars' => true, 'redact' => $redact]);
}, 506895433343375);
