<?php

declare(strict_types=1);

namespace XHProf\Cli;

use XHProf\Exception\RunNotFound;
use XHProf\Report\Aggregate;
use XHProf\Report\Statistics;
use XHProf\Store\RunId;
use XHProf\Store\RunMeta;
use XHProf\Store\RunQuery;
use XHProf\Store\RunStore;

/**
 * Finds the runs that the user names: an id or the beginning of one, "latest", or the path of a run's file; several with
 * commas.
 */
final class RunOpener
{
    public const HELP = 'A run: its id or the beginning of the id, "latest", or the file of a run';

    public const SEVERAL = 'Several, with commas: their mean';

    public function __construct(private readonly RunStore $store)
    {
    }

    /**
     * One run, or the mean of several.
     *
     * @param string|null $source only runs of this source
     * @param (\Closure(array<string, array<string, int|float>>): array<string, array<string, int|float>>)|null $rows see
     *     Statistics
     * @throws \XHProf\Exception\XHProfException if there is none, several, or it is damaged
     * @throws CliError for a list that names nothing
     */
    public function openAny(string $names, ?string $source = null, ?\Closure $rows = null): OpenedRun
    {
        if (!str_contains($names, ',') || is_file($names)) {
            return $this->open($names, $source);
        }
        $list = array_values(array_filter(explode(',', $names), static fn (string $name): bool => $name !== ''));
        if (count($list) < 2) {
            return $this->open($list[0] ?? throw new UsageError("\"$names\" names no run"), $source);
        }
        $parts = [];
        $meta = null;
        $profiles = function () use ($list, $source, &$parts, &$meta): \Generator {
            foreach ($list as $name) {
                $run = $this->open($name, $source);
                $parts[] = $run->name();
                $meta ??= $run->meta;
                $profile = $run->profile;
                unset($run);
                yield $profile;
                unset($profile);
            }
        };
        $statistics = new Statistics(rows: $rows);
        $mean = Aggregate::of($statistics->watch($profiles()));

        return new OpenedRun($mean, $meta ?? new RunMeta(), null, $names, $this->store, $parts, $statistics);
    }

    /**
     * @param string|null $source only runs of this source
     * @throws \XHProf\Exception\XHProfException if there is none, several, or it is damaged
     */
    public function open(string $name, ?string $source = null): OpenedRun
    {
        if (str_contains($name, '/') || (RunId::textOf($name) !== null && is_file($name))) {
            return $this->openFile($name);
        }
        $file = RunId::fromFileName($name);
        if ($file !== null && $this->store->has($file)) {
            return self::stored($this->store, $file);
        }

        $id = $name === 'latest' ? $this->latest($source) : $this->store->find($name, $source);

        return self::stored($this->store, $id);
    }

    /** @throws \XHProf\Exception\XHProfException if it is damaged */
    public static function stored(RunStore $store, RunId $id): OpenedRun
    {
        return new OpenedRun($store->load($id), $store->meta($id), $id, $store->path($id), $store);
    }

    private function openFile(string $path): OpenedRun
    {
        $id = RunId::fromFileName(basename($path));
        $folder = new RunStore(dirname($path));

        if ($id !== null && $folder->has($id) && basename($folder->path($id)) === basename($path)) {
            return self::stored($folder, $id);
        }
        [$profile, $meta] = RunStore::readFile($path);

        return new OpenedRun($profile, $meta, null, $path, $folder);
    }

    private function latest(?string $source): RunId
    {
        $runs = $this->store->catalog()->find(new RunQuery(source: $source ?? ''), 1)->runs;

        return $runs[0]->id ?? throw new RunNotFound(
            'there is no run' . ($source === null ? '' : " of the source $source") . " in {$this->store->directory()}",
        );
    }
}
