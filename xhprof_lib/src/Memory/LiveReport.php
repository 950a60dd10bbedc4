<?php

declare(strict_types=1);

namespace XHProf\Memory;

use XHProf\Exception\UnknownMetric;
use XHProf\Format\Units;
use XHProf\Profile\Metrics;
use XHProf\Report\Column;
use XHProf\Report\Heading;
use XHProf\Report\Order;
use XHProf\Report\Report;
use XHProf\Report\Share;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/** The report on live memory: the allocators, and who holds it, by call path, function or type. */
final class LiveReport
{
    /** Advice for a run without memory data. */
    public const HOW_TO_RECORD = 'record them with `xhprof run --alloc -- script.php` or XHPROF_FLAGS_ALLOC';

    /** The order of rows, unless another one is asked for. */
    public const USUAL = 'live';

    private const ALLOCATORS = [
        'zend_mm' => "PHP's heap",
        'malloc' => 'Native malloc',
        'opcache' => 'Opcache',
        'xhprof/register' => 'XHProf itself',
    ];

    /** For each name of an order: metric, what else the column is, weight. */
    private const FIGURES = [
        'live' => ['live_bytes', '', 11],
        'incl' => ['live_bytes', ', callees included', 12],
        'blocks' => ['live_blocks', '', 15],
        'allocated' => ['allocated_bytes', ' in total', 17],
        'freed' => ['freed_bytes', ' in total', 18],
    ];

    /** Most frames of a path on a line of a terminal. */
    private const FRAMES = 60;

    /** Types that are named in a row, and the least share of the row for all but the first. */
    private const TYPES = 2;
    private const LEAST = 0.01;

    public readonly MemoryReport $held;

    private readonly MemoryTable $figures;

    /**
     * @param value-of<MemoryReport::BY> $by
     * @param MarkRange|null $range null for all of the memory
     * @param bool $isPeak whether the memory is that of MemoryProfile::atPeak(), of which less is known
     */
    public function __construct(
        private readonly MemoryProfile $memory,
        public readonly string $by = 'path',
        private readonly ?MarkRange $range = null,
        private readonly bool $isPeak = false,
    ) {
        $this->held = new MemoryReport($memory, $range);
        $this->figures = $this->held->table($by);
    }

    /** @return list<string> names of the orders that the rows can have */
    public function orders(): array
    {
        return array_keys($this->columns());
    }

    /**
     * @return list<int> numbers of all rows, for rows()
     *
     * @throws UnknownMetric for an order that these rows do not have
     */
    public function numbers(Order $order): array
    {
        $columns = $this->columns();
        if (!isset($columns[$order->by])) {
            $between = $this->range === null ? '' : ' between marks';
            $known = implode(', ', array_keys($columns));
            throw new UnknownMetric("there is no column \"$order->by\" by $this->by$between; take $known");
        }

        return $this->figures->sorted($order->by, $order->isDescending($columns[$order->by]));
    }

    /**
     * @param int  $limit   of rows, 0 for all
     * @param bool $isFull  whether terminals get whole call paths, a function per line
     * @param bool $isBrief whether it is the end of another report: the rows alone
     *
     * @throws UnknownMetric
     */
    public function report(Order $order, int $limit, bool $isFull = false, bool $isBrief = false): Report
    {
        $all = $this->numbers($order);
        $shown = $limit === 0 ? $all : array_slice($all, 0, $limit);
        $what = ($this->by === 'path' ? 'call paths' : "{$this->by}s") . ", sorted by $order->by";
        $below = $isBrief ? '' : Table::rest(count($shown), count($all), $what);
        $rows = $this->rows($shown, $order, $isFull && $this->by === 'path', $isBrief ? $this->sentence() : '', $below);
        $marks = $this->marks();

        $jobs = $isBrief ? null : $this->jobs();
        $words = array_values(array_filter([$rows->rows === [] ? '' : $marks, $jobs === null ? '' : JobsReport::words()]));

        return new Report(
            $this->range === null && !$isBrief ? [$this->allocators(), $rows] : [...($jobs === null ? [] : [$jobs]), $rows],
            $isBrief ? $this->notes() : $words,
            $this->facts($order, count($all)),
            $isBrief ? [] : [new Heading('', [$this->sentence()], $this->notes())],
        );
    }

    /**
     * The rows of these numbers.
     *
     * @param list<int> $numbers
     */
    public function rows(array $numbers, Order $order, bool $isFull = false, string $lead = '', string $below = ''): Table
    {
        $details = $this->held->details($this->by, $numbers);
        $rows = [];
        foreach ($numbers as $number) {
            $rows[] = $this->row($number, $details[$number]);
        }
        $columns = $this->columns($order);
        $main = $columns[$order->by]->key;
        [$name, $about] = $this->words($isFull ? 0 : self::FRAMES);
        $figures = [...array_values($columns), ...$this->intervals()];

        return new Table(
            'rows',
            [$name, ...$figures, $about, self::hidden('node'), self::hidden('about')],
            $rows,
            match (true) {
                $this->range !== null => 'Nothing allocated between these marks is live.',
                $order->by === self::USUAL => 'No memory is held.',
                default => 'Nothing to show.',
            },
            caption: 'Live memory by ' . ($this->by === 'path' ? 'call path' : $this->by) . '; shares are of the total',
            printed: [
                $main,
                ...array_values(array_diff(array_column($figures, 'key'), [$main])),
                ...($this->by === 'type' ? [$name->key, $about->key] : [$about->key, $name->key]),
            ],
            lead: $lead,
            below: $below,
            isFull: $isFull,
        );
    }

