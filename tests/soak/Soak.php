<?php

declare(strict_types=1);

namespace XHProf\Tests\Soak;

use XHProf\Tools\Servers\NextProcess;
use XHProf\Tools\Servers\PhpFpm;
use XHProf\Tools\Servers\Programs;
use XHProf\Tools\Servers\Request;
use XHProf\Tools\Servers\Response;
use XHProf\Tools\Servers\ServerFailure;
use XHProf\Tools\Servers\Site;
use XHProf\Tools\Servers\SmallDisk;

/** One soak: nginx and PHP-FPM under load, with what happens to servers in a year. */
final class Soak
{
    /** Each batch has one page that does not exist. */
    private const NOWHERE = '/nowhere/';
    /** Processes that look for left data, at most. */
    private const COLLECTORS = 3;

    /** @var SmallDisk|string why no disk is mounted */
    private readonly SmallDisk|string $disk;
    private readonly PhpFpm $server;
    private readonly OwnMemory $memory;
    private readonly \Random\Randomizer $random;
    /** @var list<string> */
    private array $failed = [];
    private int $killed = 0;
    private int $reloaded = 0;
    private bool $isFull = false;

    public function __construct(private readonly Options $options)
    {
        $this->random = new \Random\Randomizer(new \Random\Engine\Mt19937($options->seed));
        $this->memory = new OwnMemory();
        $this->disk = $options->full ? SmallDisk::mount() : 'not asked for';
        $this->server = new PhpFpm(
            [
                'extension=' . Programs::extension(), 'xhprof.start_with_request=yes', 'xhprof.mode=aggregate',
                "xhprof.flush_seconds=$options->window",
                ...($this->disk instanceof SmallDisk ? ["xhprof.output_dir={$this->disk->path}"] : []),
            ],
            $options->workers,
            more: $options->maxRequests === 0 ? '' : "pm.max_requests = $options->maxRequests",
            logs: true,
        );
    }

    /** @param (\Closure(string): void)|null $progress called before each batch */
    public function run(?\Closure $progress = null): Report
    {
        $steps = $this->options->steps();
        for ($step = 0; $step < $steps; $step++) {
            if ($progress !== null) {
                $progress(sprintf('%d failed, %d reloads, %d kills', count($this->failed), $this->reloaded, $this->killed));
            }
            $this->fillOrFree($step, $steps);
            $this->batch($step, $steps);
            $this->memory->add($this->server->memory());
        }
        if ($this->isFull && $this->disk instanceof SmallDisk) {
            $this->disk->free();
        }
        $this->server->stop();

        return $this->report();
    }

    private function fillOrFree(int $step, int $steps): void
    {
        if (!$this->disk instanceof SmallDisk) {
            return;
        }
        $wasFull = $this->isFull;
        $this->isFull = $step >= intdiv($steps, 3) && $step < intdiv(2 * $steps, 3);
        if ($this->isFull) {
            $this->disk->fill(); // each time: processes that have ended give space back
        } elseif ($wasFull) {
            $this->disk->free();
        }
    }

    private function batch(int $step, int $steps): void
    {
        $size = $this->options->size($step);
        $requests = Site::requests($size - 1, "soak=$step");
        $requests[] = new Request(self::NOWHERE . $step);
        $before = $this->server->workers();
        $events = $this->events($step, $steps, $size);
        $reloads = false;
        $after = function (int $answered) use ($events, &$reloads): void {
            foreach ($events[$answered] ?? [] as $event) {
                $event === 'kill' ? $this->kill() : $this->server->reload();
                $reloads = $reloads || $event === 'reload';
            }
        };
        foreach ($this->server->client->load($requests, $this->options->clients, $after) as $response) {
            $this->check($response);
        }
        $this->reloaded += (int) $reloads;
        // A killed or replaced worker has a successor before the next batch.
        $this->server->awaitWorkers($reloads ? $before : []);
    }

    /**
     * What happens in a batch, evenly over all of them: one reload at most, and kills.
     *
     * @return array<int, list<string>> by the number of answers after which it happens
     */
    private function events(int $step, int $steps, int $size): array
    {
        $of = static fn(int $all, int $steps): int => intdiv(($step + 1) * $all, $steps) - intdiv($step * $all, $steps);
        $events = [];
        if ($of(min($this->options->reloads, $steps), $steps) > 0) {
            $events[$this->random->getInt(1, $size)][] = 'reload';
        }
        $until = $this->disk instanceof SmallDisk ? max(1, intdiv($steps, 3)) : $steps;
        for ($i = $step < $until ? $of($this->options->kills, $until) : 0; $i > 0; $i--) {
            $events[$this->random->getInt(1, $size)][] = 'kill';
        }

        return $events;
    }

    private function kill(): void
    {
        $workers = $this->server->workers();
        if ($workers !== [] && posix_kill($workers[$this->random->getInt(0, count($workers) - 1)], SIGKILL)) {
            $this->killed++;
        }
    }

    private function check(Response $response): void
    {
        $expected = str_starts_with($response->request->path, self::NOWHERE) ? 404 : 200;
        if ($response->error !== '' || $response->status !== $expected) {
            $this->failed[] = "{$response->request->path}: $response->status $response->error";
        }
    }

    private function report(): Report
    {
        $place = $this->disk instanceof SmallDisk ? $this->disk->path : $this->server->runs();
        $logged = Routes::logged($this->server);
        for ($try = 1; $try <= self::COLLECTORS; $try++) {
            // Data of a window are left for its processes until it has ended.
            sleep($this->options->window);
            if (NextProcess::run($this->server->folder) !== 0) {
                throw new ServerFailure('the process that looks for left data failed');
            }
            [$counted, $damaged] = Routes::counted($place);
            $left = array_map(basename(...), glob("$place/.xhprof-aggregate.*.journal") ?: []);
            if ($counted === $logged && $left === []) {
                break;
            }
        }
        $lines = preg_split('/\n/', $this->server->errors(), -1, PREG_SPLIT_NO_EMPTY) ?: [];

        return new Report(
            $this->options,
            $logged,
            $counted,
            Routes::interrupted($this->server->nginxErrors()),
            $this->options->requests,
            $this->failed,
            $damaged,
            $this->killed,
            (int) preg_match_all('/exited on signal/', $this->server->log()),
            array_map(static fn(string $line): string => (string) preg_replace('/^\[[^]]*\] /', '', $line), $lines),
            $left,
            $this->memory->growth(),
            $this->notes(),
        );
    }

    /** @return list<string> */
    private function notes(): array
    {
        $notes = ["$this->reloaded reloads, " . ($this->options->maxRequests === 0
            ? 'workers live on'
            : "workers replaced after {$this->options->maxRequests} requests")];
        if ($this->options->full) {
            $notes[] = $this->disk instanceof SmallDisk
                ? 'The disk was full for the second third of the requests'
                : "SKIPPED: a full disk: $this->disk";
        }

        return $notes;
    }
}
