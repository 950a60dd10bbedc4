<?php

declare(strict_types=1);

namespace XHProf\Compare\Cli;

use XHProf\Cli\Run\MetricLabel;
use XHProf\Cli\Run\Summary;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Cli\Terminal\TextFit;
use XHProf\Cli\Terminal\View;
use XHProf\Compare\Comparability;
use XHProf\Compare\DiffReport;
use XHProf\Compare\DiffSummary;
use XHProf\Compare\MachineTime;
use XHProf\Compare\Noise;
use XHProf\Compare\RowDiff;
use XHProf\Compare\Statistics;
use XHProf\Compare\SymbolDiff;
use XHProf\Compare\Verdict;
use XHProf\Exception\UnknownSymbol;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Functions\CountKind;
use XHProf\Functions\FlatReport;
use XHProf\Functions\RowRanking;
use XHProf\Operations\OperationReport;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\NameMatch;
use XHProf\Profile\NameRules;
use XHProf\Run\ChangedRun;
use XHProf\Run\Run;
use XHProf\Stats\Significance;

/** Two runs, or two sets of runs, function by function: the differences of B from A, more (+) or less (-). */
final class DiffView implements View
{
    /** Its functions have the names that they have in B. */
    private readonly Run $a;

    /** @var array<string, string> names in A => in B, where they differ */
    private readonly array $renamed;

    private readonly DiffReport $report;
    private readonly Noise $noise;
    private readonly string $sort;

    /** The budget's column: one of FlatReport. */
    private readonly string $budgetColumn;

    /** @var array<string, array<string, int|float>> */
    private readonly array $before;

    /** @var array<string, array<string, int|float>> */
    private readonly array $after;

    /** @var array<string, array<string, int|float>> B - A */
    private readonly array $rows;

    /**
     * @param string|null $sort   column of FlatReport, null for the default
     * @param int         $limit  0 for all
     * @param bool        $levels whether the levels of a recursion are functions of their own
     * @param bool        $exact  whether functions are the same only under the same name
     */
    public function __construct(
        Run $a,
        private readonly Run $b,
        ?string $sort,
        private readonly int $limit,
        private readonly bool $levels = false,
        bool $exact = false,
    ) {
        [$ofA, $ofB] = [Statistics::ofMean($a, !$levels), Statistics::ofMean($b, !$levels)];
        $this->renamed = $exact ? [] : NameMatch::of(
            $a->profile(),
            $b->profile(),
            $a->treeNames(),
            $b->treeNames(),
            NameRules::ofFile((string) getenv(NameRules::FILE)),
        );
        $this->a = $a = ChangedRun::renamed($a, $this->renamed);
        $this->report = DiffReport::of($a->profile(), $b->profile(), !$levels, $this->renamed);
        $isSampled = !$this->counted()->isCalls();
        $operations = static fn (Run $run): \Closure => static fn (): ?OperationReport
            => $run->has(Run::OPERATIONS) ? $run->operations() : null;
        $machine = MachineTime::of($this->report, $a->meta(), $b->meta(), $operations($a), $operations($b));
        $this->noise = new Noise($this->report, $ofA?->renamed($this->renamed), $ofB, $isSampled, $machine);
        $this->budgetColumn = $sort ?? MetricLabel::sort(null, $this->report->metrics(), true);
        $this->sort = MetricLabel::sort($sort, $this->report->metrics());
        $this->before = $this->report->before()->rows();
        $this->after = $this->report->after()->rows();
        $this->rows = $this->report->rows();
    }

