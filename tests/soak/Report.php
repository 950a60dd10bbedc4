<?php

declare(strict_types=1);

namespace XHProf\Tests\Soak;

use XHProf\Bench\Tables;

/** What was sent, logged and counted, and whether all of that agrees. */
final class Report
{
    public const GOOD = "All requests of nginx's log are in a window, were interrupted, or are lost by PHP's log.\n";

    /**
     * @param array<string, int> $logged requests by route, in nginx's log
     * @param array<string, int> $counted in all windows
     * @param array<string, int> $interrupted of those in nginx's log: the worker was gone before it had answered
     * @param int $sent requests
     * @param list<string> $failed answers that were not as they have to be
     * @param int $damaged records of windows
     * @param int $killed workers, by us
     * @param int $died workers, by a signal, in PHP-FPM's log
     * @param list<string> $messages in PHP's log
     * @param list<string> $left journals that no process has taken
     * @param int|null $growth kB of the worst worker; null: not known
     * @param list<string> $notes what was done, and what was not
     */
    public function __construct(
        private readonly Options $options,
        public readonly array $logged,
        public readonly array $counted,
        public readonly array $interrupted,
        public readonly int $sent,
        public readonly array $failed,
        public readonly int $damaged,
        public readonly int $killed,
        public readonly int $died,
        public readonly array $messages,
        public readonly array $left,
        public readonly ?int $growth,
        public readonly array $notes,
    ) {
    }

    /** @return list<string> a line for each thing that is not as it has to be */
    public function problems(): array
    {
        $problems = [];
        $logged = array_sum($this->logged);
        if ($logged !== $this->sent) {
            $problems[] = "nginx has logged $logged requests of $this->sent";
        }
        [$interrupted, $failed] = [array_sum($this->interrupted), count($this->failed)];
        if ($failed > $interrupted) {
            $problems[] = "$failed requests failed, $interrupted of them were interrupted: "
                . implode('; ', array_slice($this->failed, 0, 3));
        }
        // A worker answers one request at a time.
        if ($interrupted > $this->killed) {
            $problems[] = "$interrupted requests were interrupted, but $this->killed workers were killed";
        }
        if ($this->died > $this->killed) {
            $problems[] = "$this->died workers died of a signal, but $this->killed were killed";
        }
        array_push($problems, ...$this->differences());
        foreach ($this->unexpected() as $message) {
            $problems[] = "PHP's log: $message";
        }
        foreach ($this->left as $journal) {
            $problems[] = "$journal was left";
        }
        if ($this->damaged > 0) {
            $problems[] = "$this->damaged records are damaged";
        }
        if ($this->growth !== null && $this->growth > $this->options->growth) {
            $problems[] = "a worker has grown by $this->growth kB, more than {$this->options->growth}";
        }

        return $problems;
    }

    /**
     * An interrupted request may have ended for PHP already, so it may be counted. Else only what PHP's log calls lost may be
     * missing, to the request.
     *
     * @return list<string>
     */
    private function differences(): array
    {
        $problems = [];
        [$least, $most] = [0, 0];
        foreach ($this->routes() as $route) {
            [$logged, $counted] = [$this->logged[$route] ?? 0, $this->counted[$route] ?? 0];
            $missing = $logged - $counted;
            $least += max(0, $missing - ($this->interrupted[$route] ?? 0));
            $most += $missing;
            if ($missing < 0 || ($missing > ($this->interrupted[$route] ?? 0) && $this->lost() === 0)) {
                $problems[] = "$route: $logged in nginx's log, $counted in all windows";
            }
        }
        if ($this->lost() > 0 && ($this->lost() < $least || $this->lost() > $most)) {
            $problems[] = "PHP's log calls {$this->lost()} requests lost, $least to $most are missing";
        }

        return $problems;
    }

    /** Requests that PHP's log calls lost. */
    private function lost(): int
    {
        preg_match_all('/ is lost: (\d+) requests$/m', implode("\n", $this->messages), $matches);

        return array_sum(array_map(intval(...), $matches[1]));
    }

    /** @return list<string> messages in PHP's log for which there is no reason */
    private function unexpected(): array
    {
        $full = '/: No space left on device$| is lost: \d+ requests$/';
        $unexpected = array_filter(
            $this->messages,
            fn(string $message): bool => !$this->options->full || preg_match($full, $message) !== 1,
        );

        return array_slice(array_values(array_unique($unexpected)), 0, 5);
    }

    /** @return list<string> */
    private function routes(): array
    {
        $routes = array_keys($this->logged + $this->counted + $this->interrupted);
        sort($routes);

        return $routes;
    }

    public function text(): string
    {
        $rows = [];
        foreach ($this->routes() as $route) {
            [$logged, $counted] = [$this->logged[$route] ?? 0, $this->counted[$route] ?? 0];
            $interrupted = $this->interrupted[$route] ?? 0;
            $rows[] = [$route, (string) $logged, (string) $interrupted, (string) $counted, (string) ($logged - $counted)];
        }
        $all = [array_sum($this->logged), array_sum($this->interrupted), array_sum($this->counted)];
        $rows[] = ['all', ...array_map(strval(...), $all), (string) ($all[0] - $all[2])];
        $text = "\n" . Tables::table(['route', "nginx's log", 'interrupted', 'all windows', 'missing'], $rows) . "\n";
        foreach ($this->notes as $note) {
            $text .= "$note\n";
        }
        $text .= sprintf(
            "%d failed requests, %d killed workers, %d requests lost by PHP's log. Growth of the worst worker: %s.\n",
            count($this->failed),
            $this->killed,
            $this->lost(),
            $this->growth === null ? 'not known, as none has lived for long enough' : "$this->growth kB",
        );
        foreach (array_count_values($this->messages) as $message => $count) {
            $text .= "PHP's log, {$count}x: $message\n";
        }
        $problems = $this->problems();
        foreach ($problems as $problem) {
            $text .= "PROBLEM: $problem\n";
        }

        return $text . ($problems === [] ? self::GOOD : '');
    }
}
