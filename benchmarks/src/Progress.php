<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** Shows the current measurement and the remaining time on a terminal. */
final class Progress
{
    /** Longer lines could not be overwritten on a usual terminal. */
    private const WIDTH = 79;

    private readonly bool $isTerminal;
    private readonly int $began;
    private int $done = 0;

    /** @param resource $stream */
    public function __construct(private $stream, private readonly int $steps)
    {
        $this->isTerminal = stream_isatty($stream);
        $this->began = hrtime(true);
    }

    public function step(string $text): void
    {
        $this->done++;
        if (!$this->isTerminal) {
            return;
        }
        $left = '';
        if ($this->done > 20) {
            $seconds = (hrtime(true) - $this->began) / 1e9 / ($this->done - 1) * ($this->steps - $this->done + 1);
            $left = $seconds < 90 ? sprintf(', %.0f s left', $seconds) : sprintf(', %.0f min left', $seconds / 60);
        }
        $line = "$this->done/$this->steps$left: $text";
        fwrite($this->stream, "\r\e[K" . substr($line, 0, self::WIDTH));
    }

    public function end(): void
    {
        if ($this->isTerminal) {
            fwrite($this->stream, "\r\e[K");
        }
    }
}
