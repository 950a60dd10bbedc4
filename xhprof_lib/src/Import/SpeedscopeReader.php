<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Export\Speedscope as Export;
use XHProf\Profile\CodePlace;
use XHProf\Profile\Metrics;

/**
 * speedscope's JSON: a run per profile, sampled or evented. The profiles of a file that Export\Speedscope wrote are the
 * metrics of one run.
 */
final class SpeedscopeReader implements Reader
{
    public const NAME = 'speedscope';
    public const LABEL = 'speedscope JSON';

    private const MAX_PROFILES = 200;

    /** The name of the format, frames, or a profile: writers have them in any order, and the name may stand behind the others. */
    private const SHAPES = '~"\$schema"\s*:\s*"[^"]*speedscope|"shared"\s*:\s*\{\s*"frames"\s*:'
        . '|"type"\s*:\s*"(?:evented|sampled)"~';

    /** Nanoseconds of a unit. */
    private const TIMES = ['nanoseconds' => 1, 'microseconds' => 1000, 'milliseconds' => 1e6, 'seconds' => 1e9];

    public function recognizes(string $head): bool
    {
        return preg_match('/\A\s*\{/', $head) === 1 && preg_match(self::SHAPES, str_replace('\/', '/', $head)) === 1;
    }

    public function read(InputFile $file): iterable
    {
        $data = $file->json();
        $profiles = $data['profiles'] ?? null;
        if (!is_array($profiles) || $profiles === [] || count($profiles) > self::MAX_PROFILES) {
            throw new InvalidProfile('the file has no profiles, or too many');
        }
        $frames = self::frames($data['shared'] ?? null);
        $places = self::places($data['shared'] ?? null, $frames);
        $title = is_string($data['name'] ?? null) ? $data['name'] : null;
        $about = array_filter(['exporter' => $data['exporter'] ?? null], is_string(...));
        if (($data['exporter'] ?? null) === 'xhprof') {
            $profiles = array_values(array_filter($profiles, static function (mixed $profile): bool {
                $name = is_array($profile) ? $profile['name'] ?? null : null;

                return !is_string($name) || !str_starts_with($name, Export::IN_ORDER);
            }));
        }
        $own = ($data['exporter'] ?? null) === 'xhprof' ? array_map(self::metric(...), $profiles) : [];
        if ($own !== [] && !in_array(null, $own, true) && count(array_unique($own)) === count($own)) {
            yield '' => self::combined($profiles, $own, $frames, $places, $title, []);

            return;
        }
        foreach (array_values($profiles) as $i => $profile) {
            $record = count($profiles) === 1 ? '' : 'profile ' . ($i + 1);
            try {
                yield $record => self::single($profile, $frames, $places, count($profiles) === 1 ? $title : null, $about);
            } catch (InvalidProfile $e) {
                yield $record => $e;
            }
        }
    }

    /**
     * @param list<string>          $frames
     * @param list<?CodePlace>      $places per frame
     * @param array<string, string> $about  other metadata
     */
    private static function single(mixed $profile, array $frames, array $places, ?string $title, array $about): ImportedRun
    {
        $profile = is_array($profile) ? $profile : throw new InvalidProfile('it is not a profile');
        $unit = self::unit($profile);
        $metric = isset(self::TIMES[$unit]) ? 'wt' : ($unit === 'bytes' ? 'mu' : 'samples');
        $tree = new PathTree();
        $tree->places($frames, $places);
        $log = self::add($profile, $frames, $metric, $tree);
        $name = is_string($profile['name'] ?? null) && $profile['name'] !== '' ? $profile['name'] : null;

        return self::run($tree, $log, ['command' => $title ?? $name], $about);
    }

