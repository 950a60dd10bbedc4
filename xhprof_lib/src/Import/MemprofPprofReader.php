<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;

/**
 * memprof_dump_pprof(): gperftools' binary profile with the names of its addresses before it. Each record has bytes, and the
 * addresses of a call path, the innermost first.
 */
final class MemprofPprofReader implements Reader
{
    public const NAME = 'memprof-pprof';
    public const LABEL = 'memprof pprof dump';
    public const OTHERS = [
        // The format of this reader, without the names of addresses.
        ['/\A\0{8}\x03\0{7}/', 'a profile of gperftools', 'pprof -proto PROGRAM FILE makes a pprof file of it'],
        ['/\Aheap profile:\s/', 'a heap profile of gperftools in text', 'pprof -proto makes a pprof file of it'],
    ];

    private const WORD = 8;
    private const DEEPEST = 20000;

    private const SYMBOLS = "--- symbol\n";
    private const PROFILE = "--- profile\n";

    /** memprof's and XHProf's name of the top. */
    private const ROOT = 'root';

    public function recognizes(string $head): bool
    {
        return str_starts_with($head, self::SYMBOLS);
    }

    public function read(InputFile $file): iterable
    {
        $bytes = $file->bytes();
        $at = strpos($bytes, self::PROFILE);
        if ($at === false) {
            throw new InvalidProfile('the file was cut short: it has no profile after its names');
        }
        $names = self::names(substr($bytes, 0, $at));
        $at += strlen(self::PROFILE);
        $header = self::words($bytes, $at, 5);
        if ($header === null || $header[0] !== 0 || $header[1] < 3) {
            throw new InvalidProfile('the profile has no header');
        }
        $at += self::WORD * (2 + $header[1]);
        $tree = new PathTree();
        $tree->addCalls(PathTree::ROOT, 0);
        $isCut = $isOver = false;
        while ($at < strlen($bytes) && !$isCut) {
            $record = self::words($bytes, $at, 2);
            $depth = $record[1] ?? 0;
            $addresses = $record !== null && $depth >= 0 && $depth <= self::DEEPEST
                ? self::words($bytes, $at + 2 * self::WORD, $depth)
                : null;
            $isCut = $record === null || $addresses === null;
            // The last record is of no bytes.
            $isOver = $record === [0, 1] && $addresses === [0];
            if (!$isCut && $record[0] > 0) {
                $path = [];
                foreach (array_reverse($addresses) as $address) {
                    $path[] = $names[$address] ?? sprintf('0x%x', $address);
                }
                $node = $tree->path(($path[0] ?? '') === self::ROOT ? [FrameName::MAIN, ...array_slice($path, 1)] : $path);
                $tree->add('mu', $node, $record[0]);
                $tree->addCalls($node, 1);
            }
            $at += self::WORD * (2 + $depth);
        }

        $why = $isCut ? 'within a record' : ($isOver ? null : 'before its last record');

        yield '' => ImportedRun::ofTree($tree->tree(), [], $why === null ? [] : ["the file was cut short $why"]);
    }

    /** @return array<int, string> by address */
    private static function names(string $text): array
    {
        $names = [];
        foreach (explode("\n", $text) as $line) {
            if (preg_match('/\A0x([0-9a-fA-F]{1,16}) (.+)\z/s', $line, $match) === 1) {
                $names[unpack('J', (string) hex2bin(str_pad($match[1], 16, '0', STR_PAD_LEFT)))[1] ?? 0] = $match[2];
            }
        }

        return $names;
    }

    /** @return list<int>|null null if there are not as many */
    private static function words(string $bytes, int $at, int $count): ?array
    {
        $words = $count === 0 || $at + $count * self::WORD > strlen($bytes) ? false : unpack("P$count", $bytes, $at);

        return match (true) {
            $words !== false => array_values($words),
            $count === 0 => [],
            default => null,
        };
    }
}
