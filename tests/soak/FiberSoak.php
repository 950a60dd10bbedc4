<?php

declare(strict_types=1);

namespace XHProf\Tests\Soak;

use XHProf\Run\RouteFigures;
use XHProf\Store\RunFolder;
use XHProf\Tools\Servers\Daemon;
use XHProf\Tools\Servers\Folder;
use XHProf\Tools\Servers\NextProcess;
use XHProf\Tools\Servers\PhpFpm;
use XHProf\Tools\Servers\Programs;
use XHProf\Tools\Servers\ServerFailure;
use XHProf\Tools\Servers\Site;

/** One soak of a server that has each request in a fiber, with a span for each. */
final class FiberSoak
{
    private const PACKAGES = __DIR__ . '/../../build/frameworks/vendor/autoload.php';
    /** Memory is read so often. */
    public const READINGS = 80;
    /** Processes that look for left data, at most. */
    private const COLLECTORS = 3;

    private readonly Folder $folder;
    /** @var array<string, int> answers by route */
    private array $answered = [];
    /** @var list<string> */
    private array $failed = [];
    /** @var list<int> kB */
    private array $memory = [];

    public function __construct(private readonly FiberOptions $options)
    {
        $this->folder = new Folder();
    }

    /** The reason why the server cannot be started here, or null. */
    public static function missing(): ?string
    {
        return is_dir(dirname(self::PACKAGES) . '/amphp/socket') ? null
            : 'no amphp/socket in build/frameworks (tools/frameworks.sh installs it)';
    }

    /** @param (\Closure(string): void)|null $progress called at each reading of memory */
    public function run(?\Closure $progress = null): FiberReport
    {
        $settings = [
            'extension=' . Programs::extension(), 'xhprof.start_with_request=no', 'xhprof.mode=aggregate',
            "xhprof.flush_seconds={$this->options->window}", 'memory_limit=128M',
        ];
        $path = $this->folder->path;
        file_put_contents("$path/server.ini", Site::ini($this->folder, $settings));
        $command = [PHP_BINARY, '-c', "$path/server.ini", __DIR__ . '/fibers/server.php', (string) realpath(self::PACKAGES)];
        $server = new Daemon($command, "$path/server.out");
        $server->await(static fn(): bool => str_ends_with($server->output(), "\n"));
        [$port, $pid] = array_map(intval(...), explode(' ', $server->output()));
        $client = new FiberClient($port, $this->options->each);
        $client->send($this->requests(), $this->options->clients, fn(string $route, int $status) => $this->check(
            $route,
            $status,
            $pid,
            $progress,
        ));
        $own = json_decode($client->end(), true);
        $status = $server->finish();
        if (!is_array($own) || $status !== 0) {
            throw new ServerFailure("the server of fibers has ended with $status: {$server->output()}");
        }

        $output = implode('', array_slice(file("$path/server.out") ?: [], 1));

        return $this->report($own['requests'], $own['worked'], $own['cpu'], $output);
    }

    /** @return \Generator<string> the routes, each as often as the others, in a random order */
    private function requests(): \Generator
    {
        $random = new \Random\Randomizer(new \Random\Engine\Mt19937($this->options->seed));
        $routes = array_keys(FiberRoutes::LOOPS);
        for ($i = 0; $i < $this->options->requests; $i++) {
            if ($i % count($routes) === 0) {
                $routes = $random->shuffleArray($routes);
            }
            yield $routes[$i % count($routes)];
        }
    }

    private function check(string $route, int $status, int $pid, ?\Closure $progress): void
    {
        $this->answered[$route] = ($this->answered[$route] ?? 0) + 1;
        if ($status !== (in_array($route, FiberRoutes::FAILING, true) ? 500 : 200)) {
            $this->failed[] = "$route: $status";
        }
        $all = array_sum($this->answered);
        if (intdiv($all * self::READINGS, $this->options->requests) > count($this->memory)) {
            $this->memory[] = PhpFpm::ownMemory((string) file_get_contents("/proc/$pid/status")) ?? 0;
            $progress === null || $progress("$all answers, " . end($this->memory) . ' kB');
        }
    }

    /**
     * @param array<string, int> $served requests by route, as the server has counted them
     * @param array<string, int> $worked µs of the loops of each route
     * @param int $cpu µs of the process
     */
    private function report(array $served, array $worked, int $cpu, string $output): FiberReport
    {
        [$figures, $samples, $damaged] = [[], 0, 0];
        for ($try = 1; $try <= self::COLLECTORS; $try++) {
            // Data of a window are left for its processes until it has ended.
            sleep($this->options->window);
            if (NextProcess::run($this->folder) !== 0) {
                throw new ServerFailure('the process that looks for left data failed');
            }
            [$figures, $samples, $damaged] = $this->windows();
            if (array_sum(array_column($figures, 'requests')) === array_sum($this->answered)) {
                break;
            }
        }

        return new FiberReport(
            $this->options,
            $this->answered,
            $served,
            $worked,
            $figures,
            $cpu,
            $samples,
            $damaged,
            $this->failed,
            trim($output . @file_get_contents("{$this->folder->path}/php.log")),
            $this->memory,
        );
    }

    /** @return array{array<string, RouteFigures>, int, int} of all windows: routes, samples in call paths, and damaged records */
    private function windows(): array
    {
        $store = new RunFolder("{$this->folder->path}/runs");
        [$figures, $samples, $damaged] = [[], 0, 0];
        foreach ($store->list() as $run) {
            $meta = $store->open($run->id)->meta();
            $damaged += $meta->window->damaged ?? 0;
            $of = array_diff($meta->window?->routes() ?? [], ['-r']);
            $isOurs = false;
            foreach ($of as $route) {
                if (isset(FiberRoutes::LOOPS[$route]) || $route === FiberReport::BETWEEN) {
                    $isOurs = true;
                    $figures[$route] = ($figures[$route] ?? RouteFigures::none())->plus(
                        $meta->window?->routeStats($route) ?? RouteFigures::none(),
                    );
                }
            }
            $samples += $isOurs ? $meta->recording->samples ?? 0 : 0;
        }

        return [$figures, $samples, $damaged];
    }
}
