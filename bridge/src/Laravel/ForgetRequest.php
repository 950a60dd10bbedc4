<?php

declare(strict_types=1);

namespace XHProf\Bridge\Laravel;

use Illuminate\Contracts\Foundation\Application;

/** Before each request of Laravel Octane: what the one before has left open, because its worker failed, is dropped. */
final class ForgetRequest
{
    public function __construct(private readonly Application $app)
    {
    }

    public function handle(): void
    {
        if ($this->app->resolved(Recording::class)) {
            $this->app->make(Recording::class)->forget();
        }
    }
}
