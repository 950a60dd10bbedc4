<?php

declare(strict_types=1);

namespace XHProf\Cli\Terminal;

use XHProf\Cli\CliError;

/** Writes everything to a stream, and reports when that fails. */
final class Writer
{
    private const PIPE_WITHOUT_READER = 32;

    private bool $isClosed = false;

    /**
     * @param resource $stream
     * @param string   $name   for the message
     */
    public function __construct(private $stream, private readonly string $name)
    {
    }

    /**
     * A reader that closes early (`| head`) is no error: the rest is dropped.
     *
     * @throws CliError
     */
    public function write(string $text): void
    {
        while ($text !== '' && !$this->isClosed) {
            error_clear_last();
            $written = @fwrite($this->stream, $text);
            $error = error_get_last()['message'] ?? null;
            if ($error !== null || $written === false) {
                // There is no reason if another error handler took it.
                $this->fail($error ?? 'it takes nothing');
            } elseif ($written === 0) {
                // interrupted, or a stream that does not block and is full
                $this->waitForRoom();
            }
            $text = substr($text, (int) $written);
        }
        fflush($this->stream);
    }

    private function fail(string $error): void
    {
        if (preg_match('/errno=(\d+) (.+)/', $error, $match) === 1) {
            if ((int) $match[1] === self::PIPE_WITHOUT_READER) {
                $this->isClosed = true;

                return;
            }
            $error = $match[2];
        }
        throw new CliError("cannot write to {$this->name}: $error");
    }

    private function waitForRoom(): void
    {
        $none = null;
        $streams = [$this->stream];
        @stream_select($none, $streams, $none, 1);
    }
}
