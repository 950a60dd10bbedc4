<?php

declare(strict_types=1);

// Octane in a loop of RoadRunner: stand-ins of both, with the names and shapes of theirs, around Laravel itself. Requests are
// those of nyholm/psr7 and laminas-diactoros.

namespace Spiral\RoadRunner\Http {
    use Psr\Http\Message\ResponseInterface;
    use Psr\Http\Message\ServerRequestInterface;

    final class HttpWorker
    {
        public function respond(int $status, string $body = '', array $headers = [], bool $endOfStream = true): void
        {
        }
    }

    final class PSR7Worker
    {
        /** @param list<ServerRequestInterface> $requests */
        public function __construct(private array $requests, private HttpWorker $worker = new HttpWorker())
        {
        }

        public function waitRequest(): ?ServerRequestInterface
        {
            return array_shift($this->requests);
        }

        public function respond(ResponseInterface $response): void
        {
            $this->worker->respond(100);
            $this->worker->respond($response->getStatusCode(), (string) $response->getBody());
        }
    }
}

namespace Laravel\Octane {
    use Illuminate\Contracts\Http\Kernel;
    use Illuminate\Foundation\Application;
    use Illuminate\Http\Request;

    final class RequestContext
    {
    }

    final class OctaneResponse
    {
        public function __construct(public object $response)
        {
        }
    }

    final class RoadRunnerClient implements Contracts\Client
    {
        public int $status = 0;

        public function respond(RequestContext $context, OctaneResponse $response): void
        {
            $this->status = $response->response->getStatusCode();
        }
    }

    final class Worker
    {
        public function __construct(private Application $app, private RoadRunnerClient $client)
        {
        }

        public function handle(Request $request, RequestContext $context): void
        {
            $kernel = $this->app->make(Kernel::class);
            $response = $kernel->handle($request);
            $this->client->respond($context, new OctaneResponse($response));
            $kernel->terminate($request, $response);
        }
    }
}

namespace Laravel\Octane\Contracts {
    interface Client
    {
        public function respond(\Laravel\Octane\RequestContext $context, \Laravel\Octane\OctaneResponse $response): void;
    }
}

namespace {
    use Illuminate\Foundation\Application;
    use Illuminate\Http\Request;
    use Illuminate\Support\Facades\Route;
    use Laravel\Octane;
    use Spiral\RoadRunner\Http\PSR7Worker;

    require getenv('XHPROF_TEST_AUTOLOAD');

    $folder = getenv('XHPROF_TEST_FOLDER') . '/octane';
    foreach (['bootstrap/cache', 'storage/framework/views', 'storage/logs'] as $name) {
        is_dir("$folder/$name") || mkdir("$folder/$name", 0o700, true);
    }
    $app = Application::configure($folder)
        ->withRouting(using: static function (): void {
            Route::get('/', static fn(): string => 'home');
            Route::get('users/{name}', static fn(string $name): string => "user $name");
            Route::get('broken', static fn() => response('broken', 500));
        })
        ->withExceptions()
        ->create();
    $nyholm = new Nyholm\Psr7\Factory\Psr17Factory();
    $laminas = new Laminas\Diactoros\ServerRequestFactory();
    $requests = [
        $nyholm->createServerRequest('GET', 'https://octane.test/users/ann'),
        $laminas->createServerRequest('GET', 'https://octane.test/users/bob'),
        $nyholm->createServerRequest('GET', 'https://octane.test/nowhere'),
        $laminas->createServerRequest('GET', 'https://octane.test/broken'),
        $nyholm->createServerRequest('GET', 'https://octane.test/'),
        $nyholm->createServerRequest('GET', 'https://octane.test/ignored'),
        $nyholm->createServerRequest('GET', 'https://octane.test/users/carl')
            ->withHeader('Cookie', 'a=b; XHPROF_TRIGGER=open+sesame')
            ->withHeader('traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'),
    ];
    $psr7 = new PSR7Worker($requests);
    $client = new Octane\RoadRunnerClient();
    $worker = new Octane\Worker($app, $client);
    while ($psr = $psr7->waitRequest()) {
        if ($psr->getUri()->getPath() === '/ignored') {
            continue;
        }
        $worker->handle(Request::create((string) $psr->getUri()), new Octane\RequestContext());
        $psr7->respond($nyholm->createResponse($client->status));
    }
}
