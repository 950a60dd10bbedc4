<?php

declare(strict_types=1);

namespace XHProf\Findings;

use XHProf\Format\Units;
use XHProf\Operations\OperationCaller;
use XHProf\Operations\OperationReport;
use XHProf\Operations\OperationRow;

/** One statement, request, command or file that takes much of the run by itself, not by being repeated. */
final class SlowOperation implements Rule
{
    public const NAME = 'slow-operation';
    public const FINDS = 'one statement, request, command or file that is slow by itself';
    public const FROM = '20 % of the wall time and 10 ms, of all calls of its text, or of the slowest where there are 50';
    public const SEEN = 'operations';

    /** Share of the wall time, of all calls of one text or of the slowest alone. */
    private const SHARE = 0.2;

    /** ns below which nothing is worth a word. */
    private const LEAST = 10_000_000;

    /** Most call paths of its calls, the slowest. */
    public const PATHS = 200;

    /** Kinds with rules of their own: loading code, garbage collection, waiting. */
    private const OTHERS = ['compile', 'gc', 'sleep'];

    private const WHY = [
        'sql' => 'the database has to do less for it: EXPLAIN shows which index is missing and what is read in vain.',
        'http' => 'nothing goes on until it is answered: a shorter answer, a kept copy, or other work meanwhile saves this.',
    ];

    public function find(Evidence $run): array
    {
        return array_values(array_map(fn (OperationRow $row): Finding => $this->finding($run, $row), self::rows($run)));
    }

    /** @return array<string, OperationRow> the slow ones by id */
    public static function rows(Evidence $run): array
    {
        $rows = [];
        foreach ($run->report()?->rows(null, 'total', 2) ?? [] as $row) {
            // A text that is a function's name alone is seen in that function: the time there is waiting.
            $isOther = in_array($row->kind, self::OTHERS, true) || !str_contains($row->text, ' ');
            if (!$isOther && self::isSlow($run, self::slow($row))) {
                $rows[$row->id()] = $row;
            }
        }

        return $rows;
    }

    /** @return int ns that are slow by themselves: of all its calls, or of the slowest where it is repeated */
    private static function slow(OperationRow $row): int
    {
        return $row->ct < RepeatedOperations::MANY ? $row->total : (int) $row->max;
    }

    private static function isSlow(Evidence $run, int $ns): bool
    {
        return $ns >= self::LEAST && $run->part($ns / 1000, 'wt') >= self::SHARE;
    }

    private function finding(Evidence $run, OperationRow $row): Finding
    {
        $ns = self::slow($row);
        $share = $run->share($ns / 1000, 'wt');
        $figure = match (true) {
            $row->ct === 1 => 'One call of ' . Units::us($ns / 1000),
            $ns === $row->total => Units::count($row->ct) . ' calls of ' . Units::us($ns / 1000 / $row->ct),
            default => 'The slowest of ' . Units::count($row->ct) . ' calls ' . Units::us($ns / 1000),
        };
        $caller = $row->callers[0] ?? null;

        return new Finding(
            self::NAME,
            "$figure, $share",
            $caller instanceof OperationCaller ? Evidence::callerOf($caller) : '',
            RepeatedOperations::quoted($row->text) . ' is slow by itself: '
                . (self::WHY[$row->kind] ?? 'less of it, or doing it after the answer, saves this.'),
            0.2 + $run->part($ns / 1000, 'wt'),
            'operations',
            operation: $row->id(),
            most: $ns !== $row->total || $caller === null || count($row->callers) < 2
                ? ''
                : $run->share($caller->total / 1000, 'wt'),
            brief: 'slow ' . OperationReport::label($row->kind) . ': ' . Units::us($ns / 1000),
            calls: FoundCalls::onPaths($run->report()?->paths($row, self::PATHS) ?? []),
        );
    }
}
