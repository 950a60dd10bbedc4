<?php

declare(strict_types=1);

namespace XHProf\Bridge;

use Throwable;
use XHProf\App\PageLimits;
use XHProf\App\Pages;
use XHProf\Exception\XHProfException;
use XHProf\Format\Units;
use XHProf\Format\VisibleName;
use XHProf\Functions\FunctionsReport;
use XHProf\Profile\Metrics;
use XHProf\Run\Run;
use XHProf\Store\RunFolder;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunFindings;
use XHProf\Web\Run\RunHeader;
use XHProf\Web\Run\RunOpener;
use XHProf\Web\Run\ShownRun;

/**
 * A saved run in a few lines, as its pages have them: totals, where its time was, what to look at first, its first functions, and
 * links, which are relative to the place of the pages. A run that is missing or damaged is a sentence.
 *
 * @phpstan-type Tile array{label: string, text: string, exact: string}
 * @phpstan-type FoundHere array{text: string, between: string, symbol: string, why: string, url: string}
 * @phpstan-type FunctionRow array{name: string, url: string, figures: list<string>}
 */
final class RunSummary
{
    public const FINDINGS = 3;

    public const FUNCTIONS = 5;

    /** Kinds of time that line() names beside the total. */
    private const KINDS = 2;

    /** Bytes of a name that are shown; the page of the function has all of it. */
    private const NAME = 120;

    /**
     * @param string $problem sentence in place of all else; '' where there is a run
     * @param string $title "Run ID (web)  GET /"
     * @param list<Tile> $tiles
     * @param array<string, mixed>|null $bar TimeBar::drawn()
     * @param list<FoundHere> $findings
     * @param list<string> $heads of the figures of functions
     * @param list<FunctionRow> $functions
     * @param list<array{label: string, url: string}> $links
     * @param bool $isMissing whether the problem is that there is no such run
     */
    private function __construct(
        public readonly string $problem,
        public readonly string $title = '',
        public readonly array $tiles = [],
        public readonly ?array $bar = null,
        public readonly array $findings = [],
        public readonly array $heads = [],
        public readonly array $functions = [],
        public readonly array $links = [],
        public readonly bool $isMissing = false,
    ) {
    }

    /** @param string $problem a sentence */
    public static function none(string $problem): self
    {
        return new self($problem);
    }

    /**
     * @param string $id of 32 digits
     * @param string $source '' for the only one with that id
     * @param string|null $folder of the runs; null for the one of the settings
     */
    public static function read(string $id, string $source = '', ?string $folder = null): self
    {
        $limits = PageLimits::begin();
        try {
            $runs = new RunOpener(new RunFolder($folder), Pages::all());

            return Url::withoutFiles(static fn (): self => self::of($runs->open($id, $source)));
        } catch (HttpError $e) {
            return new self(VisibleName::text($e->getMessage()), isMissing: $e->status === 404);
        } catch (XHProfException $e) {
            return new self('This run cannot be read: ' . VisibleName::text(rtrim($e->getMessage(), '.')) . '.');
        } catch (Throwable $e) {
            error_log('xhprof/bridge: ' . $e);

            return new self('This run cannot be shown. The reason is in the error log of the web server.');
        } finally {
            $limits->end();
        }
    }

    /** @return string "412 ms · SQL 38 % · PHP code 31 % · 2 findings" */
    public function line(): string
    {
        $parts = [$this->total()];
        $pieces = $this->bar['pieces'] ?? [];
        usort($pieces, static fn (array $a, array $b): int => (float) $b['width'] <=> (float) $a['width']);
        foreach (array_slice($pieces, 0, self::KINDS) as $piece) {
            $parts[] = "{$piece['label']} {$piece['share']}";
        }
        $parts[] = $this->found();

        return implode(' · ', array_filter($parts, static fn (string $part): bool => $part !== ''));
    }

    /** @return string "412 ms" */
    public function total(): string
    {
        return $this->tiles[0]['text'] ?? '';
    }

    /** @return string "no findings", "2 findings" */
    public function found(): string
    {
        $count = count($this->findings);

        return match (true) {
            $count === 0 => 'no findings',
            $count === 1 => '1 finding',
            default => $count . ($count === self::FINDINGS ? ' first' : '') . ' findings',
        };
    }

    private static function of(ShownRun $set): self
    {
        $report = new FunctionsReport($set->run, limit: self::FUNCTIONS);
        $found = RunFindings::describe($set, $report->flat);
        $findings = [];
        foreach (array_slice($found['list']->findings ?? [], 0, self::FINDINGS) as $at => $finding) {
            $findings[] = [
                'text' => $finding->text,
                'between' => $finding->between,
                'symbol' => VisibleName::text($finding->symbol, self::NAME),
                'why' => $finding->why,
                'url' => $found['urls'][$at] ?? '',
            ];
        }
        [$heads, $functions] = self::functions($set, $report);

        return new self(
            '',
            $set->title(),
            RunHeader::summary($set),
            RunHeader::times($set),
            $findings,
            $heads,
            $functions,
            self::links($set),
        );
    }

    /** @return array{list<string>, list<FunctionRow>} */
    private static function functions(ShownRun $set, FunctionsReport $report): array
    {
        $lead = $report->metrics[0] ?? null;
        $figures = $lead === null ? ['ct' => 'Calls'] : [
            "excl_$lead" => 'Self ' . Metrics::of($lead)->words(),
            $lead => 'Total ' . Metrics::of($lead)->words(),
            'ct' => ucfirst($set->counted()->noun()),
        ];
        $rows = [];
        foreach ($report->rows as $name => $row) {
            $rows[] = [
                'name' => VisibleName::text((string) $name, self::NAME),
                'url' => (string) $set->functionUrl((string) $name),
                'figures' => array_map(
                    static fn (string $key): string => $key === 'ct'
                        ? Units::count($row['ct'])
                        : Units::ofMetric($row[$key] ?? 0, (string) $lead),
                    array_keys($figures),
                ),
            ];
        }

        return [array_values($figures), $rows];
    }

    /** @return list<array{label: string, url: string}> views of the run */
    private static function links(ShownRun $set): array
    {
        $links = [['label' => 'All functions', 'url' => Url::index($set->parameters())]];
        $views = [
            'calltree' => ['Call tree', Run::TREE],
            'flame' => ['Flame graph', Run::TREE],
            'timeline' => ['Timeline', Run::TIMELINE],
        ];
        foreach ($views as $view => [$label, $part]) {
            if ($set->shows($part)) {
                $links[] = ['label' => $label, 'url' => Url::index($set->parameters() + ['view' => $view])];
            }
        }

        return $links;
    }
}
