<?php

declare(strict_types=1);

namespace XHProf\Bench;

use XHProf\Tools\Servers\Folder;
use XHProf\Tools\Servers\PhpFpm;
use XHProf\Tools\Servers\Programs;
use XHProf\Tools\Servers\Request;
use XHProf\Tools\Servers\Response;
use XHProf\Tools\Servers\ServerFailure;

/**
 * Costs for a busy site: requests per second, and waiting times of clients, of nginx with one process of PHP-FPM that never
 * rests, for two clients. A server of its own for every sample; in a round all modes in turn, in reverse order every
 * second time.
 */
final class ServerLoad
{
    /** Name for --only. */
    public const NAME = 'servers';
    /** Title => script in benchmarks/ (null: the shop of tools/servers), path and requests. */
    private const PAGES = [
        'a page of templates and parsing' => ['server.php', '/page?4', 100],
        'a page of next to nothing' => [null, '/products/7', 500],
    ];
    /** Title => path. */
    public const WORDPRESS = ['WordPress, front page' => '/', 'WordPress, a post with comments' => '/?p=9'];
    private const WORDPRESS_REQUESTS = 40;
    private const CLIENTS = 2;
    private const WARM = 20;
    private const QUICK = 6;
    /** Seconds per sample, for the estimate. */
    private const AROUND = 2.8;
    private const ALL = ['xhprof.start_with_request=sampled', 'xhprof.sample_rate=1'];
    /** Creating a file takes up to a ms in some folders of a disk, depending on their earlier contents: that is not measured. */
    private const MEMORY = '/dev/shm';

    /** @var string|null why it cannot be measured here */
    public readonly ?string $missing;
    /** @var string|null why WordPress cannot be measured here */
    public readonly ?string $noWordPress;
    /** @var array<string, ServerPage> by title */
    private readonly array $pages;

    public function __construct(
        private readonly Php $php,
        private readonly string $extension,
        private readonly int $rounds,
        private readonly bool $quick,
    ) {
        require_once dirname(__DIR__, 2) . '/tools/servers/autoload.php';
        $library = dirname(__DIR__, 2) . '/vendor/nikic/php-parser';
        $this->missing = Programs::missing()
            ?? (is_dir($library) ? null : 'the Composer packages are not installed (make bench installs them)');
        $this->noWordPress = $this->missing ?? WordPress::missing();
        $this->pages = self::pages($this->noWordPress === null ? new WordPress() : null);
    }

    /** @return array<string, ServerPage> by title */
    private static function pages(?WordPress $wordPress): array
    {
        $pages = [];
        foreach (self::PAGES as $title => [$script, $path, $count]) {
            $pages[$title] = new ServerPage($script === null ? null : dirname(__DIR__) . "/$script", $path, $count);
        }
        foreach ($wordPress === null ? [] : self::WORDPRESS as $title => $path) {
            $pages[$title] = new ServerPage(WordPress::script(), $path, self::WORDPRESS_REQUESTS, $wordPress);
        }

        return $pages;
    }

    /** @return array<string, list<string>> settings by mode */
    public static function modes(string $extension): array
    {
        $load = "extension=$extension";
        $sample = [$load, ...self::ALL, 'xhprof.mode=sample', 'xhprof.hooks=off'];

        return [
            Modes::BARE => [],
            'idle' => [$load],
            'exact, 1 %' => [$load, 'xhprof.start_with_request=sampled', 'xhprof.sample_rate=0.01'],
            'exact, 100 %' => [$load, ...self::ALL],
            'sample 10 ms, 100 %' => [...$sample, 'xhprof.sampling_interval=10000'],
            'sample 1 ms, 100 %' => [...$sample, 'xhprof.sampling_interval=1000'],
            'aggregate 10 ms, 100 %' => [
                $load, ...self::ALL, 'xhprof.mode=aggregate', 'xhprof.hooks=off', 'xhprof.sampling_interval=10000',
            ],
        ];
    }

    public function steps(): int
    {
        return $this->missing === null ? count($this->pages) * count(self::modes('')) * $this->rounds : 0;
    }

    public function estimate(): float
    {
        return $this->steps() * ($this->quick ? 0.2 : self::AROUND);
    }

