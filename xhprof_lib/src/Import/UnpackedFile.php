<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Exception\StoreError;
use XHProf\File\Folder;

/**
 * The bytes of a file piece by piece, unpacked where it is gzipped. gzread() takes the end of a file for the end of its stream;
 * this class knows a stream that has none.
 *
 * @internal
 */
final class UnpackedFile
{
    /** A byte may unpack to a thousand. */
    private const PACKED_PIECE = 1 << 13;
    private const PIECE = 1 << 18;

    private const GZIP = "\x1F\x8B";

    /** First bytes of what gzcompress() makes, but for a level at which they are letters: some stores of runs hold that. */
    private const ZLIB = ["\x78\x01", "\x78\x9C", "\x78\xDA"];

    private ?string $damage = null;

    public function __construct(private readonly string $path, private readonly string $name)
    {
    }

    /** @return string|null what is wrong with the gzip stream, as a sentence without a dot; known after the last piece */
    public function damage(): ?string
    {
        return $this->damage;
    }

    /**
     * @return \Generator<int, string> none is empty
     *
     * @throws StoreError|InvalidProfile
     */
    public function pieces(): \Generator
    {
        $this->damage = null;
        $stream = $this->open();
        try {
            $first = $this->readFrom($stream, self::PACKED_PIECE);
            $isZlib = in_array(substr($first, 0, 2), self::ZLIB, true);
            if ($isZlib || str_starts_with($first, self::GZIP)) {
                yield from $this->unpacked($stream, $first, $isZlib ? ZLIB_ENCODING_DEFLATE : ZLIB_ENCODING_GZIP);

                return;
            }
            for ($piece = $first; $piece !== ''; $piece = $this->readFrom($stream, self::PIECE)) {
                yield $piece;
            }
        } finally {
            fclose($stream);
        }
    }

    /**
     * @param resource                                  $stream
     * @param ZLIB_ENCODING_DEFLATE|ZLIB_ENCODING_GZIP $encoding
     *
     * @return \Generator<int, string>
     */
    private function unpacked($stream, string $packed, int $encoding): \Generator
    {
        $context = inflate_init($encoding);
        if ($context === false) {
            throw new StoreError("$this->name cannot be read: there is no gzip");
        }
        $read = 0;
        while ($packed !== '') {
            [$piece, $why] = Folder::attempt(static fn () => inflate_add($context, $packed, ZLIB_SYNC_FLUSH));
            if ($piece === false) {
                throw new InvalidProfile('the gzip stream is damaged' . ($why === '' ? '' : ": $why"));
            }
            if ($piece !== '') {
                yield $piece;
            }
            if (inflate_get_status($context) !== ZLIB_STREAM_END) {
                $read += strlen($packed);
                $packed = $this->readFrom($stream, self::PACKED_PIECE);
                if ($packed === '') {
                    $this->damage = 'the gzip stream has no end: the file was cut short';
                }
                continue;
            }
            // Another stream may follow, which unpacks to more of the same file.
            $packed = substr($packed, inflate_get_read_len($context) - $read);
            $packed .= strlen($packed) < 2 ? $this->readFrom($stream, self::PACKED_PIECE) : '';
            $read = 0;
            $context = inflate_init(ZLIB_ENCODING_GZIP);
            if ($context === false || !str_starts_with($packed, self::GZIP)) {
                $this->damage = $this->isPadding($stream, $packed) ? null : 'bytes after the end of the gzip stream were left out';

                return;
            }
        }
    }

    /**
     * Whether the rest of the file is padding, as tapes and block devices add it.
     *
     * @param resource $stream
     */
    private function isPadding($stream, string $rest): bool
    {
        for (; $rest !== ''; $rest = $this->readFrom($stream, self::PIECE)) {
            if (trim($rest, "\0") !== '') {
                return false;
            }
        }

        return true;
    }

    /**
     * @return resource
     */
    private function open()
    {
        if (is_dir($this->path)) {
            throw new StoreError("$this->name is a folder, not a file");
        }
        if (!file_exists($this->path)) {
            throw new StoreError("$this->name does not exist");
        }
        [$stream, $why] = Folder::attempt(fn () => fopen($this->path, 'rb'));

        return $stream === false ? throw new StoreError("$this->name cannot be read: $why") : $stream;
    }

    /**
     * @param resource     $stream
     * @param int<1, max>  $bytes
     */
    private function readFrom($stream, int $bytes): string
    {
        [$piece, $why] = Folder::attempt(static fn () => fread($stream, $bytes));

        return $why === '' ? (string) $piece : throw new StoreError("$this->name cannot be read: $why");
    }
}