    /** One sentence: how much is live, since when, and what is not known. */
    public function sentence(): string
    {
        $live = Units::bytes($this->held->liveBytes);
        if ($this->isPeak) {
            $size = $this->memory->peakSize() ?? 0;
            $rest = $this->memory->sampleBytes === 0 ? max(0, $size - $this->held->liveBytes) : 0;

            return "$live live when PHP's heap had " . Units::bytes($size)
                . ($rest > 0 ? '; the other ' . Units::bytes($rest) . ' are from before the tracking' : '');
        }
        $blocks = Units::counted($this->held->liveBlocks, 'block');
        $before = $this->memory->before();
        $intervals = $this->range?->intervals() ?? 0;

        return "Live: $live in $blocks, allocated " . ($this->range?->words() ?? 'since the tracking began') . match (true) {
            $this->range === null => $before === 0 ? '' : '; ' . Units::bytes($before) . ' more from before',
            $intervals < 2 => '',
            default => '; ' . Units::bytes(intdiv($this->held->liveBytes, $intervals)) . ' from one mark to the next',
        };
    }

    /** @return list<string> what to know before one reads the figures */
    public function notes(): array
    {
        $memory = $this->memory;

        return array_values(array_filter([
            $memory->sampleBytes === 0 ? '' : sprintf(
                'Sampled: about one allocation every %s was recorded, so these figures are estimates, small ones far off.',
                Units::bytes($memory->sampleBytes),
            ),
            $memory->droppedBlocks === 0 ? '' : sprintf(
                'Not recorded, as the register was full: %s of %s. They count as from before; raise'
                    . ' xhprof.alloc_max_records to record them.',
                Units::counted($memory->droppedBlocks, 'allocation'),
                Units::bytes($memory->droppedBytes),
            ),
            $this->range?->advice() ?? '',
        ], static fn (string $note): bool => $note !== ''));
    }

    /** What the column of marks is; '' where there is no such column. */
    public function marks(): string
    {
        return $this->intervals() === [] ? '' : sprintf(
            'Marks: in how many of the %s intervals between marks the blocks were allocated. Leaks grow in most, caches in few.',
            Units::count($this->range?->intervals() ?? 0),
        );
    }

    /** The jobs that have ended between the marks; null where there are none. */
    public function jobs(): ?Table
    {
        return $this->range === null ? null : (new JobsReport($this->memory, $this->range))->table();
    }

    /** Each allocator's figures, in bytes. */
    public function allocators(): Table
    {
        $rows = [];
        foreach ($this->memory->allocators as $name => $values) {
            $allocated = $values['allocated_bytes'] ?? null;
            $freed = $values['freed_bytes'] ?? null;
            $rows[] = [
                'allocator' => self::ALLOCATORS[$name] ?? $name,
                'size' => $values['size'],
                // An allocator that does not know its peak reports 0.
                'peak' => ($values['peak'] ?? 0) === 0 ? null : $values['peak'],
                'allocated' => $allocated,
                'freed' => $freed,
                'live' => $allocated === null || $freed === null ? null : $allocated - $freed,
                'before' => $allocated === null ? null : $values['before_bytes'] ?? null,
            ];
        }
        $figures = ['size' => 'in use', 'peak' => 'peak', 'allocated' => 'allocated', 'freed' => 'freed', 'live' => 'live'];
        $columns = [new Column('allocator', Unit::Symbol, 'allocator', label: 'Allocator')];
        foreach ($figures + ['before' => 'before'] as $key => $title) {
            $columns[] = new Column($key, Unit::Bytes, $title, $key === 'size' ? 0 : 1);
        }

        return new Table(
            'allocators',
            $columns,
            $rows,
            '',
            caption: 'Memory in use when the profile stopped, and memory allocated and freed, by allocator',
            printed: array_column($columns, 'key'),
        );
    }

    /** @return array<string, mixed> of JSON */
    private function facts(Order $order, int $rows): array
    {
        $memory = $this->memory;

        return [
            'by' => $this->by,
            'sort' => $order->by,
            'live_bytes' => $this->held->liveBytes,
            'live_blocks' => $this->held->liveBlocks,
            'before_bytes' => $memory->before(),
            'sample_bytes' => $memory->sampleBytes,
            'dropped' => ['blocks' => $memory->droppedBlocks, 'bytes' => $memory->droppedBytes],
            'marks' => $memory->marks,
        ] + ($this->range === null ? ['allocators' => $memory->allocators] : array_filter([
            'after' => $this->range->after,
            'before' => $this->range->before,
            'intervals' => $this->range->intervals(),
            'advice' => $this->range->advice(),
        ], static fn (int|string|null $value): bool => $value !== null)) + ['rows_total' => $rows];
    }

