<?php

declare(strict_types=1);

namespace XHProf\Compare;

use XHProf\Format\Units;
use XHProf\Operations\OperationReport;
use XHProf\Operations\OperationRow;
use XHProf\Report\Column;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Run\Run;
use XHProf\Stats\Significance;

/**
 * What two sides waited for, by text: which operations are new or gone, and which are done more often or got slower. Several runs
 * of a side are their mean.
 *
 * @phpstan-type Row array{kind: string, text: string, what: string, a: array{ct: int|float, total_ns: int|float},
 *     b: array{ct: int|float, total_ns: int|float}, change_ns: int|float, p: ?float, caller: ?string}
 */
final class OperationsDiff
{
    public const NEW = 'new';
    public const GONE = 'gone';
    private const MORE = 'more often';
    private const LESS = 'less often';
    private const SLOWER = 'slower';
    private const FASTER = 'faster';
    private const SAME = '';

    /** Time of one operation: less of a change is none. */
    private const FACTOR = 1.25;

    /** Part of all operations' time: a smaller change is none. */
    private const SMALL = 0.01;

    private const SEPARATOR = "\0";

    /** @var list<Row> the largest change of time first */
    public readonly array $rows;

    /**
     * @param array<array-key, string> $callers by name, who does it most
     */
    private function __construct(
        private readonly SideFigures $a,
        private readonly SideFigures $b,
        private readonly array $callers,
        private readonly bool $isSampled,
    ) {
        $all = max($a->total('total_ns'), $b->total('total_ns'));
        $rows = [];
        foreach (array_unique([...$a->names(), ...$b->names()], SORT_REGULAR) as $name) {
            $rows[] = $this->row((string) $name, self::SMALL * $all);
        }
        usort($rows, static fn (array $x, array $y): int => abs($y['change_ns']) <=> abs($x['change_ns'])
            ?: abs($y['b']['ct'] - $y['a']['ct']) <=> abs($x['b']['ct'] - $x['a']['ct']) ?: strcmp($x['text'], $y['text']));
        $this->rows = $rows;
    }

    /** @return self|list<string> the sides without operations, "A" or "B", where one has none */
    public static function between(Run $a, Run $b): self|array
    {
        $callers = [];
        $isSampled = false;
        $read = static function (Run $run) use (&$callers, &$isSampled): ?array {
            $report = $run->has(Run::OPERATIONS) ? $run->operations() : null;
            if ($report === null) {
                return null;
            }
            $isSampled = $isSampled || $report->operations->isSampled();
            $figures = [];
            foreach ($report->rows(frames: 1) as $row) {
                $name = $row->kind . self::SEPARATOR . $row->text;
                $figures[$name] = ['ct' => $row->ct, 'total_ns' => $row->total];
                $callers[$name] = self::callerOf($row);
            }

            return $figures;
        };
        $sides = ['A' => SideFigures::of($a, $read), 'B' => SideFigures::of($b, $read)];
        $without = array_keys(array_filter($sides, is_null(...)));

        return $sides['A'] === null || $sides['B'] === null
            ? $without
            : new self($sides['A'], $sides['B'], array_filter($callers), $isSampled);
    }

    /** Message for sides that have none. */
    public static function missing(string ...$sides): string
    {
        return 'no operations of ' . implode(' and ', $sides) . ': exact profiles record them unless xhprof.collect_additional_info'
            . ' is off, and imported runs have none';
    }

    /** @return array<string, int> number of texts by what became of them, the most telling first */
    public function counts(): array
    {
        $found = array_count_values(array_column($this->rows, 'what'));
        $order = [self::NEW, self::GONE, self::MORE, self::LESS, self::SLOWER, self::FASTER, self::SAME];

        return array_filter(array_combine($order, array_map(static fn (string $what): int => $found[$what] ?? 0, $order)));
    }

    /** One sentence: "2 operations are new, 1 is gone, 3 the same." */
    public function sentence(): string
    {
        $parts = [];
        foreach ($this->counts() as $what => $count) {
            $number = Units::count($count);
            $parts[] = match ($what) {
                self::NEW, self::GONE => "$number $what",
                self::SAME => "$number the same",
                self::SLOWER, self::FASTER => "$number $what",
                default => "$number done $what",
            };
        }

        return $parts === [] ? 'Neither side has operations.' : 'Operations by text: ' . implode(', ', $parts) . '.';
    }

