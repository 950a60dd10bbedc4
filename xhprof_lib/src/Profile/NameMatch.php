<?php

declare(strict_types=1);

namespace XHProf\Profile;

/**
 * Which function of one run is which of another, where their names differ: closures that moved with their lines, files in another
 * folder, generated names. Every other function is its namesake.
 *
 * Functions of one group (the closures of one function or file) are matched in their order, as diff matches lines: those with the
 * same callers and callees first, and where several lines moved together, together.
 */
final class NameMatch
{
    /** Ending for the name of a function that only the first run has, if another function of the second run has that name. */
    public const ONLY_BEFORE = ' (before)';

    /** Pairs that are looked at for one group; larger groups are matched by their order alone. */
    private const MOST_PAIRS = 250_000;

    /** Least share of callers and callees in common of two functions whose names say nothing but their kind. */
    private const ALIKE = 0.5;

    /** @var array<string, string> file of the first run => of the second, where they differ */
    private array $files = [];

    /** @var array{}|array{a: array<string, array<string, true>>, b: array<string, array<string, true>>} */
    private array $around = [];

    private function __construct(
        private readonly Profile $a,
        private readonly Profile $b,
        private readonly NameRules $rules,
    ) {
    }

    /**
     * @param list<string> $moreA names besides those of the profile, in the order of their first call
     * @param list<string> $moreB
     *
     * @return array<string, string> name in the first run => name in the second, where they differ; each of the second once
     */
    public static function between(Profile $a, Profile $b, array $moreA = [], array $moreB = [], ?NameRules $rules = null): array
    {
        $namesA = self::names($a, $moreA);
        $namesB = self::names($b, $moreB);

        return (new self($a, $b, $rules ?? NameRules::ours()))->match($namesA, $namesB);
    }

    /**
     * @param list<string> $more
     *
     * @return array<string, true> each function once, not its levels of recursion
     */
    private static function names(Profile $run, array $more): array
    {
        $names = array_fill_keys($more, true);
        foreach ($run->symbols() as $symbol) {
            $names[EdgeKey::stripRecursion($symbol)] = true;
        }

        return $names;
    }

    /**
     * @param array<string, true> $a
     * @param array<string, true> $b
     *
     * @return array<string, string>
     */
    private function match(array $a, array $b): array
    {
        if (array_diff_key($a, $b) === [] || array_diff_key($b, $a) === []) {
            return [];
        }
        $this->files = self::movedFiles($a, $b);
        [$groupsA, $groupsB] = [$this->groups($a, $this->files), $this->groups($b, [])];
        $map = [];
        foreach (array_intersect_key($groupsA, $groupsB) as $group => $members) {
            if (array_keys($members) !== array_keys($groupsB[$group])) {
                $map += $this->pairs($members, $groupsB[$group]);
            }
        }
        $map = array_filter($map, static fn (string $to, string $from): bool => $to !== $from, ARRAY_FILTER_USE_BOTH);
        foreach ($map as $to) {
            // The second run's function of that name is another one's.
            if (isset($a[$to]) && !isset($map[$to])) {
                $map[$to] = $to . self::ONLY_BEFORE;
            }
        }

        return $map;
    }

    /**
     * @param array<string, true>   $names
     * @param array<string, string> $files to replace
     *
     * @return array<string, array<string, list<int>>> shared part => name => lines; only names that change from build to build
     */
    private function groups(array $names, array $files): array
    {
        $groups = [];
        foreach ($names as $name => $_) {
            $name = (string) $name;
            [$shared, $lines] = StableNames::parts($name, $this->rules);
            if ($shared !== $name || StableNames::file($name) !== '') {
                $groups[self::inFile($shared, $files)][$name] = $lines;
            }
        }
        foreach ($groups as &$members) {
            uasort($members, static fn (array $x, array $y): int => $x <=> $y);
        }

        return $groups;
    }

    /** @param array<string, string> $files */
    private static function inFile(string $shared, array $files): string
    {
        $file = StableNames::file($shared);

        return isset($files[$file]) ? str_replace($file, $files[$file], $shared) : $shared;
    }

    /**
     * The script that both began with, and files of the same name in another folder.
     *
     * @param array<string, true> $a
     * @param array<string, true> $b
     *
     * @return array<string, string>
     */
    private static function movedFiles(array $a, array $b): array
    {
        [$filesA, $filesB] = [self::files($a), self::files($b)];
        [$entryA, $entryB] = [self::entry($a), self::entry($b)];
        $moved = [];
        if ($entryA !== $entryB && $entryA !== '' && $entryB !== '' && !isset($filesB[$entryA]) && !isset($filesA[$entryB])) {
            $moved[$entryA] = $entryB;
        }
        $onlyA = self::byName(array_diff_key($filesA, $filesB, $moved));
        $onlyB = self::byName(array_diff_key($filesB, $filesA, array_flip($moved)));
        foreach (array_intersect_key($onlyA, $onlyB) as $name => $paths) {
            if (count($paths) === 1 && count($onlyB[$name]) === 1) {
                $moved[$paths[0]] = $onlyB[$name][0];
            }
        }

        return $moved;
    }

    /**
     * @param array<string, true> $names
     *
     * @return array<string, true>
     */
    private static function files(array $names): array
    {
        $files = [];
        foreach ($names as $name => $_) {
            $file = StableNames::file((string) $name);
            if ($file !== '') {
                $files[$file] = true;
            }
        }

        return $files;
    }

