<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Profile\CallTree;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\MetricKind;
use XHProf\Profile\Metrics;
use XHProf\Profile\Profile;

/**
 * The calls of a callgrind file, and their profile.
 *
 * @internal
 */
final class CallgrindCalls
{
    /** Most functions, and most calls of one by another: a gzipped file of a few MB can name tens of millions. */
    private const MAX_CALLS = 1000000;
    private const MAX_EVENTS = 16;

    private const MAIN = 'main()';

    /** @var list<array{string, int}|null> metric and divisor of its costs, per event; null for none */
    private readonly array $metrics;

    /** @var array<string, array<int, int>> function => costs */
    private array $spent = [];

    /** @var array<string, array<string, array{ct: int, costs: array<int, int>}>> caller => callee => costs of the calls */
    private array $calls = [];

    private int $count = 0;

    private readonly ?FinishedCalls $finished;

    /** @var array{name: string, costs: array<int, int>, called: list<array{name: string, calls: int,
     *     costs: array<int, int>}>}|null only for Xdebug's files */
    private ?array $open = null;

    /** @var array<string, string> names as they are shown */
    private array $shown = [];

    /**
     * @param list<string> $events
     * @param bool         $isXdebug Xdebug's files have a block per call, and its function names become XHProf's
     *
     * @throws InvalidProfile
     */
    public function __construct(array $events, private readonly bool $isXdebug)
    {
        $metrics = [];
        foreach (array_slice($events, 0, self::MAX_EVENTS) as $event) {
            $metric = self::metric($event);
            $isNew = $metric !== null && !in_array($metric[0], array_column(array_filter($metrics), 0), true);
            $metrics[] = $isNew ? $metric : null;
        }
        if (array_filter($metrics) === []) {
            throw new InvalidProfile('the file counts nothing ("events:")');
        }
        $this->metrics = $metrics;
        $this->finished = $isXdebug ? new FinishedCalls($metrics) : null;
    }

    /** The following lines belong to this function. */
    public function begin(string $function): void
    {
        $this->finish();
        $this->open = $this->finished === null ? null : ['name' => $this->named("\0$function"), 'costs' => [], 'called' => []];
    }

    /**
     * Notes where the code of a function is: in Xdebug's files its own costs have its first line, or 0.
     *
     * @param string $file a path, or "php:internal"
     */
    public function stands(string $function, string $file, int $line): void
    {
        if ($file !== '' && !str_starts_with($file, 'php:')) {
            $this->finished?->place($this->named("\0$function"), $file, $line);
        }
    }

    /**
     * @param list<int> $costs
     */
    public function spent(string $function, array $costs): void
    {
        if ($this->open !== null && $this->open['called'] === []) {
            $this->open['costs'] = $costs;
        }
        foreach ($costs as $event => $cost) {
            $this->spent["\0$function"][$event] = self::sum($this->spent["\0$function"][$event] ?? 0, $cost);
        }
        $this->spent["\0$function"] ??= [];
        $this->assertSize();
    }

    /**
     * @param list<int> $costs
     */
    public function called(string $caller, string $callee, int $calls, array $costs): void
    {
        if ($this->open !== null) {
            $this->open['called'][] = ['name' => $this->named("\0$callee"), 'calls' => $calls, 'costs' => $costs];
        }
        $call = $this->calls["\0$caller"]["\0$callee"] ?? null;
        if ($call === null) {
            $this->count++;
            $this->assertSize();
        }
        $sums = $call['costs'] ?? [];
        foreach ($costs as $event => $cost) {
            $sums[$event] = self::sum($sums[$event] ?? 0, $cost);
        }
        $this->calls["\0$caller"]["\0$callee"] = ['ct' => self::sum($call['ct'] ?? 0, $calls), 'costs' => $sums];
    }

    /**
     * @return CallTree|null null if the file has no call paths
     *
     * @throws InvalidProfile
     */
    public function tree(): ?CallTree
    {
        $this->finish();

        return $this->finished?->tree();
    }

    /**
     * @throws InvalidProfile
     */
    public function profile(): Profile
    {
        $edges = [];
        $isCalled = [];
        foreach ($this->calls as $caller => $callees) {
            $from = $this->named($caller);
            foreach ($callees as $callee => $call) {
                $to = $this->named((string) $callee);
                if ($from !== $to) {
                    $isCalled[$to] = true;
                }
                $this->add($edges, EdgeKey::build($from, $to), $call['ct'], $call['costs']);
            }
        }
        foreach ($this->roots($isCalled) as $root => $costs) {
            // A function beside main(), like a shutdown function, has no caller: it is put below main().
            $root = (string) $root;
            if ($root !== self::MAIN) {
                $this->add($edges, EdgeKey::build(self::MAIN, $root), 1, $costs);
            }
            $this->add($edges, self::MAIN, 0, $costs);
        }
        if ($edges !== []) {
            $edges[self::MAIN]['ct'] = 1;
        }

        return Profile::fromEdges($edges);
    }

