<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Metrics;
use XHProf\Profile\Profile;
use XHProf\Run\MetaValues;

/**
 * The text of Blackfire's probe, which Twig's profiler writes as well: a head, then "caller==>callee//calls wt mu pmu" per edge.
 */
final class BlackfireReader implements Reader
{
    public const NAME = 'blackfire';
    public const LABEL = 'Blackfire, Twig profiler';

    private const LONGEST_LINE = 1 << 20;
    private const MAX_EDGES = 1000000;
    private const MAX_HEAD = 1000;

    private const FORMAT = 'file-format: BlackfireProbe';

    /** Names of the head: probes write them in any case. */
    private const DIMENSIONS = 'cost-dimensions';
    private const ROOT = 'graph-root-id';

    public function recognizes(string $head): bool
    {
        return preg_match('/^' . self::FORMAT . '/m', $head) === 1;
    }

    public function read(InputFile $file): iterable
    {
        $skipped = new SkippedLines();
        $head = $edges = $metrics = [];
        $isHead = true;
        foreach ($file->lines(self::LONGEST_LINE, $skipped) as $number => $line) {
            if ($line === '') {
                $isHead = $isHead && $head === [];
            } elseif ($isHead && preg_match('/\A([A-Za-z][A-Za-z0-9-]*): ?(.*)\z/s', $line, $match) === 1) {
                $key = strtolower($match[1]);
                // Probes of other languages write the times of calls there too, two lines for each.
                if (count($head) < self::MAX_HEAD && !str_starts_with($key, 'threshold-')) {
                    $head[$key] = $match[2];
                }
                $metrics = $key === self::DIMENSIONS ? self::metrics($match[2]) : $metrics;
            } elseif (!self::edge($line, $metrics, $head[self::ROOT] ?? FrameName::MAIN, $edges)) {
                $skipped->add($number, $line);
            } elseif (count($edges) > self::MAX_EDGES) {
                throw new InvalidProfile('the file has too many calls');
            }
        }
        if ($edges === []) {
            throw new InvalidProfile('the file has no calls' . ($skipped->count() > 0 ? ": {$skipped->examples()}" : ''));
        }

        yield '' => new ImportedRun(Profile::fromEdges($edges), null, self::meta($head), null, $skipped->notes());
    }

    /**
     * @return list<string|null> null for one that is no metric's name
     */
    private static function metrics(string $dimensions): array
    {
        $metrics = [];
        foreach (preg_split('/\s+/', trim($dimensions), 32, PREG_SPLIT_NO_EMPTY) ?: [] as $name) {
            $metrics[] = Metrics::isFigure($name) && !in_array($name, $metrics, true) ? $name : null;
        }

        return $metrics;
    }

    /**
     * @param list<string|null>              $metrics
     * @param array<string, array<string, int>> $edges
     */
    private static function edge(string $line, array $metrics, string $root, array &$edges): bool
    {
        // A template's name may have slashes too.
        if (preg_match('~\A(.+)//([0-9]{1,15}(?: -?[0-9]{1,17})*)\z~s', $line, $match) !== 1) {
            return false;
        }
        $figures = array_map(intval(...), explode(' ', $match[2]));
        if (count($figures) <= count($metrics)) {
            return false;
        }
        [$caller, $callee] = EdgeKey::parse($match[1]);
        $caller = $caller === $root ? FrameName::MAIN : $caller;
        $callee = $callee === $root ? FrameName::MAIN : $callee;
        // The root is called by nothing, or by a function without a name.
        $caller = $callee === FrameName::MAIN && $caller === '' ? null : $caller;
        $key = EdgeKey::build($caller === null ? null : FrameName::valid($caller), FrameName::valid($callee));
        $row = $edges[$key] ?? ['ct' => 0];
        $row['ct'] += $figures[0];
        foreach ($metrics as $i => $metric) {
            if ($metric !== null) {
                $row[$metric] = ($row[$metric] ?? 0) + $figures[$i + 1];
            }
        }
        $edges[$key] = $row;

        return true;
    }

    /**
     * @param array<string, string> $head
     *
     * @return array<string, mixed>
     */
    private static function meta(array $head): array
    {
        $start = $head['request-start'] ?? '';
        $about = array_diff_key($head, ['file-format' => 1, self::DIMENSIONS => 1, 'request-start' => 1]);

        return array_filter([
            'ts' => MetaValues::time(is_numeric($start) ? (float) $start : null),
            'meta' => array_slice($about, 0, 32),
        ], static fn (mixed $value): bool => $value !== null && $value !== []);
    }
}