    /**
     * @param array<mixed>               $profiles
     * @param array<array-key, ?string>  $metrics
     * @param list<string>               $frames
     * @param list<?CodePlace>           $places per frame
     * @param array<string, string>      $about  other metadata
     */
    private static function combined(
        array $profiles,
        array $metrics,
        array $frames,
        array $places,
        ?string $title,
        array $about,
    ): ImportedRun {
        $tree = new PathTree();
        $tree->places($frames, $places);
        $log = null;
        foreach ($profiles as $i => $profile) {
            $profile = is_array($profile) ? $profile : throw new InvalidProfile('it is not a profile');
            $log = self::add($profile, $frames, (string) $metrics[$i], $tree, !in_array('ct', $metrics, true) && $i === 0, true);
        }

        return self::run($tree, $log, ['command' => $title], $about);
    }

    /**
     * @param array<string, mixed>  $meta
     * @param array<string, string> $about
     */
    private static function run(PathTree $tree, ?SampleLogReader $log, array $meta, array $about): ImportedRun
    {
        $meta += $about === [] ? [] : ['meta' => $about];
        $made = $tree->tree();
        if ($log === null || !$log->hasInterval()) {
            $notes = $log === null ? [] : ['the order of the samples: their times are not multiples of an interval'];

            return ImportedRun::ofTree($made, $meta, $notes);
        }

        return ImportedRun::ofTree($made, $meta + $log->meta(), [], $log->toArray($tree->positions()));
    }

    /** The metric that Export\Speedscope put into the name of a profile. */
    private static function metric(mixed $profile): ?string
    {
        $name = is_array($profile) && is_string($profile['name'] ?? null) ? $profile['name'] : '';
        $found = preg_match('/ \(([A-Za-z][A-Za-z0-9_.]*)\)(?:, |\z)/', $name, $match) === 1 ? $match[1] : null;

        return $found !== null && Metrics::isName($found) ? $found : null;
    }

    /**
     * @param array<mixed> $profile
     * @param list<string> $frames
     * @param bool         $calls whether it also has the number of calls
     * @param bool         $isOwn whether Export\Speedscope wrote it
     */
    private static function add(
        array $profile,
        array $frames,
        string $metric,
        PathTree $tree,
        bool $calls = true,
        bool $isOwn = false,
    ): ?SampleLogReader {
        $unit = self::unit($profile);
        $factor = self::TIMES[$unit] ?? 1;
        if (isset(self::TIMES[$unit]) !== Metrics::isTime($metric)) {
            throw new InvalidProfile("\"$metric\" cannot have that unit");
        }
        $nameOf = static function (mixed $frame) use ($frames): string {
            return is_int($frame) && isset($frames[$frame]) ? $frames[$frame] : throw new InvalidProfile('a frame is missing');
        };
        $put = static function (int $node, int|float $value) use ($tree, $metric, $factor): void {
            $metric === 'ct' ? $tree->addCalls($node, $value) : $tree->add($metric, $node, $value * $factor);
        };

        return match ($profile['type'] ?? null) {
            'evented' => self::evented($profile, $nameOf, $put, $calls && $metric !== 'ct', $tree),
            'sampled' => self::sampled($profile, $metric, $nameOf, $put, $factor, $tree, $isOwn),
            default => throw new InvalidProfile('a profile is neither "sampled" nor "evented"'),
        };
    }

    /**
     * @param array<mixed>                  $profile
     * @param \Closure(mixed): string       $nameOf
     * @param \Closure(int, int|float): void $put
     */
    private static function evented(array $profile, \Closure $nameOf, \Closure $put, bool $calls, PathTree $tree): null
    {
        $events = is_array($profile['events'] ?? null) ? $profile['events'] : throw new InvalidProfile('there are no events');
        $at = self::number($profile['startValue'] ?? 0, PHP_INT_MAX);
        $open = [];
        $node = PathTree::ROOT;
        foreach ($events as $event) {
            $event = is_array($event) ? $event : throw new InvalidProfile('an event is not an object');
            // Nanoseconds since 1970 are large; what has passed between two events is not.
            $now = self::number($event['at'] ?? null, PHP_INT_MAX);
            // Some writers round the times, so that an event may be a little before the last one.
            $now = max($now, $at);
            self::number($now - $at);
            if ($now > $at || $open !== []) {
                $put($node, $now - $at);
            }
            $at = $now;
            $name = $nameOf($event['frame'] ?? null);
            if (($event['type'] ?? null) === 'O') {
                $inner = $open === [] ? $tree->path([$name]) : $tree->below($node, $name);
                $open[] = [$node, $name];
                $node = $inner;
                if ($calls) {
                    $tree->addCalls($node, 1);
                }
                continue;
            }
            $last = ($event['type'] ?? null) === 'C' ? array_pop($open) : null;
            if ($last === null || $last[1] !== $name) {
                throw new InvalidProfile('events do not close what was opened');
            }
            $node = $last[0];
        }
        if ($open !== []) {
            throw new InvalidProfile('events do not close what was opened');
        }

        return null;
    }