    /**
     * @param array{types: array<int, int>, intervals: int, node: int|null} $details
     *
     * @return array<string, mixed>
     */
    private function row(int $number, array $details): array
    {
        $row = $this->by === 'path' ? [] : [$this->by => $this->held->name($this->by, $number)];
        foreach ($this->figures->columns() as $column) {
            $row[self::key($column)] = $this->figures->value($number, $column);
        }
        if ($this->intervals() !== []) {
            $row['intervals'] = $details['intervals'];
        }
        $types = [];
        foreach ($this->by === 'type' ? [] : $details['types'] as $type => $bytes) {
            $types[$this->memory->types[$type]] = $bytes;
        }
        $node = $this->by === 'path' ? $number : $details['node'];

        return $row + ($this->by === 'type' ? [] : ['types' => $types])
            + ($node === null ? [] : ['path' => array_reverse(array_column($this->held->path($node)->frames, 'name'))])
            + ['node' => $node, 'about' => self::about($types)];
    }

    /**
     * @param array<int|string, int> $types bytes by type, the most first
     *
     * @return array{named: list<array{name: string, share: string}>, more: int} of objects their classes, for room is dear
     */
    private static function about(array $types): array
    {
        $sum = array_sum($types);
        $heaviest = array_key_first($types);
        $isNamed = static fn (int $bytes, int|string $type): bool => $type === $heaviest || $bytes >= $sum * self::LEAST;
        $types = array_filter($types, $isNamed, ARRAY_FILTER_USE_BOTH);
        $named = [];
        foreach (array_slice($types, 0, self::TYPES, true) as $type => $bytes) {
            $named[] = [
                'name' => str_starts_with((string) $type, 'object:') ? substr((string) $type, 7) : (string) $type,
                'share' => count($types) === 1 ? '' : Units::percent($bytes, $sum),
            ];
        }

        return ['named' => $named, 'more' => count($types) - count($named)];
    }

    /** @return array<string, Column> those of figures, by the name of their order; the one that is sorted by with its share */
    private function columns(?Order $order = null): array
    {
        $columns = [];
        foreach (array_intersect_key(self::FIGURES, array_flip($this->figures->columns())) as $by => [$metric, $besides, $weight]) {
            if ($by === 'blocks' && $this->isPeak) {
                continue;
            }
            $isMain = $order?->by === $by;
            $whole = $by === 'incl' ? $this->held->liveBytes : $this->figures->sum($by);
            $columns[$by] = new Column(
                self::key($by),
                $by === 'blocks' ? Unit::Count : Unit::Bytes,
                $by,
                $isMain ? 0 : $weight,
                $by === 'incl' ? 'Total live' : null,
                Metrics::of($metric)->label . $besides,
                $by,
                share: $isMain ? new Share($whole, 15) : null,
            );
        }

        return $columns;
    }

    /** @return list<Column> in how many intervals between marks blocks were allocated, where there are several */
    private function intervals(): array
    {
        $all = $this->range?->intervals() ?? 0;
        $value = static fn (array $row): string => Units::count($row['intervals']) . ' of ' . Units::count($all);
        $help = 'In how many intervals between marks these blocks were allocated: leaks grow in most, caches in few';

        return $all < 2 ? [] : [new Column('intervals', Unit::Count, 'marks', 12, help: $help, value: $value)];
    }

    /** @return list<Column> who holds it, by paths of so many frames, and of what type it is */
    private function words(int $frames): array
    {
        $path = fn (array $row): array => $row['node'] === null ? [] : $this->frames($row['node'], $frames);
        $kind = static function (array $row): string {
            $heaviest = $row['about']['named'][0] ?? ['name' => '-', 'share' => ''];

            return trim("{$heaviest['name']} {$heaviest['share']}");
        };
        $type = new Column('kind', Unit::Symbol, 'type', 30, inJson: false, value: $kind);

        return match ($this->by) {
            'path' => [new Column('path', Unit::Path, 'call path', value: $path), $type],
            'function' => [new Column('function', Unit::Symbol, 'function'), $type],
            'type' => [
                new Column('type', Unit::Symbol, 'type'),
                new Column('holder', Unit::Path, 'mostly held by', inJson: false, value: $path),
            ],
        };
    }

    /** @return list<string> */
    private function frames(int $node, int $most): array
    {
        $path = $this->held->path($node, $most);
        $frames = array_map(
            static fn (array $frame): string => $frame['name'] . ($frame['recursive'] ? ' (rec.)' : ''),
            $path->frames,
        );

        return $path->more > 0 ? [...$frames, '…'] : $frames;
    }

    private static function key(string $figure): string
    {
        return match (true) {
            $figure === 'blocks' => 'live_blocks',
            str_ends_with($figure, '_blocks') => $figure,
            default => "{$figure}_bytes",
        };
    }

    /** A value that pages ask for. */
    private static function hidden(string $key): Column
    {
        return new Column($key, Unit::Text, '', label: '', inJson: false);
    }
}
