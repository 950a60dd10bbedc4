<?php

declare(strict_types=1);

namespace XHProf\Memory\Web;

use XHProf\Exception\UnknownMark;
use XHProf\Format\Units;
use XHProf\Memory\CallPath;
use XHProf\Memory\MarkRange;
use XHProf\Memory\MemoryProfile;
use XHProf\Memory\MemoryReport;
use XHProf\Memory\MemorySummary;
use XHProf\Memory\MemoryTable;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunFindings;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\StorePage;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\Columns;
use XHProf\Web\Table\ShownMetric;
use XHProf\Web\Table\TablePages;
use XHProf\Web\Table\TableSorting;
use XHProf\Web\Table\Tabs;

/**
 * index.php?run=ID&view=memory: the live memory of one run.
 *
 * Parameters: run, source, by (path, function, type), when=peak (what was live when PHP's heap was largest),
 * after and before (marks: leaks between them), sort, dir; those of TablePages.
 */
final class MemoryPage extends StorePage
{
    private const VIEWS = ['path' => 'By call path', 'function' => 'By function', 'type' => 'By type'];

    /** Frames of a path on the page; of these the first show at once. */
    private const FRAMES = 24;
    private const SHOWN = 5;

    /** Types named in a row, and the least share of the row for a named one. */
    private const TYPES = 2;
    private const MIN_SHARE = 0.01;

    public function respond(Request $request): Response
    {
        $set = $this->runs->whole($request);
        $recorded = $set->run->memory()
            ?? throw new HttpError(404, 'This run has no allocations: ' . MemorySummary::HOW_TO_RECORD . '.');
        $memory = $request->text('when') === 'peak' && !$request->has('after') ? $recorded->atPeak() : null;
        $isPeak = $memory !== null;
        $memory ??= $recorded;
        $range = self::range($request, $memory->marks);
        $by = $request->text('by');
        $by = in_array($by, MemoryReport::BY, true) && !($isPeak && $by === 'type') ? $by : 'path';
        $report = new MemoryReport($memory, $range);
        $table = $report->table($by);
        $metrics = ShownMetric::memory(array_values(array_diff($table->columns(), $isPeak ? ['blocks'] : [])));
        $keys = array_map(static fn (ShownMetric $metric): string => $metric->key, $metrics);
        $sorting = TableSorting::from($request, $keys, 'live', []);
        $rows = $table->sorted($sorting->key, $sorting->descending);
        $pages = new TablePages($request, count($rows));
        $marks = $range === null ? [] : ['after' => (string) $range->after, 'before' => (string) $range->before];
        $whole = $set->parameters() + ['view' => 'memory'];
        $page = $whole + ($isPeak ? ['when' => 'peak'] : []);
        $state = $page + ['by' => $by] + $marks;
        $order = ['sort' => $sorting->key, 'dir' => $sorting->direction(), 'all' => $pages->all];
        $head = $this->head($metrics, $sorting, $state + ['all' => $pages->all]);

        return $this->view->page('memory.html.twig', [
            'sentence' => $isPeak ? self::peakSentence($report) : MemorySummary::sentence($report),
            'moments' => self::moments($recorded, $isPeak, $whole + ['by' => $by]),
            'is_peak' => $isPeak,
            'notes' => [...MemorySummary::notes($memory), ...array_filter([$range?->advice()])],
            'allocators' => $this->allocators($memory),
            'allocator_columns' => array_map(ucfirst(...), array_values(MemorySummary::COLUMNS)),
            'by' => $by,
            'views' => array_slice(Tabs::of(self::VIEWS, $by, static fn (string $name): string
                => Url::index($page + $marks + ['by' => $name])), 0, $isPeak ? 2 : null),
            'marks' => $memory->marks,
            'range' => $range ?? MarkRange::of($memory->marks),
            'curve' => MemoryCurve::of($set),
            'is_leaks' => $range !== null,
            'intervals' => $range !== null && $range->intervals() > 1 ? $range->intervals() : 0,
            'all_memory_url' => Url::index($page + ['by' => $by]),
            'marks_hidden' => $page + ['by' => $by],
            'head' => $head,
            'choices' => Columns::choices([['base' => '', 'label' => '', 'title' => '', 'columns' => $head]]),
            'hidden' => $state,
            'main_base' => $sorting->key,
            'rows' => $this->lines($report, $by, array_values($pages->slice($rows)), $metrics, $sorting->key, $set),
            'query' => '',
            'functions' => count($rows),
        ] + RunHeader::top($this->runs, $set, $request, 'memory') + $pages->variables($state + $order));
    }

    /** @throws HttpError 400 for marks that the run did not make */
    private static function range(Request $request, int $marks): ?MarkRange
    {
        if (!$request->has('after') && !$request->has('before')) {
            return null;
        }
        $mark = static function (string $name) use ($request): ?int {
            $value = $request->has($name) ? filter_var($request->text($name), FILTER_VALIDATE_INT) : null;
            if ($value === false) {
                throw new HttpError(400, "The mark ($name) must be a whole number.");
            }

            return $value;
        };
        try {
            return MarkRange::of($marks, $mark('after'), $mark('before'));
        } catch (UnknownMark $e) {
            throw new HttpError(400, 'These are not the marks of this run: ' . $e->getMessage() . '.', $e);
        }
    }

