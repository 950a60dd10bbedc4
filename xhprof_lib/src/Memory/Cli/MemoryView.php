<?php

declare(strict_types=1);

namespace XHProf\Memory\Cli;

use XHProf\Cli\CliError;
use XHProf\Cli\Run\Summary;
use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Cli\Terminal\View;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Memory\CallPath;
use XHProf\Memory\MarkRange;
use XHProf\Memory\MemoryProfile;
use XHProf\Memory\MemoryReport;
use XHProf\Memory\MemorySummary;
use XHProf\Memory\MemoryTable;
use XHProf\Run\Run;

/** Live memory of a run: one line per call path, function or type. */
final class MemoryView implements View
{
    public const SORTS = ['live', 'incl', 'blocks', 'allocated', 'freed'];

    private const BAR = 6;

    /** Most frames of a path on a line. */
    private const FRAMES = 60;

    /** Least columns for names: they matter more than their values. */
    private const NAME = 30;
    private const TYPE = 14;
    private const NAME_OF_TYPE = 24;
    private const TYPE_OF_TYPE = 26;

    /** Order of dropping columns on a narrow screen. */
    private const WEIGHTS = ['live' => 1, 'incl' => 2, 'blocks' => 5, 'allocated' => 7, 'freed' => 8];
    private const PERCENT_WEIGHT = 3;
    private const INTERVALS_WEIGHT = 2;
    private const TYPE_WEIGHT = 4;
    private const BAR_WEIGHT = 6;

    private readonly MemoryReport $report;
    private readonly MemoryTable $table;
    private readonly string $sort;

    /** @var list<int> */
    private readonly array $rows;
    private readonly int $all;

    /**
     * @param value-of<MemoryReport::BY> $by
     * @param string|null $sort  one of SORTS, null for live memory
     * @param int         $limit 0 for all
     * @param bool        $full  whole call paths, a function per line
     * @throws CliError
     */
    public function __construct(
        private readonly Run $run,
        MemoryProfile $memory,
        private readonly string $by = 'path',
        ?string $sort = null,
        int $limit = 0,
        private readonly bool $full = false,
        ?MarkRange $range = null,
    ) {
        $this->report = new MemoryReport($memory, $range);
        $this->table = $this->report->table($by);
        $this->sort = $sort ?? 'live';
        $known = array_values(array_intersect(self::SORTS, $this->table->columns()));
        if (!in_array($this->sort, $known, true)) {
            $between = $range === null ? '' : ' between marks';
            throw new CliError("there is no column \"$this->sort\" by $by$between; take " . implode(', ', $known));
        }
        $rows = $this->table->sorted($this->sort);
        $this->all = count($rows);
        $this->rows = $limit > 0 ? array_slice($rows, 0, $limit) : $rows;
    }

    public function print(Screen $screen): void
    {
        $screen->writeln(Summary::heading('Run', $this->run, $screen));
        $screen->say(MemorySummary::sentence($this->report));
        if ($this->report->range === null) {
            $screen->writeln('');
            $this->printAllocators($screen);
        }
        $notes = MemorySummary::notes($this->report->memory);
        $advice = $this->report->range?->advice();
        foreach ($advice === null ? $notes : [...$notes, $advice] as $note) {
            $screen->say($note, 'comment');
        }
        $screen->writeln('');
        if ($this->rows === []) {
            $screen->writeln($this->sort === 'live' ? 'No memory is held.' : 'Nothing to show.');

            return;
        }
        $this->printRows($screen);
        if ($this->countsIntervals()) {
            $note = 'marks: in how many of the %s intervals between marks the blocks were allocated. A leak grows in most of them,'
                . ' a cache in few.';
            $screen->say(sprintf($note, Units::count($this->report->range?->intervals() ?? 0)), 'comment');
        }
        $what = $this->by === 'path' ? 'call paths' : "{$this->by}s";
        $screen->rest(count($this->rows), $this->all, "$what, sorted by $this->sort");
    }

