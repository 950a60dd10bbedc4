<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Findings\Finding;
use XHProf\Operations\OperationRow;
use XHProf\Profile\CodePlace;
use XHProf\Run\Run;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;

/** What limits and baselines ask of one run, read once: the run itself is released, as many may be checked. */
final class Observation
{
    /**
     * @param string $name of the run, for people
     * @param array<string, Figure> $figures by FigureName::$text
     * @param list<array{KnownFinding, Finding, list<string>}>|string $findings each with its heaviest call path, the innermost
     *     function first, as far as it is known; a sentence where they are not known
     * @param array<string, CodePlace> $places of the functions that those name
     * @param string $missing what it is a part of; ''
     */
    private function __construct(
        public readonly ?RunId $id,
        public readonly string $name,
        public readonly array $figures,
        public readonly array|string $findings,
        public readonly array $places,
        public readonly string $missing,
        public readonly RunMeta $meta,
    ) {
    }

    /**
     * @param array<string, FigureName> $wanted by text
     * @param bool $withFindings whether somebody asks for them: looking for them takes longer than most figures
     */
    public static function of(Measured $measured, array $wanted, bool $withFindings): self
    {
        $run = $measured->run();
        $figures = array_map($measured->figure(...), $wanted);
        $found = $withFindings ? $measured->findings() : [];
        $names = array_map(static fn (Figure $figure): string => $figure->symbol, $figures);
        if (is_array($found)) {
            $names = [...$names, ...array_column($found, 'symbol')];
            $isNamed = array_filter($found, static fn (Finding $finding): bool => $finding->operation !== '');
            $rows = [];
            foreach ($isNamed !== [] && $run->has(Run::OPERATIONS) ? $run->operations()?->rows() ?? [] : [] as $row) {
                $rows[$row->id()] = $row;
            }
            $found = array_map(static fn (Finding $finding): array => [
                KnownFinding::of($finding, $rows[$finding->operation] ?? null),
                $finding,
                array_reverse($finding->path) ?: self::path($rows[$finding->operation] ?? null),
            ], $found);
        }
        $places = [];
        foreach (array_unique($names) as $name) {
            $places[$name] = $measured->place($name);
        }

        return new self($run->id, $run->name(), $figures, $found, array_filter($places), $measured->missing(), $run->meta());
    }

    /**
     * @param non-empty-list<self> $runs
     *
     * @return non-empty-list<self> the windows among them, or the others; where there are none of them, all
     */
    public static function ofKind(array $runs, bool $isOfWindows): array
    {
        $of = static fn (self $run): bool => ($run->meta->window !== null) === $isOfWindows;

        return array_values(array_filter($runs, $of)) ?: $runs;
    }

    /** @return list<string> the call path that repeats an operation, else the one with most of its time */
    private static function path(?OperationRow $row): array
    {
        return $row?->repeated()->path ?? $row->callers[0]->path ?? [];
    }
}
