<?php

declare(strict_types=1);

namespace XHProf\Owners;

use XHProf\Profile\CodePlaces;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;

/**
 * The calls between groups, of a run that has no call paths: figures of PHP's own functions go to the groups of their callers, each
 * as much as its calls took. What a group takes itself is exact. With all it calls, what others call back counts twice.
 */
final class GroupedCalls
{
    /** Turns in which parts are found, and the change of a part from which on another turn is worth it. */
    private const MOST_TURNS = 200;
    private const ENOUGH = 1e-9;

    public readonly Profile $profile;

    /** @var list<string|null> per function, without a level of recursion: its group, null: its callers' */
    private readonly array $groups;

    /** @var list<string> */
    private readonly array $names;

    /** @var array<int, list<array{int, array<string, int|float>}>> function without a group => callers, and the figures of the calls */
    private array $callers = [];

    /** @var array<string, array<int, non-empty-array<string, float>>> metric => the same functions => which part each group has */
    private array $parts = [];

    /** @var array<string, array<string, int|float>> */
    private array $edges = [];

    /** @var array<string, array<int, true>> group, marked by a NUL => functions */
    private array $met = [];

    public function __construct(Profile $profile, private readonly Grouping $grouping)
    {
        $numbers = [];
        $calls = [];
        foreach ($profile->edges() as $key => $row) {
            [$caller, $callee] = EdgeKey::parse((string) $key);
            $from = $caller === null ? -1 : $numbers["\0" . EdgeKey::stripRecursion($caller)] ??= count($numbers);
            $to = $numbers["\0" . EdgeKey::stripRecursion($callee)] ??= count($numbers);
            $calls[] = [$from, $to, $row];
        }
        $this->names = array_map(static fn (string $name): string => substr($name, 1), array_keys($numbers));
        $groups = $grouping->functions($this->names, CodePlaces::none());
        $called = array_fill_keys(array_column(array_filter($calls, static fn (array $call): bool => $call[0] >= 0), 1), true);
        // Nothing calls a root: what it takes belongs to the program.
        $this->groups = array_map(static fn (?string $group, int $function): ?string
            => $group ?? (isset($called[$function]) ? null : $groups->root()), $groups->groups(), array_keys($this->names));
        foreach ($calls as [$from, $to, $row]) {
            if ($this->groups[$to] === null && $from !== $to && $from >= 0) {
                $this->callers[$to][] = [$from, $row];
            }
        }
        foreach ($calls as [$from, $to, $row]) {
            // A level of a recursion is part of the one above.
            if ($from !== $to) {
                $this->add($from, $to, $row);
            }
        }
        $this->profile = Profile::fromEdges($this->edges, false, $profile->isDivided());
    }

    public function functions(string $group): int
    {
        return count($this->met["\0" . EdgeKey::escaped($group)] ?? []);
    }

    /** @return list<string> */
    public function groups(): array
    {
        return array_map(static fn (string $group): string => substr($group, 1), array_keys($this->met));
    }

    /** @param array<string, int|float> $row */
    private function add(int $from, int $to, array $row): void
    {
        $own = $this->groups[$to];
        if ($from < 0) {
            $this->addTo(null, $this->label($to, $own ?? FunctionGroups::PHP), $row);

            return;
        }
        foreach ($this->split($from, $row) as $group => $part) {
            $group = substr((string) $group, 1);
            $this->addTo($this->label($from, $group), $this->label($to, $own ?? $group), $part);
        }
    }

    private function label(int $function, string $group): string
    {
        $this->met["\0" . EdgeKey::escaped($group)][$function] = true;

        return match ($this->grouping->one) {
            null => EdgeKey::escaped($group),
            $group, EdgeKey::escaped($group) => $this->names[$function],
            default => GroupedPaths::ELSEWHERE,
        };
    }

    /** @param array<string, int|float> $row */
    private function addTo(?string $caller, string $callee, array $row): void
    {
        if ($caller === $callee) {
            return; // within a group
        }
        $key = EdgeKey::build($caller, $callee);
        $known = $this->edges[$key] ?? [];
        foreach ($row as $metric => $value) {
            $known[$metric] = ($known[$metric] ?? 0) + $value;
        }
        $this->edges[$key] = $known;
    }

    /**
     * Splits a call of a function by the groups to which it belongs.
     *
     * @param array<string, int|float> $row
     *
     * @return array<string, array<string, int|float>> group, marked by a NUL => its part; together they are the row
     */
    private function split(int $function, array $row): array
    {
        $group = $this->groups[$function];
        if ($group !== null) {
            return ["\0$group" => $row];
        }
        $parts = [];
        foreach ($row as $metric => $value) {
            $shares = $this->parts($metric)[$function] ?? ["\0" . FunctionGroups::PHP => 1.0];
            $left = $value;
            $last = array_key_last($shares);
            foreach ($shares as $of => $share) {
                $part = $of === $last ? $left : (is_int($value) ? (int) round($value * $share) : $value * $share);
                $left -= $part;
                $parts[$of][$metric] = $part;
            }
        }

        return $parts;
    }

    /**
     * Which part of the functions without a group each group has. Such functions call each other, also in circles: the parts of one
     * are found with those of its callers, in turns.
     *
     * @return array<int, non-empty-array<string, float>> function => group, marked by a NUL => its part of 1
     */
    private function parts(string $metric): array
    {
        if (isset($this->parts[$metric])) {
            return $this->parts[$metric];
        }
        $weights = [];
        foreach ($this->callers as $function => $callers) {
            foreach ([$metric, 'ct', null] as $by) {
                $found = array_map(static fn (array $call): float => $by === null ? 1.0 : abs($call[1][$by] ?? 0), $callers);
                if (array_sum($found) > 0) {
                    $weights[$function] = $found;
                    break;
                }
            }
        }
        $parts = [];
        for ($turn = 0; $turn < self::MOST_TURNS; $turn++) {
            $change = 0.0;
            foreach ($weights as $function => $found) {
                $sums = $this->sums($this->callers[$function], $found, $parts);
                $whole = array_sum($sums);
                $next = $whole > 0 ? array_map(static fn (float $sum): float => $sum / $whole, $sums) : [];
                foreach ($next as $group => $part) {
                    $change = max($change, abs($part - ($parts[$function][$group] ?? 0.0)));
                }
                if ($next !== []) {
                    $parts[$function] = $next;
                }
            }
            if ($change < self::ENOUGH) {
                break;
            }
        }

        return $this->parts[$metric] = $parts;
    }

    /**
     * @param list<array{int, array<string, int|float>}> $callers
     * @param list<float> $weights of their calls
     * @param array<int, array<string, float>> $parts of functions as far as they are known
     *
     * @return array<string, float> group, marked by a NUL => the weight of its calls
     */
    private function sums(array $callers, array $weights, array $parts): array
    {
        $sums = [];
        foreach ($callers as $at => [$caller]) {
            $group = $this->groups[$caller];
            foreach ($group === null ? $parts[$caller] ?? [] : ["\0$group" => 1.0] as $of => $part) {
                $sums[$of] = ($sums[$of] ?? 0.0) + $weights[$at] * $part;
            }
        }

        return $sums;
    }
}
