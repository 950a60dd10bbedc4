<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Exception\StoreError;
use XHProf\Store\Folder;

/** A file to be imported, gzipped or not. Its unpacked size is limited, because a small file can unpack to a huge one. */
final class InputFile
{
    /** Limits in bytes: of a file that must be in memory as a whole, and of one that is read line by line. */
    public const MAX_BYTES = 64 << 20;
    public const MAX_STREAMED = 2 << 30;

    public const HEAD = 4096;

    /** Bytes of memory per byte of JSON when decoded, measured with speedscope's events. */
    private const DECODED = 17;

    /**
     * @param string $path not from a request, unless PHP itself wrote the file there
     * @param string $name for messages and metadata
     */
    public function __construct(private readonly string $path, public readonly string $name)
    {
    }

    public static function at(string $path): self
    {
        return new self($path, basename($path));
    }

    /**
     * @throws StoreError
     */
    public function head(): string
    {
        $stream = $this->open();
        $head = (string) self::readOrFail(static fn () => gzread($stream, self::HEAD), $this->name);
        gzclose($stream);

        return $head;
    }

    /**
     * @throws StoreError|InvalidProfile
     */
    public function contents(): string
    {
        $stream = $this->open();
        $contents = '';
        while (!gzeof($stream)) {
            $piece = (string) self::readOrFail(static fn () => gzread($stream, 1 << 20), $this->name);
            if ($piece === '') {
                break;
            }
            $contents .= $piece;
            if (strlen($contents) > self::MAX_BYTES) {
                throw new InvalidProfile('the file is larger than ' . (self::MAX_BYTES >> 20) . ' MB');
            }
        }
        gzclose($stream);

        return $contents;
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
        $json = $this->contents();
        $limit = ini_parse_quantity((string) ini_get('memory_limit'));
        if ($limit > 0 && memory_get_usage() + strlen($json) * self::DECODED > $limit) {
            throw new InvalidProfile("the file is too large for PHP's memory_limit; bin/xhprof import may have a higher limit");
        }

        return self::decoded($json, $depth);
    }

    /**
     * @return iterable<int, string> lines by number from 1, without line breaks
     *
     * @throws StoreError|InvalidProfile
     */
    public function lines(int $longest): iterable
    {
        $stream = $this->open();
        $number = 0;
        $sum = 0;
        $rest = '';
        do {
            $piece = (string) self::readOrFail(static fn () => gzread($stream, 1 << 20), $this->name);
            $sum += strlen($piece);
            $lines = explode("\n", $rest . $piece);
            // The last line may continue in the next piece.
            $rest = $piece === '' ? '' : (string) array_pop($lines);
            foreach ($lines as $line) {
                $number++;
                if (strlen($line) > $longest) {
                    throw new InvalidProfile("line $number is too long");
                }
                yield $number => rtrim($line, "\r");
            }
            if ($sum > self::MAX_STREAMED) {
                throw new InvalidProfile('the file is larger than ' . (self::MAX_STREAMED >> 30) . ' GB');
            }
            if (strlen($rest) > $longest) {
                throw new InvalidProfile('line ' . ($number + 1) . ' is too long');
            }
        } while ($piece !== '');
        gzclose($stream);
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
        try {
            $data = json_decode($json, true, $depth, JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR);
        } catch (\JsonException $e) {
            throw new InvalidProfile('not JSON: ' . lcfirst($e->getMessage()), 0, $e);
        }

        return is_array($data) ? $data : throw new InvalidProfile('JSON, but not an object or a list');
    }

    /**
     * @return resource
     */
    private function open()
    {
        if (!is_file($this->path)) {
            throw new StoreError("$this->name does not exist");
        }
        [$stream, $why] = Folder::attempt(fn () => gzopen($this->path, 'rb'));

        return $stream === false ? throw new StoreError("$this->name cannot be read: $why") : $stream;
    }

    /**
     * @template T
     *
     * @param \Closure(): T $read
     *
     * @return T
     */
    private static function readOrFail(\Closure $read, string $name): mixed
    {
        [$result, $why] = Folder::attempt($read);

        return $why === '' ? $result : throw new StoreError("$name cannot be read: $why");
    }
}
