<?php

declare(strict_types=1);

namespace XHProf\Runs\Web;

use XHProf\Format\Units;
use XHProf\Functions\CountKind;
use XHProf\Run\RunRecording;
use XHProf\Store\RunCatalog;
use XHProf\Store\RunEntry;
use XHProf\Store\RunQuery;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\ShownMetric;
use XHProf\Web\Table\TimeLabel;

/** The runs that are most worth comparing with one: those of the same route, job, URL or command, and their change. */
final class RelatedRuns
{
    private const SHOWN = 12;

    /** Runs that are looked through for those of exactly the same URL or command. */
    private const LOOKED_AT = 200;

    /**
     * @return list<array<string, mixed>> lines for runs.html.twig: of the same URL or command first, the newest first
     */
    public static function find(RunCatalog $catalog, RunEntry $base, ComparisonSide $sides): array
    {
        if ($base->meta->origin->subject() === '') {
            return [];
        }
        $windows = $base->meta->isWindow() ? RunRecording::WINDOW : '';
        $query = $base->meta->group() === ''
            ? new RunQuery(source: $base->id->source, url: $base->meta->origin->subject(), start: $windows, single: true)
            : new RunQuery(source: $base->id->source, start: $windows, route: $base->meta->group(), single: true);
        $same = [];
        $others = [];
        foreach ($catalog->find($query, self::LOOKED_AT)->runs as $run) {
            if ($run->error !== null || (string) $run->id === (string) $base->id) {
                continue;
            }
            if ($run->meta->origin->subject() === $base->meta->origin->subject()) {
                $same[] = $run;
            } elseif ($base->meta->group() !== '') {
                $others[] = $run;
            }
        }
        $line = static fn (RunEntry $run): array => self::line($run, $base, $sides);

        return array_map($line, array_slice([...$same, ...$others], 0, self::SHOWN));
    }

    /** @return array<string, mixed> */
    private static function line(RunEntry $run, RunEntry $base, ComparisonSide $sides): array
    {
        $figures = [];
        foreach (['wt', 'cpu', 'ct'] as $key) {
            [$was, $is] = [$base->value($key), $run->value($key)];
            $isComparable = $key !== 'ct' || CountKind::ofRuns($base->meta) === CountKind::ofRuns($run->meta);
            if (is_int($was) && is_int($is) && $isComparable) {
                $metric = ShownMetric::of($key);
                $figures[] = ['text' => Units::ofMetric($is, $key), 'change' => Cells::change($was, $is, $metric)];
            } else {
                $figures[] = null;
            }
        }

        return [
            'time' => TimeLabel::of($run->time),
            'title' => $run->title,
            'url' => Url::index(Url::runParameters($run->id)),
            'git' => $run->meta->origin->git ?? '',
            'release' => $run->meta->origin->release ?? '',
            'tags' => $run->label->tags,
            'figures' => $figures,
            'as_a' => $sides->choose('a', [$run->id]),
            'as_b' => $sides->choose('b', [$run->id]),
        ];
    }
}
