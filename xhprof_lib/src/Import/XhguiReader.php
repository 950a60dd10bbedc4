<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;
use XHProf\Run\ClassicFile;
use XHProf\Run\MetaValues;

/**
 * Files of XHGui, its collectors and Buggregator's: a JSON document per run, one per line, in a list, or alone, or serialize() of
 * one; or its calls alone. Of the request URL, method, host, time and tags are read; the values of the URL's parameters are not.
 */
final class XhguiReader implements Reader
{
    public const NAME = 'xhgui';
    public const LABEL = 'XHGui JSON';

    private const LONGEST_LINE = 32 << 20;
    private const DEPTH = 64;
    private const MAX_RECORDS = 100000;
    private const MAX_TAGS = 32;

    /**
     * A profile, or edges: the calls alone have main() at their end. Other tools have "meta" too, these keys of it are XHGui's;
     * the profile may stand behind them.
     */
    private const SHAPES = '/"profile"\s*:\s*["{[]|"main\(\)"\s*:\s*\{|==(?:>|\\\\u003[Ee])[^"]*"\s*:\s*\{'
        . '|"(?:request_ts|request_ts_micro|request_date|simple_url|SERVER)"\s*:/';

    public function recognizes(string $head): bool
    {
        return (preg_match('/\A\s*[\[{]/', $head) === 1 && preg_match(self::SHAPES, $head) === 1) || self::isSerialized($head);
    }

    /** Whether it is serialize() of a document, not of calls alone: their first name is another. */
    public static function isSerialized(string $head): bool
    {
        return preg_match('/\Aa:[0-9]{1,9}:\{s:(?:7:"profile"|4:"meta");[as]:/', $head) === 1;
    }

    public function read(InputFile $file): iterable
    {
        if (self::isOnePerLine($file)) {
            $number = 0;
            $long = new SkippedLines();
            foreach ($file->lines(self::LONGEST_LINE, $long) as $line => $text) {
                if (trim($text) === '') {
                    continue;
                }
                if (++$number > self::MAX_RECORDS) {
                    yield "line $line" => new InvalidProfile('there are too many records');

                    return;
                }
                yield "line $line" => self::record(static fn (): array => InputFile::decoded($text, self::DEPTH));
            }
            if ($long->count() > 0) {
                yield 'long lines' => new InvalidProfile($long->notes()[0]);
            }

            return;
        }
        $data = self::isSerialized($file->head()) ? self::unserialized($file->serialized()) : $file->json(self::DEPTH);
        foreach (array_is_list($data) ? $data : [$data] as $i => $document) {
            $record = array_is_list($data) ? 'record ' . ($i + 1) : '';
            yield $record => self::record(static fn (): mixed => $document);
        }
    }

    /** Whether a document begins in the first line and in the next one, if there is a next one. */
    private static function isOnePerLine(InputFile $file): bool
    {
        $lines = 0;
        foreach ($file->lines(self::LONGEST_LINE, new SkippedLines()) as $line) {
            $line = trim($line);
            if ($line !== '') {
                $isDocument = str_starts_with($line, '{') && $line !== '{';
                if (!$isDocument || ++$lines === 2) {
                    return $isDocument;
                }
            }
        }

        return $lines > 0;
    }

    /**
     * @return array<mixed>
     *
     * @throws InvalidProfile
     */
    private static function unserialized(string $bytes): array
    {
        $data = ClassicFile::unserialize($bytes, self::DEPTH);
        // Dates are objects of a driver of MongoDB.
        array_walk_recursive($data, static function (mixed &$value): void {
            $value = is_object($value) ? (array) $value : $value;
        });

        return $data;
    }

    /**
     * @param \Closure(): mixed $document
     */
    private static function record(\Closure $document): ImportedRun|InvalidProfile
    {
        try {
            return self::run($document());
        } catch (InvalidProfile $e) {
            return $e;
        }
    }

    /**
     * @throws InvalidProfile
     */
    private static function run(mixed $document): ImportedRun
    {
        $document = is_array($document) ? $document : throw new InvalidProfile('it is not an object');
        // A document without a profile in it may be the calls alone.
        $edges = $document['profile'] ?? (self::isCalls($document) ? $document : null);
        $edges = is_string($edges) ? InputFile::decoded($edges, 8) : $edges;
        if (!is_array($edges)) {
            throw new InvalidProfile('it has no profile');
        }
        $calls = [];
        foreach ($edges as $key => $row) {
            if ($key !== '' && is_array($row)) {
                $calls[self::key((string) $key)] = array_map(MongoValue::plain(...), $row);
            }
        }
        $meta = is_array($document['meta'] ?? null) ? $document['meta'] : $document;

        return new ImportedRun(Profile::fromEdges($calls), null, self::meta($meta));
    }

    /** @param array<mixed> $document */
    private static function isCalls(array $document): bool
    {
        foreach ($document as $key => $row) {
            if (is_array($row) && (str_contains((string) $key, EdgeKey::SEPARATOR) || $key === FrameName::MAIN)) {
                return true;
            }
        }

        return false;
    }

    /** Stores that allow no dots in keys replace them. */
    private static function key(string $key): string
    {
        $key = str_replace(['%2E', '%2e', '%24', "\u{FF0E}", "\u{FF04}"], ['.', '.', '$', '.', '$'], $key);

        return preg_replace('~((?:load|run_init|eval)::[^=]*?)_(php|phtml|inc|phar)(?=@|==>|\z)~', '$1.$2', $key) ?? $key;
    }

    /**
     * @param array<mixed> $meta
     *
     * @return array<string, mixed>
     */
    private static function meta(array $meta): array
    {
        // A column of a table is a text.
        $server = is_string($meta['SERVER'] ?? null) ? json_decode($meta['SERVER'], true, self::DEPTH) : $meta['SERVER'] ?? null;
        $server = is_array($server) ? $server : [];
        $tags = is_array($meta['tags'] ?? null) ? $meta['tags'] : [];
        $url = $meta['url'] ?? $server['REQUEST_URI'] ?? $tags['url'] ?? $tags['uri'] ?? null;
        $host = $server['SERVER_NAME'] ?? $server['HTTP_HOST'] ?? $meta['hostname'] ?? null;
        $method = $server['REQUEST_METHOD'] ?? $tags['method'] ?? null;
        $about = array_filter(['app_name' => $meta['app_name'] ?? null], is_string(...));
        foreach ($tags as $name => $tag) {
            if (is_scalar($tag) && !in_array($name, ['url', 'uri', 'method'], true)) {
                $about["tag $name"] = $tag;
            }
        }

        return array_filter([
            'ts' => self::time($meta, $server),
            'url' => is_string($url) && $url !== '' ? $url : null,
            'method' => is_string($method) && preg_match('/\A[A-Z]{1,10}\z/', $method) === 1 ? $method : null,
            'host' => is_string($host) && strlen($host) < 256 ? $host : null,
            'meta' => array_slice($about, 0, self::MAX_TAGS),
        ], static fn (mixed $value): bool => $value !== null && $value !== []);
    }

    /**
     * @param array<mixed> $meta
     * @param array<mixed> $server
     */
    private static function time(array $meta, array $server): ?float
    {
        foreach (['request_ts_micro', 'request_ts', 'REQUEST_TIME_FLOAT', 'REQUEST_TIME', 'date', 'request_date'] as $key) {
            $time = MetaValues::time(MongoValue::time($meta[$key] ?? $server[$key] ?? null));
            if ($time !== null) {
                return $time;
            }
        }

        return null;
    }
}