    /** @param array<string, true> $names */
    private static function entry(array $names): string
    {
        foreach ($names as $name => $_) {
            if (str_starts_with((string) $name, 'run_init::')) {
                return StableNames::file((string) $name);
            }
        }

        return '';
    }

    /**
     * @param array<string, true> $files
     *
     * @return array<string, non-empty-list<string>> name without folder => paths
     */
    private static function byName(array $files): array
    {
        $names = [];
        foreach ($files as $path => $_) {
            $names[basename((string) $path)][] = (string) $path;
        }

        return $names;
    }

    /**
     * @param array<string, list<int>> $a name => lines, in their order
     * @param array<string, list<int>> $b
     *
     * @return array<string, string>
     */
    private function pairs(array $a, array $b): array
    {
        [$namesA, $namesB] = [array_keys($a), array_keys($b)];
        if (count($a) * count($b) > self::MOST_PAIRS) {
            $count = min(count($a), count($b));

            return array_combine(array_slice($namesA, 0, $count), array_slice($namesB, 0, $count));
        }
        if ($this->around === []) {
            $this->around = ['a' => $this->around($this->a, $this->files), 'b' => $this->around($this->b, [])];
        }

        // Of a closure in a closure the inner line counts.
        $line = static fn (array $lines): int => $lines[count($lines) - 1] ?? 0;

        return array_values($a)[0] === []
            ? $this->mostAlike($namesA, $namesB)
            : $this->inOrder($namesA, $namesB, array_map($line, array_values($a)), array_map($line, array_values($b)));
    }

    /**
     * Pairs in the order of both, with the largest sum of likenesses. Two that moved by as many lines as the two before them count
     * as more alike.
     *
     * @param list<string> $namesA
     * @param list<string> $namesB
     * @param list<int> $linesA
     * @param list<int> $linesB
     *
     * @return array<string, string>
     */
    private function inOrder(array $namesA, array $namesB, array $linesA, array $linesB): array
    {
        $above = array_fill(0, count($namesB) + 1, 0.0);
        $steps = [array_fill(0, count($namesB) + 1, 'b')];
        foreach ($namesA as $i => $nameA) {
            $row = [0.0];
            $step = ['a'];
            foreach ($namesB as $j => $nameB) {
                $moved = $linesB[$j] - $linesA[$i];
                $isTogether = $steps[$i][$j] === 'both' && $moved === $linesB[$j - 1] - $linesA[$i - 1];
                $both = $above[$j] + 1 + 2 * $this->likeness($nameA, $nameB) + ($isTogether ? 1 : 0) + ($moved === 0 ? 0.25 : 0);
                $best = max($both, $above[$j + 1], $row[$j]);
                $row[] = $best;
                $step[] = match ($best) {
                    $both => 'both',
                    $above[$j + 1] => 'a',
                    default => 'b',
                };
            }
            $above = $row;
            $steps[] = $step;
        }
        $pairs = [];
        for ($i = count($namesA), $j = count($namesB); $i > 0 && $j > 0;) {
            $step = $steps[$i][$j];
            if ($step === 'both') {
                $pairs[$namesA[$i - 1]] = $namesB[$j - 1];
            }
            $i -= $step === 'b' ? 0 : 1;
            $j -= $step === 'a' ? 0 : 1;
        }

        return $pairs;
    }

    /**
     * @param list<string> $namesA
     * @param list<string> $namesB
     *
     * @return array<string, string>
     */
    private function mostAlike(array $namesA, array $namesB): array
    {
        $same = array_intersect($namesA, $namesB);
        [$namesA, $namesB] = [array_values(array_diff($namesA, $same)), array_values(array_diff($namesB, $same))];
        if (count($namesA) === 1 && count($namesB) === 1) {
            return [$namesA[0] => $namesB[0]];
        }
        $found = [];
        foreach ($namesA as $nameA) {
            foreach ($namesB as $nameB) {
                $found[] = [$this->likeness($nameA, $nameB), $nameA, $nameB];
            }
        }
        rsort($found);
        $pairs = [];
        $taken = [];
        foreach ($found as [$likeness, $nameA, $nameB]) {
            if ($likeness >= self::ALIKE && !isset($pairs[$nameA]) && !isset($taken[$nameB])) {
                $pairs[$nameA] = $nameB;
                $taken[$nameB] = true;
            }
        }

        return $pairs;
    }

    /** Share of callers and callees that the two have in common, 0 to 1. */
    private function likeness(string $nameA, string $nameB): float
    {
        $a = $this->around['a'][$nameA] ?? [];
        $b = $this->around['b'][$nameB] ?? [];
        $common = count(array_intersect_key($a, $b));

        return $common === 0 ? 0.0 : $common / (count($a) + count($b) - $common);
    }

    /**
     * @param array<string, string> $files
     *
     * @return array<string, array<string, true>> function => its callers and callees, without what changes from build to build
     */
    private function around(Profile $run, array $files): array
    {
        $names = array_map(EdgeKey::stripRecursion(...), $run->symbols());
        $shared = array_map(fn (string $name): string => self::inFile(StableNames::parts($name, $this->rules)[0], $files), $names);
        $around = [];
        ['caller' => $callers, 'callee' => $callees] = $run->calls();
        foreach ($callees as $edge => $callee) {
            $caller = $callers[$edge];
            if ($caller >= 0 && $names[$caller] !== $names[$callee]) {
                $around[$names[$caller]]["calls $shared[$callee]"] = true;
                $around[$names[$callee]]["by $shared[$caller]"] = true;
            }
        }

        return $around;
    }
}
