<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;

/** memprof_dump_array() as JSON: live bytes and blocks of each call path, and how often it was called. */
final class MemprofArrayReader implements Reader
{
    public const NAME = 'memprof';
    public const LABEL = 'memprof JSON';
    public const OTHERS = [
        [
            '/\Aa:[0-9]+:\{s:11:"memory_size";i:/',
            'a serialized memprof_dump_array()',
            'write it with json_encode(), or memprof_dump_callgrind()',
        ],
    ];

    private const DEPTH = 4096;

    public function recognizes(string $head): bool
    {
        return preg_match('/\A\s*\{\s*"memory_size"\s*:/', $head) === 1 && str_contains($head, '"called_functions"');
    }

    public function read(InputFile $file): iterable
    {
        $tree = new PathTree();
        $open = [[PathTree::ROOT, $file->json(self::DEPTH)]];
        while (($next = array_pop($open)) !== null) {
            [$node, $frame] = $next;
            $tree->addCalls($node, self::count($frame, 'calls'));
            $tree->add('mu', $node, self::count($frame, 'memory_size'));
            $tree->add(CallgrindEvents::BLOCKS, $node, self::count($frame, 'blocks_count'));
            $called = is_array($frame['called_functions'] ?? null) ? $frame['called_functions'] : [];
            $below = [];
            foreach ($called as $name => $callee) {
                $callee = is_array($callee) ? $callee : throw new InvalidProfile('a function has no figures');
                $below[] = [$tree->below($node, (string) $name), $callee];
            }
            for (; $below !== []; array_pop($below)) {
                $open[] = $below[count($below) - 1];
            }
        }

        yield '' => ImportedRun::ofTree($tree->tree());
    }

    /** @param array<mixed> $frame */
    private static function count(array $frame, string $key): int
    {
        $count = $frame[$key] ?? 0;

        return is_int($count) && $count >= 0 && $count < 1 << 60
            ? $count
            : throw new InvalidProfile("\"$key\" of a function is not a number");
    }
}
