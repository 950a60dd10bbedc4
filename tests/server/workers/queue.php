<?php

declare(strict_types=1);

// The queue worker of Laravel, by its own command, with jobs in a database. One fails. XHPROF_TEST_FOLDER is the application's.

use Illuminate\Contracts\Console\Kernel;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Application;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Schema;

require getenv('XHPROF_TEST_AUTOLOAD');

final class SendMail implements ShouldQueue
{
    use Illuminate\Bus\Queueable;

    public function handle(): void
    {
        strrev('mail');
    }
}

final class Charge implements ShouldQueue
{
    use Illuminate\Bus\Queueable;

    public function handle(): void
    {
        throw new LogicException('no money');
    }
}

$folder = getenv('XHPROF_TEST_FOLDER') . '/queue';
foreach (['bootstrap/cache', 'storage/framework/views', 'storage/framework/cache/data', 'storage/logs'] as $name) {
    is_dir("$folder/$name") || mkdir("$folder/$name", 0o700, true);
}
touch("$folder/database.sqlite");
$settings = [
    'DB_CONNECTION' => 'sqlite',
    'DB_DATABASE' => "$folder/database.sqlite",
    'QUEUE_CONNECTION' => 'database',
    'CACHE_STORE' => 'array',
    'QUEUE_FAILED_DRIVER' => 'null',
];
foreach ($settings as $name => $value) {
    putenv("$name=$value");
    $_ENV[$name] = $_SERVER[$name] = $value;
}
$noRoutes = static function (): void {
};
$app = Application::configure($folder)->withRouting(using: $noRoutes)->withExceptions()->create();
$kernel = $app->make(Kernel::class);
$kernel->bootstrap();
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
dispatch(new SendMail());
dispatch(new Charge());
dispatch(new SendMail());
if (DB::table('jobs')->count() !== 3) {
    throw new LogicException('not three jobs');
}
$kernel->call('queue:work', ['connection' => 'database', '--stop-when-empty' => true, '--tries' => 1, '--sleep' => 0]);
