<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/**
 * What .ci/run has beside `make check`: the whole takes too long for one run, so each turn has a part of it, and TURNS turns in a
 * row have all. Each turn also starts one of BareTargets.
 */
final class Rotation
{
    public const TURNS = 6;
    /** Of a turn in all. */
    public const MINUTES = 35;
    /** Of what comes first: what the tests need is installed, and make check runs. */
    private const PREPARING = 3;
    private const USUAL = 12;

    /**
     * Part => its share of the minutes of two cores (half of its processor time, which its line in the summary has, as two suites
     * run at a time), and its suites.
     *
     * @var array<string, array{float, list<string>}>
     */
    private const PARTS = [
        'php-8.4' => [6.0, ['php-8.4']],
        'php-8.5' => [7.0, ['php-8.5']],
        'walk' => [2.5, ['phpt-walk']],
        'jit' => [2.5, ['phpt-jit']],
        'threads' => [6.5, ['zts-build', 'zts-phpt', 'zts-inspector', 'zts-threads']],
        'musl' => [6.0, ['musl-build', 'musl-phpt', 'musl-unit', 'musl-preload']],
        'memory-leaks' => [7.5, ['memory-build', 'memory-leaks']],
        'memory-heap' => [7.5, ['memory-build', 'memory-heap']],
        'packages' => [8.0, ['packages']],
        'archives' => [2.0, ['archives']],
        'phar' => [2.0, ['phpunit-phar']],
        'bridge' => [3.0, ['bridge-phpstan', 'bridge', 'bridge-browser']],
        'mcp' => [1.0, ['mcp']],
        'first-minutes-bookworm' => [3.0, ['first-minutes-bookworm']],
        'first-minutes-trixie' => [3.5, ['first-minutes-trixie']],
        'fleet' => [4.0, ['fleet']],
        'engine-1' => [0.7, ['engine-1']], 'engine-2' => [0.7, ['engine-2']],
        'engine-3' => [0.7, ['engine-3']], 'engine-4' => [0.7, ['engine-4']],
        'engine-walk-1' => [0.4, ['engine-walk-1']], 'engine-walk-2' => [0.4, ['engine-walk-2']],
        'engine-walk-3' => [0.4, ['engine-walk-3']], 'engine-walk-4' => [0.4, ['engine-walk-4']],
        'engine-alloc-1' => [0.8, ['engine-alloc-1']], 'engine-alloc-2' => [0.8, ['engine-alloc-2']],
        'engine-alloc-3' => [0.8, ['engine-alloc-3']], 'engine-alloc-4' => [0.8, ['engine-alloc-4']],
        'engine-jit-1' => [0.5, ['engine-jit-1']], 'engine-jit-2' => [0.5, ['engine-jit-2']],
        'engine-jit-3' => [0.5, ['engine-jit-3']], 'engine-jit-4' => [0.5, ['engine-jit-4']],
    ];

    /** @param int $turn from 0; TURNS in a row have everything, whichever is the first */
    public function __construct(private readonly int $turn)
    {
    }

    /** @return int which of the turns it is, from 1 */
    public function number(): int
    {
        return $this->turn % self::TURNS + 1;
    }

    /** @return list<string> its suites, those of make check not among them */
    public function suites(): array
    {
        $suites = [];
        foreach (self::shares()[$this->turn % self::TURNS] as $part) {
            array_push($suites, ...self::PARTS[$part][1]);
        }
        return array_values(array_unique([...$suites, 'bare-' . BareTargets::ofTurn($this->turn)]));
    }

    /** Minutes that it takes on two cores with nothing else. */
    public function minutes(): float
    {
        $bare = BareTargets::ALL[BareTargets::ofTurn($this->turn)][0];
        return self::PREPARING + self::USUAL + self::sum(self::shares()[$this->turn % self::TURNS]) + $bare;
    }

    /** @return list<string> lines that name what it has, and which of the others has what it leaves out */
    public function plan(): array
    {
        $lines = [];
        foreach (self::shares() as $turn => $parts) {
            $own = $turn === $this->turn % self::TURNS;
            $lines[] = sprintf('%s turn %d of %d: %s', $own ? 'This is' : 'Left to', $turn + 1, self::TURNS, implode(', ', $parts));
        }
        $lines[] = 'In a bare Debian: make ' . BareTargets::ofTurn($this->turn)
            . '; next time: make ' . BareTargets::ofTurn($this->turn + 1);
        return $lines;
    }

    /**
     * The longest parts first, each to the turn that has least to do.
     *
     * @return non-empty-list<list<string>>
     */
    private static function shares(): array
    {
        $minutes = array_map(static fn(array $part): float => $part[0], self::PARTS);
        arsort($minutes);
        $shares = array_fill(0, self::TURNS, []);
        foreach (array_keys($minutes) as $part) {
            $sums = array_map(self::sum(...), $shares);
            $shares[array_search(min($sums), $sums, true)][] = $part;
        }
        return $shares;
    }

    /** @param list<string> $parts */
    private static function sum(array $parts): float
    {
        return (float) array_sum(array_map(static fn(string $part): float => self::PARTS[$part][0], $parts));
    }
}