    public function print(Screen $screen): void
    {
        foreach (['A' => $this->a, 'B' => $this->b] as $letter => $run) {
            $screen->writeln(Summary::heading("$letter  Run", $run, $screen));
        }
        $this->printNotes($screen);
        $screen->writeln('');
        $totals = $this->report->totals();
        $machine = array_keys($this->totalsNoise(), Noise::MACHINE, true);
        ChangeTable::sides($totals['a'], $totals['b'], $this->counted()->noun(), $machine)->print($screen);
        $screen->writeln('');
        if ($this->sum() !== '') {
            $screen->say($this->sum());
            $screen->writeln('');
        }

        $changed = $this->changed();
        $rows = $this->limit > 0 ? array_slice($changed, 0, $this->limit, true) : $changed;
        if ($rows !== []) {
            $this->table($rows)->print($screen);
        }
        $screen->writeln(sprintf(
            '%s functions changed, %s did not%s',
            Units::count(count($changed)),
            Units::count(count($this->rows) - count($changed)),
            count($rows) < count($changed) ? '; --limit=0 shows all changes' : '',
        ));
        $noisy = array_filter(array_map($this->noiseOf(...), array_keys($rows)));
        $screen->say($noisy === [] ? '' : str_replace('Grey:', ChangeTable::NOISE . ' ', $this->noise->explanation()));
    }

    /**
     * The growth, and whether it is more than chance.
     *
     * @param string|null $symbol a function, whose inclusive value counts; null for the whole
     * @return array{metric: string, growth: float, significant: bool, text: string} growth as a share of the value before, INF
     *     if that was 0
     * @throws UnknownSymbol
     */
    public function budget(?string $symbol): array
    {
        // The whole run has no caller: its inclusive and its exclusive value are the same.
        $symbol = $symbol === null ? null : $this->nameOf($symbol);
        $metric = $symbol === null ? MetricLabel::base($this->budgetColumn) ?? 'ct' : $this->budgetColumn;
        $totals = $this->report->totals();
        $self = $symbol === null ? null : $this->report->symbol($symbol)->self();
        [$a, $b] = $self === null
            ? [$totals['a'][$metric], $totals['b'][$metric]]
            : [$self['a'][$metric] ?? 0, $self['b'][$metric] ?? 0];
        $chance = $symbol === null ? $this->noise->chanceOfTotal($metric) : $this->noise->chance($symbol, $metric);
        $isMachine = $symbol === null
            ? $this->noise->ofTotal($metric, $b - $a) === Noise::MACHINE
            : $this->isMachine($symbol, $metric);

        return [
            'metric' => $metric,
            'growth' => $a == 0 ? ($b > 0 ? INF : 0.0) : ($b - $a) / abs($a),
            'significant' => $chance === null || $chance < Significance::LEVEL,
            'text' => sprintf(
                '%s: %s, from %s to %s%s%s',
                MetricLabel::ofColumn($metric, $symbol === null ? null : Text::printable($symbol)),
                Units::growth($a, $b) === '' ? Units::signed($b - $a, $metric) : Units::growth($a, $b),
                Units::of($a, $metric),
                Units::of($b, $metric),
                $chance === null ? '' : ', p = ' . DiffSummary::probability($chance),
                $isMachine && $b > $a ? ', but CPU time and calls did not change with it: run it several times' : '',
            ),
        ];
    }

    public function json(): array
    {
        $functions = [];
        $rows = $this->noiseLast(RowRanking::rows($this->rows, $this->sort, 0, true));
        foreach ($this->limit > 0 ? array_slice($rows, 0, $this->limit, true) : $rows as $name => $delta) {
            $functions[] = [
                'name' => $name,
                'status' => $this->status($name),
                'a' => $this->before[$name] ?? null,
                'b' => $this->after[$name] ?? null,
                'delta' => $delta,
                'noise' => $this->noiseOf($name),
                'before' => $this->report->nameBefore($name),
            ] + ($this->noise->isTested() ? ['p' => $this->noise->chance($name, $this->sortColumn())] : []);
        }

        return [
            'a' => $this->a->describe(),
            'b' => $this->b->describe(),
            'notes' => $this->notes(),
            'sum' => $this->sum(),
            'metrics' => $this->report->metrics(),
            'totals' => $this->report->totals(),
            'totals_noise' => $this->totalsNoise(),
            'sort' => $this->sort,
            'recursion' => $this->levels ? 'levels' : 'merged',
            'functions_total' => count($this->rows),
            'functions' => $functions,
        ];
    }

