<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\File\OpenFile;

/**
 * Finds strings of a snapshot by a text in what the snapshot has of their contents. Reads the whole file, a gigabyte in some
 * seconds, in bounded memory.
 *
 * @internal
 */
final class StringSearch
{
    private const BLOCK = 1 << 20;

    /** A line may be longer: then it is no string's, whose line is at most as long as what is shown of it. */
    private const LONGEST = 8 << 20;

    /** Lines have this behind their address. */
    private const STRING = '/\A\{"a":(\d{1,18}),"t":"string",/';

    public function __construct(private readonly OpenFile $file, private readonly NodeTable $nodes)
    {
    }

    /**
     * @param string $text as it is written in the string, not empty
     * @return array{list<HeapNode>, bool} in the order of the file; whether there may be more
     */
    public function of(string $text, int $limit): array
    {
        // As the writer escapes it, without the quotes.
        $encoded = json_encode($text, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE);
        $needle = substr((string) $encoded, 1, -1);
        $found = [];
        $rest = '';
        rewind($this->file->stream);
        while (($block = (string) fread($this->file->stream, self::BLOCK)) !== '') {
            $block = $rest . $block;
            $end = strrpos($block, "\n");
            if ($end === false) {
                $rest = strlen($block) > self::LONGEST ? '' : $block;
                continue;
            }
            $rest = substr($block, $end + 1);
            for ($at = 0; ($hit = strpos($block, $needle, $at)) !== false && $hit < $end; $at = $to) {
                $from = (int) strrpos($block, "\n", $hit - strlen($block));
                $from += $block[$from] === "\n" ? 1 : 0;
                $to = (int) strpos($block, "\n", $hit);
                $node = $this->node(substr($block, $from, $to - $from), $text);
                if ($node === null) {
                    continue;
                }
                if (count($found) >= $limit) {
                    return [$found, true];
                }
                $found[] = $node;
            }
        }

        return [$found, false];
    }

    private function node(string $line, string $text): ?HeapNode
    {
        if (preg_match(self::STRING, $line, $match) !== 1) {
            return null;
        }
        $row = json_decode($line, true, 8);
        $value = is_array($row) ? $row['v'] ?? null : null;

        return is_string($value) && str_contains($value, $text) ? $this->nodes->find((int) $match[1]) : null;
    }
}
