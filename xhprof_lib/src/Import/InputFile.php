<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Exception\StoreError;
use XHProf\File\Folder;
use XHProf\Run\PhpMemory;

/**
 * A file to be imported, gzipped or not. Its unpacked size is limited, because a small file can unpack to a huge one. A text is
 * UTF-8 for readers, whatever it is in the file.
 */
final class InputFile
{
    /** Limits in bytes: of a file that must be in memory as a whole, and of one that is read line by line. */
    public const MAX_BYTES = 64 << 20;
    public const MAX_STREAMED = 2 << 30;

    /** Bytes that a format is recognized by: functions of a run may come before what names the format. */
    public const HEAD = 1 << 16;

    /** Bytes of memory per byte of JSON, or of serialized data, when decoded: measured with speedscope's events. */
    private const DECODED = 17;

    private readonly UnpackedFile $unpacked;

    private bool $endsInLine = false;

    /**
     * @param string        $path     not from a request, unless PHP itself wrote the file there
     * @param string        $name     for messages and metadata
     * @param int           $most     bytes, unpacked, of a file that is read line by line
     * @param ImportDeadline|null $deadline of the whole import; null for none
     */
    public function __construct(
        private readonly string $path,
        public readonly string $name,
        private readonly int $most = self::MAX_STREAMED,
        private readonly ?ImportDeadline $deadline = null,
    ) {
        $this->unpacked = new UnpackedFile($path, $name);
    }

    public static function at(string $path): self
    {
        return new self($path, basename($path));
    }

    /**
     * @param resource $stream that can be read once: it is copied into a temporary file, which ends with the process
     *
     * @throws StoreError|InvalidProfile
     */
    public static function ofStream($stream, string $name): self
    {
        [$copy, $why] = Folder::attempt(static fn () => tmpfile());
        if ($copy === false) {
            throw new StoreError("$name cannot be kept: $why");
        }
        [$bytes, $why] = Folder::attempt(static fn () => stream_copy_to_stream($stream, $copy, self::MAX_STREAMED + 1));
        if ($bytes === false || $why !== '' || !fflush($copy)) {
            throw new StoreError("$name cannot be read: $why");
        }
        if ($bytes > self::MAX_STREAMED) {
            throw new InvalidProfile('the file is larger than ' . self::size(self::MAX_STREAMED));
        }
        static $copies = [];
        $copies[] = $copy;

        return new self(stream_get_meta_data($copy)['uri'] ?? '', $name);
    }

    /**
     * @return self|null the file with another ending beside it; null if there is none
     */
    public function beside(string $ending, string $other): ?self
    {
        $path = substr($this->path, 0, -strlen($ending)) . $other;
        if (!str_ends_with($this->path, $ending) || !is_file($path)) {
            return null;
        }

        return new self($path, basename($path), $this->most, $this->deadline);
    }

    /**
     * @return string the first bytes, as readers of texts get them
     *
     * @throws StoreError|InvalidProfile
     */
    public function head(): string
    {
        $head = '';
        foreach ($this->unpacked->pieces() as $piece) {
            $head .= $piece;
            if (strlen($head) >= self::HEAD) {
                break;
            }
        }
        $head = substr($head, 0, self::HEAD);

        return TextDecoder::detect($head)->decode($head);
    }

    /** @return list<string> what is wrong with the file as a whole, known after it was read: sentences without a dot */
    public function notes(): array
    {
        return $this->unpacked->damage() === null ? [] : [$this->unpacked->damage()];
    }

    /** Whether the last line of lines() had no line break: it may have been cut. Known after it was read. */
    public function endsInLine(): bool
    {
        return $this->endsInLine;
    }

    /**
     * @return string a text
     *
     * @throws StoreError|InvalidProfile
     */
    public function contents(): string
    {
        $bytes = $this->bytes();

        return TextDecoder::detect($bytes)->decode($bytes);
    }

    /**
     * @return string the bytes themselves, unpacked
     *
     * @throws StoreError|InvalidProfile
     */
    public function bytes(): string
    {
        $most = min(self::MAX_BYTES, $this->most);
        // Joined once: a large string is copied each time that it grows.
        $pieces = [];
        $sum = 0;
        foreach ($this->unpacked->pieces() as $piece) {
            $pieces[] = $piece;
            $sum += strlen($piece);
            $this->deadline?->check();
            if ($sum > $most) {
                throw new InvalidProfile('the file is larger than ' . self::size($most));
            }
        }

        return implode('', $pieces);
    }

    /**
     * @param int<1, max> $depth
     *
     * @return array<mixed> decoded JSON
     *
     * @throws StoreError|InvalidProfile
     */
    public function json(int $depth = 32): array
    {
        return self::decoded($this->contents(), $depth);
    }

    /**
     * @return string the contents, if PHP's memory_limit allows to decode them
     *
     * @throws StoreError|InvalidProfile
     */
    public function serialized(): string
    {
        $bytes = $this->contents();
        self::checkMemory($bytes);

        return $bytes;
    }

    /** @throws InvalidProfile */
    private static function checkMemory(string $bytes): void
    {
        if (strlen($bytes) * self::DECODED > PhpMemory::left()) {
            throw new InvalidProfile("the file is too large for PHP's memory_limit; bin/xhprof import may have a higher limit");
        }
    }

    /**
     * @param SkippedLines $skipped gets the lines that are longer
     *
     * @return iterable<int, string> lines by number from 1, without line breaks
     *
     * @throws StoreError|InvalidProfile
     */
    public function lines(int $longest, SkippedLines $skipped): iterable
    {
        $decoder = null;
        $number = 0;
        $sum = 0;
        // Of a line that goes on in the next piece, joined once: a large string is copied each time that it grows.
        $rest = [];
        $length = 0;
        foreach ($this->unpacked->pieces() as $piece) {
            $decoder ??= TextDecoder::detect($piece);
            $piece = $decoder->decode($piece);
            $sum += strlen($piece);
            $lines = explode("\n", $piece);
            // The last line may continue in the next piece.
            $last = (string) array_pop($lines);
            if ($lines !== []) {
                $lines[0] = implode('', $rest) . $lines[0];
                $rest = [];
                $length = 0;
            }
            if ($length <= $longest) {
                $rest[] = $last;
                $length += strlen($last);
            }
            foreach ($lines as $line) {
                $number++;
                if (strlen($line) > $longest) {
                    $skipped->add($number, $line, 'too long');
                } else {
                    yield $number => rtrim($line, "\r");
                }
            }
            $this->deadline?->check();
            if ($sum > $this->most) {
                throw new InvalidProfile('the file is larger than ' . self::size($this->most));
            }
        }
        $rest = implode('', $rest);
        $this->endsInLine = $rest !== '';
        if ($length > $longest) {
            $skipped->add($number + 1, $rest, 'too long');
        } elseif ($rest !== '') {
            yield $number + 1 => rtrim($rest, "\r");
        }
    }

    /**
     * @param int<1, max> $depth
     *
     * @return array<mixed>
     *
     * @throws InvalidProfile
     */
    public static function decoded(string $json, int $depth = 32): array
    {
        self::checkMemory($json);
        try {
            $data = json_decode($json, true, $depth, JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR);
        } catch (\JsonException $e) {
            throw new InvalidProfile('not JSON: ' . lcfirst($e->getMessage()), 0, $e);
        }

        return is_array($data) ? $data : throw new InvalidProfile('JSON, but not an object or a list');
    }

    private static function size(int $bytes): string
    {
        return $bytes >= 1 << 30 ? ($bytes >> 30) . ' GB' : ($bytes >> 20) . ' MB';
    }
}
