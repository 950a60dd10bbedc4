<?php

declare(strict_types=1);

namespace XHProf\Functions\Cli;

use XHProf\Cli\CliError;
use XHProf\Cli\Run\CorrectedNote;
use XHProf\Cli\Run\FilesColumn;
use XHProf\Cli\Run\MetricLabel;
use XHProf\Cli\Run\Summary;
use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Cli\Terminal\TextFit;
use XHProf\Cli\Terminal\View;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Functions\CountKind;
use XHProf\Functions\FunctionLines;
use XHProf\Functions\Recursion;
use XHProf\Functions\SymbolReport;
use XHProf\Profile\Profile;
use XHProf\Run\Run;

/** One function: its callers and its callees. */
final class SymbolView implements View
{
    private const BAR = 8;

    /** Functions named in a list. */
    private const CALLS = 3;

    private readonly SymbolReport $report;
    private readonly string $sort;
    private readonly ?FunctionLines $lines;
    private readonly FilesColumn $files;

    /**
     * @param bool $levels whether the levels of a recursion are functions of their own
     * @param bool $files  whether the file of each function is shown
     *
     * @throws CliError if the run has no such function
     */
    public function __construct(
        private readonly Run $run,
        string $symbol,
        ?string $sort,
        private readonly int $limit,
        private readonly bool $levels = false,
        bool $files = false,
    ) {
        $this->files = FilesColumn::of($run, $files);
        if (!SymbolReport::knows($run->profile(), $symbol, !$levels)) {
            throw new CliError(self::unknown($symbol, $run->profile(), $levels));
        }
        $this->report = SymbolReport::of($run->profile(), $symbol, !$levels);
        $this->sort = MetricLabel::sort($sort, $run->profile()->metrics(), true);
        $this->lines = self::linesOf($run, $symbol);
    }

    /** Lines are optional: the report works without them. */
    private static function linesOf(Run $run, string $symbol): ?FunctionLines
    {
        try {
            $hasSamples = $run->has(Run::SAMPLES) && !$run->hasTooManySamples();
            $samples = $hasSamples ? $run->samples() : null;
        } catch (DamagedRun | RunNotFound | StoreError) {
            return null;
        }

        return $samples === null ? null : FunctionLines::of($samples, $symbol);
    }

    public function print(Screen $screen): void
    {
        $screen->writeln(Summary::heading('Run', $this->run, $screen));
        $name = TextFit::shorten(Text::printable($this->report->symbol), $screen->width, $screen->ellipsis());
        $screen->text($name, 'options=bold');
        foreach ($this->files->cells($this->report->symbol) as $place) {
            $screen->text(TextFit::shorten($place, $screen->width, $screen->ellipsis()));
        }
        $screen->writeln('');
        $this->own()->print($screen);
        $this->recursion($screen);
        $self = $this->report->self();
        $this->neighbours('called by', $this->report->parents(), $self, $screen);
        $this->neighbours('calls', $this->report->children(), $self, $screen);
        $this->lines($screen);
        if (CorrectedNote::json($this->run->profile()->metrics()) !== []) {
            $screen->writeln('');
            CorrectedNote::print($this->run->profile()->metrics(), $screen);
        }
    }

    /** Time of the function per line of code, for runs sampled with lines. */
    private function lines(Screen $screen): void
    {
        if ($this->lines === null) {
            return;
        }
        $screen->writeln('');
        $metric = $this->lines->metric;
        $table = new Table([
            new Column('line'),
            new Column(MetricLabel::name($metric)),
            new Column('%'),
            new Column('', Column::LEFT, weight: 3, style: 'fg=cyan'),
            new Column('its samples', weight: 1),
            new Column("PHP's", weight: 2),
            Column::name('in', 10),
        ]);
        $total = $this->lines->time();
        foreach ($this->lines->lines as $line => $values) {
            arsort($values['calls']);
            $table->add([
                (string) $line,
                Units::of($values['time'], $metric),
                Units::percent($values['time'], $total),
                $screen->bar($total === 0 ? 0.0 : $values['time'] / $total, self::BAR),
                $values['own'] === 0 ? '' : Units::count($values['own']),
                $values['called'] === 0 ? '' : Units::count($values['called']),
                Text::printable(implode(', ', array_slice(array_keys($values['calls']), 0, self::CALLS))),
            ]);
        }
        $table->print($screen);
    }

    public function json(): array
    {
        return [
            'run' => $this->run->describe(),
            'symbol' => $this->report->symbol,
            ...$this->files->json($this->report->symbol),
            'recursion' => $this->levels ? 'levels' : 'merged',
            'recursive_calls' => (object) $this->report->recursion(),
            'metrics' => $this->run->profile()->metrics(),
            'totals' => $this->report->totals(),
            'self' => $this->report->self(),
            'parents' => $this->named($this->sorted($this->report->parents())),
            'children' => $this->named($this->sorted($this->report->children())),
            ...($this->lines === null ? [] : ['lines' => ['metric' => $this->lines->metric, 'by_line' => $this->lines->lines]]),
        ] + CorrectedNote::json($this->run->profile()->metrics());
    }