    /**
     * One function in both runs.
     *
     * @return array<string, mixed>
     * @throws UnknownSymbol
     */
    public function symbolJson(string $symbol): array
    {
        $symbol = $this->nameOf($symbol);
        $diff = $this->report->symbol($symbol);

        return [
            'a' => $this->a->describe(),
            'b' => $this->b->describe(),
            'notes' => $this->notes(),
            'symbol' => $symbol,
            'status' => $diff->status,
            'before' => $this->report->nameBefore($symbol),
            'self' => $diff->self(),
            'self_noise' => (object) array_fill_keys($this->machineOf($symbol, $diff), Noise::MACHINE),
            'parents' => self::named($diff->parents()),
            'children' => self::named($diff->children()),
        ];
    }

    public function printSymbol(string $symbol, Screen $screen): void
    {
        $symbol = $this->nameOf($symbol);
        $diff = $this->report->symbol($symbol);
        $name = TextFit::shorten(Text::printable($symbol), $screen->width, $screen->ellipsis());
        $screen->text($name, 'options=bold');
        $this->printNotes($screen);
        $screen->writeln('');
        $self = $diff->self();
        $machine = $this->machineOf($symbol, $diff);
        ChangeTable::sides($self['a'], $self['b'], lcfirst($this->counted()->label()), $machine)->print($screen);
        if ($machine !== []) {
            $screen->writeln('');
            $screen->say(ucfirst(Noise::MACHINE_WORDS) . '.');
        }
        $sections = ['called by' => $diff->parents(), 'calls' => $diff->children()];
        foreach ($sections as $title => $rows) {
            $screen->writeln('');
            if ($rows === []) {
                $screen->writeln("$title nothing");
                continue;
            }
            $deltas = array_map(static fn (array $row): array => $row['delta'], $rows);
            $metric = $this->report->metrics()[0] ?? 'ct';
            $noise = array_map(fn (array $delta): bool => $this->noise->ofCalls($metric, $delta) === Noise::MACHINE, $deltas);
            $deltas = array_diff_key($deltas, array_filter($noise)) + $deltas;
            $shown = $this->limit > 0 ? array_slice($deltas, 0, $this->limit, true) : $deltas;
            $statuses = array_map(static fn (array $row): string => $row['status'], $rows);
            // Samples belong to one function: there is no count of calls between functions.
            $counted = $this->counted()->isCalls() ? 'calls' : null;
            ChangeTable::functions($shown, $statuses, $this->report->metrics(), $title, null, $counted, $noise)
                ->print($screen);
        }
    }

    /** The name that a function has here: that in B, for a name in A. */
    private function nameOf(string $symbol): string
    {
        return $this->b->profile()->hasSymbol($symbol) ? $symbol : EdgeKey::renamed($symbol, $this->renamed);
    }

    private function counted(): CountKind
    {
        return CountKind::of($this->a, $this->b);
    }

    /** @return list<string> notes: sentences without a full stop, printable */
    private function notes(): array
    {
        $known = Comparability::of($this->a, $this->b);
        $leftOut = [];
        foreach (['A' => $known->onlyA, 'B' => $known->onlyB] as $letter => $metrics) {
            if ($metrics !== []) {
                $leftOut[] = implode(', ', array_map(MetricLabel::name(...), $metrics)) . " (only in $letter)";
            }
        }
        $notes = $known->recording === null ? [] : [$known->recording];
        if ($leftOut !== []) {
            $notes[] = 'Left out: ' . implode('; ', $leftOut);
        }

        if ($this->report->renamed() > 0) {
            $notes[] = sprintf(
                '%s matched although %s names differ (closures by their order); --exact-names compares by name',
                $this->report->renamed() === 1 ? '1 function is' : Units::count($this->report->renamed()) . ' functions are',
                $this->report->renamed() === 1 ? 'its' : 'their',
            );
        }

        return array_map(Text::printable(...), $notes);
    }

