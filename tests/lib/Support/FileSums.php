<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use RuntimeException;
use XHProf\Export\Csv;
use XHProf\Profile\Metrics;

/**
 * What exported files say of each function: nanoseconds, bytes and calls, as TreeSums has them, with names as the file has them.
 * Corrected times are left out.
 *
 * @phpstan-import-type Row from TreeSums
 */
final class FileSums
{
    private const METRICS = ['wt', 'cpu', 'mu', 'pmu'];

    /** @return array<string, array<string, int|float>> as TreeSums::$levels, in microseconds */
    public static function csv(string $text): array
    {
        $stream = fopen('php://memory', 'w+b') ?: throw new RuntimeException('no memory');
        fwrite($stream, $text);
        rewind($stream);
        $head = array_flip(array_map(strval(...), (array) fgetcsv($stream, null, ',', '"', '')));
        $rows = [];
        while (is_array($cells = fgetcsv($stream, null, ',', '"', ''))) {
            $row = ['ct' => (int) $cells[$head['ct']]];
            foreach (self::METRICS as $metric) {
                foreach ([$metric, "excl_$metric"] as $column) {
                    $cell = (string) $cells[$head[Csv::title($column)]];
                    $row[$column] = Metrics::isTime($metric) ? (float) $cell : (int) $cell;
                }
            }
            $rows[(string) $cells[0]] = $row;
        }

        return $rows;
    }

    /** @return array{own: array<string, Row>, calls: array<string, array<string, Row>>} exclusive figures; by callee and caller */
    public static function callgrind(string $text): array
    {
        preg_match('/^events: (.+)$/m', $text, $events);
        $metrics = [];
        foreach (explode(' ', $events[1] ?? '') as $event) {
            $isOf = static fn (string $metric): bool => Metrics::of($metric)->callgrindEvent(true) === $event;
            $metrics[] = array_values(array_filter(self::METRICS, $isOf))[0] ?? $event;
        }
        $own = $calls = $names = [];
        $name = static function (string $text) use (&$names): string {
            [$number, $name] = explode(' ', $text, 2) + [1 => ''];

            return $names[$number] ??= $name;
        };
        [$from, $to, $count] = ['', null, 0];
        foreach (explode("\n", $text) as $line) {
            if (str_starts_with($line, 'fn=')) {
                $from = $name(substr($line, 3));
            } elseif (str_starts_with($line, 'cfn=')) {
                $to = $name(substr($line, 4));
            } elseif (str_starts_with($line, 'calls=')) {
                $count = (int) substr($line, 6);
            } elseif (preg_match('/\A\d+ [\d ]+\z/', $line) === 1) {
                $costs = array_combine($metrics, array_map(intval(...), array_slice(explode(' ', $line), 1)));
                $costs = array_intersect_key($costs, array_flip(self::METRICS));
                if ($to === null) {
                    $own[$from] = $costs;
                } else {
                    $calls[$to][$from] = ['ct' => $count] + $costs;
                    $to = null;
                }
            }
        }

        return ['own' => $own, 'calls' => $calls];
    }

    /** @return array<string, Row> */
    public static function pprof(string $file): array
    {
        $decoded = PprofDecoder::decode($file);
        $types = array_flip(array_map(static fn (string $type): string => explode('/', $type)[0], $decoded['types']));
        $rows = [];
        foreach ($decoded['samples'] as $stack => $values) {
            $names = explode(' < ', $stack);
            $rows[$names[0]]['ct'] = ($rows[$names[0]]['ct'] ?? 0) + $values[$types['calls']];
            foreach (self::METRICS as $metric) {
                $rows = self::with($rows, array_reverse($names), $metric, $values[$types[Metrics::of($metric)->pprof]]);
            }
        }

        return $rows;
    }

    /**
     * @param array<mixed> $file of speedscope
     *
     * @return array<string, Row> without calls
     */
    public static function speedscope(array $file): array
    {
        $frames = array_column($file['shared']['frames'], 'name');
        $rows = [];
        foreach ($file['profiles'] as $profile) {
            if (preg_match('/\((wt|cpu|mu|pmu)\)/', $profile['name'], $match) !== 1) {
                continue;
            }
            $open = [];
            $last = 0;
            foreach ($profile['events'] as ['type' => $type, 'frame' => $frame, 'at' => $at]) {
                $rows = $open === [] ? $rows : self::with($rows, $open, $match[1], $at - $last);
                $last = $at;
                $open = $type === 'O' ? [...$open, $frames[$frame]] : array_slice($open, 0, -1);
            }
        }

        return $rows;
    }

    /** @return array<string, Row> of one metric */
    public static function folded(string $text, string $metric): array
    {
        $rows = [];
        foreach (explode("\n", trim($text)) as $line) {
            $at = (int) strrpos($line, ' ');
            $rows = self::with($rows, explode(';', substr($line, 0, $at)), $metric, (int) substr($line, $at + 1));
        }

        return $rows;
    }

    /**
     * @param array<string, Row>     $rows
     * @param non-empty-list<string> $path callers first
     *
     * @return array<string, Row> with the innermost function's own figure of a path
     */
    private static function with(array $rows, array $path, string $metric, int $value): array
    {
        $inner = $path[count($path) - 1];
        $rows[$inner]["excl_$metric"] = ($rows[$inner]["excl_$metric"] ?? 0) + $value;
        foreach (array_unique($path) as $name) {
            $rows[$name][$metric] = ($rows[$name][$metric] ?? 0) + $value;
        }

        return $rows;
    }
}
