<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** Upper limits for XHProf's costs, beside the measured values. */
final class Goals
{
    private const CALLS = ['empty function', 'fib', 'internal function', 'methods', '2000 functions', 'deep recursion'];
    private const PROGRAMS = ['PHP parser', 'Twig', 'CommonMark'];
    /** Of flags 0 over "limit", and over tideways. */
    private const RATIOS = [
        'empty function' => [1.25, 0.35],
        'fib' => [1.25, 0.35],
        'methods' => [1.25, 0.35],
        '2000 functions' => [1.6, 0.35],
        'internal function' => [1.25, 0.20],
    ];
    /** Of CPU on the pages of each application. */
    private const SERVED = [ServerLoad::AGGREGATE => 1.01, ServerLoad::UNSAVED => 1.25, ServerLoad::EXACT => 1.25];
    /** Of an exact profile over the least cost of observing calls. */
    private const SERVED_OVER_LIMIT = 1.12;
    private const ALLOCATIONS = 'allocations';
    /** Differences below this are noise. */
    private const NOISE = 1.0;
    private const LEFT = 128.0;

    public function __construct(private readonly Results $results)
    {
    }

    /** @return list<Goal> */
    public function all(): array
    {
        $goals = [];
        foreach (self::RATIOS as $workload => [$limit, $tideways]) {
            $goals[] = $this->ratio("flags 0 / limit, $workload", $limit, $workload, 'limit');
            $goals[] = $this->ratio("flags 0 / tideways 0, $workload", $tideways, $workload, 'tideways 0');
        }
        foreach (['CPU', 'CPU|MEMORY'] as $mode) {
            $ratios = [];
            foreach (self::CALLS as $workload) {
                $ratios[$workload] = $this->divide($this->over($workload, $mode), $this->over($workload, 'flags 0'));
            }
            $goals[] = $this->worst("$mode / flags 0, the worst of the calls", 1.3, 'x', $ratios);
        }
        foreach (['TIMELINE' => ['flags 0', 3.0], 'flags 0' => ['no operations', self::NOISE]] as $mode => [$less, $limit]) {
            $more = [];
            foreach (self::CALLS as $workload) {
                $more[$workload] = $this->subtract($this->over($workload, $mode), $this->over($workload, $less));
            }
            $goals[] = $this->worst("$mode, more than $less, the worst of the calls", $limit, 'ns', $more);
        }
        foreach (self::PROGRAMS as $workload) {
            $peer = $this->over($workload, 'tideways 0');
            $goals[] = new Goal(
                "flags 0, slow-down of $workload" . ($peer === null ? '' : sprintf(' (tideways %.2f)', $peer)),
                1.35,
                'x',
                $this->over($workload, 'flags 0'),
            );
        }
        $idle = PHP_VERSION_ID < 80400 ? 10.0 : 6.0;
        foreach (['idle' => 'loaded and idle', 'after' => 'after a disable'] as $mode => $text) {
            $values = $more = [];
            foreach (self::CALLS as $workload) {
                $values[$workload] = $this->over($workload, $mode);
                $more[$workload] = $this->subtract($values[$workload], $this->over($workload, 'null-init'));
            }
            $goals[] = $this->worst("$text, the worst of the calls", $idle, 'ns', $values);
            $goals[] = $this->worst("$text, more than NULL-init observers (0 within noise)", self::NOISE, 'ns', $more);
        }
        $goals[] = $this->worst('hooks=off, the worst of the calls (0 within noise)', self::NOISE, 'ns', $this->values(
            self::CALLS,
            'hooks=off',
        ));
        $goals[] = $this->worst('hooks=off, the worst of the programs', 1.005, 'x', $this->values(self::PROGRAMS, 'hooks=off'));
        $excimer = array_filter($this->values(self::PROGRAMS, 'excimer 1 ms'));
        $peer = $excimer === [] ? '' : sprintf(' (excimer %.3f)', max($excimer));
        $goals[] = $this->worst("sampling at 1 ms, the worst of the programs$peer", 1.02, 'x', $this->values(
            self::PROGRAMS,
            'sample 1 ms',
        ));
        array_push($goals, ...$this->tracking());
        $jit = [];
        foreach (self::CALLS as $workload) {
            $jit[$workload] = $this->results->over(Opcache::JIT, $workload, 'flags 0');
        }
        $on = $this->results->jit['flags 0'] ?? null;
        $title = 'flags 0 with the JIT, the worst of the calls';
        $goals[] = $this->worst($on === false ? "$title (the JIT is OFF)" : $title, 25.0, 'ns', $jit);
        $large = [
            LargeProfiles::DISABLE => 30.0,
            LargeProfiles::SAVE => 300.0,
            LargeProfiles::PER_NODE => 128.0,
            LargeProfiles::REGISTER => 64.0,
        ];
        foreach ($large as $name => $limit) {
            [$text, $unit] = explode(', ', $name);
            $goals[] = new Goal($text, $limit, $unit, ($this->results->large[$name] ?? null)?->median);
        }
        $goals[] = new Goal(
            'memory left after the request (0 within what PHP itself varies by)',
            self::LEFT,
            'kB',
            ($this->results->large[LargeProfiles::LEFT] ?? null)?->median,
        );
        array_push($goals, ...$this->requests(), ...$this->served());

        return $goals;
    }

