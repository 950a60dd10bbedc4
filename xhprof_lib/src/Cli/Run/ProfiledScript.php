<?php

declare(strict_types=1);

namespace XHProf\Cli\Run;

use XHProf\Cli\CliError;
use XHProf\Store\RunId;
use XHProf\Store\RunStore;

/** One script, run and profiled: starts it, waits, and finds the run that it left. */
final class ProfiledScript
{
    private const SIGNALS = [1 => 'HUP', 2 => 'INT', 3 => 'QUIT', 6 => 'ABRT', 9 => 'KILL', 11 => 'SEGV', 13 => 'PIPE']
        + [14 => 'ALRM', 15 => 'TERM'];

    private readonly Handoff $handoff;

    private ?RunId $id = null;
    private ?RunStore $store = null;
    private bool $whole = false;

    public function __construct(private readonly PhpRuntime $runtime, private readonly RunSettings $settings)
    {
        $this->handoff = new Handoff();
    }

    /**
     * @return int the script's exit code
     * @throws CliError when it cannot be started
     * @throws ProfileLost when it ran but left no run
     */
    public function run(): int
    {
        $settings = $this->settings->encode($this->handoff, $this->runtime->prepend());
        $script = $this->settings->script;
        $process = ScriptProcess::run([
            ...$this->runtime->command(),
            '-d',
            'auto_prepend_file=' . PhpRuntime::iniValue(__DIR__ . '/prepend.php'),
            '-d',
            Recorder::SETTINGS . '=' . $settings,
            // a name like -r would be an option of php
            str_starts_with($script, '-') ? "./$script" : $script,
            ...$this->settings->arguments,
        ], $this->environment());
        $result = $this->handoff->result();
        if ($result === null || $result['id'] === null) {
            throw new ProfileLost(self::why($process, $result['error'] ?? null), $process->exitCode);
        }
        $this->whole = $result['whole'];
        $this->id = RunId::fromStrings($result['id'], $this->settings->source);
        $this->store = new RunStore($this->settings->directory ?? $this->handoff->directory);

        return $process->exitCode;
    }

    public function runId(): RunId
    {
        return $this->id ?? throw new CliError('the script was not run');
    }

    public function store(): RunStore
    {
        return $this->store ?? throw new CliError('the script was not run');
    }

    /** Whether the profile goes on to the end; not when the script stopped it. */
    public function isWhole(): bool
    {
        return $this->whole;
    }

    /** Removes what is not to be kept. */
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
            $name = isset(self::SIGNALS[$process->signal]) ? ' (SIG' . self::SIGNALS[$process->signal] . ')' : '';

            return "no profile: the script was killed by signal {$process->signal}$name";
        }

        return 'no profile: the script ended where no PHP code could save it'
            . ' (exit() in a last destructor, a fatal error in a shutdown function, pcntl_exec()...)';
    }
}
