<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Exception\XHProfException;
use XHProf\Functions\FunctionLines;
use XHProf\Functions\FunctionPlaces;
use XHProf\Profile\CodePlace;
use XHProf\Run\RunMeta;
use XHProf\Store\RunEntry;
use XHProf\Store\RunFolder;
use XHProf\Store\RunQuery;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\TimeLabel;

/**
 * Hot lines of a function for a run that recorded its calls and no lines: those of the newest sampled run of the same program.
 * That is one of the same route, job or command, of the same release or Git revision where both are known, in which the function
 * stands at the same place.
 */
final class BorrowedLines
{
    /** Runs of the program that are looked at in the index, the newest. */
    private const LISTED = 500;

    /** Sampled ones of them that are opened. */
    private const OPENED = 3;

    private function __construct(public readonly FunctionLines $lines, private readonly RunEntry $from)
    {
    }

    /** @return array{url: string, title: string, time: array<string, string>|null} of the run whose lines they are */
    public function origin(string $symbol): array
    {
        return [
            'url' => Url::index(
                ['run' => $this->from->id->id, 'source' => $this->from->id->source] + Url::symbolParameter($symbol),
            ),
            'title' => $this->from->title,
            'time' => TimeLabel::of($this->from->time),
        ];
    }

    /** @return self|null null where there is none */
    public static function find(RunOpener $runs, ShownRun $set, string $symbol, CodePlace $place): ?self
    {
        $store = $runs->store;
        try {
            $entries = self::sampled($store, $set);
        } catch (XHProfException) {
            return null; // The lines are an extra: pages about the folder say what is wrong with it.
        }
        foreach (array_slice($entries, 0, self::OPENED) as $entry) {
            $lines = self::linesOf($store, $entry, $symbol, $place);
            if ($lines !== null) {
                return new self($lines, $entry);
            }
        }

        return null;
    }

    /** @return list<RunEntry> the newest first */
    private static function sampled(RunFolder $store, ShownRun $set): array
    {
        $meta = $set->whole()->meta();
        $found = [];
        foreach (self::queries($meta) as $query) {
            foreach ($store->catalog()->find($query, self::LISTED)->runs as $entry) {
                $isOther = !in_array((string) $entry->id, array_map(strval(...), $set->ids), true);
                if ($isOther && $entry->meta->recording->samples !== null && self::isSame($meta, $entry->meta)) {
                    $found[(string) $entry->id] = $entry;
                }
            }
        }
        usort($found, static fn (RunEntry $a, RunEntry $b): int => $b->time <=> $a->time);

        return $found;
    }

    /** @return list<RunQuery> */
    private static function queries(RunMeta $meta): array
    {
        $command = $meta->origin->url === null ? $meta->origin->command ?? '' : '';

        return [
            ...($meta->group() === '' ? [] : [new RunQuery(route: $meta->group(), single: true)]),
            ...($command === '' ? [] : [new RunQuery(url: $command, single: true)]),
        ];
    }

    private static function isSame(RunMeta $a, RunMeta $b): bool
    {
        foreach ([[$a->origin->release, $b->origin->release], [$a->origin->git, $b->origin->git]] as [$one, $other]) {
            if (($one ?? '') !== '' && ($other ?? '') !== '' && $one !== $other) {
                return false;
            }
        }
        [$one, $other] = [$a->group(), $b->group()];

        return $one !== '' && $other !== '' ? $one === $other : $a->origin->url === null && $b->origin->url === null
            && ($a->origin->command ?? '') !== '' && $a->origin->command === $b->origin->command;
    }

    private static function linesOf(RunFolder $store, RunEntry $entry, string $symbol, CodePlace $place): ?FunctionLines
    {
        try {
            $run = $store->open($entry->id);
            $samples = $run->samplesThatFit();
            $there = FunctionPlaces::ofRun($run)->find($symbol);
            $isElsewhere = $there !== null && [$there->file, $there->line] !== [$place->file, $place->line];

            return $samples === null || $isElsewhere ? null : FunctionLines::compute($samples, $symbol);
        } catch (XHProfException) {
            return null; // It is damaged, or was deleted meanwhile.
        }
    }
}
