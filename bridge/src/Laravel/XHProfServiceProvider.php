<?php

declare(strict_types=1);

namespace XHProf\Bridge\Laravel;

use Illuminate\Contracts\Foundation\Application;
use Illuminate\Contracts\Foundation\CachesRoutes;
use Illuminate\Contracts\Http\Kernel;
use Illuminate\Cookie\Middleware\EncryptCookies;
use Illuminate\Foundation\Console\AboutCommand;
use Illuminate\Foundation\Http\Middleware\VerifyCsrfToken;
use Illuminate\Queue\Queue;
use Illuminate\Routing\Router;
use Illuminate\Support\ServiceProvider;
use XHProf\Bridge\Extension;
use XHProf\Bridge\Mount;
use XHProf\Bridge\NextRequest;

/**
 * XHProf in Laravel 11 to 13, found by Composer's package discovery: records requests, jobs and commands that are asked for, and
 * serves the pages below config('xhprof.path'). Where nothing is asked for, a request loads this class, config/xhprof.php and
 * RecordRequest.
 */
final class XHProfServiceProvider extends ServiceProvider
{
    private const PAGE = '(?:(?:index|callgraph|typeahead|api)(?:\.php)?|bridge/[a-z]+)';

    public function register(): void
    {
        $this->mergeConfigFrom(__DIR__ . '/config/xhprof.php', 'xhprof');
        $this->app->singleton(Settings::class);
        $this->app->singleton(NextRequest::class, static fn (Application $app): NextRequest
            => new NextRequest((string) $app->make('config')->get('app.key')));
        $this->app->singleton(Recording::class, static fn (Application $app): Recording => Recording::of($app));
        $this->app->bind(Mount::class, static fn (Application $app): Mount
            => new Mount($app->make(Settings::class)->folder(), [], $app->make(NextRequest::class)));
    }

    public function boot(): void
    {
        if ($this->app->runningInConsole()) {
            $this->console();
        }
        if (!$this->app->make('config')->get('xhprof.enabled', true)) {
            return;
        }
        $this->pages();
        // After all other packages have added theirs, so that this one is around them.
        $this->app->booted(fn () => $this->callAfterResolving(Kernel::class, static function (Kernel $kernel): void {
            if (method_exists($kernel, 'prependMiddleware')) {
                $kernel->prependMiddleware(RecordRequest::class);
            }
        }));
        $this->jobs();
        $this->app->make('events')->listen('Laravel\Octane\Events\RequestReceived', [ForgetRequest::class, 'handle']);
        $this->debugbar();
    }

    private function pages(): void
    {
        $this->callAfterResolving(EncryptCookies::class, static function (EncryptCookies $cookies): void {
            // What the pages and the bridge keep in the browser.
            $cookies->disableFor([NextRequest::COOKIE, 'xhprof_csrf', 'xhprof_flash', 'xhprof_theme', 'XHPROF_TRIGGER']);
        });
        if ($this->app instanceof CachesRoutes && $this->app->routesAreCached()) {
            return;
        }
        $config = $this->app->make('config');
        // By its name: only Laravel 13 has it.
        $forgery = [VerifyCsrfToken::class];
        if (version_compare($this->app->version(), '13', '>=')) {
            $forgery[] = 'Illuminate\Foundation\Http\Middleware\PreventRequestForgery';
        }
        $domain = $config->get('xhprof.domain');
        $group = ['prefix' => $this->app->make(Settings::class)->path(), 'as' => 'xhprof.'];
        $this->app->make('router')->group(
            $group + (is_string($domain) && $domain !== '' ? ['domain' => $domain] : []),
            static function (Router $router) use ($config, $forgery): void {
                // The same files for everybody: no session is started for them.
                $router->get('assets/{file}', [Pages::class, 'asset'])->where('file', '.+')->name('asset');
                $router->get('bridge/summary.css', [Pages::class, 'style'])->name('style');
                $router->any('{page?}', [Pages::class, 'page'])->where('page', self::PAGE)
                    ->middleware([...(array) $config->get('xhprof.middleware', ['web']), Authorize::class])
                    ->withoutMiddleware($forgery)->name('pages');
            },
        );
    }

    private function jobs(): void
    {
        $this->callAfterResolving('queue', static function (): void {
            Queue::createPayloadUsing(static fn (mixed $connection, mixed $queue, array $payload): array
                => RecordJobs::mark($payload));
        });
        if (!$this->app->runningInConsole()) {
            return;
        }
        $events = $this->app->make('events');
        foreach (RecordJobs::LISTENERS as $event => $method) {
            $events->listen($event, [RecordJobs::class, $method]);
        }
    }

    private function debugbar(): void
    {
        if (!$this->app->make('config')->get('xhprof.debugbar', true)) {
            return;
        }
        $add = static function (object $debugbar, Application $app): void {
            DebugbarCollector::addTo($debugbar, $app);
        };
        $this->app->afterResolving('DebugBar\DebugBar', $add);
        foreach (['debugbar', 'Barryvdh\Debugbar\LaravelDebugbar', 'Fruitcake\LaravelDebugbar\LaravelDebugbar'] as $name) {
            if ($this->app->resolved($name)) {
                $add($this->app->make($name), $this->app);
                break;
            }
        }
    }

    private function console(): void
    {
        $this->publishes([__DIR__ . '/config/xhprof.php' => $this->app->configPath('xhprof.php')], 'xhprof-config');
        $this->commands([Commands\StatusCommand::class, Commands\RunCommand::class, Commands\NextCommand::class]);
        AboutCommand::add('XHProf', static fn (): array => [
            'Extension' => Extension::isLoaded() ? (string) phpversion('xhprof') : 'not loaded',
            'Pages' => '/' . config('xhprof.path'),
        ]);
    }
}
