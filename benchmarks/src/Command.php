<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** benchmarks/run.php: selects the possible measurements, runs them and prints the results. */
final class Command
{
    /** @var array<string, string> reasons by omitted part */
    private array $skipped = [];

    public function __construct(private readonly string $root)
    {
    }

    /**
     * @param list<string> $arguments
     * @return int the exit code
     */
    public function run(array $arguments, string $peers): int
    {
        $options = Options::parse($arguments, $peers);
        if ($options->help) {
            echo Options::USAGE;
            return 0;
        }
        $php = new Php(pin: !$options->quick);
        $modes = new Modes($php, $this->root, $options->peers);
        if ($options->list) {
            echo 'workloads: ', implode(', ', Options::measurements()), "\n";
            echo 'modes: ', implode(', ', array_keys($modes->all)), "\n";
            return 0;
        }
        $this->measure($options, $php, $modes);

        return 0;
    }

    private function measure(Options $options, Php $php, Modes $modes): void
    {
        if ($options->json !== null && (!is_dir(dirname($options->json)) || is_dir($options->json))) {
            throw new UsageError("--json: cannot write $options->json");
        }
        $this->skipped = $modes->missing;
        $chosen = $modes->select($options->modes);
        $rounds = $options->quick ? 1 : $options->rounds;
        $workloads = $this->workloads($options, $php);
        $states = $this->states($options, $php);
        $benchmark = new Benchmark($php, $chosen, $workloads, $states, $rounds, $options->quick);
        $profilers = array_intersect_key($modes->xhprofLike(), array_flip(array_column($chosen, 'group')));
        $wantsLarge = $options->only === [] || in_array(LargeProfiles::NAME, $options->only, true);
        $large = new LargeProfiles($php, $wantsLarge ? $profilers : [], $rounds, $options->quick);

        $parts = array_values(array_filter([
            $benchmark, $large, $this->requests($options, $php, $rounds), $this->servers($options, $php, $rounds, $modes),
        ]));
        $steps = array_sum(array_map(static fn(Part $part): int => $part->steps(), $parts));
        $seconds = (float) array_sum(array_map(static fn(Part $part): float => $part->estimate(), $parts));

        $this->announce($steps, $seconds, $php, count($chosen), count($workloads), $states);
        $results = new Results();
        $progress = new Progress(STDERR, $steps);
        try {
            foreach ($parts as $part) {
                $part->run($results, $progress);
            }
        } finally {
            $progress->end();
        }

        $goals = (new Goals($results))->all();
        $this->print(new Tables($results, $workloads, array_keys($chosen)), $results, $goals, $rounds, $options->quick, $modes);
        if ($options->json !== null) {
            $versions = $modes->versions + $this->libraries();
            JsonReport::write($options->json, $results, $workloads, $goals, $versions, $this->skipped, $rounds, $options->quick);
        }
    }

    /** Whether a part is wanted that has modes of its own. */
    private static function wants(Options $options, string $part): bool
    {
        return in_array($part, $options->only, true)
            || ($options->only === [] && ($options->modes === [] || in_array('own', $options->modes, true)));
    }

    /** @return EmptyRequests|null null if it is not asked for */
    private function requests(Options $options, Php $php, int $rounds): ?EmptyRequests
    {
        if (!self::wants($options, EmptyRequests::NAME)) {
            return null;
        }
        $requests = new EmptyRequests($php, $this->root, $rounds, $options->quick);
        if ($requests->missing !== null) {
            $this->skipped['empty requests'] = $requests->missing;
        }

        return $requests;
    }

    /** @return ServerLoad|null null if it is not asked for */
    private function servers(Options $options, Php $php, int $rounds, Modes $modes): ?ServerLoad
    {
        if (!self::wants($options, ServerLoad::NAME)) {
            return null;
        }
        $limit = ($modes->all['limit'] ?? null)?->settings;
        $servers = new ServerLoad($php, "$this->root/extension/modules/xhprof.so", $limit, $rounds, $options->quick);
        if ($servers->missing !== null) {
            $this->skipped[ServerLoad::NAME] = $servers->missing;
        } else {
            $this->skipped += $servers->missingApplications;
        }

        return $servers;
    }

    /** @return list<WorkloadSpec> those that are wanted and can run here */
    private function workloads(Options $options, Php $php): array
    {
        $usable = [];
        foreach (Workloads::all() as $name => $workload) {
            if ($options->only !== [] && !in_array($name, $options->only, true)) {
                continue;
            }
            $lacking = array_filter($workload->extensions, static fn(string $name): bool => $php->extension($name) === null);
            if ($workload->needs !== null && !is_dir($workload->needs)) {
                $this->skipped[$name] = 'not installed (make bench installs it)';
            } elseif ($lacking !== []) {
                $this->skipped[$name] = 'this PHP has no ' . implode(', ', $lacking);
            } else {
                $usable[] = $workload;
            }
        }

        return $usable;
    }