    /**
     * Goals for memory by call path; beside builds of memprof, if there are any.
     *
     * @return list<Goal>
     */
    private function tracking(): array
    {
        $peers = '';
        foreach ($this->results->measured[Opcache::OFF][self::ALLOCATIONS] ?? [] as $mode => $figure) {
            if (str_ends_with($mode, ' exact') && $mode !== 'memory exact') {
                $peers .= sprintf(' (%s %.2f)', $mode, $this->over(self::ALLOCATIONS, $mode) ?? NAN);
            }
        }
        $forward = $this->over(self::ALLOCATIONS, 'forward');
        $least = $forward === null ? '' : sprintf(' (handlers that only forward: %.2f)', $forward);
        $goals = [];
        foreach (['memory exact' => [1.4, $peers], 'memory sampled' => [1.1, $least]] as $mode => [$limit, $more]) {
            $value = $this->over(self::ALLOCATIONS, $mode);
            $goals[] = new Goal("$mode, slow-down of allocations$more", $limit, 'x', $value);
        }
        [$idle, $declines] = [$this->over(self::ALLOCATIONS, 'idle'), $this->over(self::ALLOCATIONS, 'null-init')];
        $off = $idle === null || $declines === null ? null : $idle / $declines;
        $goals[] = new Goal('tracking off: idle / NULL-init observers, allocations', 1.01, 'x', $off);

        return $goals;
    }

    /** @return list<Goal> */
    private function served(): array
    {
        $goals = [];
        foreach (self::SERVED as $mode => $limit) {
            foreach (ServerLoad::APPLICATIONS as $application) {
                $over = $this->cpuOf($application, $mode);
                $goals[] = $this->worst("$mode, CPU of the worst page of {$application::name()}", $limit, 'x', $over);
            }
        }
        foreach (ServerLoad::APPLICATIONS as $application) {
            $least = $this->cpuOf($application, ServerLoad::LIMIT);
            $over = [];
            foreach ($this->cpuOf($application, ServerLoad::EXACT) as $page => $value) {
                $over[$page] = $this->divide($value, $least[$page]);
            }
            $title = ServerLoad::EXACT . ' / limit, CPU of the worst page of ' . $application::name();
            $goals[] = $this->worst($title, self::SERVED_OVER_LIMIT, 'x', $over);
        }

        return $goals;
    }

    /**
     * @param class-string<Application> $application
     * @return array<string, float|null> over the bare engine, by page
     */
    private function cpuOf(string $application, string $mode): array
    {
        $over = [];
        foreach (array_keys($application::pages()) as $page) {
            $over[$page] = ($this->results->servers[$page][$mode]['cpu over bare'] ?? null)?->median;
        }

        return $over;
    }

    /**
     * What each request costs, whatever it does.
     *
     * @return list<Goal>
     */
    private function requests(): array
    {
        $figure = fn(string $row): ?float => ($this->results->requests[$row] ?? null)?->median;
        $goals = [new Goal('an empty request, hooks=off (0 within noise)', 2.0, 'us', $figure(EmptyRequests::HOOKS_OFF))];
        foreach ([EmptyRequests::AGGREGATE => 12.0, EmptyRequests::SAMPLE => 12.0] as $row => $limit) {
            $more = $this->subtract($figure($row), $figure(EmptyRequests::HOOKS_OFF));
            $goals[] = new Goal("an empty request, $row, more than hooks=off", $limit, 'us', $more);
        }
        $saved = $this->subtract($figure(EmptyRequests::SAVED), $figure(EmptyRequests::SAMPLE));
        $goals[] = new Goal('files of a saved run', 200.0, 'us', $saved);
        $goals[] = new Goal(EmptyRequests::START_AND_STOP, 40.0, 'us', $figure(EmptyRequests::START_AND_STOP));

        return $goals;
    }

    private function over(string $workload, string $mode): ?float
    {
        return $this->results->over(Opcache::OFF, $workload, $mode);
    }

    /**
     * @param list<string> $workloads
     * @return array<string, float|null>
     */
    private function values(array $workloads, string $mode): array
    {
        $values = [];
        foreach ($workloads as $workload) {
            $values[$workload] = $this->over($workload, $mode);
        }

        return $values;
    }

    private function ratio(string $text, float $limit, string $workload, string $mode): Goal
    {
        return new Goal($text, $limit, 'x', $this->divide($this->over($workload, 'flags 0'), $this->over($workload, $mode)));
    }

    private function divide(?float $a, ?float $b): ?float
    {
        return $a === null || $b === null || $b <= 0.0 ? null : $a / $b;
    }

    private function subtract(?float $a, ?float $b): ?float
    {
        return $a === null || $b === null ? null : $a - $b;
    }

    /** @param array<string, float|null> $values by workload */
    private function worst(string $text, float $limit, string $unit, array $values): Goal
    {
        $known = array_filter($values, static fn(?float $value): bool => $value !== null);
        if ($known === []) {
            return new Goal($text, $limit, $unit, null);
        }
        arsort($known);

        return new Goal($text, $limit, $unit, reset($known), (string) array_key_first($known));
    }
}
