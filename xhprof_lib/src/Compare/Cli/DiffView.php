<?php

declare(strict_types=1);

namespace XHProf\Compare\Cli;

use XHProf\Functions\MetricOrder;
use XHProf\Cli\Run\Summary;
use XHProf\Cli\Terminal\ReportView;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\TextFit;
use XHProf\Cli\Terminal\View;
use XHProf\Compare\DiffReport;
use XHProf\Compare\DiffTicket;
use XHProf\Compare\Noise;
use XHProf\Compare\SymbolDiff;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Report\Markdown;
use XHProf\Report\Table;

/** A comparison on a terminal: all functions, or one with its callers and callees. */
final class DiffView implements View
{
    private readonly string $sort;

    private readonly ?SymbolDiff $diff;

    /** @var list<string> sentences without a full stop */
    private readonly array $notes;

    /**
     * @param string|null $sort column of FlatReport, null for the default
     * @param int $limit 0 for all
     * @param string $query part of the names of functions
     * @param string|null $symbol a function of one of them
     * @param string $noun what is compared, where it is no function: "package"
     *
     * @throws \XHProf\Exception\UnknownSymbol
     */
    public function __construct(
        private readonly DiffReport $report,
        ?string $sort,
        private readonly int $limit,
        private readonly string $query,
        ?string $symbol,
        private readonly string $noun = 'function',
    ) {
        $this->sort = MetricOrder::sort($sort, $report->metrics());
        $this->diff = $symbol === null ? null : $report->figures()->symbol($report->nameOf($symbol));
        $renamed = count($report->renamed);
        $this->notes = [...$report->notes(), ...($renamed === 0 ? [] : [sprintf(
            '%s matched although %s names differ (closures by their order); --exact-names compares by name',
            $renamed === 1 ? '1 function is' : Units::count($renamed) . ' functions are',
            $renamed === 1 ? 'its' : 'their',
        )])];
    }

    public function json(): array
    {
        return $this->diff === null
            ? $this->report->json($this->sort, $this->limit, $this->query, $this->notes)
            : $this->report->symbolJson($this->diff, $this->notes);
    }

    public function markdown(): string
    {
        return Markdown::report($this->diff === null
            ? DiffTicket::of($this->report, $this->sort, $this->limit, $this->query, $this->notes)
            : DiffTicket::ofSymbol($this->report, $this->diff, $this->limit, $this->notes));
    }

    public function print(Screen $screen): void
    {
        $this->diff === null ? $this->printFunctions($screen) : $this->printSymbol($this->diff, $screen);
    }

    private function printFunctions(Screen $screen): void
    {
        foreach (['A' => $this->report->a, 'B' => $this->report->b] as $letter => $run) {
            $screen->writeln(Summary::heading("$letter  Run", $run, $screen));
        }
        $this->printNotes($screen);
        $this->printTable($this->report->sides($this->report->totals(), $this->report->counted()->noun()), $screen);
        $this->printTimes(null, $screen);
        $screen->writeln('');
        $sum = $this->report->sum($this->sort);
        if ($sum !== '') {
            $screen->say($sum);
            $screen->writeln('');
        }
        $metrics = MetricOrder::leading($this->report->metrics(), $this->sort);
        $table = $this->report->functions($this->sort, $this->limit, $this->query, $metrics);
        if ($table->rows !== []) {
            ReportView::table($table, $screen)->print($screen);
        }
        [$all, $changed] = $this->report->counts($this->query);
        $screen->writeln(sprintf(
            '%s changed, %s did not%s',
            Units::count($changed) . " {$this->noun}s",
            Units::count($all - $changed),
            count($table->rows) < $changed ? '; --limit=0 shows all changes' : '',
        ));
        $this->explain($screen, $table);
    }

    private function printSymbol(SymbolDiff $diff, Screen $screen): void
    {
        $name = TextFit::shorten(Text::printable($diff->symbol), $screen->width, $screen->ellipsis());
        $screen->text($name, 'options=bold');
        $this->printNotes($screen);
        $own = $this->report->own($diff);
        $this->printTable($this->report->sides($own, lcfirst($this->report->counted()->label())), $screen);
        if (array_filter(array_column($own, 'noise')) !== []) {
            $screen->writeln('');
            $screen->say(Noise::words(Noise::MACHINE) . '.');
        }
        $this->printTimes($diff->symbol, $screen);
        $parents = $this->report->callsOf($diff->parents, 'parents', 'called by', $this->limit);
        $children = $this->report->callsOf($diff->children, 'children', 'calls', $this->limit);
        $this->printTable($parents, $screen);
        $this->printTable($children, $screen);
        $this->explain($screen, $parents, $children);
    }

    /** @param string|null $symbol a function; null for the whole runs */
    private function printTimes(?string $symbol, Screen $screen): void
    {
        foreach ($this->timesTables($symbol) as $table) {
            $screen->writeln('');
            $screen->say($table->lead, 'info');
            ReportView::table($table, $screen)->print($screen);
            $screen->say(implode(' ', $this->report->times($symbol)?->notes() ?? []), 'comment');
        }
    }

    /** @return list<Table> */
    private function timesTables(?string $symbol): array
    {
        $times = $this->report->times($symbol);

        return $times === null ? [] : [$times->table()];
    }

    /** Says what the marks of the tables mean, if they have any. */
    private function explain(Screen $screen, Table ...$tables): void
    {
        $marked = array_filter($tables, static fn (Table $table): bool => array_filter(array_column($table->rows, 'noise')) !== []);
        $text = $this->report->noise()->explanation($this->diff !== null);
        $screen->say($marked === [] ? '' : str_replace('Grey:', DiffReport::NOISE . ' ', $text));
    }

    private function printNotes(Screen $screen): void
    {
        foreach ($this->notes as $note) {
            $screen->say($note, 'comment');
        }
    }

    private function printTable(Table $table, Screen $screen): void
    {
        $screen->writeln('');
        if ($table->rows === []) {
            $screen->writeln($table->none);
        } else {
            ReportView::table($table, $screen)->print($screen);
        }
    }
}
