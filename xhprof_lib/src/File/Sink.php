<?php

declare(strict_types=1);

namespace XHProf\File;

use XHProf\Exception\ExportTooLarge;
use XHProf\Exception\StoreError;

/** Collects the bytes of an exported file in small pieces and passes them on in large ones. */
final class Sink
{
    private const PIECE = 1 << 16;

    private string $buffer = '';

    private int $bytes = 0;

    /**
     * @param \Closure(string): void $write    takes a piece
     * @param \Closure(): void|null  $finished is called after the last one
     * @param int|null               $most     bytes; null for any number
     */
    public function __construct(
        private readonly \Closure $write,
        private readonly ?\Closure $finished = null,
        private readonly ?int $most = null,
    ) {
    }

    /**
     * @param resource $stream
     * @param string   $name   for the message of a StoreError, which a failed write() or end() throws
     */
    public static function toStream($stream, string $name): self
    {
        return new self(static function (string $piece) use ($stream, $name): void {
            for ($rest = $piece; $rest !== ''; $rest = substr($rest, $written)) {
                [$written, $why] = Folder::attempt(static fn () => fwrite($stream, $rest));
                if ($written === false || $written === 0) {
                    throw new StoreError("$name cannot be written: " . ($why ?: 'the disk may be full'));
                }
            }
        });
    }

    /** Keeps all bytes in memory: for small files only. */
    public static function toText(string &$text): self
    {
        $text = '';

        return new self(static function (string $piece) use (&$text): void {
            $text .= $piece;
        });
    }

    /**
     * @return self bytes written to it arrive here compressed; its end() does not end this one
     */
    public function gzipped(): self
    {
        $deflate = deflate_init(ZLIB_ENCODING_GZIP, ['level' => 6])
            ?: throw new \LogicException('zlib takes neither level 6 nor gzip');
        $add = fn (string $piece, int $flush) => $this->write((string) deflate_add($deflate, $piece, $flush));

        return new self(
            static fn (string $piece) => $add($piece, ZLIB_NO_FLUSH),
            static fn () => $add('', ZLIB_FINISH),
        );
    }

    /**
     * @return self keeps nothing, and throws ExportTooLarge as soon as there are more bytes than that
     */
    public static function measuring(int $most): self
    {
        return new self(static fn () => null, null, $most);
    }

    /**
     * Announces a file's size before it is written, for formats whose files may be far larger than the run.
     *
     * @throws ExportTooLarge
     */
    public function expect(int $bytes): void
    {
        if ($this->most !== null && $bytes > $this->most) {
            throw new ExportTooLarge("the file would exceed $this->most bytes");
        }
    }

    public function write(string $bytes): void
    {
        $this->buffer .= $bytes;
        if (strlen($this->buffer) >= self::PIECE) {
            $this->flush();
        }
    }

    public function end(): void
    {
        $this->flush();
        if ($this->finished !== null) {
            ($this->finished)();
        }
    }

    /** Number of bytes written. */
    public function bytes(): int
    {
        return $this->bytes + strlen($this->buffer);
    }

    private function flush(): void
    {
        if ($this->buffer !== '') {
            $piece = $this->buffer;
            $this->buffer = '';
            $this->bytes += strlen($piece);
            $this->expect($this->bytes);
            ($this->write)($piece);
        }
    }
}
