<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** The modes that this machine can run, and the missing ones. */
final class Modes
{
    public const BARE = 'bare';
    /** Names that other peers cannot have. */
    public const RESERVED = [self::BARE, 'own', 'memory', 'reference', 'tideways', 'xdebug', 'excimer'];
    private const FLAGS = ['0', 'NO_BUILTINS', 'CPU', 'MEMORY', 'CPU|MEMORY', 'TIMELINE'];
    private const OWN_FLAGS = [...self::FLAGS, 'CPU|TIMELINE', 'MEMORY|TIMELINE', 'CPU|MEMORY|TIMELINE'];
    /** Where it costs little more to know than its parts do: only when asked for. */
    private const SELDOM = ['MEMORY|TIMELINE'];
    /** Mean distance in bytes, of the mode that samples allocations. */
    private const SAMPLE_BYTES = 524_288;
    private const SLOW = 8;
    /** Prints the versions of the loaded extensions and the names of all functions. */
    private const PROBE = '$e = get_loaded_extensions();'
        . 'echo json_encode([array_combine($e, array_map(phpversion(...), $e)), get_defined_functions()["internal"]]);';

    /** @var array<string, Mode> by name */
    public array $all = [];
    /** @var array<string, string> reasons by missing peer */
    public array $missing = [];
    /** @var array<string, string> versions by extension */
    public array $versions = [];
    /** @var list<string> names of xhprof-like peers, for the options */
    private array $peers = [];
    /** @var array<string, string> versions of PHP's own extensions */
    private readonly array $builtIn;

    /** @param array<string, string> $others paths of other builds by name */
    public function __construct(private readonly Php $php, private readonly string $root, array $others)
    {
        $this->builtIn = ((array) $php->json([], ['-r', self::PROBE]))[0];
        $this->add(new Mode(self::BARE, 'bare', []));
        $this->addOwn("$root/extension/modules/xhprof.so");
        $this->addReference("$root/build/bench/reference/modules/bench_reference.so");
        $this->addDebian();
        foreach ($others as $name => $file) {
            $api = $this->probe($name, "extension=$file", ['xhprof', 'tideways_xhprof', 'memprof']);
            if ($api === null) {
                throw new UsageError("peer $name: " . $this->missing[$name]);
            }
            if ($api === 'memprof') {
                $this->addMemprof($name, "extension=$file");
            } else {
                $this->addXhprofLike($name, $api, "extension=$file");
            }
        }
    }

    /**
     * @param list<string> $names modes or groups; empty: all that run by default
     * @return non-empty-array<string, Mode> the bare engine and the selected modes
     */
    public function select(array $names): array
    {
        $groups = array_unique(array_column($this->all, 'group'));
        foreach (array_diff($names, array_keys($this->all), $groups) as $unknown) {
            $reason = $this->missing[$unknown] ?? null;
            throw new UsageError($reason === null
                ? sprintf('--modes: no "%s"; there are: %s', $unknown, implode(', ', array_keys($this->all)))
                : "--modes: $unknown: $reason");
        }
        $chosen = [self::BARE => $this->all[self::BARE]];
        foreach ($this->all as $name => $mode) {
            $named = in_array($name, $names, true);
            if ($named || ($mode->byDefault && ($names === [] || in_array($mode->group, $names, true)))) {
                $chosen[$name] = $mode;
            }
        }

        return $chosen;
    }

    /** @return array<string, array{setting: string, api: string}> of XHProf and the peers with its API */
    public function xhprofLike(): array
    {
        $found = [];
        foreach ($this->all as $mode) {
            if (in_array($mode->group, ['own', ...$this->peers], true) && str_contains($mode->profiler, ':')) {
                $found[$mode->group] ??= ['setting' => $mode->settings[0], 'api' => explode(':', $mode->profiler)[0]];
            }
        }

        return $found;
    }

    private function add(Mode $mode): void
    {
        $this->all[$mode->name] = $mode;
    }

    private function addOwn(string $file): void
    {
        if (!is_file($file)) {
            throw new Failure('extension/modules/xhprof.so is missing: run make build first');
        }
        if ($this->probe('xhprof', "extension=$file", ['xhprof']) === null) {
            throw new Failure('extension/modules/xhprof.so: ' . $this->missing['xhprof']);
        }
        $load = ["extension=$file"];
        $this->add(new Mode('idle', 'own', $load));
        $this->add(new Mode('after', 'own', $load, 'none', 'xhprof:0'));
        $this->add(new Mode('hooks=off', 'own', [...$load, 'xhprof.hooks=off']));
        foreach (self::OWN_FLAGS as $flags) {
            [$name, $default] = [$flags === '0' ? 'flags 0' : $flags, !in_array($flags, self::SELDOM, true)];
            // A timeline in which the calls are too short to be kept; "of all" keeps them.
            $settings = str_contains($flags, 'TIMELINE') ? [...$load, 'xhprof.timeline_threshold=50'] : $load;
            $this->add(new Mode($name, 'own', $settings, "xhprof:$flags", "xhprof:$flags", 1, $default));
        }
        $none = [...$load, 'xhprof.collect_additional_info=0'];
        $this->add(new Mode('no operations', 'own', $none, 'xhprof:0', 'xhprof:0'));
        $this->add(new Mode('TIMELINE of all', 'own', $load, 'xhprof:TIMELINE', 'xhprof:TIMELINE'));
        // As in production: sampled paths are read from the stack, so that no observer is needed.
        $sampled = [...$load, 'xhprof.hooks=off', 'xhprof.alloc_sample_bytes=' . self::SAMPLE_BYTES];
        $this->add(new Mode('ALLOC', 'own', $load, 'xhprof:ALLOC', 'xhprof:ALLOC'));
        $this->add(new Mode('memory exact', 'own', $load, 'memprof', 'memprof'));
        $this->add(new Mode('memory sampled', 'own', $sampled, 'memprof', 'memprof'));
        foreach (['1 ms' => 'sample:1000', '1 ms cpu' => 'sample:1000,cpu', '10 ms' => 'sample:10000'] as $name => $profiler) {
            $settings = [...$load, 'xhprof.hooks=off'];
            $this->add(new Mode("sample $name", 'own', $settings, $profiler, $profiler));
        }
        $this->add(new Mode('sample 1 ms lines', 'own', $settings, 'sample:1000,lines', 'sample:1000,lines', 1, false));
    }