    /**
     * @param array<mixed>                   $profile
     * @param string                         $metric of the weights
     * @param \Closure(mixed): string        $nameOf
     * @param \Closure(int, int|float): void $put
     * @param bool                           $isOwn whether a stack of nothing is time without a sample
     *
     * @return SampleLogReader|null where the weights are times
     */
    private static function sampled(
        array $profile,
        string $metric,
        \Closure $nameOf,
        \Closure $put,
        int|float $factor,
        PathTree $tree,
        bool $isOwn,
    ): ?SampleLogReader {
        $stacks = $profile['samples'] ?? null;
        $weights = $profile['weights'] ?? null;
        if (!is_array($stacks) || !is_array($weights) || count($stacks) !== count($weights) || $stacks === []) {
            throw new InvalidProfile('there are no samples, or not one weight for each');
        }
        // Samples are no calls, nor are those of main().
        $tree->addCalls(PathTree::ROOT, 0);
        $log = new SampleLogReader($metric === 'cpu' ? 'cpu' : 'wall');
        foreach (array_values($stacks) as $i => $stack) {
            $frames = is_array($stack) ? array_values($stack) : throw new InvalidProfile('a sample has no stack');
            $names = array_map($nameOf, $frames);
            $weight = self::number($weights[$i] ?? null);
            if ($weight < 0) {
                throw new InvalidProfile('a weight is below 0');
            }
            $us = $weight * $factor / 1000;
            if ($isOwn && $names === []) {
                $log->add(null, $us);
                continue;
            }
            $node = $tree->path($names);
            $put($node, $weight);
            $log->add($node, $us);
        }
        $interval = is_int($profile['interval'] ?? null) ? $profile['interval'] : null;
        $log->close($interval);
        foreach ($log->samples() as $node => $samples) {
            $tree->addCalls($node, $samples);
        }

        return in_array($metric, ['wt', 'cpu'], true) ? $log : null;
    }

    /**
     * @return list<string>
     */
    private static function frames(mixed $shared): array
    {
        $frames = is_array($shared) && is_array($shared['frames'] ?? null) ? $shared['frames'] : [];
        $names = [];
        foreach ($frames as $frame) {
            $name = is_array($frame) ? $frame['name'] ?? null : null;
            $names[] = is_string($name) ? FrameName::normalize($name) : FrameName::NONE;
        }

        return $names;
    }

    /**
     * @param list<string> $frames
     *
     * @return list<?CodePlace> per frame
     */
    private static function places(mixed $shared, array $frames): array
    {
        $places = [];
        foreach ($frames as $i => $_) {
            $frame = is_array($shared) && is_array($shared['frames'] ?? null) ? $shared['frames'][$i] ?? null : null;
            $file = is_array($frame) ? $frame['file'] ?? null : null;
            $line = is_array($frame) ? $frame['line'] ?? null : null;
            $line = is_int($line) && $line > 0 && $line < 1 << 31 ? $line : 0;
            $places[] = is_string($file) && $file !== '' ? new CodePlace($file, $line) : null;
        }

        return $places;
    }

    /**
     * @param array<mixed> $profile
     */
    private static function unit(array $profile): string
    {
        return is_string($profile['unit'] ?? null) ? $profile['unit'] : 'none';
    }

    private static function number(mixed $value, int $limit = 1000000000000000): int|float
    {
        return (is_int($value) || is_float($value)) && abs($value) < $limit
            ? $value
            : throw new InvalidProfile('a time or weight is not a number, or too large');
    }
}
