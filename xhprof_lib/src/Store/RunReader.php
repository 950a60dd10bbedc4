<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\StoreError;
use XHProf\Exception\XHProfException;

/**
 * Reads a run's data for a list: metadata, label, sizes. Reads the run itself only if no other file has its values. A damaged
 * run gets an error in its own entry: it never hides another.
 *
 * @internal
 */
final class RunReader
{
    /** Metadata is read for every run of a list; no true one is this large. */
    private const MAX_META_BYTES = 1 << 20;

    /** Larger runs without metadata, all files together, are listed without figures. */
    private const MAX_RUN_BYTES = 4 << 20;

    /** Samples take up to 150 times their bytes. */
    private const MAX_SAMPLE_BYTES = 1 << 20;

    public function __construct(private readonly Folder $folder, private readonly RunStore $store)
    {
    }

    /**
     * @param bool $look false if the run has no such file
     *
     * @throws DamagedRun|StoreError
     */
    public function meta(RunId $id, bool $look = true): ?RunMeta
    {
        $name = $id->fileName('meta.json');
        $stat = $look ? $this->folder->stat($name) : null;
        if ($stat === null) {
            return null;
        }
        if ($stat['size'] > self::MAX_META_BYTES) {
            throw new DamagedRun($this->path($name) . ': too large for metadata');
        }

        return RunMeta::fromJson($this->folder->read($name), $this->path($name));
    }

    public static function bareMeta(RunId $id, int $time): RunMeta
    {
        return new RunMeta(id: $id->id, source: $id->source, ts: (float) $time);
    }

    public function label(RunId $id): Label
    {
        $name = $id->fileName('label.json');
        $stat = $this->folder->stat($name);
        if ($stat === null) {
            return $this->folder->holds($name) ? Label::damaged('not a regular file of the run folder') : Label::none();
        }
        if ($stat['size'] > Label::MAX_BYTES) {
            return Label::damaged('too large for a label');
        }
        try {
            return Label::fromJson($this->folder->read($name));
        } catch (StoreError) {
            return Label::damaged('the file cannot be read');
        }
    }

    /**
     * @return RunSummary|null null if the run was deleted since the folder was read
     */
    public function summary(RunId $id, bool $hasMeta): ?RunSummary
    {
        $stat = $this->folder->stat($id->fileName());
        if ($stat === null && !$this->folder->holds($id->fileName())) {
            return null;
        }
        $meta = null;
        $error = match (true) {
            $stat === null => $this->path($id->fileName()) . ': not a regular file of the run folder',
            $stat['size'] === 0 => $this->path($id->fileName()) . ': the file is empty',
            default => null,
        };
        try {
            $meta = $this->meta($id, $hasMeta);
        } catch (XHProfException $e) {
            $error ??= $e->getMessage();
        }
        $meta ??= self::bareMeta($id, $stat['mtime'] ?? 0);

        return new RunSummary($id, $meta->ts ?? (float) ($stat['mtime'] ?? 0), $stat['size'] ?? 0, $meta, $error);
    }

    /**
     * @param array<array-key, mixed>|null $names files of the folder, as keys; null to look
     * @param int                          $budget bytes of runs that may be read for their values; reduced by each reading
     *
     * @return RunEntry|null null if the run was deleted
     */
    public function entry(RunId $id, ?array $names, int &$budget): ?RunEntry
    {
        // Taken first: an entry whose files are replaced meanwhile is out of date, not wrong for ever.
        [$stamp, $size] = $this->stamp($id, $names);
        $run = $this->summary($id, $names === null || isset($names[$id->fileName('meta.json')]));
        if ($run === null) {
            return null;
        }
        $meta = $run->meta;
        $totals = array_map(intval(...), $meta->totals);
        $error = $run->error;
        $damage = null;
        if ($totals === [] && $run->bytes > 0 && $size <= min($budget, $this->mostBytes($id))) {
            $budget -= $size;
            try {
                $totals = array_map(intval(...), $this->store->recorded($id)->totals());
                // It can be opened: only its metadata is damaged.
                [$damage, $error] = [$error, null];
                $meta = $damage === null ? $this->store->meta($id) : $meta;
            } catch (XHProfException $e) {
                $error = $e->getMessage();
            }
        }

        return new RunEntry(
            id: $id,
            time: $meta->ts ?? $run->time,
            stamp: $stamp,
            size: $size,
            title: $meta->subject() === null ? $id->id : $meta->title(),
            method: $meta->method ?? '',
            url: $meta->url ?? '',
            command: $meta->command ?? '',
            host: $meta->host ?? '',
            git: $meta->git ?? '',
            release: $meta->release ?? '',
            wall: self::wall($meta, $totals),
            cpu: $meta->sampledTotal('cpu') ?? $totals['cpu'] ?? null,
            memory: $totals['mu'] ?? null,
            peak: $meta->peakMemory,
            calls: $meta->samples === null ? $meta->calls ?? $totals['ct'] ?? null : null,
            samples: $meta->samples,
            error: $error,
            damage: $damage,
            start: $meta->start ?? '',
            name: $meta->name ?? '',
            route: $meta->group(),
            status: $meta->status,
            endedBy: $meta->endedBy ?? '',
            mode: $meta->mode ?? ($meta->samples === null ? '' : 'sample'),
            failed: $meta->isFailed(),
            trace: trim("$meta->traceId $meta->spanId"),
            window: $meta->aggregate,
            label: $names === null || isset($names[$id->fileName('label.json')]) ? $this->label($id) : Label::none(),
        );
    }

    /**
     * @param array<string, int> $totals
     *
     * @return int|null µs; of an aggregate the time of its requests, if its samples are of CPU time
     */
    private static function wall(RunMeta $meta, array $totals): ?int
    {
        if ($meta->aggregate !== null && $meta->sampling?->clock === 'cpu') {
            return $meta->aggregate->wall();
        }

        return $meta->sampledTotal('wt') ?? $totals['wt'] ?? $meta->durationUs;
    }

    /**
     * @param array<array-key, mixed>|null $names files of the folder, as keys; null to look
     *
     * @return array{0: string, 1: int} stamp that changes with the files behind a RunEntry; bytes of all files
     */
    public function stamp(RunId $id, ?array $names = null): array
    {
        $stamp = [];
        $size = 0;
        foreach (RunId::KINDS as $kind) {
            $name = $id->fileName($kind);
            $stat = $names === null || isset($names[$name]) ? $this->folder->stat($name) : null;
            $size += $stat['size'] ?? 0;
            $stamp[] = $stat === null ? '-' : "$stat[mtime].$stat[size].$stat[ino]";
        }

        return [implode(' ', $stamp), $size];
    }

    private function mostBytes(RunId $id): int
    {
        $head = $this->folder->head($id->fileName(), RunFile::HEAD);

        return RunFile::holdsSamples($head) ? self::MAX_SAMPLE_BYTES : self::MAX_RUN_BYTES;
    }

    private function path(string $name): string
    {
        return $this->folder->path . '/' . $name;
    }
}
