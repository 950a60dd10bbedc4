<?php

declare(strict_types=1);

namespace XHProf\Compare;

use XHProf\Format\Units;
use XHProf\Profile\TimePart;
use XHProf\Profile\TimeParts;
use XHProf\Report\Column;
use XHProf\Report\Table;
use XHProf\Report\TimeBar;
use XHProf\Report\Unit;

/** Where the time was before and after: two bars, and how much each part grew. The changes add up to that of the wall time. */
final class TimeChange
{
    /** Share of the change of wall time, and of the larger wall time, from which the change of a part is named. */
    private const NAMED = 0.1;
    private const LEAST = 0.01;

    /** Parts that are named. */
    private const MOST = 3;

    private function __construct(public readonly TimeParts $a, public readonly TimeParts $b)
    {
    }

    /** @return self|null null where it is not known of both */
    public static function between(?TimeParts $a, ?TimeParts $b): ?self
    {
        return $a === null || $b === null || $a->total() + $b->total() === 0 ? null : new self($a, $b);
    }

    /** "not running +28.0 ms, SQL -2.00 ms": the parts with most of the change, the largest first; '' where none is known. */
    public function words(): string
    {
        if ($this->a->isUnknown() || $this->b->isUnknown()) {
            return '';
        }
        $whole = abs($this->b->total() - $this->a->total());
        $least = max(self::NAMED * $whole, self::LEAST * max($this->a->total(), $this->b->total()));
        $changes = array_filter($this->a->changes($this->b), static fn (array $change): bool => abs($change['delta']) >= $least);
        usort($changes, static fn (array $a, array $b): int => abs($b['delta']) <=> abs($a['delta']));

        return implode(', ', array_map(
            static fn (array $change): string => self::label($change['part']) . ' ' . Units::signed($change['delta'] / 1000, 'wt'),
            array_slice($changes, 0, self::MOST),
        ));
    }

    /** The parts of both, a line each, and the sum. */
    public function table(): Table
    {
        $rows = [];
        foreach ($this->a->changes($this->b) as ['part' => $part, 'a' => $a, 'b' => $b, 'delta' => $delta]) {
            $rows[] = self::row($part->value, $part->label(), $a, $b, $delta);
        }
        [$a, $b] = [$this->a->total(), $this->b->total()];
        $rows[] = self::row('', 'All', $a, $b, $b - $a);

        return new Table(
            TimeBar::KEY,
            [
                new Column('label', Unit::Mark, '', label: 'Part'),
                new Column('a_us', Unit::Microseconds, 'A'),
                new Column('b_us', Unit::Microseconds, 'B'),
                new Column('delta_us', Unit::Microseconds, 'B - A', label: 'Change', isChange: true),
            ],
            $rows,
            '',
            caption: 'Where the time was on both sides, and what changed',
            printed: ['label', 'a_us', 'b_us', 'delta_us'],
            lead: TimeBar::TITLE . ($this->a->bySamples || $this->b->bySamples ? ', by samples:' : ':'),
        );
    }

    /** @return list<string> what is not known of either */
    public function notes(): array
    {
        return array_values(array_unique([...$this->a->notes, ...$this->b->notes]));
    }

    /** @return array{a: array<string, mixed>, b: array<string, mixed>} the bars of both, of the same scale, for a page */
    public function drawn(): array
    {
        $scale = max($this->a->total(), $this->b->total());

        return ['a' => (new TimeBar($this->a, $scale, true))->drawn(), 'b' => (new TimeBar($this->b, $scale, true))->drawn()];
    }

    /** @return array{a: array<string, mixed>, b: array<string, mixed>, change: list<array<string, mixed>>} for programs */
    public function toArray(): array
    {
        return ['a' => $this->a->toArray(), 'b' => $this->b->toArray(), 'change' => array_map(
            static fn (array $change): array
            => self::row($change['part']->value, $change['part']->label(), $change['a'], $change['b'], $change['delta']),
            $this->a->changes($this->b),
        )];
    }

    /** @return array{key: string, label: string, a_us: int|float, b_us: int|float, delta_us: int|float} */
    private static function row(string $key, string $label, int $a, int $b, int $delta): array
    {
        return ['key' => $key, 'label' => $label, 'a_us' => $a / 1000, 'b_us' => $b / 1000, 'delta_us' => $delta / 1000];
    }

    /** A label within a sentence. */
    private static function label(TimePart $part): string
    {
        return in_array($part, [TimePart::Sql, TimePart::Http], true) ? $part->label() : lcfirst($part->label());
    }
}