    /**
     * @param array<string, true> $isCalled
     *
     * @return array<string, array<int, int>> functions without callers, and their inclusive costs
     */
    private function roots(array $isCalled): array
    {
        $roots = [];
        $largest = ['', []];
        foreach (array_keys($this->spent + $this->calls) as $function) {
            $name = $this->named($function);
            $costs = $this->spent[$function] ?? [];
            foreach ($this->calls[$function] ?? [] as $callee => $call) {
                if ($callee === $function) {
                    continue;
                }
                foreach ($call['costs'] as $event => $cost) {
                    $costs[$event] = self::sum($costs[$event] ?? 0, $cost);
                }
            }
            $largest = $largest[0] === '' || ($costs[0] ?? 0) > ($largest[1][0] ?? 0) ? [$name, $costs] : $largest;
            if (!isset($isCalled[$name]) || $name === self::MAIN) {
                $roots[$name] = $costs;
            }
        }

        // If all functions call each other, the heaviest is the root.
        return $roots === [] && $largest[0] !== '' ? [$largest[0] => $largest[1]] : $roots;
    }

    /**
     * @param array<string, array<string, int|float>> $edges
     * @param array<int, int>                         $costs
     */
    private function add(array &$edges, string $edge, int $calls, array $costs): void
    {
        $edges[$edge]['ct'] = ($edges[$edge]['ct'] ?? 0) + $calls;
        foreach ($this->metrics as $event => $metric) {
            if ($metric !== null) {
                [$name, $divisor] = $metric;
                $cost = $costs[$event] ?? 0;
                $edges[$edge][$name] = ($edges[$edge][$name] ?? 0) + ($divisor === 1 ? $cost : $cost / $divisor);
            }
        }
    }

    private function finish(): void
    {
        if ($this->open !== null) {
            $this->finished?->add($this->open['name'], $this->open['costs'], $this->open['called']);
            $this->open = null;
        }
    }

    /**
     * @param string $key a name, marked by a NUL before it
     */
    private function named(string $key): string
    {
        return $this->shown[$key] ??= EdgeKey::escaped(self::ourName(substr($key, 1), $this->isXdebug));
    }

    private static function ourName(string $name, bool $isXdebug): string
    {
        if ($name === '{main}') {
            return self::MAIN;
        }
        if (!$isXdebug) {
            return $name;
        }
        $name = preg_replace('/\A(?:include|require)(?:_once)?::/', 'load::', $name) ?? $name;

        return str_starts_with($name, 'php::') ? substr($name, 5) : preg_replace('/\A([\w\\\\]+)->/', '$1::', $name) ?? $name;
    }

    /**
     * @return array{string, int}|null
     */
    private static function metric(string $event): ?array
    {
        foreach (Metrics::all() as $key => $metric) {
            if ($metric->kind === MetricKind::Cost && $metric->callgrindEvent() === $event) {
                return [$key, 1];
            }
            if ($metric->isTime() && $metric->callgrindEvent(true) === $event) {
                return [$key, 1000];
            }
        }
        $divisors = ['10ns' => 100, 'ns' => 1000, 'us' => 1, "\u{B5}s" => 1, "\u{3BC}s" => 1];
        if (preg_match('/\ATime(?:_\((10ns|ns|us|\x{B5}s|\x{3BC}s)\))?\z/u', $event, $match) === 1) {
            return ['wt', $divisors[$match[1] ?? 'us']];
        }
        if (in_array($event, ['Memory', 'Memory_Size_(bytes)'], true)) {
            return ['mu', 1];
        }
        $name = substr((string) preg_replace('/[^A-Za-z0-9_.]/', '', $event), 0, 32);

        return Metrics::isName($name) && $name !== 'ct' ? [$name, 1] : null;
    }

    private static function sum(int $a, int $b): int
    {
        $sum = $a + $b;

        // Numbers of 18 digits: the sum cannot have left the integers before this check.
        return abs($sum) < 1 << 61 ? $sum : throw new InvalidProfile('the costs are too large to be added up');
    }

    private function assertSize(): void
    {
        if ($this->count > self::MAX_CALLS || count($this->spent) > self::MAX_CALLS) {
            throw new InvalidProfile('the file has too many functions or calls');
        }
    }
}
