<?php

declare(strict_types=1);

namespace XHProf\Bridge\Laravel;

use DebugBar\DataCollector\DataCollector;
use DebugBar\DataCollector\Renderable;
use Illuminate\Contracts\Foundation\Application;
use XHProf\Bridge\Extension;
use XHProf\Bridge\NextRequest;
use XHProf\Bridge\RunSummary;
use XHProf\Bridge\SummaryHtml;

/**
 * The tab "XHProf" of Laravel Debugbar: this request's run, and the button for the next one. A recording ends when the bar
 * collects, which is when the program has made its answer.
 */
final class DebugbarCollector extends DataCollector implements Renderable
{
    public function __construct(private readonly Application $app)
    {
    }

    /** @param object $debugbar of the package php-debugbar, with or without Laravel's around it */
    public static function addTo(object $debugbar, Application $app): void
    {
        $has = [$debugbar, 'hasCollector'];
        $add = [$debugbar, 'addCollector'];
        if (is_callable($has) && is_callable($add) && !$has('xhprof')) {
            $add(new self($app));
        }
    }

    /** @return array<string, mixed> */
    public function collect(): array
    {
        $request = $this->app->make('request');
        $recording = $this->app->resolved(Recording::class) ? $this->app->make(Recording::class) : null;
        $id = $recording?->end($request, RecordRequest::route($request)) ?? Extension::runId();
        $base = $request->getBaseUrl() . '/' . $this->app->make(Settings::class)->path() . '/';
        $problem = $recording?->isOf($request) === true ? $recording->problem() : Extension::problem();
        $rows = match (true) {
            $problem !== null => ['Run' => $this->text($problem)],
            $id === null => ['Run' => $this->text('This request was not recorded.')],
            default => $this->run($id, $recording?->isOf($request) === true ? $recording->source() : Extension::source(), $base),
        };
        if ($problem === null) {
            $rows['Next request'] = self::takesHtml()
                ? SummaryHtml::nextForm($this->app->make(NextRequest::class), $base, $request->getRequestUri())
                : $base . 'bridge/next';
        }

        return ['rows' => $rows, 'badge' => $id === null ? null : 1];
    }

    public function getName(): string
    {
        return 'xhprof';
    }

    /** @return array<string, array<string, mixed>> */
    public function getWidgets(): array
    {
        return [
            'xhprof' => [
                'icon' => 'fire',
                'title' => 'XHProf',
                'widget' => 'PhpDebugBar.Widgets.' . (self::takesHtml() ? 'HtmlVariableListWidget' : 'VariableListWidget'),
                'map' => 'xhprof.rows',
                'default' => '{}',
            ],
            'xhprof:badge' => ['map' => 'xhprof.badge', 'default' => 'null'],
        ];
    }

    /** @return array<string, string> */
    private function run(string $id, string $source, string $base): array
    {
        $summary = RunSummary::read($id, $source, $this->app->make(Settings::class)->folder());
        $rows = [];
        if ($summary->problem !== '') {
            // Settings of php.ini record it: its run is saved when the request has ended.
            return ['Run' => $this->link($base . "index?run=$id", $id)];
        }
        $rows['Run'] = $this->link($base . ($summary->links[0]['url'] ?? ''), $summary->title);
        foreach ($summary->tiles as $tile) {
            $rows[$tile['label']] = $this->text($tile['text']);
        }
        foreach ($summary->findings as $at => $finding) {
            $text = $finding['between'] === '' ? $finding['text'] : "{$finding['text']}; {$finding['between']}";
            $rows['Finding ' . ($at + 1)] = $this->text("$text {$finding['symbol']}. {$finding['why']}");
        }
        foreach ($summary->functions as $at => $function) {
            $figures = [];
            foreach ($function['figures'] as $which => $figure) {
                $figures[] = ($summary->heads[$which] ?? '') . ' ' . $figure;
            }
            $rows['Function ' . ($at + 1)] = $this->text($function['name'] . ': ' . implode(', ', $figures));
        }
        foreach (array_slice($summary->links, 1) as $link) {
            $rows[$link['label']] = $this->link($base . $link['url'], $link['label']);
        }

        return $rows;
    }

    private function text(string $text): string
    {
        return self::takesHtml() ? htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8') : $text;
    }

    private function link(string $url, string $label): string
    {
        return self::takesHtml() ? '<a href="' . $this->text($url) . '">' . $this->text($label) . '</a>' : "$label: $url";
    }

    /** Whether the bar has a list of HTML, as all versions since 1.15; older ones show all as text. */
    private static function takesHtml(): bool
    {
        return method_exists(DataCollector::class, 'isHtmlVarDumperUsed');
    }
}