    public function run(Results $results, Progress $progress): void
    {
        if ($this->missing !== null) {
            return;
        }
        foreach ($this->pages as $title => $page) {
            $modes = self::modes($this->extension);
            $samples = [];
            for ($round = 1; $round <= $this->rounds; $round++) {
                foreach ($modes as $mode => $settings) {
                    $progress->step("PHP-FPM, $title, round $round/$this->rounds, $mode");
                    try {
                        $samples[$mode][] = $this->sample($settings, $page);
                    } catch (ServerFailure $failure) {
                        throw new Failure("PHP-FPM, $title, $mode: {$failure->getMessage()}");
                    }
                }
                $modes = array_reverse($modes);
            }
            foreach (array_keys(self::modes('')) as $mode) {
                $results->addServer($title, $mode, $samples[$mode], $samples[Modes::BARE]);
            }
        }
    }

    /**
     * @param list<string> $settings
     * @return array{rate: float, p50: float, p99: float, cpu: float} requests per second, and ms; cpu: of PHP for a request
     */
    private function sample(array $settings, ServerPage $page): array
    {
        $core = $this->php->isPinned() ? ['/usr/bin/taskset', '-c', (string) Php::core()] : [];
        $runs = self::isInMemory() ? self::MEMORY . '/xhprof-bench-' . bin2hex(random_bytes(5)) : null;
        $extensions = $this->php->load(['pdo', 'pdo_sqlite', 'ctype', 'mbstring', 'tokenizer']);
        $settings = [...Opcache::settings(Opcache::ON), ...$extensions, 'memory_limit=256M', ...$settings];
        if ($runs !== null) {
            mkdir($runs, 0o700);
            $settings[] = "xhprof.output_dir=$runs";
        }
        try {
            return $this->sampleOf($settings, $page, $core);
        } finally {
            if ($runs !== null) {
                Folder::remove($runs);
            }
        }
    }

    /** Whether the runs are written to memory, for the head of the table. */
    public static function isInMemory(): bool
    {
        return is_dir(self::MEMORY) && is_writable(self::MEMORY);
    }

    /**
     * @param list<string> $settings
     * @param list<string> $core
     * @return array{rate: float, p50: float, p99: float, cpu: float}
     */
    private function sampleOf(array $settings, ServerPage $page, array $core): array
    {
        $count = $this->quick ? self::QUICK : $page->requests;
        $settings = [...$page->application?->settings() ?? [], ...$settings];
        $environment = ['PHP_INI_SCAN_DIR' => '', ...$page->application?->environment() ?? []];
        $server = new PhpFpm($settings, 1, $environment, $page->script, $core);
        $this->load($server, $page->path, self::WARM);
        $cpu = self::cpuTime($server->workers());
        $began = hrtime(true);
        $responses = $this->load($server, $page->path, $count);
        $seconds = (hrtime(true) - $began) / 1e9;
        $cpu = self::cpuTime($server->workers()) - $cpu;
        $server->stop();
        $times = array_map(static fn(Response $response): float => 1000 * $response->seconds, $responses);
        sort($times);

        return [
            'rate' => $count / $seconds,
            'p50' => $times[intdiv($count, 2)],
            'p99' => $times[min($count - 1, (int) ceil($count * 0.99) - 1)],
            // The system counts it in hundredths of a second.
            'cpu' => max($cpu, 5.0) / $count,
        ];
    }

    /**
     * CPU time, so that other work on the same core does not count.
     *
     * @param list<int> $workers
     * @return float ms of these processes with all their threads
     */
    private static function cpuTime(array $workers): float
    {
        $ticks = 0;
        foreach ($workers as $pid) {
            $status = (string) @file_get_contents("/proc/$pid/stat");
            $fields = explode(' ', substr($status, (int) strrpos($status, ')') + 2));
            $ticks += (int) ($fields[11] ?? 0) + (int) ($fields[12] ?? 0);
        }

        return 10.0 * $ticks;
    }

    /** @return list<Response> all of them right */
    private function load(PhpFpm $server, string $path, int $count): array
    {
        $responses = $server->client->load(array_fill(0, $count, new Request($path)), self::CLIENTS);
        foreach ($responses as $response) {
            if ($response->status !== 200 || $response->error !== '') {
                throw new ServerFailure("$path: $response->status $response->error {$server->errors()}");
            }
        }

        return $responses;
    }
}
