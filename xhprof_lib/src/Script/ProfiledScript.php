<?php

declare(strict_types=1);

namespace XHProf\Script;

use XHProf\Cli\CliError;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;

/** One script, run and profiled: starts it, waits, and finds its run. */
final class ProfiledScript
{
    private const SIGNALS = [1 => 'HUP', 2 => 'INT', 3 => 'QUIT', 6 => 'ABRT', 9 => 'KILL', 11 => 'SEGV', 13 => 'PIPE']
        + [14 => 'ALRM', 15 => 'TERM'];

    private readonly Handoff $handoff;

    private ?RunId $id = null;
    private ?RunFolder $store = null;
    private bool $whole = false;
    private ?string $killedBy = null;

    public function __construct(private readonly PhpRuntime $runtime, private readonly RunSettings $settings)
    {
        $this->handoff = new Handoff();
    }

    /**
     * @return int the script's exit code
     * @throws CliError if it cannot be started
     * @throws ProfileLost when it ran but left no run
     */
    public function run(): int
    {
        $settings = $this->settings->encode($this->handoff, $this->runtime->extension());
        $process = ScriptProcess::run([
            ...$this->runtime->command(),
            '-d',
            RunSettings::ENTRY . '=' . $settings,
            ...$this->settings->program(),
        ], $this->environment());
        $result = $this->handoff->result();
        if ($result === null || $result['id'] === null) {
            throw new ProfileLost(self::why($process, $result['error'] ?? null), $process->exitCode);
        }
        $this->whole = $result['whole'];
        $this->killedBy = $process->signal > 0 ? self::nameOf($process->signal) : null;
        $this->id = RunId::fromStrings($result['id'], $this->settings->source);
        $this->store = new RunFolder($this->settings->directory ?? $this->handoff->directory);

        return $process->exitCode;
    }

    public function runId(): RunId
    {
        return $this->id ?? throw new CliError('the script was not run');
    }

    public function store(): RunFolder
    {
        return $this->store ?? throw new CliError('the script was not run');
    }

    /** Whether the profile covers the script to its end; false if the script stopped it. */
    public function isWhole(): bool
    {
        return $this->whole;
    }

    /** The signal that ended it though it left a profile; or null. */
    public function killedBy(): ?string
    {
        return $this->killedBy;
    }

    /** Removes temporary files. */
    public function cleanUp(): void
    {
        $this->handoff->remove();
    }

    /** @return array<string, string>|null null for our own, unchanged */
    private function environment(): ?array
    {
        if (!$this->settings->native) {
            return null;
        }
        $others = (string) getenv('LD_PRELOAD');

        return ['LD_PRELOAD' => rtrim($this->runtime->mallocLibrary() . " $others")] + getenv();
    }

    private static function why(ScriptProcess $process, ?string $error): string
    {
        if ($error !== null) {
            return "the profile could not be saved: $error";
        }
        if ($process->signal > 0) {
            return 'no profile: the script was killed by ' . self::nameOf($process->signal);
        }

        return 'no profile: the script ended without the chance to save one';
    }

    private static function nameOf(int $signal): string
    {
        return "signal $signal" . (isset(self::SIGNALS[$signal]) ? ' (SIG' . self::SIGNALS[$signal] . ')' : '');
    }
}