    /** The rows alone, for the end of another report. */
    public function printBrief(Screen $screen): void
    {
        $screen->writeln('');
        $screen->say(MemorySummary::sentence($this->report), 'info');
        foreach (MemorySummary::notes($this->report->memory) as $note) {
            $screen->say($note, 'comment');
        }
        if ($this->rows !== []) {
            $this->printRows($screen);
        }
    }

    public function json(): array
    {
        $memory = $this->report->memory;
        $range = $this->report->range;
        $details = $this->report->details($this->by, $this->rows);
        $rows = [];
        foreach ($this->rows as $number) {
            $row = $this->by === 'path' ? [] : [$this->by => $this->report->name($this->by, $number)];
            foreach ($this->table->columns() as $column) {
                $unit = $column === 'blocks' ? 'live_blocks' : (str_ends_with($column, '_blocks') ? $column : "{$column}_bytes");
                $row[$unit] = $this->table->value($number, $column);
            }
            if ($this->countsIntervals()) {
                $row['intervals'] = $details[$number]['intervals'];
            }
            $types = [];
            foreach ($details[$number]['types'] as $type => $bytes) {
                $types[$memory->types[$type]] = $bytes;
            }
            $node = $this->by === 'path' ? $number : $details[$number]['node'];
            $rows[] = $row
                + ($this->by === 'type' ? [] : ['types' => $types])
                + ($node === null ? [] : ['path' => self::names($this->report->path($node))]);
        }

        return [
            'run' => $this->run->describe(),
            'by' => $this->by,
            'sort' => $this->sort,
            'live_bytes' => $this->report->liveBytes,
            'live_blocks' => $this->report->liveBlocks,
            'before_bytes' => $memory->before(),
            'sample_bytes' => $memory->sampleBytes,
            'dropped' => ['blocks' => $memory->droppedBlocks, 'bytes' => $memory->droppedBytes],
            'marks' => $memory->marks,
        ] + ($range === null ? ['allocators' => $memory->allocators] : array_filter([
            'after' => $range->after,
            'before' => $range->before,
            'intervals' => $range->intervals(),
            'advice' => $range->advice(),
        ], static fn (mixed $value): bool => $value !== null)) + [
            'rows_total' => $this->all,
            'rows' => $rows,
        ];
    }

    private function printAllocators(Screen $screen): void
    {
        $columns = [new Column('allocator', Column::LEFT)];
        foreach (MemorySummary::COLUMNS as $title) {
            $columns[] = new Column($title, weight: count($columns) > 1 ? 1 : 0);
        }
        $table = new Table($columns);
        foreach (MemorySummary::allocators($this->report->memory) as $row) {
            $values = array_map(static fn (?int $bytes): string => $bytes === null ? '-' : Units::bytes($bytes), $row['figures']);
            $table->add([Text::printable($row['label']), ...array_values($values)]);
        }
        $table->print($screen);
    }

    private function printRows(Screen $screen): void
    {
        $isFull = $this->full && $this->by === 'path';
        $details = $this->report->details($this->by, $this->rows);
        $keys = array_values(array_intersect(self::SORTS, $this->table->columns()));
        $keys = [$this->sort, ...array_diff($keys, [$this->sort])];
        $table = new Table($this->columns($keys, $screen));
        $whole = $this->sort === 'incl' ? $this->report->liveBytes : $this->table->sum($this->sort);
        foreach ($this->rows as $number) {
            $cells = [];
            foreach ($keys as $index => $column) {
                $value = $this->table->value($number, $column);
                $cells[] = match (true) {
                    $value === null => '-',
                    $column === 'blocks' => Units::count($value),
                    default => Units::bytes($value),
                };
                if ($index === 0) {
                    $cells[] = Units::percent($value ?? 0, $whole);
                    $cells[] = $screen->bar($whole === 0 ? 0.0 : ($value ?? 0) / $whole, self::BAR);
                }
            }
            if ($this->countsIntervals()) {
                $cells[] = $details[$number]['intervals'] . '/' . $this->report->range?->intervals();
            }
            array_push($cells, ...$this->words($number, $details[$number], $screen, $isFull));
            $table->add($cells);
        }
        foreach ($table->lines($screen) as $index => $line) {
            $screen->writeln($index === 0 ? "<options=bold>$line</>" : $line);
            if ($isFull && $index > 0) {
                $this->printCallers($this->rows[$index - 1], $screen);
            }
        }
    }