    /** @param int $limit of rows, 0 for all */
    public function table(int $limit = 0): Table
    {
        $calls = $this->isSampled ? 'samples' : 'calls';
        $pair = static fn (string $figure): \Closure
            => static fn (array $row): array => [$row['a'][$figure], $row['b'][$figure]];
        $side = static fn (string $side, string $figure): \Closure => static fn (array $row): int|float => $row[$side][$figure];

        $number = static fn (string $of): Column => new Column(
            "ct_$of",
            Unit::Count,
            "$calls " . strtoupper($of),
            3,
            ucfirst($calls) . ' ' . strtoupper($of),
            sort: null,
            inJson: false,
            value: $side($of, 'ct'),
        );
        $columns = [
            new Column('text', Unit::Symbol, 'operation'),
            new Column('what', Unit::Mark, ''),
            new Column(
                'change_ns',
                Unit::Nanoseconds,
                'change',
                label: 'Change',
                help: 'Change of the time of all calls',
                sort: 'total',
                inJson: false,
                isChange: true,
                value: $pair('total_ns')
            ),
            new Column('total_a', Unit::Nanoseconds, 'A', 1, 'Time A', sort: null, inJson: false, value: $side('a', 'total_ns')),
            new Column('total_b', Unit::Nanoseconds, 'B', 1, 'Time B', sort: null, inJson: false, value: $side('b', 'total_ns')),
            new Column(
                'ct',
                Unit::Count,
                $calls,
                2,
                ucfirst($calls),
                "Change of the number of $calls",
                inJson: false,
                isChange: true,
                value: $pair('ct')
            ),
            $number('a'),
            $number('b'),
            new Column('kind', Unit::Text, 'kind', 4, 'Kind', value: static fn (array $row): string
                => OperationReport::label($row['kind'])),
            new Column('caller', Unit::Symbol, 'done by', 6, 'Most by', sort: null),
        ];

        return (new Table(
            'operations',
            $columns,
            $this->rows,
            'Neither side has operations.',
            title: 'Operations',
            caption: 'Operations of both sides by text, the largest change first',
            printed: ['change_ns', 'total_a', 'total_b', 'ct_a', 'ct_b', 'kind', 'what', 'text'],
        ))->first($limit, 'operations');
    }

    private static function callerOf(OperationRow $row): string
    {
        return $row->callers[0]->path[0] ?? '';
    }

    /** @return Row */
    private function row(string $name, int|float $small): array
    {
        [$kind, $text] = explode(self::SEPARATOR, $name, 2);
        $figures = static fn (SideFigures $side): array => [
            'ct' => $side->mean($name, 'ct'),
            'total_ns' => $side->mean($name, 'total_ns'),
        ];
        [$a, $b] = [$figures($this->a), $figures($this->b)];
        $chance = $this->a->chance($this->b, $name, 'total_ns');

        return [
            'kind' => $kind,
            'text' => $text,
            'what' => match (true) {
                !$this->a->has($name) => self::NEW,
                !$this->b->has($name) => self::GONE,
                default => $this->became($a, $b, $small, $chance),
            },
            'a' => $a,
            'b' => $b,
            'change_ns' => $b['total_ns'] - $a['total_ns'],
            'p' => $chance,
            'caller' => $this->callers[$name] ?? null,
        ];
    }

    /**
     * @param array{ct: int|float, total_ns: int|float} $a
     * @param array{ct: int|float, total_ns: int|float} $b
     */
    private function became(array $a, array $b, int|float $small, ?float $chance): string
    {
        // Samples are times.
        if (!$this->isSampled && $a['ct'] != $b['ct']) {
            return $b['ct'] > $a['ct'] ? self::MORE : self::LESS;
        }
        $isChance = $chance !== null && $chance >= Significance::LEVEL;
        if ($isChance || abs($b['total_ns'] - $a['total_ns']) < max(1, $small)) {
            return self::SAME;
        }

        return match (true) {
            $b['total_ns'] > self::FACTOR * $a['total_ns'] => self::SLOWER,
            $a['total_ns'] > self::FACTOR * $b['total_ns'] => self::FASTER,
            default => self::SAME,
        };
    }
}
