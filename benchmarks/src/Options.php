<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** Options of the command line. */
final class Options
{
    public const USAGE = <<<'TEXT'
        Usage: php benchmarks/run.php [OPTION...]

          --rounds=N           rounds (7); every figure is the median over them
          --json=FILE          write all figures and samples there
          --only=NAME,...      only these workloads; "large" are the figures of large profiles,
                               "requests" those of empty requests, "servers" those of PHP-FPM under load
          --modes=NAME,...     only these modes, or all of "own", "reference" and of a peer by its name
          --opcache=STATE,...  of off, on and jit (all)
          --peer=NAME=PATH     one more build with xhprof_enable(), tideways_xhprof_enable() or
                               memprof_enable(), repeatable;
                               the variable PEER_SO takes several, separated by commas or spaces
          --quick              one round of tiny workloads: only whether all of it works
          --list               names of workloads and modes
          --help               this text

        TEXT;

    public int $rounds = 7;
    public ?string $json = null;
    /** @var list<string> */
    public array $only = [];
    /** @var list<string> */
    public array $modes = [];
    /** @var non-empty-list<string> */
    public array $opcache = Opcache::STATES;
    /** @var array<string, string> paths by name */
    public array $peers = [];
    public bool $quick = false;
    public bool $list = false;
    public bool $help = false;

    /**
     * @param list<string> $arguments without the name of the script
     * @param string $peers NAME=PATH, separated by commas or spaces
     */
    public static function parse(array $arguments, string $peers = ''): self
    {
        $options = new self();
        foreach (preg_split('/[\s,]+/', $peers, -1, PREG_SPLIT_NO_EMPTY) ?: [] as $peer) {
            $options->addPeer($peer, 'PEER_SO');
        }
        foreach ($arguments as $argument) {
            [$name, $value] = explode('=', $argument, 2) + [1 => null];
            if (in_array($name, ['--quick', '--list', '--help'], true)) {
                if ($value !== null) {
                    throw new UsageError("$name takes no value");
                }
                $options->{substr($name, 2)} = true;
            } elseif (!in_array($name, ['--rounds', '--json', '--only', '--modes', '--opcache', '--peer'], true)) {
                throw new UsageError("unknown option $argument; --help lists them");
            } elseif ($value === null || $value === '') {
                throw new UsageError("$name needs a value: $name=...");
            } else {
                $options->set($name, $value);
            }
        }

        return $options;
    }

    /** @return list<string> what --only takes */
    public static function measurements(): array
    {
        return [...array_keys(Workloads::all()), LargeProfiles::NAME, EmptyRequests::NAME, ServerLoad::NAME];
    }

    private function set(string $name, string $value): void
    {
        switch ($name) {
            case '--rounds':
                if (preg_match('/^[1-9]\d{0,2}$/', $value) !== 1) {
                    throw new UsageError("--rounds must be a number from 1 to 999, not \"$value\"");
                }
                $this->rounds = (int) $value;
                break;
            case '--json':
                $this->json = $value;
                break;
            case '--only':
                $this->only = self::words($name, $value, self::measurements());
                break;
            case '--modes':
                $this->modes = self::words($name, $value);
                break;
            case '--opcache':
                $this->opcache = self::words($name, $value, Opcache::STATES);
                break;
            case '--peer':
                $this->addPeer($value, '--peer');
        }
    }

    /**
     * @param list<string>|null $known null: any
     * @return non-empty-list<string>
     */
    private static function words(string $option, string $value, ?array $known = null): array
    {
        $words = explode(',', $value);
        $unknown = array_diff($words, $known ?? $words);
        if ($unknown !== []) {
            throw new UsageError(sprintf('%s: no "%s"; there are: %s', $option, reset($unknown), implode(', ', (array) $known)));
        }

        return $words;
    }

    private function addPeer(string $text, string $from): void
    {
        if (preg_match('/^([A-Za-z0-9][A-Za-z0-9._-]*)=(.+)$/', $text, $match) !== 1) {
            throw new UsageError("$from must be NAME=PATH, not \"$text\"");
        }
        [, $name, $path] = $match;
        if (isset($this->peers[$name]) || in_array($name, Modes::RESERVED, true)) {
            throw new UsageError("$from: the name $name is taken, choose another one");
        }
        $file = realpath($path);
        if ($file === false || !is_file($file)) {
            throw new UsageError("$from: no such file: $path");
        }
        $this->peers[$name] = $file;
    }
}
