<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/**
 * The mean of several call trees, path by path: a path that a run did not call counts as 0 there. Sums are divided along the
 * tree and the remainders carried on, so that the parts of the mean add up to the mean of the whole. Calls are divided function by
 * function instead: they are not added up along the tree, but for each function.
 */
final class TreeMean
{
    /** Most call paths of the mean: more do not fit into the memory of a request. */
    public const MAX_NODES = 500000;

    /** @var array<string, array<int, int|float>> "ct", "self.wt", "corrected.cpu"... => per node the sum */
    private array $sums = [];

    /** @var list<string>|null columns that all trees have */
    private ?array $columns = null;

    private function __construct(private readonly CallTreeBuilder $tree)
    {
    }

    /**
     * @param list<\Closure(): CallTree> $trees   read one after the other: two large ones are too much
     * @param list<int>                  $weights one per tree; none = all alike
     *
     * @return CallTree over the metrics that all trees have
     *
     * @throws InvalidProfile if there is none, if it has too many call paths, or no metric in common
     */
    public static function compute(array $trees, array $weights = []): CallTree
    {
        if ($trees === []) {
            throw new InvalidProfile('a mean needs at least one call tree');
        }
        $mean = new self(new CallTreeBuilder());
        foreach ($trees as $index => $read) {
            $mean->add($read(), $weights === [] ? 1 : $weights[$index] ?? 0);
        }

        return $mean->divided($weights === [] ? count($trees) : array_sum($weights));
    }

    /**
     * The sum instead of the mean.
     *
     * @param list<\Closure(): CallTree> $trees read one after the other
     *
     * @throws InvalidProfile as compute()
     */
    public static function sum(array $trees): CallTree
    {
        $sum = new self(new CallTreeBuilder());
        foreach ($trees as $read) {
            $sum->add($read(), 1);
        }

        return $sum->divided(1);
    }

    private function add(CallTree $tree, int $weight): void
    {
        $columns = $tree->columns();
        $this->columns ??= array_keys($columns);
        $this->columns = array_values(array_filter($this->columns, static fn (string $name): bool => isset($columns[$name])));
        $columns = array_intersect_key($columns, array_flip($this->columns));
        $functions = array_map($this->tree->name(...), $tree->names);
        foreach ($functions as $name => $function) {
            $this->tree->place($function, $tree->places->at($name));
        }
        $open = [-1 => CallTreeBuilder::NONE];
        $positions = [];
        foreach ($tree->fn as $node => $index) {
            $level = $tree->depth[$node];
            $positions[] = $open[$level] = $this->tree->node($open[$level - 1], $functions[$index]);
            $this->tree->callLine($open[$level], $tree->callLine[$node] ?? 0);
            if ($this->tree->count() > self::MAX_NODES) {
                throw new InvalidProfile(sprintf('together they have more than %d call paths', self::MAX_NODES));
            }
        }
        foreach ($columns as $name => $column) {
            $sums = array_pad($this->sums[$name] ?? [], $this->tree->count(), 0);
            // Written in place: a second copy of a column takes much memory.
            unset($this->sums[$name]);
            foreach ($column as $node => $value) {
                $sums[$positions[$node]] += $weight * $value;
            }
            $this->sums[$name] = $sums;
        }
    }

    private function divided(int $divisor): CallTree
    {
        if ($divisor <= 0) {
            throw new InvalidProfile('the weights must not be negative, and not all 0');
        }
        $columns = function (): \Generator {
            foreach ($this->columns ?? [] as $name) {
                $sums = $this->sums[$name];
                unset($this->sums[$name]);
                yield $name => $sums;
            }
        };

        return $this->tree->tree($columns(), static fn (array $sums, string $name, array $fn): array
            => $name === 'ct' ? self::spreadByFunction($sums, $fn, $divisor) : self::spread($sums, $divisor));
    }

    /**
     * @param list<int|float> $sums per node
     * @param list<int>       $fn   per node its function
     *
     * @return list<int>
     */
    private static function spreadByFunction(array $sums, array $fn, int $divisor): array
    {
        asort($fn);
        $nodes = array_keys($fn);
        $ordered = array_map(static fn (int $node): int|float => $sums[$node], $nodes);
        $column = array_combine($nodes, self::spread($ordered, $divisor));
        ksort($column);

        return array_values($column);
    }

    /**
     * @param list<int|float> $sums in preorder
     *
     * @return list<int>
     */
    private static function spread(array $sums, int $divisor): array
    {
        $column = [];
        $sum = 0;
        $before = 0;
        foreach ($sums as $value) {
            $sum += $value;
            $after = (int) floor($sum / $divisor);
            $column[] = $after - $before;
            $before = $after;
        }

        return $column;
    }
}
