<?php

declare(strict_types=1);

namespace XHProf\Heap;

use XHProf\Format\Units;

/**
 * Values of a snapshot's first and last line, if they are of the right type.
 *
 * @internal
 *
 * @phpstan-import-type Summary from HeapIndex
 */
final class SnapshotInfo
{
    private const HEADER = [
        'php' => 'string', 'pid' => 'int', 'sapi' => 'string', 'host' => 'string', 'command' => 'string',
        'method' => 'string', 'url' => 'string', 'route' => 'string',
        'taken_if' => 'string', 'reached' => 'int',
        'time' => 'number', 'reader' => 'string', 'stopped' => 'bool', 'usage' => 'int', 'peak' => 'int',
        'real_usage' => 'int', 'limit' => 'int', 'chunks' => 'int', 'huge_bytes' => 'int',
        'max_string' => 'int', 'redacted' => 'bool',
    ];

    private const NUMBERS = ['nodes', 'edges', 'usage', 'shared_bytes', 'outside_bytes', 'unreadable', 'took_ms'];

    /**
     * @param array<mixed> $row
     * @return array<string, int|float|string|bool>
     */
    public static function header(array $row): array
    {
        $header = [];
        foreach (self::HEADER as $name => $type) {
            $value = $row[$name] ?? null;
            $isRight = match ($type) {
                'string' => is_string($value),
                'bool' => is_bool($value),
                'int' => is_int($value),
                'number' => is_int($value) || is_float($value),
            };
            if ($isRight && $value !== null) {
                $header[$name] = is_string($value) ? substr($value, 0, 4096) : $value;
            }
        }

        return $header;
    }

    /**
     * Whether its peak is PHP's counter, which the program may have reset: no more can be read from outside.
     *
     * @param array<string, mixed> $header
     */
    public static function hasPhpsPeak(array $header): bool
    {
        return in_array($header['reader'] ?? '', ['outside', 'image', 'core'], true);
    }

    /**
     * Task of the process: the command line, or method and URL of the web request; where a condition held, the route or span that
     * met it. '' if nothing is known.
     *
     * @param array<string, mixed> $header
     */
    public static function task(array $header): string
    {
        $text = static fn (string $key): string => is_string($header[$key] ?? null) ? $header[$key] : '';

        if ($text('taken_if') !== '' && $text('route') !== '') {
            return $text('route');
        }

        return $text('command') !== '' ? $text('command') : trim($text('method') . ' ' . $text('url'));
    }

    /**
     * Why it was taken: "peak=256M, at 268 MB"; '' where a program or a person has asked for it.
     *
     * @param array<string, mixed> $header
     */
    public static function why(array $header): string
    {
        $condition = is_string($header['taken_if'] ?? null) ? $header['taken_if'] : '';
        $reached = $header['reached'] ?? null;

        return $condition . ($condition !== '' && is_int($reached) && $reached > 0 ? ', at ' . Units::bytes($reached) : '');
    }

    /**
     * @param mixed $footer the summary of the last line
     * @return array<string, mixed> its values of Summary
     */
    public static function summary(mixed $footer): array
    {
        $footer = is_array($footer) ? $footer : [];
        $summary = [];
        foreach (self::NUMBERS as $name) {
            $value = $footer[$name] ?? null;
            if (is_int($value) && $value >= 0 || is_float($value) && $value >= 0 && $value < 1e15) {
                $summary[$name] = (int) round($value);
            }
        }
        foreach (['typed', 'native', 'unreachable'] as $tier) {
            $bytes = $footer[$tier]['bytes'] ?? null;
            $blocks = $footer[$tier]['blocks'] ?? null;
            if (is_int($bytes) && is_int($blocks) && $bytes >= 0 && $blocks >= 0) {
                $summary[$tier] = ['bytes' => $bytes, 'blocks' => $blocks];
            }
        }
        $percent = $footer['typed_percent'] ?? null;
        if (is_int($percent) || is_float($percent)) {
            $summary['typed_percent'] = max(0.0, min(100.0, (float) $percent));
        }
        if (is_bool($footer['incomplete'] ?? null)) {
            $summary['incomplete'] = $footer['incomplete'];
        }

        return $summary;
    }
}