    /** @return list<string> the states of opcache that are wanted and possible */
    private function states(Options $options, Php $php): array
    {
        $states = [];
        $probe = ['-r', '$s = function_exists("opcache_get_status") ? opcache_get_status(false) : [];'
            . 'echo json_encode([(bool) ($s["opcache_enabled"] ?? false), (bool) ($s["jit"]["on"] ?? false)]);'];
        foreach (array_intersect(Opcache::STATES, $options->opcache) as $state) {
            [$on, $jit] = (array) $php->json(Opcache::settings($state), $probe);
            if ($state === Opcache::OFF || ($on && ($jit || $state === Opcache::ON))) {
                $states[] = $state;
            } else {
                $this->skipped[Opcache::title($state)] = 'this PHP does not have it';
            }
        }

        return $states;
    }

    /** @param list<string> $states */
    private function announce(int $steps, float $seconds, Php $php, int $modes, int $workloads, array $states): void
    {
        fprintf(
            STDERR,
            "%d modes, %d workloads, opcache %s: %d processes%s, about %s\n",
            $modes,
            $workloads,
            implode(', ', $states),
            $steps,
            $php->isPinned() ? ' on core ' . Php::core() : ', not pinned to a core',
            $seconds < 90 ? ceil($seconds) . ' s' : ceil($seconds / 60) . ' min',
        );
        foreach ($this->skipped as $name => $reason) {
            fwrite(STDERR, "skipped: $name: $reason\n");
        }
    }

    /**
     * @param list<Goal> $goals
     */
    private function print(Tables $tables, Results $results, array $goals, int $rounds, bool $quick, Modes $modes): void
    {
        printf(
            "%s. Medians of %d %s of %s time.\n",
            Machine::line(),
            $rounds,
            $rounds === 1 ? 'round' : 'rounds',
            $results->clock === 'wall' ? 'wall' : 'CPU',
        );
        $versions = $modes->versions + $this->libraries();
        echo implode(', ', array_map(static fn($name, $version) => "$name $version", array_keys($versions), $versions)), ".\n";
        echo "First line: what the bare engine takes; then what is added per call (ns), and how many times slower programs are.\n";
        foreach (array_keys($results->over + $results->measured) as $state) {
            echo "\n### ", ucfirst(Opcache::title($state)), "\n\n", $tables->state($state);
        }
        if ($results->large !== []) {
            echo "\n### Large profiles\n\n", $tables->large();
        }
        if ($results->requests !== []) {
            echo "\n### An empty request\n\nLines without a sign: what the request takes; the others: what is added to that.\n\n";
            echo $tables->requests();
        }
        if ($results->servers !== []) {
            echo "\n### Servers\n\nFirst line: what PHP-FPM without XHProf serves; then how many times that. The run folder is ",
                ServerLoad::isInMemory() ? 'in memory (/dev/shm)' : 'on a disk, whose cost of a new file is in it', ".\n\n";
            echo $tables->servers();
        }
        if ($quick) {
            echo "\nOf a --quick run: the figures say nothing, but that all of it works.\n";
        } else {
            echo "\n### Goals\n\n", Tables::goals($goals);
        }
        foreach ($results->failures as $what => $reason) {
            echo "\nfailed: $what: $reason\n";
        }
        foreach ($this->skipped as $name => $reason) {
            echo "\nskipped: $name: $reason\n";
        }
    }

    /** @return array<string, string> versions of the programs */
    private function libraries(): array
    {
        $versions = [];
        $installed = "$this->root/vendor/composer/installed.php";
        $packages = is_file($installed) ? (require $installed)['versions'] : [];
        foreach (['nikic/php-parser', 'twig/twig'] as $package) {
            if (isset($packages[$package]['pretty_version'])) {
                $versions[$package] = ltrim((string) $packages[$package]['pretty_version'], 'v');
            }
        }
        $debian = [];
        foreach (['bench/debian', 'frameworks'] as $folder) {
            $debian += @parse_ini_file("$this->root/build/$folder/versions", false, INI_SCANNER_RAW) ?: [];
        }
        $names = ['php-league-commonmark' => 'league/commonmark', 'wordpress' => 'WordPress', 'mediawiki' => 'MediaWiki'];
        foreach ($names as $package => $name) {
            if (isset($debian[$package])) {
                $versions[$name] = (string) $debian[$package];
            }
        }

        return $versions;
    }
}
