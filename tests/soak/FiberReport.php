<?php

declare(strict_types=1);

namespace XHProf\Tests\Soak;

use XHProf\Bench\Tables;
use XHProf\Run\RequestWindow;
use XHProf\Run\RouteFigures;

/** What a server of fibers did and what its windows say, and whether they agree. */
final class FiberReport
{
    public const BETWEEN = RequestWindow::BETWEEN;
    public const GOOD = "All requests, samples and CPU times are those of their routes.\n";
    /** A route's CPU time may be so many times what its loops took: the library works for its requests too. */
    private const OF_LOOPS = 1.05;
    /** CPU time of all routes together may be so many times that of the process. */
    private const OF_PROCESS = 1.02;
    /** With fewer readings of memory nothing is known about it. */
    private const READINGS = 12;

    /**
     * @param array<string, int> $answered requests by route, as the client has counted them
     * @param array<string, int> $served as the server has
     * @param array<string, int> $worked µs of CPU time that the loops of each route took, as the server has measured
     * @param array<string, RouteFigures> $figures as the windows have
     * @param int $cpu µs of the process, by the system, without the sampler's thread
     * @param int $samples of all windows, without their routes
     * @param int $damaged records of windows
     * @param list<string> $failed answers that were not as they have to be
     * @param string $messages what the server has printed, and PHP's log
     * @param list<int> $memory kB, over time
     */
    public function __construct(
        private readonly FiberOptions $options,
        public readonly array $answered,
        public readonly array $served,
        public readonly array $worked,
        public readonly array $figures,
        public readonly int $cpu,
        public readonly int $samples,
        public readonly int $damaged,
        public readonly array $failed,
        public readonly string $messages,
        public readonly array $memory,
    ) {
    }

    /** @return list<string> a line for each thing that is not as it has to be */
    public function problems(): array
    {
        $problems = [];
        $answered = array_sum($this->answered);
        if ($answered !== $this->options->requests) {
            $problems[] = "$answered answers of {$this->options->requests} requests";
        }
        if ($this->failed !== []) {
            $problems[] = count($this->failed) . ' answers are wrong: ' . implode('; ', array_slice($this->failed, 0, 3));
        }
        foreach (array_keys(FiberRoutes::LOOPS) as $route) {
            array_push($problems, ...$this->problemsOf($route));
        }
        if ($this->options->times && self::differ($this->counted(), $this->cpu, self::OF_PROCESS)) {
            $problems[] = "all routes have {$this->counted()} us of CPU, the process {$this->cpu}";
        }
        $samples = array_sum(array_column($this->figures, 'samples'));
        if ($samples !== $this->samples || $samples === 0) {
            $problems[] = "all routes have $samples samples, the windows {$this->samples}";
        }
        if ($this->damaged > 0) {
            $problems[] = "$this->damaged records are damaged";
        }
        if ($this->messages !== '') {
            $problems[] = 'the server has written: ' . strtok($this->messages, "\n");
        }
        if (($this->growth() ?? 0) > $this->options->growth) {
            $problems[] = "the server has grown by {$this->growth()} kB, more than {$this->options->growth}";
        }

        return $problems;
    }

    /** @return list<string> */
    private function problemsOf(string $route): array
    {
        $problems = [];
        [$answered, $served] = [$this->answered[$route] ?? 0, $this->served[$route] ?? 0];
        $figures = $this->figures[$route] ?? RouteFigures::none();
        if ($served !== $answered || $figures->requests !== $answered) {
            $problems[] = "$route: $answered answers, the server has counted $served, the windows $figures->requests";
        }
        $worked = $this->worked[$route] ?? 0;
        if ($this->options->times && self::differ($figures->cpu, $worked, self::OF_LOOPS)) {
            $problems[] = "$route: $figures->cpu us of CPU, its loops took $worked";
        }
        $suspended = in_array($route, FiberRoutes::BUSY, true) ? 0 : $figures->requests;
        if ($figures->suspended !== $suspended) {
            $problems[] = "$route: $figures->suspended requests were suspended, not $suspended";
        }
        if (($figures->suspendedTime > 0) !== ($suspended > 0) || $figures->suspendedTime > $figures->wall) {
            $problems[] = "$route: suspended for $figures->suspendedTime us of $figures->wall";
        }

        return $problems;
    }

    /** Whether a value is more than so many times the other one, whichever is larger. */
    private static function differ(float $a, float $b, float $times): bool
    {
        return max($a, $b) > $times * min($a, $b);
    }

    /** µs of CPU time that the windows have, with what is between requests. */
    private function counted(): int
    {
        return (int) array_sum(array_column($this->figures, 'cpu'));
    }

    /** @return int|null kB that the server had more at most in the last quarter than in the second; null: too few readings */
    public function growth(): ?int
    {
        $quarter = intdiv(count($this->memory), 4);

        return count($this->memory) < self::READINGS ? null
            : max([0, ...array_slice($this->memory, -$quarter)]) - max([0, ...array_slice($this->memory, $quarter, $quarter)]);
    }

    public function text(): string
    {
        $rows = [];
        foreach ([...array_keys(FiberRoutes::LOOPS), self::BETWEEN] as $route) {
            $figures = $this->figures[$route] ?? RouteFigures::none();
            $requests = max(1, $figures->requests);
            $rows[] = [
                $route,
                (string) ($this->answered[$route] ?? 0),
                (string) $figures->requests,
                sprintf('%.1f', $figures->cpu / 1000),
                isset($this->worked[$route]) ? sprintf('%.1f', $this->worked[$route] / 1000) : '',
                (string) $figures->samples,
                sprintf('%.2f', $figures->wall / $requests / 1000),
                sprintf('%.2f', $figures->suspendedTime / $requests / 1000),
            ];
        }
        $text = "\n" . Tables::table(
            ['route', 'answers', 'all windows', 'CPU, ms', 'its loops, ms', 'samples', 'wall per request, ms', 'suspended, ms'],
            $rows,
        );
        $text .= sprintf(
            "\nCPU time of all routes %.1f ms, of the process %.1f ms (%+.2f %%). Samples of all routes %d, of the windows %d. "
                . "Growth: %s.\n",
            $this->counted() / 1000,
            $this->cpu / 1000,
            $this->cpu === 0 ? 0 : 100 * ($this->counted() / $this->cpu - 1),
            array_sum(array_column($this->figures, 'samples')),
            $this->samples,
            $this->growth() === null ? 'not known' : "{$this->growth()} kB",
        );
        $problems = $this->problems();
        foreach ($problems as $problem) {
            $text .= "PROBLEM: $problem\n";
        }

        return $text . ($problems === [] ? self::GOOD : '');
    }
}
