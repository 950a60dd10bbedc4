<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\Exception\DamagedSnapshot;
use XHProf\File\OpenFile;

/**
 * Reads a snapshot's file line by line, in bounded memory: references of lines longer than LONG come in pieces.
 *
 * @internal
 */
final class SnapshotReader
{
    public const HEADER = 1;
    public const NODE = 2;
    /** More references of the previous node. */
    public const MORE = 3;
    public const PATH = 4;
    public const FOOTER = 5;

    /**
     * Longest line in bytes that is read as a whole, and longest head of a longer one before its references. Decoded, short
     * references take forty times as much.
     */
    private const LONG = 1 << 17;
    private const MAX_HEAD = 16 << 20;

    /** Bytes of a long line's references read at once; a single reference, mainly its name, is shorter. */
    private const PIECE = 1 << 16;
    private const MAX_NAME = 4 << 20;

    private const TEXT = '"(?:[^"\\\\]++|\\\\.)*+"';

    /** A reference, as the writer writes it: ["name",123,"p"], [12,123], ["name",null,true] */
    private const REFERENCE = '/\G,?+(\[(?:-?\d++|' . self::TEXT . '),(?:-?\d++|null)'
        . '(?:,(?:' . self::TEXT . '|[^"\[\],]++))?+\])/s';

    /** Offset of the line read last. */
    public int $offset = 0;

    /** Number of the line read last, from 1 on. */
    public int $line = 0;

    /** Whether the end is missing. */
    public bool $isCut = false;

    private readonly string $file;

    /** @var resource */
    private $stream;

    public function __construct(OpenFile $file)
    {
        $this->file = $file->path;
        $this->stream = $file->stream;
    }

    /**
     * @return \Generator<int, array<mixed>> kind of the line => the decoded line; for MORE its references
     *
     * @throws DamagedSnapshot
     */
    public function rows(): \Generator
    {
        rewind($this->stream);
        yield self::HEADER => $this->header();
        $next = (int) ftell($this->stream);
        $rest = '';
        $end = false;
        do {
            $piece = (string) fread($this->stream, self::LONG);
            $lines = explode("\n", $rest . $piece);
            $rest = (string) array_pop($lines);
            if ($piece === '' && $rest !== '') {
                $lines = [$rest];
            }
            foreach ($lines as $line) {
                $this->offset = $next;
                $next += strlen($line) + 1;
                $this->line++;
                if ($end) {
                    throw $this->damage('something follows after the last line');
                }
                $row = json_decode($line, true, 8);
                if (!is_array($row)) {
                    if ($piece === '') {
                        // The disk was full, or the writing process was killed.
                        break 2;
                    }
                    throw $this->damage('not JSON: ' . lcfirst(json_last_error_msg()));
                }
                $what = $this->rowKind($row);
                $end = $what === self::FOOTER;
                yield $what => $row;
            }
            if (strlen($rest) > self::LONG) {
                $this->offset = $next;
                $this->line++;
                if ($end) {
                    throw $this->damage('something follows after the last line');
                }
                foreach ($this->longLine($rest) as $what => $row) {
                    $end = $what === self::FOOTER;
                    yield $what => $row;
                }
                $rest = '';
                $next = (int) ftell($this->stream);
            }
        } while ($piece !== '');
        $this->isCut = !$end;
    }

    public function damage(string $what): DamagedSnapshot
    {
        return new DamagedSnapshot("$this->file: line $this->line: $what");
    }

    /**
     * The text of the line that begins at $offset, without its references.
     *
     * @return array<mixed> decoded
     */
    public function head(int $offset): array
    {
        fseek($this->stream, $offset);
        $line = '';
        while (strlen($line) < self::MAX_HEAD) {
            $piece = fgets($this->stream, self::PIECE);
            if ($piece === false) {
                break;
            }
            $from = max(0, strlen($line) - 8);
            $line .= $piece;
            $at = strpos($line, ',"e":[', $from);
            if ($at !== false) {
                $line = substr($line, 0, $at) . '}';
                break;
            }
            if ($piece[-1] === "\n") {
                break;
            }
        }
        $row = json_decode($line, true, 8);

        return is_array($row) ? $row : [];
    }