    private function printNotes(Screen $screen): void
    {
        foreach ($this->notes() as $note) {
            $screen->say($note, 'comment');
        }
    }

    /** @param string $name of one of the rows */
    private function status(string $name): string
    {
        return (string) RowDiff::status(isset($this->before[$name]), isset($this->after[$name]));
    }

    /** @return array<string, array<string, int|float>> rows with a difference; noise comes last */
    private function changed(): array
    {
        return $this->noiseLast(array_filter(
            RowRanking::rows($this->rows, $this->sort, 0, true),
            static fn (array $row): bool => array_filter($row) !== [],
        ));
    }

    /**
     * @param array<string, array<string, int|float>> $rows
     * @return array<string, array<string, int|float>>
     */
    private function noiseLast(array $rows): array
    {
        $isNoise = fn (string $name): bool => $this->noiseOf($name) !== null;

        return $this->sort === 'fn'
            ? $rows
            : array_filter($rows, static fn (string $name): bool => !$isNoise($name), ARRAY_FILTER_USE_KEY) + $rows;
    }

    /** @return array<string, Noise::SMALL|Noise::CHANCE|Noise::MACHINE|null> by metric why its total's change is not worth a look */
    private function totalsNoise(): array
    {
        $delta = $this->report->totals()['delta'];

        return array_combine(array_keys($delta), array_map($this->noise->ofTotal(...), array_keys($delta), $delta));
    }

    /** The column that decides. */
    private function sortColumn(): string
    {
        return $this->sort === 'fn' ? MetricLabel::sort(null, $this->report->metrics()) : $this->sort;
    }

    /** @return Noise::SMALL|Noise::CHANCE|Noise::MACHINE|null */
    private function noiseOf(string $name): ?string
    {
        return $this->noise->of($name, $this->sortColumn(), $this->rows[$name][$this->sortColumn()] ?? 0);
    }

    /** @return list<string> columns of a function whose change is the machine's */
    private function machineOf(string $symbol, SymbolDiff $diff): array
    {
        $columns = array_keys($diff->self()['a']);

        return array_values(array_filter($columns, fn (string $column): bool => $this->isMachine($symbol, $column)));
    }

    /** Whether a function's change of a column is the machine's. */
    private function isMachine(string $symbol, string $column): bool
    {
        return $this->noise->machine?->is($symbol, $column) === true;
    }

    /** The comparison in a few sentences, '' without a metric; printable. */
    private function sum(): string
    {
        $metric = MetricLabel::base($this->sortColumn()) ?? $this->report->metrics()[0] ?? null;
        $sentences = $metric === null ? [] : Verdict::of($this->report, $this->noise, $metric, $this->counted()->isCalls());

        return Text::printable(Verdict::text($sentences));
    }

    /** @param array<string, array<string, int|float>> $rows */
    private function table(array $rows): Table
    {
        $metrics = MetricLabel::leading($this->report->metrics(), $this->sort);
        $statuses = [];
        $noise = [];
        foreach ($rows as $name => $_) {
            $statuses[$name] = $this->status($name);
            $noise[$name] = $this->noiseOf($name) !== null;
        }
        $order = [];
        foreach ($metrics as $metric) {
            array_push($order, "excl_$metric", $metric);
        }

        $counted = lcfirst($this->counted()->label());

        return ChangeTable::functions($rows, $statuses, $order, 'function', $this->sort, $counted, $noise);
    }

    /**
     * @param array<string, array<string, mixed>> $rows
     * @return list<array<string, mixed>>
     */
    private static function named(array $rows): array
    {
        $list = [];
        foreach ($rows as $name => $row) {
            $list[] = ['name' => $name] + $row;
        }

        return $list;
    }
}
