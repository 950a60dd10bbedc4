<?php

declare(strict_types=1);

namespace XHProf\Mcp;

/** Lines of a stream, none longer than a bound, read when they are asked for. */
final class Lines
{
    /** Bytes of a line. A call of a tool has some hundred. */
    public const LONGEST = 1 << 20;

    private const BLOCK = 1 << 16;

    private string $rest = '';

    /** Whether the rest of a line that is too long is left out. */
    private bool $isSkipping = false;

    private bool $isAtEnd = false;

    /** @var list<string|null> that have been read; null for one that is too long */
    private array $lines = [];

    /** @param resource $stream */
    public function __construct(private $stream, private readonly int $longest = self::LONGEST)
    {
        stream_set_blocking($stream, false);
    }

    public function isAtEnd(): bool
    {
        return $this->isAtEnd;
    }

    /**
     * Waits until there is something to read.
     *
     * @param resource|null $other a stream that ends the wait too
     */
    public function wait(float $seconds, $other = null): void
    {
        $read = array_filter([$this->isAtEnd ? null : $this->stream, $other]);
        [$write, $except] = [null, null];
        if ($read === []) {
            usleep((int) (1e6 * min(0.05, $seconds)));

            return;
        }
        // A signal ends it with a warning.
        @stream_select($read, $write, $except, (int) $seconds, (int) (1e6 * fmod($seconds, 1)));
    }

    /** @return list<string|null> what has arrived since the last time; null for a line that is too long */
    public function arrived(): array
    {
        while (!$this->isAtEnd) {
            $block = @fread($this->stream, self::BLOCK);
            if ($block === false || $block === '') {
                $this->isAtEnd = feof($this->stream);
                break;
            }
            $this->add($block);
        }
        if ($this->isAtEnd && $this->rest !== '' && !$this->isSkipping) {
            $this->lines[] = $this->rest;
            $this->rest = '';
        }
        $lines = $this->lines;
        $this->lines = [];

        return $lines;
    }

    private function add(string $block): void
    {
        $pieces = explode("\n", $block);
        $last = array_pop($pieces);
        foreach ($pieces as $piece) {
            $line = $this->rest . $piece;
            $isTooLong = $this->isSkipping || strlen($line) > $this->longest;
            $this->lines[] = $isTooLong ? null : $line;
            [$this->rest, $this->isSkipping] = ['', false];
        }
        $this->rest .= $this->isSkipping ? '' : $last;
        if (strlen($this->rest) > $this->longest) {
            [$this->rest, $this->isSkipping] = ['', true];
        }
    }
}