    /** Callers of the function while it was already running. */
    private function recursion(Screen $screen): void
    {
        $calls = $this->report->recursion();
        if ($calls === [] || !CountKind::of($this->run)->isCalls()) {
            return;
        }
        $by = array_map(
            fn (string $name): string => $name === $this->report->symbol ? 'itself' : Text::printable($name),
            array_slice(array_keys($calls), 0, self::CALLS),
        );
        $text = sprintf(
            '%s of its calls came from %s%s while it was running; their inclusive figures are in those of the outermost calls.',
            Units::count(array_sum($calls)),
            implode(', ', $by),
            count($calls) > self::CALLS ? ' and others' : '',
        );
        $screen->say($text);
    }

    private function own(): Table
    {
        $table = new Table([
            new Column('', Column::LEFT),
            new Column('exclusive'),
            new Column('% of run'),
            new Column('inclusive'),
            new Column('% of run'),
            new Column('per call'),
        ]);
        $self = $this->report->self();
        $totals = $this->report->totals();
        foreach ($this->run->profile()->metrics() as $metric) {
            // Samples are no calls.
            $isPerCall = $self['ct'] > 0 && CountKind::of($this->run)->isCalls();
            $perCall = $isPerCall ? Units::of($self[$metric] / $self['ct'], $metric) : '-';
            $table->add([
                MetricLabel::name($metric),
                Units::of($self["excl_$metric"], $metric),
                MetricLabel::share($self["excl_$metric"], $totals[$metric], $metric),
                Units::of($self[$metric], $metric),
                MetricLabel::share($self[$metric], $totals[$metric], $metric),
                $perCall,
            ]);
        }
        $share = Units::percent($self['ct'], $totals['ct']);
        $table->add([lcfirst(CountKind::of($this->run)->label()), Units::count($self['ct']), $share, '', '', '']);

        return $table;
    }

    /**
     * @param array<string, array<string, int|float>> $rows
     * @param array<string, int|float>                $self values of 100 %
     */
    private function neighbours(string $title, array $rows, array $self, Screen $screen): void
    {
        $screen->writeln('');
        if ($rows === []) {
            $screen->writeln($title === 'calls' ? 'calls nothing' : 'called by nothing');

            return;
        }
        $metrics = MetricLabel::leading($this->run->profile()->metrics(), $this->sort);
        $pair = MetricLabel::pair($metrics);
        $columns = [];
        foreach ($metrics as $index => $metric) {
            $isKept = $index === 0 || $metric === $pair;
            $columns[] = new Column('incl ' . MetricLabel::name($metric), weight: $isKept ? 0 : 10 + $index);
            if ($index === 0) {
                $columns[] = new Column('%', weight: 1);
            }
        }
        // Samples belong to one function: there is no count of calls between functions.
        $counts = CountKind::of($this->run)->isCalls();
        if ($counts) {
            $columns[] = new Column('calls');
        }
        $table = new Table([...$columns, Column::name($title), ...$this->files->columns()]);
        $shown = $this->sorted($rows);
        foreach ($shown as $name => $row) {
            $cells = [];
            foreach ($metrics as $index => $metric) {
                $cells[] = Units::of($row[$metric], $metric);
                if ($index === 0) {
                    $cells[] = MetricLabel::share($row[$metric], $self[$metric], $metric);
                }
            }
            if ($counts) {
                $cells[] = Units::count($row['ct']);
            }
            $table->add([...$cells, Text::printable($name), ...$this->files->cells($name)]);
        }
        $table->print($screen);
        $screen->rest(count($shown), count($rows));
    }

    /**
     * @template T of array<string, int|float>
     * @param array<string, T> $rows
     * @return array<string, T>
     */
    private function sorted(array $rows): array
    {
        $sort = $this->sort;
        if ($sort === 'fn') {
            ksort($rows, SORT_STRING);
        } else {
            uasort($rows, static fn (array $a, array $b): int => $b[$sort] <=> $a[$sort]);
        }

        return $this->limit > 0 ? array_slice($rows, 0, $this->limit, true) : $rows;
    }

    /**
     * @param array<string, array<string, int|float>> $rows
     * @return list<array<string, int|float|string|null>>
     */
    private function named(array $rows): array
    {
        $list = [];
        foreach ($rows as $name => $row) {
            $list[] = ['name' => $name] + $row + $this->files->json($name);
        }

        return $list;
    }

    private static function unknown(string $symbol, Profile $profile, bool $levels): string
    {
        $similar = [];
        foreach ($profile->symbols() as $name) {
            if ($symbol !== '' && stripos($name, $symbol) !== false) {
                $similar[] = $levels ? $name : Recursion::base($name);
            }
        }
        $similar = array_unique($similar);
        usort($similar, static fn (string $a, string $b): int => [strlen($a), $a] <=> [strlen($b), $b]);
        $hint = $similar === [] ? '' : '; it has ' . implode(', ', array_slice($similar, 0, 3))
            . (count($similar) > 3 ? sprintf(' and %d more like it', count($similar) - 3) : '');

        return "the run has no function \"$symbol\"$hint";
    }
}