    private static function peakSentence(MemoryReport $report): string
    {
        $size = $report->memory->peakSize() ?? 0;
        $rest = max(0, $size - $report->liveBytes);

        $isKnown = $rest > 0 && $report->memory->sampleBytes === 0;

        return Units::bytes($report->liveBytes) . " live when PHP's heap had " . Units::bytes($size)
            . ($isKnown ? '; the other ' . Units::bytes($rest) . ' are from before the tracking' : '');
    }

    /**
     * @param array<string, ?string> $parameters
     * @return list<array{label: string, url: string, current: bool}> none where the peak is not known
     */
    private static function moments(MemoryProfile $memory, bool $isPeak, array $parameters): array
    {
        return $memory->peakSize() === null ? [] : [
            ['label' => 'At the end', 'url' => Url::index($parameters), 'current' => !$isPeak],
            ['label' => 'At the peak', 'url' => Url::index(['when' => 'peak'] + $parameters), 'current' => $isPeak],
        ];
    }

    /** @return list<array{label: string, cells: list<array<string, mixed>>}> */
    private function allocators(MemoryProfile $memory): array
    {
        $bytes = ShownMetric::memory(['live'])[0];
        $lines = [];
        foreach (MemorySummary::allocators($memory) as $row) {
            $cells = array_map(static fn (?int $value): array => Cells::value($value, $bytes), $row['figures']);
            $lines[] = ['label' => $row['label'], 'cells' => array_values($cells)];
        }

        return $lines;
    }

    /**
     * @param list<ShownMetric> $metrics
     * @param array<string, string|bool|null> $state
     * @return list<array{key: string, label: string, title: string, url: ?string, aria: ?string, main: bool}>
     */
    private function head(array $metrics, TableSorting $sorting, array $state): array
    {
        $url = static fn (array $sort): string => Url::index($state + $sort);

        return array_map(static fn (ShownMetric $metric): array
            => Columns::column($metric->key, $metric->label, $metric->fullLabel(), $sorting, $url), $metrics);
    }

    /**
     * @param value-of<MemoryReport::BY> $by
     * @param list<int> $numbers
     * @param list<ShownMetric> $metrics
     * @return list<array<string, mixed>>
     */
    private function lines(MemoryReport $report, string $by, array $numbers, array $metrics, string $sort, ShownRun $set): array
    {
        $table = $report->table($by);
        $whole = $sort === 'incl' ? $report->liveBytes : $table->sum($sort);
        $details = $report->details($by, $numbers);
        $isLeaks = $report->range !== null;
        $lines = [];
        foreach ($numbers as $number) {
            $node = $by === 'path' ? $number : $details[$number]['node'];
            $name = $report->name($by, $number);
            $frames = $by === 'path' && $number >= 0 && !$isLeaks ? $report->path($number)->frames : null;
            $lines[] = [
                'name' => $name,
                'url' => $by === 'function' ? $set->functionUrl($name) : null,
                'path' => $node === null ? null : $this->path($report->path($node, self::FRAMES), $set),
                'flame_url' => $frames === null
                    ? null
                    : Url::index($set->parameters() + RunFindings::live(array_reverse(array_column($frames, 'name')))),
                'types' => $this->types($details[$number]['types'], $report),
                'intervals' => $details[$number]['intervals'],
                'cells' => $this->cells($table, $number, $metrics, $sort, $whole),
            ];
        }

        return $lines;
    }

    /**
     * @param list<ShownMetric> $metrics
     * @return list<array<string, mixed>>
     */
    private function cells(MemoryTable $table, int $number, array $metrics, string $sort, int $whole): array
    {
        $cells = [];
        foreach ($metrics as $metric) {
            $isMain = $metric->key === $sort;
            $cells[] = Cells::value($table->value($number, $metric->key), $metric, $isMain ? $whole : 0, $isMain, $isMain);
        }

        return $cells;
    }

    /**
     * @return array{first: array<string, mixed>, shown: list<array<string, mixed>>, rest: list<array<string, mixed>>, more: int}
     */
    private function path(CallPath $path, ShownRun $set): array
    {
        $frames = array_map(fn (array $frame): array => $frame + ['url' => $set->functionUrl($frame['name'])], $path->frames);
        // A list is not worth opening for a single function.
        $shown = count($frames) <= self::SHOWN + 1 && $path->more === 0 ? count($frames) : self::SHOWN;

        return [
            'first' => $frames[0],
            'shown' => array_slice($frames, 1, $shown - 1),
            'rest' => array_slice($frames, $shown),
            'more' => $path->more,
        ];
    }

    /**
     * @param array<int, int> $types bytes by type, the most first
     * @return array{shown: list<array{name: string, share: string}>, more: int}
     */
    private function types(array $types, MemoryReport $report): array
    {
        $sum = array_sum($types);
        $heaviest = array_key_first($types);
        $types = array_filter(
            $types,
            static fn (int $bytes, int $type): bool => $type === $heaviest || $bytes >= $sum * self::MIN_SHARE,
            ARRAY_FILTER_USE_BOTH,
        );
        $shown = [];
        foreach (array_slice($types, 0, self::TYPES, true) as $type => $bytes) {
            $share = count($types) === 1 ? '' : Units::percent($bytes, $sum);
            $shown[] = ['name' => $report->memory->types[$type], 'share' => $share];
        }

        return ['shown' => $shown, 'more' => count($types) - count($shown)];
    }
}