    /**
     * @return array<mixed>
     *
     * @throws DamagedSnapshot
     */
    private function header(): array
    {
        $line = (string) fgets($this->stream, self::LONG);
        $this->line = 1;
        $row = json_decode($line, true, 8);
        $version = is_array($row) ? $row['xhprof_heap'] ?? null : null;
        if (is_array($row) && $version === 1) {
            return $row;
        }
        throw new DamagedSnapshot("$this->file: " . match (true) {
            is_int($version) => "a heap snapshot of format $version; only format 1 can be read",
            str_starts_with($line, '{"snapshot":') => 'a heap snapshot for DevTools; only the format jsonl can be read',
            str_starts_with($line, "\x1F\x8B") => 'it is gzipped; gunzip it first',
            $line === '' => 'the file is empty',
            str_contains(substr($line, 0, 4096), '"context"'), str_contains(substr($line, 0, 4096), '"location_types_summary"')
                => 'a snapshot of the format reli; only the format jsonl can be read',
            default => 'this is not a heap snapshot',
        });
    }

    /**
     * @param array<mixed> $row
     *
     * @throws DamagedSnapshot
     */
    private function rowKind(array $row): int
    {
        return match (true) {
            isset($row['a']) => self::NODE,
            isset($row['p']) => self::PATH,
            isset($row['end']) => self::FOOTER,
            default => throw $this->damage('not a node, a call path or the end'),
        };
    }

    /**
     * @param string $line its beginning
     * @return \Generator<int, array<mixed>>
     *
     * @throws DamagedSnapshot
     */
    private function longLine(string $line): \Generator
    {
        $from = 0;
        while (($at = strpos($line, ',"e":[', $from)) === false) {
            $piece = strlen($line) < self::MAX_HEAD ? fgets($this->stream, self::LONG) : false;
            if ($piece === false && feof($this->stream)) {
                return;
            }
            if ($piece === false) {
                throw $this->damage('longer than ' . (self::MAX_HEAD >> 20) . ' MB before its references');
            }
            $from = max(0, strlen($line) - 8);
            $line .= (string) $piece;
            if (str_ends_with($line, "\n") && strpos($line, ',"e":[', $from) === false) {
                // A line with a long value and no references, or the last line, which names many classes.
                $row = json_decode($line, true, 8);
                if (!is_array($row)) {
                    throw $this->damage('too long, or not JSON');
                }
                yield $this->rowKind($row) => $row;

                return;
            }
        }
        $row = json_decode(substr($line, 0, $at) . '}', true, 8);
        if (!is_array($row) || !isset($row['a'])) {
            throw $this->damage('too long, or not JSON');
        }
        yield self::NODE => $row;
        $rest = substr($line, $at + 6);
        unset($line);
        for (;;) {
            $at = 0;
            preg_match_all(self::REFERENCE, $rest, $found);
            if ($found[0] !== []) {
                $at = strlen(implode('', $found[0]));
                $references = json_decode('[' . implode(',', $found[1]) . ']', true, 8);
                if (!is_array($references)) {
                    throw $this->damage('not JSON: ' . lcfirst(json_last_error_msg()));
                }
                unset($found);
                yield self::MORE => $references;
            }
            $rest = substr($rest, $at);
            if ($rest === "]}\n" || $rest === ']}') {
                return;
            }
            if (str_ends_with($rest, "\n") || strlen($rest) > self::MAX_NAME) {
                throw $this->damage('its references cannot be read');
            }
            $piece = fgets($this->stream, self::PIECE);
            if ($piece === false) {
                return;
            }
            $rest .= $piece;
        }
    }
}
