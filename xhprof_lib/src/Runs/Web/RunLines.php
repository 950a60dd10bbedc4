<?php

declare(strict_types=1);

namespace XHProf\Runs\Web;

use XHProf\Exception\DamagedRun;
use XHProf\Run\OriginText;
use XHProf\Runs\FirstFindings;
use XHProf\Runs\RunsReport;
use XHProf\Store\RunEntry;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\OriginHead;
use XHProf\Web\Run\RunOpener;
use XHProf\Web\Run\TrendRuns;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\ShownMetric;
use XHProf\Web\Table\TimeLabel;

/** Runs prepared for the list: links, values, and bars relative to the largest of the page. */
final class RunLines
{
    /** Columns of RunsReport with figures. */
    private const FIGURES = ['wt', 'cpu', 'pmu', 'ct', 'size'];

    private readonly FirstFindings $findings;

    public function __construct(
        private readonly RunOpener $runs,
        private readonly RunFilter $filter,
        private readonly ?ComparisonSide $sides = null,
    ) {
        $this->findings = new FirstFindings($runs->store);
    }

    /**
     * @param list<RunEntry> $runs
     * @return list<array<string, mixed>>
     */
    public function of(array $runs): array
    {
        $this->findings->read($runs, FirstFindings::FOR_PAGE);
        $largest = [];
        foreach (self::FIGURES as $key) {
            $values = array_map(static fn (RunEntry $run): int => (int) $run->value($key), $runs);
            $largest[$key] = max([0, ...$values]);
        }
        // CPU time and wall time share a scale: their bars can be compared.
        $largest['cpu'] = max($largest['cpu'], $largest['wt']);

        return array_map(fn (RunEntry $run): array => $this->line($run, $largest), $runs);
    }

    /**
     * @param array<string, int> $largest figure of the page
     * @return array<string, mixed>
     */
    public function line(RunEntry $run, array $largest = []): array
    {
        [$origin, $recording] = [$run->meta->origin, $run->meta->recording];
        $isRequest = ($origin->url ?? '') !== '' && $origin->command . $origin->name === '' && !$run->meta->isWindow();
        $method = $isRequest ? $origin->method ?? '' : '';
        $reason = fn (string $error): string => $this->runs->publicText(new DamagedRun($error));
        $known = RunsReport::line($run, $this->findings, $reason);

        return [
            'pick' => (string) $run->id,
            'method' => $method,
            'what' => $method === '' ? $run->title : substr($run->title, strlen($method) + 1),
            'url' => Url::index(Url::runParameters($run->id)),
            'edit_url' => Url::index(['view' => 'label'] + Url::runParameters($run->id) + ['back' => $this->filter->text()]),
            'trend_url' => TrendRuns::urlOfEntry($run),
            'status' => OriginHead::status($origin->status),
            'mode' => OriginText::mode($recording->kind()),
            // Windows show it once.
            'start' => $recording->start === $recording->kind() ? null : OriginText::start($recording->start ?? ''),
            'part' => OriginText::part($recording->endedBy ?? ''),
            'suspended' => OriginText::suspension($run->meta),
            'route' => $run->meta->group() === '' ? null : [
                'text' => $run->meta->group(),
                'url' => Url::index(['route' => $run->meta->group()] + $this->filter->state()),
                // The name of the run, which stands beside it, but for its parameters.
                'is_same' => $run->meta->group() === explode('?', $run->title, 2)[0],
            ],
            'time' => TimeLabel::of($run->time),
            'figures' => array_map(fn (string $key): array => $this->cell($run, $key, $largest[$key] ?? 0), self::FIGURES),
            'tags' => array_map(fn (string $tag): array => [
                'text' => $tag,
                'url' => Url::index(['tag' => $tag] + $this->filter->state()),
            ], $run->label->tags),
            // A damaged run is no side.
            'sides' => $this->sides === null || $run->error !== null ? null : [
                'chosen' => $this->sides->holds($run->id) ? $this->sides->side : null,
                'a' => $this->sides->choose('a', [$run->id], $this->filter->state()),
                'b' => $this->sides->choose('b', [$run->id], $this->filter->state()),
            ],
            'note' => str_replace("\n", ' ', $run->label->note),
            'label_error' => $run->label->error,
        ] + $known;
    }

    /** @return array<string, mixed> a cell for the template */
    private function cell(RunEntry $run, string $key, int $largest): array
    {
        $metric = ShownMetric::of($key === 'size' ? 'pmu' : $key);
        $value = $run->value($key);
        $value = is_int($value) ? $value : null;
        $isMain = $this->filter->sorting->by === $key;
        $cell = Cells::value($value, $metric, $largest, $key !== 'size', $isMain);
        $isSamples = $key === 'ct' && $run->meta->recording->samples !== null && $value !== null;

        return [
            'base' => $key,
            'share' => '',
            'exact' => $value === null ? '' : Cells::exact($value, $metric) . ($isSamples ? ' samples' : ''),
        ] + $cell;
    }
}
