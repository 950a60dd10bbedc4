<?php

declare(strict_types=1);

// A Laravel application as `laravel new` makes it, with routes instead of routes/web.php: bootstrap/app.php, which index.php and
// artisan.php share. The package is found as Composer installs it, by vendor/composer/installed.json. The environment:
// XHPROF_TEST_AUTOLOAD is Composer's, XHPROF_TEST_FOLDER the application's, XHPROF_TEST_CONFIG the array of config/xhprof.php as
// JSON, XHPROF_TEST_GATE "user 1" for a gate that only this user passes.

use Illuminate\Auth\GenericUser;
use Illuminate\Contracts\Auth\Authenticatable;
use Illuminate\Contracts\Auth\UserProvider;
use Illuminate\Contracts\Http\Kernel;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Application;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Artisan;
use Illuminate\Support\Facades\Auth;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Gate;
use Illuminate\Support\Facades\Route;
use Illuminate\Support\Facades\Schema;
use XHProf\Bridge\Laravel\Profilable;
use XHProf\Bridge\Laravel\ShouldProfile;

require getenv('XHPROF_TEST_AUTOLOAD');
require __DIR__ . '/../autoload.php';

final class SendMail implements ShouldQueue
{
    use Illuminate\Bus\Queueable;
    use Profilable;

    public function __construct(public int $number = 0)
    {
    }

    public function handle(): void
    {
        shop_mail();
    }
}

final class Charge implements ShouldQueue, ShouldProfile
{
    use Illuminate\Bus\Queueable;

    public function handle(): void
    {
        throw new LogicException('no money');
    }
}

/** Functions whose calls a run shows. */
function shop_mail(): string
{
    return strrev('mail');
}

function shop_total(int $count): int
{
    $sum = 0;
    for ($i = 0; $i < $count; $i++) {
        $sum += shop_price($i);
    }

    return $sum;
}

function shop_price(int $number): int
{
    return crc32("price $number") % 100;
}

final class FixedUsers implements UserProvider
{
    public function retrieveById($identifier): Authenticatable
    {
        return new GenericUser(['id' => (int) $identifier, 'remember_token' => null]);
    }

    public function retrieveByToken($identifier, $token): ?Authenticatable
    {
        return null;
    }

    public function updateRememberToken(Authenticatable $user, $token): void
    {
    }

    public function retrieveByCredentials(array $credentials): ?Authenticatable
    {
        return null;
    }

    public function validateCredentials(Authenticatable $user, array $credentials): bool
    {
        return false;
    }

    public function rehashPasswordIfRequired(Authenticatable $user, array $credentials, bool $force = false): void
    {
    }
}

$folder = getenv('XHPROF_TEST_FOLDER');
$state = array_map(static fn(string $name): string => "storage/framework/$name", ['cache/data', 'sessions', 'views']);
foreach (['bootstrap/cache', 'config', 'vendor/composer', 'storage/logs', ...$state] as $name) {
    is_dir("$folder/$name") || mkdir("$folder/$name", 0o700, true);
}
touch("$folder/database.sqlite");
if (!is_file("$folder/vendor/composer/installed.json")) {
    $package = json_decode((string) file_get_contents(__DIR__ . '/../../../bridge/composer.json'), true);
    file_put_contents("$folder/vendor/composer/installed.json", json_encode(['packages' => [$package]]));
}
$settings = [
    'APP_KEY' => 'base64:' . base64_encode(str_repeat('k', 32)),
    'APP_DEBUG' => 'false',
    'DB_CONNECTION' => 'sqlite',
    'DB_DATABASE' => "$folder/database.sqlite",
    'QUEUE_CONNECTION' => 'database',
    'CACHE_STORE' => 'array',
    'SESSION_DRIVER' => 'file',
    'QUEUE_FAILED_DRIVER' => 'null',
    'LOG_CHANNEL' => 'single',
    'AUTH_GUARD' => 'web',
];
foreach ($settings as $name => $value) {
    putenv("$name=$value");
    $_ENV[$name] = $_SERVER[$name] = $value;
}
$config = json_decode((string) getenv('XHPROF_TEST_CONFIG'), true);
if (is_array($config)) {
    file_put_contents("$folder/config/xhprof.php", '<?php return ' . var_export($config, true) . ';', LOCK_EX);
}

return Application::configure($folder)
    ->withRouting(using: static function (): void {
        Route::get('/', static fn(): string => '<html><body>home ' . shop_total(50) . '</body></html>');
        Route::get('loaded', static fn(): array => array_values(array_filter(
            [...get_declared_classes(), ...get_declared_interfaces()],
            static fn(string $class): bool => str_starts_with($class, 'XHProf\\'),
        )));
        Route::get('bar', static function (): array {
            $collector = app('debugbar')->getCollector('xhprof');

            return ['number' => shop_price(1), 'collected' => $collector->collect(), 'widgets' => $collector->getWidgets()];
        });
        Route::get('later', static function (): string {
            app()->terminating(static fn(): string => shop_mail());

            return 'later';
        });
        Route::get('streamed', static fn() => response()->stream(static function (): void {
            echo shop_total(10);
        }));
        Route::get('nested', static function (): string {
            return app(Kernel::class)->handle(Request::create('/', cookies: $_COOKIE))->getContent();
        });
        Route::get('exit', static function (): never {
            echo shop_total(10);
            exit;
        });
        Route::get('broken', static fn() => throw new LogicException('broken'));
        Route::middleware('web')->group(static function (): void {
            Route::get('orders/{id}', static function (string $id): string {
                return "<html><head><title>Order</title></head><body>order $id " . shop_total(200) . '</body></html>';
            });
            Route::get('login/{id}', static function (string $id): string {
                Auth::login(new GenericUser(['id' => (int) $id, 'remember_token' => null]));

                return "user $id";
            });
            Route::post('form', static fn(): string => 'sent');
        });
    })
    ->withCommands([])
    ->withMiddleware()
    ->withExceptions()
    ->booting(static function (): void {
        config(['auth.providers.users' => ['driver' => 'fixed']]);
        Auth::provider('fixed', static fn(): UserProvider => new FixedUsers());
        app()->singleton('debugbar', static fn(): DebugBar\DebugBar => new DebugBar\DebugBar());
        if (getenv('XHPROF_TEST_GATE') === 'user 1') {
            Gate::define('viewXhprof', static fn(Authenticatable $user): bool => $user->getAuthIdentifier() === 1);
        }
        Artisan::command('shop:total {count} {--twice}', function (string $count): int {
            $this->line('total ' . shop_total((int) $count * ($this->option('twice') ? 2 : 1)));

            return $count === '0' ? 3 : 0;
        });
        Artisan::command('shop:jobs', function (): void {
            Schema::dropIfExists('jobs');
            Schema::create('jobs', static function ($table): void {
                $table->id();
                $table->string('queue')->index();
                $table->longText('payload');
                foreach (['attempts', 'available_at', 'created_at'] as $column) {
                    $table->unsignedInteger($column);
                }
                $table->unsignedInteger('reserved_at')->nullable();
            });
            foreach (range(1, 6) as $number) {
                dispatch(new SendMail($number));
            }
            dispatch((new SendMail(7))->onQueue('default')->profiled());
            dispatch(new Charge());
            if (DB::table('jobs')->count() !== 8) {
                throw new LogicException('not eight jobs');
            }
        });
    })
    ->create();
