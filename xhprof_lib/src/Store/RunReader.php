<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\StoreError;
use XHProf\Exception\XHProfException;

/**
 * Reads a run's data for a list: metadata, label, sizes. Of a file only the head is read, unless its metadata has no totals. A
 * damaged run gets an error in its own entry: it never hides another.
 *
 * @internal
 */
final class RunReader
{
    /** Larger runs without totals in their metadata are listed without figures. */
    private const MAX_RUN_BYTES = 4 << 20;

    /** Samples take up to 150 times their bytes. */
    private const MAX_SAMPLE_BYTES = 1 << 20;

    public function __construct(private readonly RunFolder $folder, private readonly RunStore $store)
    {
    }

    public function label(RunId $id): Label
    {
        $name = $id->fileName('label.json');
        $stat = $this->folder->files->stat($name);
        if ($stat === null) {
            return $this->folder->files->holds($name) ? Label::damaged('not a regular file of the run folder') : Label::none();
        }
        if ($stat['size'] > Label::MAX_BYTES) {
            return Label::damaged('too large for a label');
        }
        try {
            return Label::fromJson($this->folder->files->read($name));
        } catch (StoreError) {
            return Label::damaged('the file cannot be read');
        }
    }

    /**
     * @return RunSummary|null null if the run was deleted since the folder was read
     */
    public function summary(RunId $id): ?RunSummary
    {
        $name = $this->folder->name($id);
        $stat = $this->folder->files->stat($name);
        if ($stat === null && !$this->folder->files->holds($name)) {
            return null;
        }
        $path = $this->folder->path($id);
        $error = match (true) {
            $stat === null => "$path: not a regular file of the run folder",
            $stat['size'] === 0 => "$path: the file is empty",
            default => null,
        };
        try {
            $meta = $error === null ? $this->folder->saved($id)?->meta() : null;
        } catch (XHProfException $e) {
            $error = $e->getMessage();
        }
        $meta ??= self::bareMeta($id, $stat['mtime'] ?? 0);

        return new RunSummary($id, $meta->ts ?? (float) ($stat['mtime'] ?? 0), $stat['size'] ?? 0, $meta, $error);
    }

    /** Metadata of a run without any. */
    public static function bareMeta(RunId $id, int $time): RunMeta
    {
        return new RunMeta(id: $id->id, source: $id->source, ts: (float) $time);
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
        $run = $this->summary($id);
        if ($run === null) {
            return null;
        }
        $meta = $run->meta;
        $totals = array_map(intval(...), $meta->totals);
        $error = $run->error;
        if ($totals === [] && $error === null && $run->bytes <= min($budget, $this->mostBytes($id))) {
            $budget -= $run->bytes;
            try {
                $totals = array_map(intval(...), $this->store->load($id)->recorded()->totals());
                $meta = $this->store->meta($id);
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
            $stat = $names === null || isset($names[$name]) ? $this->folder->files->stat($name) : null;
            $size += $stat['size'] ?? 0;
            $stamp[] = $stat === null ? '-' : "$stat[mtime].$stat[size].$stat[ino]";
        }

        return [implode(' ', $stamp), $size];
    }

    private function mostBytes(RunId $id): int
    {
        return $this->folder->holdsSamples($id) ? self::MAX_SAMPLE_BYTES : self::MAX_RUN_BYTES;
    }
}
