<?php

declare(strict_types=1);

namespace XHProf\Findings;

use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Profile\OperationFunctions;

/**
 * One place that asks the database, another server or a cache again and again: the N+1 queries of a loop. A function that passes
 * each of its calls on (a connection, a repository's find()) is not that place, its caller is.
 */
final class RepeatedOperations implements Rule
{
    public const NAME = 'n-plus-one';
    public const FINDS = 'one place that asks a database, another server or a cache again and again';
    public const FROM = '50 operations of one place, 10 per call of it';
    public const SEEN = 'calls';
    public const VARIES = false;

    /** Operations of one place from which they are a finding. */
    public const MANY = 50;

    /** Operations per call of the place: fewer, and it only passes them on. */
    private const PER_CALL = 10;

    private const HIGHEST = 40;

    /** Characters of a text. */
    private const LONGEST = 120;

    public function find(Evidence $run): array
    {
        $places = [];
        $texts = [];
        $slow = SlowOperation::rows($run);
        $ids = [];
        $made = [];
        $nodes = [];
        foreach ($run->operations() as $operation) {
            // One slow statement beside a loop is not what the loop costs.
            if (isset($slow[$operation->row]) && $slow[$operation->row]->ct < self::MANY) {
                continue;
            }
            $ids[$operation->text] = $operation->row;
            foreach ($this->placesOf($run, $operation) as $place => $count) {
                $known = $places[$operation->kind][$place] ?? [0, 0.0];
                $time = $operation->count == 0 ? 0 : $operation->time * $count / $operation->count;
                $places[$operation->kind][$place] = [$known[0] + $count, $known[1] + $time];
                $before = $texts[$operation->kind][$place][$operation->text] ?? 0;
                $texts[$operation->kind][$place][$operation->text] = $before + $count;
                $made[$operation->kind][$place][$operation->function] = $operation->function;
                $nodes[$operation->kind][$place][$operation->node] = $operation->node;
            }
        }
        $found = [];
        foreach ($places as $kind => $sums) {
            foreach ($sums as $place => [$count, $time]) {
                if ($count >= self::MANY) {
                    $counts = $texts[$kind][$place] ?? [];
                    arsort($counts);
                    $id = $ids[array_key_first($counts)] ?? '';
                    $calls = self::calls($run, (string) $place, $nodes[$kind][$place] ?? [])
                        ?? new FoundCalls(array_values($made[$kind][$place] ?? []), (string) $place);
                    $found[] = $this->finding($run, $kind, (string) $place, $count, $time, $counts, $id, $calls);
                }
            }
        }

        return $found;
    }

    /**
     * The call paths of the operations themselves: other calls of the same functions are no operations, or those of other places.
     *
     * @param array<int> $nodes
     *
     * @return FoundCalls|null null where they are not known, or too many
     */
    private static function calls(Evidence $run, string $place, array $nodes): ?FoundCalls
    {
        $report = $run->report();
        if ($report === null || count($nodes) > SlowOperation::PATHS || in_array(-1, $nodes, true)) {
            return null;
        }
        $paths = $report->pathsBelow($place, array_values($nodes));

        return $paths === [] ? null : FoundCalls::onPaths($paths);
    }

    /**
     * The functions in which the operations repeat.
     *
     * @return array<string, int|float> function => operations of it
     */
    private function placesOf(Evidence $run, Operation $operation): array
    {
        $around = $operation->node < 0 ? [] : $run->report()?->around($operation->node) ?? [];
        if ($around === []) {
            return $this->places($run, $operation->caller, $operation->count);
        }
        // Their path is known: what else calls the functions on it, a framework's connection, is no part of it.
        $seen = [];
        foreach ($around as [$function, $calls]) {
            if (isset($seen[$function]) || $operation->count >= self::PER_CALL * $calls) {
                return [$function => $operation->count];
            }
            $seen[$function] = true;
        }

        return [$function => $operation->count];
    }

    /**
     * The same from the calls of functions alone: up from their caller, as long as that makes about one per call of its own.
     *
     * @return array<string, int|float> function => operations of it
     */
    private function places(Evidence $run, string $caller, int|float $count): array
    {
        $open = [$caller => $count];
        $places = [];
        $seen = [];
        for ($level = 0; $open !== [] && $level < self::HIGHEST; $level++) {
            $next = [];
            foreach ($open as $function => $operations) {
                $calls = $run->rows()[$function]['ct'] ?? 1;
                $callers = $run->callers($function);
                if ($callers === [] || isset($seen[$function]) || $operations >= self::PER_CALL * $calls) {
                    $places[$function] = ($places[$function] ?? 0) + $operations;
                    continue;
                }
                $seen[$function] = true;
                $sum = array_sum(array_column($callers, 'ct'));
                foreach ($callers as $above => $row) {
                    $next[$above] = ($next[$above] ?? 0) + ($sum == 0 ? 0 : $operations * ($row['ct'] ?? 0) / $sum);
                }
            }
            $open = $next;
        }

        return $places;
    }

    /**
     * @param array<array-key, int|float> $texts calls by text, the most first
     *
     * @return string words about the text that repeats most, '' where no text is known
     */
    private static function mostOf(array $texts): string
    {
        $text = (string) array_key_first($texts);
        $words = 2 * reset($texts) > array_sum($texts) ? 'mostly' : 'most often';

        return $text === '' ? '' : ", $words " . self::quoted($text);
    }

    /** A text of an operation as part of a sentence. */
    public static function quoted(string $text): string
    {
        $text = Text::printable($text);
        $short = mb_substr($text, 0, self::LONGEST, 'UTF-8');

        return '“' . ($short === $text ? $text : "{$short}…") . '”';
    }

    /**
     * @param OperationFunctions::QUERY|OperationFunctions::HTTP|OperationFunctions::CACHE $kind
     * @param array<array-key, int|float> $texts calls by text, the most first
     * @param string $row OperationRow::id() of the first text, '' where no text is known
     */
    private function finding(
        Evidence $run,
        string $kind,
        string $place,
        int|float $count,
        int|float $time,
        array $texts,
        string $row,
        FoundCalls $made,
    ): Finding {
        $text = self::mostOf($texts);
        $calls = $run->rows()[$place]['ct'] ?? 1;
        $figure = Units::count((int) round($count)) . ' ' . OperationFunctions::plural($kind)
            . ($calls > 1 ? ' in ' . Units::count($calls) . ' calls' : '');

        return new Finding(
            self::NAME,
            implode(', ', array_filter([$figure, $run->share($time)])),
            $place,
            $kind === OperationFunctions::QUERY
                ? "Each turn of a loop asks the database again$text: one query for all of them (a join, an IN list) saves the rest."
                : "Each turn of a loop waits for an answer$text: one request for all of them, or several at once, saves the rest.",
            0.3 + $run->part($time) + min(0.4, $count / 10000),
            $row === '' ? '' : 'operations',
            operation: $row,
            brief: Units::count((int) round($count)) . ' ' . OperationFunctions::plural($kind) . ' in a loop',
            calls: $made,
        );
    }
}
