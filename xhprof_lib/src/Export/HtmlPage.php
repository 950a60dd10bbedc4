<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\Format\Units;
use XHProf\Format\VisibleName;
use XHProf\Functions\CountKind;
use XHProf\Functions\FlatReport;
use XHProf\Functions\MetricOrder;
use XHProf\Profile\Metrics;
use XHProf\Profile\PrunedTree;
use XHProf\Run\OriginText;
use XHProf\Run\Run;

/**
 * The markup of Html's file: its contents without JavaScript, and the places that its scripts fill.
 *
 * @internal
 */
final class HtmlPage
{
    /** Functions shown without JavaScript. */
    private const ROWS = 100;

    /** Most metrics with columns there. */
    private const MAX_METRICS = 3;

    private const LONGEST_NAME = 240;

    private const TABS = [
        'functions' => ['Functions', 't'],
        'calltree' => ['Call tree', 'p'],
        'flame' => ['Flame graph', 'f'],
        'sandwich' => ['Sandwich', 's'],
        'timeline' => ['Timeline', 'l'],
    ];

    /**
     * @param int $leftOut call paths of the run that are not in the file
     */
    public function __construct(private readonly Run $run, private readonly int $leftOut)
    {
    }

    public function head(string $policy): string
    {
        $title = self::text($this->run->title(), 80);

        return <<<HTML
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="$policy">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="generator" content="XHProf">
            <title>$title · XHProf</title>

            HTML;
    }

    public function body(): string
    {
        $title = self::text($this->run->title(), self::LONGEST_NAME);
        $calls = $this->counted()->isCalls() ? ' data-calls' : '';

        return <<<HTML
            <body>
            <a class="skip" href="#main">Skip to the content</a>
            <header class="bar">
            <span class="brand">XHProf</span>
            <form class="find" role="search" data-find="run:functions" data-live hidden>
            <label><span class="sr">Find functions by name</span>
            <input type="search" name="q" placeholder="Find a function, or /pattern/" data-key="/" data-key-label="Find a function"
                autocomplete="off" spellcheck="false"></label>
            </form>
            <div class="tools" data-tools></div>
            </header>
            <main id="main" data-counts="{$this->counted()->label()}"$calls>
            <div class="head"><h1>$title</h1><p class="sub">{$this->about()}</p></div>
            <p class="warning" id="problem" role="alert" hidden></p>
            <nav class="tabs" aria-label="Views of this run" data-live hidden>{$this->tabs()}</nav>
            <dl class="tiles">{$this->tiles()}</dl>
            {$this->notes()}{$this->facts()}
            <div class="standalone-functions" data-pane="functions">
            <div class="results" data-view="functions" data-functions="run:functions" data-link="?">
            {$this->table()}
            </div>
            <aside class="inspector" aria-label="Selected function" data-inspector data-live hidden></aside>
            </div>
            {$this->islands()}</main>

            HTML;
    }

    private function about(): string
    {
        $meta = $this->run->meta();
        $parts = [];
        if ($this->run->id !== null) {
            $parts[] = '<span class="badge">' . self::text($this->run->id->source) . '</span>';
        }
        if ($meta->ts !== null) {
            $parts[] = '<time datetime="' . gmdate('Y-m-d\TH:i:s\Z', (int) $meta->ts) . '">'
                . gmdate('Y-m-d H:i:s', (int) $meta->ts) . ' UTC</time>';
        }
        if ($this->run->id !== null) {
            $parts[] = '<code>' . self::text($this->run->id->id) . '</code>';
        }

        return implode(' ', $parts);
    }

    /** @return list<key-of<self::TABS>> the views that the run has */
    private function views(): array
    {
        $views = $this->run->tree() === null ? ['functions'] : ['functions', 'calltree', 'flame', 'sandwich'];

        return $this->run->timelineThatFits() === null && $this->run->samplesThatFit() === null ? $views : [...$views, 'timeline'];
    }

    private function tabs(): string
    {
        $tabs = '';
        foreach ($this->views() as $view) {
            [$label, $key] = self::TABS[$view];
            $tabs .= "<a href=\"?view=$view\" data-tab=\"$view\" data-key=\"$key\">$label</a>";
        }

        return $tabs;
    }

    private function counted(): CountKind
    {
        return CountKind::ofRuns($this->run);
    }

    private function islands(): string
    {
        $islands = '';
        $times = $this->run->timelineThatFits() === null ? ' data-samples="run:columns"' : ' data-timeline="run:columns"';
        foreach (array_diff($this->views(), ['functions']) as $view) {
            $data = 'data-tree="run:columns" data-symbol="run:symbol?"' . ($view === 'timeline' ? $times : '');
            $island = "<div class=\"island\" data-view=\"$view\" $data></div>";
            $islands .= "<div data-pane=\"$view\" hidden>$island</div>\n";
        }

        return $islands;
    }

