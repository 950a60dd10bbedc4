<?php

declare(strict_types=1);

namespace XHProf\Bridge\Laravel\Commands;

use Illuminate\Console\Command;
use Illuminate\Contracts\Auth\Access\Gate;
use Throwable;
use XHProf\Bridge\Extension;
use XHProf\Bridge\Laravel\Authorize;
use XHProf\Bridge\Laravel\Settings;
use XHProf\Store\RunFolder;

/** What is on in this PHP, and what to set. */
final class StatusCommand extends Command
{
    protected $signature = 'xhprof:status';

    protected $description = 'Show what XHProf records here, who may see its pages, and what to set';

    public function handle(Settings $settings, Gate $gate): int
    {
        $isEnabled = (bool) config('xhprof.enabled');
        $this->row('Extension', Extension::isLoaded() ? (string) phpversion('xhprof') : '<fg=red>not loaded</>');
        if (Extension::isLoaded()) {
            foreach (['start_with_request', 'mode', 'workers'] as $name) {
                $this->row("php.ini: xhprof.$name", (string) ini_get("xhprof.$name"));
            }
        }
        $todo = array_values(array_filter([Extension::problem(), $this->folder($settings)]));
        $this->row('Next request by a click', match (true) {
            !$isEnabled => 'off (xhprof.enabled)',
            (string) config('app.key') === '' => '<fg=red>off: there is no APP_KEY to sign with</>',
            Extension::problem() !== null => '<fg=red>not possible</>',
            default => url($settings->path() . '/bridge/next'),
        });
        $oneIn = $settings->jobsOneIn();
        $this->row('Jobs', $isEnabled ? ($oneIn > 0 ? "one in $oneIn" : 'those that ask for it') : 'off (xhprof.enabled)');
        $this->row('Pages', $isEnabled ? url($settings->path()) : 'off (xhprof.enabled)');
        $this->row('Who sees them', match (true) {
            $gate->has(Authorize::GATE) => 'gate ' . Authorize::GATE,
            (bool) $this->laravel->environment('local') => 'everybody: APP_ENV is local',
            default => '<fg=yellow>nobody: define the gate ' . Authorize::GATE . '</>',
        });
        if (Extension::isLoaded() && ini_get('xhprof.start_with_request') === 'no') {
            $todo[] = 'Settings of php.ini profile nothing by themselves: xhprof.start_with_request is no, and may be trigger, '
                . 'sampled or yes.';
        }
        foreach ($todo as $sentence) {
            $this->components->warn($sentence);
        }
        $this->line('This is the PHP of the command line. vendor/bin/xhprof status also reads the settings of the web server\'s.');

        return Extension::problem() === null ? self::SUCCESS : self::FAILURE;
    }

    /** @return string|null what is wrong with the folder of the runs, as a sentence */
    private function folder(Settings $settings): ?string
    {
        try {
            $runs = new RunFolder($settings->folder());
            $this->row('Run folder', $runs->directory());
            $this->row('Runs', (string) count($runs->list()));

            return $runs->isWritable() ? null : 'This user cannot write into the run folder: no run can be labelled or deleted.';
        } catch (Throwable $e) {
            return 'The run folder cannot be read: ' . rtrim($e->getMessage(), '.') . '.';
        }
    }

    private function row(string $name, string $value): void
    {
        $this->components->twoColumnDetail($name, $value);
    }
}
