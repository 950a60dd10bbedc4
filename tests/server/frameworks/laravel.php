<?php

declare(strict_types=1);

// Laravel's public/index.php and bootstrap/app.php, with routes instead of routes/web.php. XHPROF_TEST_FOLDER is the application's.

use Illuminate\Foundation\Application;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Route;

require getenv('XHPROF_TEST_AUTOLOAD');

$folder = getenv('XHPROF_TEST_FOLDER') . '/laravel';
foreach (['bootstrap/cache', 'storage/framework/views', 'storage/logs'] as $name) {
    if (!is_dir("$folder/$name")) {
        mkdir("$folder/$name", 0o700, true);
    }
}
Application::configure($folder)
    ->withRouting(using: static function (): void {
        Route::get('/', static fn(): string => 'home');
        Route::prefix('users')->group(static function (): void {
            Route::get('{name}', static fn(string $name): string => "user $name")->name('user_show');
        });
    })
    ->withExceptions()
    ->create()
    ->handleRequest(Request::capture());