    private function tiles(): string
    {
        $totals = $this->run->profile()->totals();
        $tiles = '';
        foreach ([...ExportColumn::metrics($this->run), 'ct'] as $metric) {
            $label = self::text($metric === 'ct' ? ucfirst($this->counted()->noun()) : Metrics::of($metric)->label);
            $exact = self::text(Units::count($totals[$metric]) . ' ' . Metrics::unit($metric));
            $value = self::text(Units::ofMetric($totals[$metric], $metric));
            $tiles .= "<div><dt>$label</dt><dd title=\"$exact\">$value</dd></div>";
        }

        return $tiles;
    }

    private function notes(): string
    {
        $notes = [];
        if ($this->run->tree() === null) {
            $notes[] = 'This run has calls but no call paths, so it has no flame graph.';
        }
        if ($this->leftOut > 0) {
            $notes[] = Units::count($this->leftOut) . ' of the smallest call paths are merged into <code>'
                . PrunedTree::NAME . '</code>. The table of functions has all.';
        }

        return implode('', array_map(static fn (string $note): string => "<p class=\"note\" role=\"note\">$note</p>\n", $notes));
    }

    private function facts(): string
    {
        $meta = $this->run->meta();
        $facts = array_filter([
            'Command' => $meta->origin->command,
            'URL' => $meta->origin->url === null ? null : trim("{$meta->origin->method} {$meta->origin->url}"),
            'Host' => $meta->origin->host,
            'SAPI' => $meta->origin->sapi,
            'PHP' => $meta->origin->php,
            'Release' => $meta->origin->release,
            'Git' => $meta->origin->git,
            'Trace' => $meta->origin->traceId,
            'Suspended' => ucfirst(OriginText::suspended($meta) ?? ''),
            'Flags' => $meta->recording->flagNames === [] ? null : implode(', ', $meta->recording->flagNames),
            'Call paths' => $this->run->tree() === null ? null : Units::count($this->run->tree()->count()),
        ], static fn (?string $fact): bool => $fact !== null && $fact !== '');
        if ($facts === []) {
            return '';
        }
        $lines = '';
        foreach ($facts as $label => $fact) {
            $lines .= "<div><dt>$label</dt><dd>" . self::text($fact, 2000) . '</dd></div>';
        }

        return "<details class=\"facts\"><summary>About this run</summary><dl>$lines</dl></details>\n";
    }

    private function table(): string
    {
        $raw = array_filter(ExportColumn::metrics($this->run), static fn (string $key): bool => !Metrics::isCorrected($key));
        $metrics = array_slice($raw, 0, self::MAX_METRICS);
        $report = FlatReport::compute($this->run->profile(), true);
        $rows = $report->sorted(MetricOrder::sort(null, $metrics), self::ROWS);
        $all = count($report->rows());
        $count = $all > count($rows)
            ? 'Top ' . count($rows) . ' of ' . Units::count($all) . ' rows; JavaScript shows the rest and the other views.'
            : Units::count($all) . ' rows';
        $head = '<th scope="col" class="text" rowspan="2">Function</th><th scope="col" class="num m-ct" rowspan="2">'
            . $this->counted()->label() . '</th>';
        $second = '';
        foreach ($metrics as $metric) {
            $label = self::text(Metrics::of($metric)->label);
            $class = "m-$metric" . ($metric === $metrics[0] ? ' kept' : '');
            $head .= "<th scope=\"colgroup\" colspan=\"2\" class=\"group $class\">$label</th>";
            foreach (['Self', 'Total'] as $label) {
                $second .= "<th scope=\"col\" class=\"num $class\">$label</th>";
            }
        }
        $lines = '';
        $totals = $report->totals();
        foreach ($rows as $name => $row) {
            $shown = self::text($name, self::LONGEST_NAME);
            $lines .= "<tr><th scope=\"row\" class=\"text\"><span class=\"fn\">$shown</span></th>";
            $lines .= self::cell($row['ct'], 'ct', 0, false);
            foreach ($metrics as $metric) {
                $isKept = $metric === $metrics[0];
                $lines .= self::cell($row["excl_$metric"] ?? 0, $metric, $totals[$metric], $isKept)
                    . self::cell($row[$metric] ?? 0, $metric, $totals[$metric], $isKept);
            }
            $lines .= "</tr>\n";
        }

        return <<<HTML
            <p class="count">$count</p>
            <div class="scroll" tabindex="0" role="region" aria-label="Table of functions">
            <table class="data functions keeps"><caption class="sr">Functions of this run</caption>
            <thead><tr>$head</tr><tr>$second</tr></thead>
            <tbody>
            $lines</tbody>
            </table>
            </div>
            HTML;
    }

    private static function cell(int|float $value, string $metric, int|float $total, bool $isKept): string
    {
        $isShare = $total > 0 && !Metrics::isSigned($metric);
        $share = $isShare ? '<span class="p">' . Units::percent($value, $total) . '</span>' : '';

        $class = "num m-$metric" . ($isKept ? ' kept' : '');

        return "<td class=\"$class\"><span class=\"v\">" . self::text(Units::ofMetric($value, $metric)) . "</span>$share</td>";
    }

    private static function text(string $text, int $limit = 0): string
    {
        return htmlspecialchars(VisibleName::text($text, $limit), ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8');
    }
}
