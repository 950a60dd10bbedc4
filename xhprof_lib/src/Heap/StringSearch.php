<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\File\OpenFile;

/**
 * Finds the strings of a snapshot that contain a text. Only the part of each string that the snapshot has kept is searched. Reads
 * the whole file, a gigabyte in some seconds, in bounded memory.
 *
 * @internal
 */
final class StringSearch
{
    private const BLOCK = 1 << 20;

    /** Bytes of the longest line that can be a string's: a snapshot keeps only the beginning of a long string. */
    private const LONGEST = 8 << 20;

    /** How the line of a string begins: its address, then its type. */
    private const STRING = '/\A\{"a":(\d{1,18}),"t":"string",/';

    public function __construct(private readonly OpenFile $file, private readonly NodeTable $nodes)
    {
    }

    /**
     * @param string $text not empty; upper and lower case differ
     * @return array{list<HeapNode>, bool} the strings, in the order of the file; whether there may be more
     */
    public function find(string $text, int $limit): array
    {
        // The text as JSON escapes it, without the quotes.
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