    private function addReference(string $file): void
    {
        if ($this->probe('bench_reference', "extension=$file", []) === null) {
            $this->missing['reference'] = $this->missing['bench_reference'];
            unset($this->missing['bench_reference']);
            return;
        }
        $modes = ['null-init' => 'null_init', 'empty observers' => 'empty', 'limit' => 'limit', 'forward' => 'forward'];
        foreach ($modes as $name => $mode) {
            $this->add(new Mode($name, 'reference', ["extension=$file", "bench_reference.mode=$mode"]));
        }
    }

    /** Adds peers from Debian; tools/bench-deps.sh unpacks them. */
    private function addDebian(): void
    {
        $tideways = 'extension=' . $this->find('tideways_xhprof');
        if ($this->probe('tideways', $tideways, ['tideways_xhprof']) !== null) {
            $this->addXhprofLike('tideways', 'tideways_xhprof', $tideways);
        }
        $xdebug = 'zend_extension=' . $this->find('xdebug');
        if ($this->probe('xdebug', $xdebug, []) !== null) {
            $settings = [
                $xdebug, 'xdebug.mode=profile', 'xdebug.start_with_request=yes', 'xdebug.use_compression=0',
                'xdebug.profiler_output_name=xdebug.out', 'xdebug.output_dir=' . GeneratedCode::folder(),
            ];
            $this->add(new Mode('xdebug profile', 'xdebug', $settings, divisor: self::SLOW));
        }
        $excimer = 'extension=' . $this->find('excimer');
        if ($this->probe('excimer', $excimer, []) !== null) {
            $this->add(new Mode('excimer 1 ms', 'excimer', [$excimer], 'excimer', 'excimer'));
        }
    }

    private function addXhprofLike(string $name, string $api, string $setting): void
    {
        $this->peers[] = $name;
        $this->add(new Mode("$name idle", $name, [$setting]));
        $this->add(new Mode("$name after", $name, [$setting], 'none', "$api:0", 1, false));
        foreach (self::FLAGS as $flags) {
            $divisor = str_contains($flags, 'CPU') ? self::SLOW : 1;
            $default = in_array($flags, ['0', 'CPU|MEMORY'], true);
            $this->add(new Mode("$name $flags", $name, [$setting], "$api:$flags", "$api:$flags", $divisor, $default));
        }
    }

    /** Adds a build of memprof: the allocation of every block of memory. */
    private function addMemprof(string $name, string $setting): void
    {
        $this->add(new Mode("$name idle", $name, [$setting]));
        $this->add(new Mode("$name exact", $name, [$setting], 'memprof', 'memprof'));
    }

    /** An extension that is installed or was unpacked for the benchmark. */
    private function find(string $extension): string
    {
        $installed = PHP_EXTENSION_DIR . "/$extension.so";

        return is_file($installed) ? $installed : "$this->root/build/bench/debian$installed";
    }

    /**
     * Loads an extension into a separate PHP and notes its version, or the reason that it cannot be used.
     *
     * @param list<string> $apis prefixes of PREFIX_enable(); empty: none is needed
     * @return string|null the prefix that it has, '' for none needed; null: not usable
     */
    private function probe(string $name, string $setting, array $apis): ?string
    {
        $file = explode('=', $setting, 2)[1];
        if (!is_file($file)) {
            $this->missing[$name] = $name === 'bench_reference'
                ? 'not built (tools/bench-reference.sh builds it)'
                : "not installed (make bench fetches it where Debian has it for this PHP)";
            return null;
        }
        try {
            [$extensions, $functions] = (array) $this->php->json([$setting, 'xdebug.mode=off'], ['-r', self::PROBE]);
        } catch (Failure $failure) {
            $this->missing[$name] = "does not load into this PHP: {$failure->getMessage()}";
            return null;
        }
        $this->versions[$name] = implode(', ', array_diff_key($extensions, $this->builtIn));
        foreach ($apis as $api) {
            if (in_array("{$api}_enable", $functions, true)) {
                return $api;
            }
        }
        if ($apis === [] && $this->versions[$name] !== '') {
            return '';
        }
        $this->missing[$name] = $this->versions[$name] === ''
            ? 'does not load into this PHP: ' . ($this->php->warning() ?: $file)
            : "$file has no " . implode('_enable() and no ', $apis) . '_enable()';
        unset($this->versions[$name]);
        return null;
    }
}