    /**
     * @param list<string> $keys
     * @return list<Column>
     */
    private function columns(array $keys, Screen $screen): array
    {
        $columns = [];
        foreach ($keys as $index => $key) {
            $columns[] = new Column($key, weight: $index === 0 ? 0 : self::WEIGHTS[$key]);
            if ($index === 0) {
                $columns[] = new Column('%', weight: self::PERCENT_WEIGHT);
                $columns[] = new Column('', Column::LEFT, weight: self::BAR_WEIGHT, style: 'fg=magenta');
            }
        }
        if ($this->countsIntervals()) {
            $columns[] = new Column('marks', weight: self::INTERVALS_WEIGHT);
        }
        $type = new Column('type', Column::LEFT, self::TYPE, self::TYPE_WEIGHT);
        $path = static fn (string $title, int $least): Column
            => new Column($title, Column::LEFT, $least, separator: $screen->calledBy());

        return [...$columns, ...match ($this->by) {
            'path' => [$type, $path('call path', self::NAME)],
            'function' => [$type, Column::name('function', self::NAME)],
            'type' => [Column::name('type', self::TYPE_OF_TYPE), $path('mostly held by', self::NAME_OF_TYPE)],
        }];
    }

    /**
     * @param array{types: array<int, int>, intervals: int, node: int|null} $details
     * @return array{string, string} type and name
     */
    private function words(int $number, array $details, Screen $screen, bool $isFull): array
    {
        $name = Text::printable($this->report->name($this->by, $number));
        $type = $this->by === 'type' ? $name : $this->heaviestType($details['types']);
        if ($this->by === 'function') {
            return [$type, $name];
        }
        if ($isFull) {
            return [$type, self::frames($this->report->path($number, 1))[0]];
        }
        $node = $this->by === 'path' ? $number : $details['node'];
        $path = $node === null ? null : $this->report->path($node, self::FRAMES);
        $frames = $path === null ? [] : self::frames($path);

        return [$type, implode($screen->calledBy(), [...$frames, ...(($path->more ?? 0) > 0 ? [$screen->ellipsis()] : [])])];
    }

    /**
     * @param array<int, int> $types bytes by type, the most first
     * @return string "array", "App\Item 81 %"; of an object its class, for room is dear
     */
    private function heaviestType(array $types): string
    {
        if ($types === []) {
            return '-';
        }
        $name = $this->report->memory->types[array_key_first($types)];
        $percent = (int) round(100 * reset($types) / max(1, array_sum($types)));
        $share = $percent === 100 ? '' : " $percent %";

        return Text::printable(str_starts_with($name, 'object:') ? substr($name, 7) : $name) . $share;
    }

    private function printCallers(int $node, Screen $screen): void
    {
        $frames = self::frames($this->report->path($node));
        foreach (array_slice($frames, 1) as $frame) {
            $screen->text('   ' . $screen->calledBy() . $frame);
        }
    }

    private function countsIntervals(): bool
    {
        return ($this->report->range?->intervals() ?? 0) > 1;
    }

    /** @return non-empty-list<string> printable, innermost first */
    private static function frames(CallPath $path): array
    {
        $frames = [];
        foreach ($path->frames as ['name' => $name, 'recursive' => $isRecursive]) {
            $frames[] = Text::printable($name) . ($isRecursive ? ' (rec.)' : '');
        }

        return $frames === [] ? [''] : $frames;
    }

    /** @return list<string> from main() to the function that allocated */
    private static function names(CallPath $path): array
    {
        return array_reverse(array_column($path->frames, 'name'));
    }
}
