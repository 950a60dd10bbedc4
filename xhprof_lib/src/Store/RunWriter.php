<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\InvalidProfile;
use XHProf\Exception\StoreError;
use XHProf\Profile\CallTree;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;
use XHProf\Profile\SampleColumns;

/**
 * Writes the files of a run, and fills in missing metadata from the run. Metadata of every run, also of another tool's file,
 * are saved without secrets.
 *
 * @internal
 */
final class RunWriter
{
    private const FLAGS = JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE;

    public function __construct(private readonly Folder $folder)
    {
    }

    /**
     * @param array<array-key, mixed>   $meta in the shape of meta.json; other keys go under "meta"
     * @param array<string, mixed>|null $log  in the shape of samples.json
     *
     * @throws StoreError
     */
    public function save(RunId $run, Profile $profile, array $meta, ?CallTree $tree, ?array $log = null): void
    {
        $profile = $profile->recorded();
        $meta += $tree === null ? [] : ['nodes' => $tree->count()];
        $this->write($run, self::describe($run, $profile, Redact::here()->meta($meta)), RunFile::encode($profile), $tree, $log);
    }

    /**
     * @param array<mixed>            $samples time => call stack
     * @param array<array-key, mixed> $meta    in the shape of meta.json
     *
     * @throws InvalidProfile|StoreError
     */
    public function saveSamples(RunId $run, array $samples, array $meta): void
    {
        if (!RunFile::isSamples($samples)) {
            throw new InvalidProfile('the samples must be times and call stacks');
        }
        $columns = SampleColumns::fromSamples($samples);
        $known = ['id' => $run->id, 'source' => $run->source] + Redact::here()->meta($meta) + self::describeSamples($columns);
        $this->write($run, RunMeta::fromArray($known), serialize($samples), null);
    }

    /**
     * @return array<string, mixed> in the shape of meta.json
     */
    public static function describeSamples(SampleColumns $columns): array
    {
        return [
            'ts' => $columns->start / 1e6,
            'duration_us' => $columns->duration(),
            'samples' => $columns->count(),
            'sample_interval_us' => $columns->interval,
            'totals' => [$columns->metric => $columns->sampled()],
        ];
    }

    /**
     * @param array<array-key, mixed> $meta
     */
    private static function describe(RunId $run, Profile $profile, array $meta): RunMeta
    {
        $known = RunMeta::fromArray($meta)->toArray();
        $others = array_diff_key($meta, $known, ['v' => 1]);
        $functions = [];
        foreach ($profile->symbols() as $symbol) {
            $functions[EdgeKey::stripRecursion($symbol)] = true;
        }
        $totals = $profile->totals();
        $calls = $totals['ct'];
        unset($totals['ct']);
        $others = array_filter($others, static fn (mixed $value): bool => $value !== null);
        $known['meta'] = (is_array($known['meta'] ?? null) ? $known['meta'] : []) + $others;

        return RunMeta::fromArray(['id' => $run->id, 'source' => $run->source] + $known + [
            'ts' => microtime(true),
            'duration_us' => $totals['wt'] ?? null,
            'calls' => $calls,
            'functions' => count($functions),
            'totals' => $totals,
        ]);
    }

    /**
     * @param array<string, mixed>|null $log
     *
     * @throws StoreError
     */
    private function write(RunId $run, RunMeta $meta, string $bytes, ?CallTree $tree, ?array $log = null): void
    {
        $metaJson = json_encode($meta->toArray(), self::FLAGS | JSON_PARTIAL_OUTPUT_ON_ERROR);
        foreach (['memory.json', 'operations.json', 'timeline.json', 'samples.json', 'tree.json'] as $kind) {
            $this->folder->remove($run->fileName($kind));
        }
        if ($tree !== null) {
            $json = json_encode(['v' => 1, 'kind' => 'tree'] + $tree->toArray(), self::FLAGS | JSON_THROW_ON_ERROR);
            $this->folder->write($run->fileName('tree.json'), $json . "\n");
            if ($log !== null) {
                $json = json_encode(['v' => 1, 'kind' => 'samples'] + $log, JSON_THROW_ON_ERROR);
                $this->folder->write($run->fileName('samples.json'), $json . "\n");
            }
        }
        $this->folder->write($run->fileName('meta.json'), $metaJson . "\n");
        $this->folder->write($run->fileName(), $bytes);
    }
}
