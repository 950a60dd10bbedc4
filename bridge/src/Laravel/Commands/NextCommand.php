<?php

declare(strict_types=1);

namespace XHProf\Bridge\Laravel\Commands;

use Illuminate\Console\Command;
use XHProf\Bridge\Extension;
use XHProf\Bridge\Laravel\Settings;
use XHProf\Bridge\NextRequest;

/** How the next request is recorded: by a browser, or by curl. */
final class NextCommand extends Command
{
    protected $signature = 'xhprof:next {path=/ : The path of the request, such as "orders?page=2"}';

    protected $description = 'Print how to record the next request: an address for a browser, and a command line with curl';

    public function handle(Settings $settings, NextRequest $next): int
    {
        if ((string) config('app.key') === '') {
            $this->components->error('There is no APP_KEY to sign with: php artisan key:generate.');

            return self::FAILURE;
        }
        if (!config('xhprof.enabled')) {
            $this->components->error('XHProf is off: set xhprof.enabled (XHPROF_ENABLED) to true.');

            return self::FAILURE;
        }
        $path = '/' . ltrim(is_string($path = $this->argument('path')) ? $path : '', '/');
        $cookie = explode(';', $next->setCookie(true))[0];
        $page = url($settings->path() . '/bridge/next') . ($path === '/' ? '' : '?back=' . rawurlencode($path));
        $this->line('In a browser, open this page and press the button:');
        $this->line("  $page");
        $this->line('With curl, within five minutes; X-XHProf-Run of the answer is the id of the run:');
        $this->line('  curl -s -o /dev/null -D - -b ' . escapeshellarg($cookie) . ' ' . escapeshellarg(url('/') . $path));
        if (Extension::problem() !== null) {
            $this->components->warn('This PHP, of the command line, cannot record. The web server\'s may: ' . Extension::problem());
        }

        return self::SUCCESS;
    }
}
