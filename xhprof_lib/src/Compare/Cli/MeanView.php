<?php

declare(strict_types=1);

namespace XHProf\Compare\Cli;

use Symfony\Component\Console\Formatter\OutputFormatter;
use XHProf\Cli\Run\Summary;
use XHProf\Cli\Terminal\ReportView;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\TimeBarText;
use XHProf\Cli\Terminal\View;
use XHProf\Compare\MeanReport;
use XHProf\Functions\RunHead;
use XHProf\Report\Heading;
use XHProf\Report\Markdown;
use XHProf\Report\Report;
use XHProf\Report\TimeBar;

/**
 * Several runs on a terminal: the totals of each, and the spread of their functions.
 *
 * @phpstan-import-type Kind from MeanReport
 */
final class MeanView implements View
{
    /**
     * @param list<string> $names functions, in their order
     * @param Kind $kind
     * @param int $limit 0 for all
     * @param string $noun what its functions are, where they are added up: "package"
     */
    public function __construct(
        private readonly MeanReport $report,
        private readonly array $names,
        private readonly string $sort,
        private readonly string $kind,
        private readonly int $limit,
        private readonly string $noun = 'function',
    ) {
    }

    public function print(Screen $screen): void
    {
        $screen->writeln(Summary::heading('Run', $this->report->run, $screen));
        $bar = TimeBar::of($this->report->run->times()->whole());
        if ($bar !== null) {
            TimeBarText::print($bar, $screen);
        }
        foreach ([$this->report->runs(), $this->report->totals($this->kind)] as $table) {
            $screen->writeln('');
            ReportView::table($table, $screen)->print($screen);
        }
        $column = $this->report->column($this->sort);
        $screen->writeln(['', '<options=bold>' . OutputFormatter::escape($this->report->title($column)) . '</>']);
        $shown = $this->shown();
        if ($shown === []) {
            $screen->writeln("No $this->noun matches.");
        } else {
            ReportView::table($this->report->functions($shown, $column, $this->kind), $screen)->print($screen);
        }
        $order = $this->report->order($this->sort, $this->kind);
        $screen->rest(count($shown), count($this->names), "{$this->noun}s, sorted by $order");
    }

    public function json(): array
    {
        return $this->report->json($this->shown(), $this->sort, $this->kind);
    }

    public function markdown(): string
    {
        $column = $this->report->column($this->sort);

        return Markdown::report(new Report(
            [
                $this->report->runs(),
                $this->report->totals($this->kind),
                $this->report->functions($this->shown(), $column, $this->kind)->with(['title' => $this->report->title($column)]),
            ],
            headings: [
                (new RunHead($this->report->run))->title('Run'),
                new Heading('', bar: TimeBar::of($this->report->run->times()->whole())),
            ],
        ));
    }

    /** @return list<string> */
    private function shown(): array
    {
        return $this->limit > 0 ? array_slice($this->names, 0, $this->limit) : $this->names;
    }
}
