<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Findings\Findings;

/** What a baseline has of one subject. */
final class BaselineSubject
{
    /** Runs from which on what all of them have is no chance. */
    public const SEVERAL = 3;

    /**
     * @param string $php     "8.2" of the runs
     * @param string $flags   how they were recorded: "CPU MEMORY"
     * @param array<string, Spread> $figures by FigureName::$text
     * @param array<string, array{KnownFinding, int}> $findings by KnownFinding::key(), and how many there were
     * @param int    $line    in the file; 0 for a new one
     */
    public function __construct(
        public readonly string $php,
        public readonly string $flags,
        public readonly int $runs,
        public readonly array $figures,
        public readonly array $findings,
        public readonly int $line = 0,
    ) {
    }

    /**
     * @param non-empty-list<Observation> $runs
     * @param array<string, FigureName>   $names of the figures to keep, by text
     * @param self|null                   $before times of it stay where the change may be chance
     */
    public static function of(array $runs, array $names, ?self $before): self
    {
        $figures = [];
        foreach ($names as $text => $name) {
            $values = array_map(
                static fn (Observation $run): int|float|null => $run->figures[$text]->value,
                Observation::ofKind($runs, $name->isOfWindows()),
            );
            $known = array_values(array_filter($values, static fn (int|float|null $value): bool => $value !== null));
            if ($known === [] || count($known) < count($values)) {
                continue;
            }
            $spread = Spread::of($known);
            $old = $before?->figures[$text] ?? null;
            $isSame = $old !== null && $name->isTime() && !$old->differs($spread);
            $figures[$text] = $isSame ? $old : $spread;
        }
        ksort($figures, SORT_STRING);

        return new self(self::phpOf($runs[0]), self::flagsOf($runs[0]), count($runs), $figures, self::found($runs, $before));
    }

    /**
     * Of rules that judge times only what all of several runs have; once it is there, what any of them has.
     *
     * @param non-empty-list<Observation> $runs
     *
     * @return array<string, array{KnownFinding, int}> by KnownFinding::key()
     */
    private static function found(array $runs, ?self $before): array
    {
        $findings = $met = [];
        foreach ($runs as $run) {
            foreach (self::counted($run) as $key => [$finding, $times]) {
                $findings[$key] = [$finding, max($times, $findings[$key][1] ?? 0)];
                $met[$key] = ($met[$key] ?? 0) + 1;
            }
        }
        $all = count($runs) < self::SEVERAL ? PHP_INT_MAX : count($runs);
        $isKept = static fn (array $found, string $key): bool => !Findings::varies($found[0]->rule)
            || $met[$key] >= $all || isset($before->findings[$key]);
        $findings = array_filter($findings, $isKept, ARRAY_FILTER_USE_BOTH);
        ksort($findings, SORT_STRING);

        return $findings;
    }

    /** @return array<string, array{KnownFinding, int}> findings of a run by key, and how many of each */
    public static function counted(Observation $run): array
    {
        $counted = [];
        foreach (is_array($run->findings) ? $run->findings : [] as [$known]) {
            $counted[$known->key()] = [$known, ($counted[$known->key()][1] ?? 0) + 1];
        }

        return $counted;
    }

    /** @return string "8.2" */
    public static function phpOf(Observation $run): string
    {
        return preg_match('/\A[0-9]+\.[0-9]+/', $run->meta->origin->php ?? '', $match) === 1 ? $match[0] : '';
    }

    public static function flagsOf(Observation $run): string
    {
        $flags = $run->meta->recording->flagNames;
        sort($flags);

        return implode(' ', $flags);
    }

    /** @return array<string, mixed> */
    public function json(): array
    {
        return ['php' => $this->php, 'flags' => $this->flags, 'runs' => $this->runs] + [
            'figures' => (object) array_map(static fn (Spread $spread): int|float|array => $spread->json(), $this->figures),
            'findings' => array_values(array_map(static fn (array $one): array => [
                'rule' => $one[0]->rule,
                'where' => $one[0]->where,
                'what' => $one[0]->what,
            ] + ($one[1] > 1 ? ['times' => $one[1]] : []), $this->findings)),
        ];
    }
}
