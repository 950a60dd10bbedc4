<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\InvalidProfile;
use XHProf\Exception\StoreError;
use XHProf\File\Folder;
use XHProf\Profile\CallTree;
use XHProf\Profile\EdgeColumns;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;
use XHProf\Profile\SampleColumns;
use XHProf\Run\RunFileWriter;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;
use XHProf\Secret\Redact;

/**
 * Writes the file of a run, and fills in missing metadata from the run. Metadata of every run, also of another tool's file,
 * are saved without secrets.
 *
 * @internal
 */
final class RunWriter
{
    public function __construct(private readonly Folder $folder)
    {
    }

    /**
     * @param array<array-key, mixed>   $meta in the shape of RunMeta::fromArray(); other keys go under "meta"
     * @param array<string, mixed>|null $log  samples of the tree's nodes, as SampleColumns::fromLog() takes them
     *
     * @throws InvalidProfile|StoreError
     */
    public function save(RunId $run, Profile $profile, array $meta, ?CallTree $tree, ?array $log = null): void
    {
        $profile = $profile->recorded();
        $meta += $tree === null ? [] : ['nodes' => $tree->count()];
        $meta = self::describe($run, $profile, Redact::here()->meta($meta));
        $documents = ['meta' => $meta->toArray()];
        if ($tree === null) {
            $documents['edges'] = EdgeColumns::toArray($profile);
        } else {
            $isComputed = $tree->kinds !== [] && $meta->recording->overhead !== [];
            $documents['tree'] = array_diff_key($tree->toArray(), $isComputed ? ['corrected' => 0] : []);
            $documents += $log === null ? [] : ['samples' => $log];
        }
        $this->folder->write($run->fileName(), RunFileWriter::pieces($documents));
        $this->folder->remove($run->fileName(RunId::CLASSIC));
    }

    /**
     * Writes a profile or samples as PECL's XHProf does, without metadata.
     *
     * @param array<mixed> $data edges, or time => call stack
     *
     * @throws StoreError
     */
    public function saveClassic(RunId $run, array $data): void
    {
        $this->folder->write($run->fileName(RunId::CLASSIC), serialize($data));
        $this->folder->remove($run->fileName());
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
}
