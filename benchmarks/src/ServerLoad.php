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
final class ServerLoad implements Part
{
    /** Name for --only. */
    public const NAME = 'servers';
    /** Title => script in benchmarks/ (null: the shop of tools/servers), path and requests. */
    private const PAGES = [
        'a page of templates and parsing' => ['server.php', '/page?4', 100],
        'a page of next to nothing' => [null, '/products/7', 500],
    ];
    public const AGGREGATE = 'aggregate 10 ms, 100 %';
    public const EXACT = 'exact, 100 %';
    /** The same profiles without their files. */
    public const UNSAVED = 'exact, 100 %, not saved';
    /** Each call observed, with two readings of the clock and no more. */
    public const LIMIT = 'limit';
    /** Each with two pages, which are a table. */
    public const APPLICATIONS = [WordPress::class, MediaWiki::class];
    private const REQUESTS_OF_APPLICATIONS = 40;
    private const CLIENTS = 2;
    private const WARM = 20;
    private const QUICK = 6;
    private const QUICK_WARM = 2;
    /** Seconds per sample, for the estimate. */
    private const AROUND = 2.8;
    private const ALL = ['xhprof.start_with_request=sampled', 'xhprof.sample_rate=1'];
    /** Creating a file takes up to a ms in some folders of a disk, depending on their earlier contents: that is not measured. */
    private const MEMORY = '/dev/shm';

    /** @var string|null why it cannot be measured here */
    public readonly ?string $missing;
    /** @var array<string, string> why an application cannot be measured here, by its name */
    public readonly array $missingApplications;
    /** @var array<class-string<Application>, Application> those that were started */
    private array $applications = [];

    /** @param list<string>|null $limit settings that load the least cost of observing calls; null: that extension is missing */
    public function __construct(
        private readonly Php $php,
        private readonly string $extension,
        private readonly ?array $limit,
        private readonly int $rounds,
        private readonly bool $quick,
    ) {
        require_once dirname(__DIR__, 2) . '/tools/servers/autoload.php';
        $library = dirname(__DIR__, 2) . '/vendor/nikic/php-parser';
        $this->missing = Programs::missing()
            ?? (is_dir($library) ? null : 'the Composer packages are not installed (make bench installs them)');
        $reasons = [];
        foreach (self::APPLICATIONS as $class) {
            $reasons[$class::name()] = $this->missing ?? $class::missing();
        }
        $this->missingApplications = array_filter($reasons, is_string(...));
    }

    /** @return array<string, ServedPage> by title */
    private function pages(): array
    {
        $pages = [];
        foreach (self::PAGES as $title => [$script, $path, $count]) {
            $pages[$title] = new ServedPage($path, $count, $script === null ? null : dirname(__DIR__) . "/$script");
        }
        foreach (self::APPLICATIONS as $class) {
            foreach (isset($this->missingApplications[$class::name()]) ? [] : $class::pages() as $title => $path) {
                $pages[$title] = new ServedPage($path, self::REQUESTS_OF_APPLICATIONS, application: $class);
            }
        }

        return $pages;
    }

    /**
     * @param list<string>|null $limit
     * @return array<string, list<string>> settings by mode
     */
    public static function modes(string $extension, ?array $limit): array
    {
        $load = "extension=$extension";
        $sample = [$load, ...self::ALL, 'xhprof.mode=sample', 'xhprof.hooks=off'];

        return [
            Modes::BARE => [],
            ...($limit === null ? [] : [self::LIMIT => $limit]),
            'idle' => [$load],
            'exact, 1 %' => [$load, 'xhprof.start_with_request=sampled', 'xhprof.sample_rate=0.01'],
            self::EXACT => [$load, ...self::ALL],
            self::UNSAVED => [$load, ...self::ALL, 'xhprof.save_slower_than_ms=3600000'],
            'sample 10 ms, 100 %' => [...$sample, 'xhprof.sampling_interval=10000'],
            'sample 1 ms, 100 %' => [...$sample, 'xhprof.sampling_interval=1000'],
            self::AGGREGATE => [
                $load, ...self::ALL, 'xhprof.mode=aggregate', 'xhprof.hooks=off', 'xhprof.sampling_interval=10000',
            ],
        ];
    }

    public function steps(): int
    {
        return $this->missing === null ? count($this->pages()) * count(self::modes('', $this->limit)) * $this->rounds : 0;
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
        foreach ($this->pages() as $title => $page) {
            $modes = self::modes($this->extension, $this->limit);
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
            foreach (array_keys(self::modes('', $this->limit)) as $mode) {
                $results->addServer($title, $mode, $samples[$mode], $samples[Modes::BARE]);
            }
        }
    }

    /**
     * @param list<string> $settings
     * @return array{rate: float, p50: float, p99: float, cpu: float} requests per second, and ms; cpu: of PHP for a request
     */
    private function sample(array $settings, ServedPage $page): array
    {
        $runs = self::isInMemory() ? self::temporaryFolder() : null;
        $extensions = $this->php->load(['pdo', 'pdo_sqlite', 'ctype', 'mbstring', 'tokenizer']);
        $settings = [...Opcache::settings(Opcache::ON), ...$extensions, 'memory_limit=256M', ...$settings];
        if ($runs !== null) {
            $settings[] = "xhprof.output_dir=$runs";
        }
        try {
            return $this->sampleOf($settings, $page);
        } finally {
            if ($runs !== null) {
                Folder::remove($runs);
            }
        }
    }

    /** A new folder, in memory where that is possible. Who asks for it removes it. */
    public static function temporaryFolder(): string
    {
        $folder = (self::isInMemory() ? self::MEMORY : sys_get_temp_dir()) . '/xhprof-bench-' . bin2hex(random_bytes(5));
        mkdir($folder, 0o700);

        return $folder;
    }

    /** Whether the runs are written to memory, for the head of the table. */
    public static function isInMemory(): bool
    {
        return is_dir(self::MEMORY) && is_writable(self::MEMORY);
    }

    /**
     * @param list<string> $settings
     * @return array{rate: float, p50: float, p99: float, cpu: float}
     */
    private function sampleOf(array $settings, ServedPage $page): array
    {
        $environment = ['PHP_INI_SCAN_DIR' => ''];
        $application = $page->application;
        if ($application !== null) {
            $started = $this->applications[$application] ??= new $application();
            $needed = [...$started->settings(), ...$this->php->load($application::extensions())];
            $settings = array_values(array_unique([...$needed, ...$settings]));
            $environment += $started->environment();
        }
        $script = isset($started) ? $started->script() : $page->script;
        $count = $this->quick ? self::QUICK : $page->count;
        $server = new PhpFpm($settings, 1, $environment, $script, $this->php->pinned());
        $this->load($server, $page->path, $this->quick ? self::QUICK_WARM : self::WARM);
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
