<?php

declare(strict_types=1);

// A worker of Octane: requests of one application, before each of which it dispatches its event. The first one is never terminated,
// as when its client has gone.

namespace Laravel\Octane\Events {
    final class RequestReceived
    {
    }
}

namespace {
    use Illuminate\Contracts\Http\Kernel;
    use Illuminate\Http\Request;
    use Laravel\Octane\Events\RequestReceived;
    use XHProf\Bridge\NextRequest;

    $app = require __DIR__ . '/app.php';
    $kernel = $app->make(Kernel::class);
    $kernel->bootstrap();
    foreach (['/streamed', '/', '/orders/1', '/nowhere'] as $path) {
        $set = $app->make(NextRequest::class)->setCookie(false);
        $cookies = [NextRequest::COOKIE => explode('=', explode(';', $set)[0], 2)[1]];
        $request = Request::create($path, cookies: $path === '/' ? [] : $cookies);
        $app->make('events')->dispatch(new RequestReceived());
        $response = $kernel->handle($request);
        if ($path !== '/streamed') {
            $kernel->terminate($request, $response);
        }
        echo $path, ' ', $response->getStatusCode(), $response->headers->has('X-XHProf-Run') ? ' run' : '', "\n";
    }
}
