<?php

declare(strict_types=1);

namespace XHProf\Memory\Web;

use XHProf\Exception\UnknownMark;
use XHProf\Memory\CallPath;
use XHProf\Memory\JobsReport;
use XHProf\Memory\LiveReport;
use XHProf\Memory\MarkRange;
use XHProf\Memory\MemoryProfile;
use XHProf\Memory\MemoryReport;
use XHProf\Run\Run;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\MissingPart;
use XHProf\Web\Run\RunFindings;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Run\StorePage;
use XHProf\Web\Table\ReportTable;
use XHProf\Web\Table\Tabs;

/**
 * index.php?run=ID&view=memory: the live memory of one run.
 *
 * Parameters: run, source, by (path, function, type), when=peak (what was live when PHP's heap was largest),
 * after and before (marks: leaks between them), sort, dir, all, page.
 */
final class MemoryPage extends StorePage
{
    private const VIEWS = ['path' => 'By call path', 'function' => 'By function', 'type' => 'By type'];

    /** Rows at first. Frames of a path on the page; of these the first show at once. */
    private const TOP = 100;
    private const FRAMES = 24;
    private const SHOWN = 5;

    public function respond(Request $request): Response
    {
        $set = $this->runs->whole($request);
        $recorded = $set->run->memory();
        if ($recorded === null) {
            return $this->view->page('no_part.html.twig', RunHeader::top($this->runs, $set, $request, 'memory') + [
                'why' => MissingPart::why(Run::MEMORY, $set->whole()),
            ], 404);
        }
        $memory = $request->text('when') === 'peak' && !$request->has('after') ? $recorded->atPeak() : null;
        $isPeak = $memory !== null;
        $memory ??= $recorded;
        $range = self::range($request, $memory->marks);
        $by = $request->text('by');
        $by = in_array($by, MemoryReport::BY, true) && !($isPeak && $by === 'type') ? $by : 'path';
        $report = new LiveReport($memory, $by, $range, $isPeak);
        $order = ReportTable::order($request, $report->orders(), LiveReport::USUAL);
        $numbers = $report->numbers($order);
        $paging = ReportTable::paging($request, count($numbers), self::TOP);
        $table = $report->rows(array_values($paging->slice($numbers)), $order);
        $marks = $range === null ? [] : ['after' => (string) $range->after, 'before' => (string) $range->before];
        $whole = $set->parameters() + ['view' => 'memory'];
        $page = $whole + ($isPeak ? ['when' => 'peak'] : []);
        $state = $page + ['by' => $by] + $marks;
        $url = static fn (array $more): string => Url::index($more + $state);
        $rows = new ReportTable($table, fn (array $row, string $key): array
            => $this->additions($row, $key, $report, $set, $range !== null), class: "memory by-$by");

        $jobs = (new JobsReport($memory, $range ?? MarkRange::choose($memory->marks)))->table();

        return $this->view->page('memory.html.twig', [
            'sentence' => $report->sentence(),
            'moments' => self::moments($recorded, $isPeak, $whole + ['by' => $by]),
            'is_peak' => $isPeak,
            'notes' => $report->notes(),
            'allocators' => (new ReportTable($report->allocators(), class: 'allocators'))->toArray(),
            'views' => array_slice(Tabs::links(self::VIEWS, $by, static fn (string $name): string
                => Url::index($page + $marks + ['by' => $name])), 0, $isPeak ? 2 : null),
            'jobs' => $jobs === null ? null : (new ReportTable($jobs, class: 'jobs'))->toArray(),
            'jobs_note' => JobsReport::words(),
            'marks' => $memory->marks,
            'range' => $range ?? MarkRange::choose($memory->marks),
            'curve' => MemoryCurve::draw($set),
            'is_leaks' => $range !== null,
            'marks_note' => $report->marks(),
            'all_memory_url' => Url::index($page + ['by' => $by]),
            'marks_hidden' => $page + ['by' => $by],
            'choices' => array_map(static fn (string $key): array => [
                'key' => $key,
                'label' => $table->column($key)?->help,
                'selected' => $key === $order->by,
            ], $report->orders()),
            'hidden' => $state,
            'rows' => $rows->paged($paging, $request->flag('all'), $order, $report->orders(), $url)->toArray(),
        ] + RunHeader::top($this->runs, $set, $request, 'memory'));
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
            return MarkRange::choose($marks, $mark('after'), $mark('before'));
        } catch (UnknownMark $e) {
            throw new HttpError(400, 'These are not the marks of this run: ' . $e->getMessage() . '.', $e);
        }
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

    /**
     * @param array<string, mixed> $row
     *
     * @return array<string, mixed> what only the page has in a cell
     */
    private function additions(array $row, string $key, LiveReport $report, ShownRun $set, bool $isLeaks): array
    {
        $template = ['template' => 'memory_cell.html.twig'];
        if ($key === 'function') {
            return ['url' => $set->functionUrl($row['function'])];
        }
        if ($key === 'kind') {
            return $template + ['part' => ['about' => $row['about']]];
        }
        if (!in_array($key, ['path', 'holder'], true) || $row['node'] === null) {
            return [];
        }
        $flame = $key === 'path' && $row['node'] >= 0 && !$isLeaks ? $set->parameters() + RunFindings::live($row['path']) : null;

        return $template + ['part' => [
            'flame_url' => $flame === null ? null : Url::index($flame),
            'path' => $this->path($report->held->path($row['node'], self::FRAMES), $set),
        ]];
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
}
