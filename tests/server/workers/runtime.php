<?php

declare(strict_types=1);

// The loop of symfony/runtime for FrankenPHP, and Symfony's kernel and router. frankenphp_handle_request() is a stand-in.

use Symfony\Component\EventDispatcher\EventDispatcher;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\RequestStack;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Controller\ArgumentResolver;
use Symfony\Component\HttpKernel\Controller\ControllerResolver;
use Symfony\Component\HttpKernel\EventListener\RouterListener;
use Symfony\Component\HttpKernel\Exception\NotFoundHttpException;
use Symfony\Component\HttpKernel\HttpKernel;
use Symfony\Component\HttpKernel\HttpKernelInterface;
use Symfony\Component\HttpKernel\KernelEvents;
use Symfony\Component\Routing\Matcher\UrlMatcher;
use Symfony\Component\Routing\RequestContext;
use Symfony\Component\Routing\Route;
use Symfony\Component\Routing\RouteCollection;
use Symfony\Component\Runtime\Runner\FrankenPhpWorkerRunner;

require getenv('XHPROF_TEST_AUTOLOAD');

function frankenphp_handle_request(callable $handler): bool
{
    static $requests = ['/', '/users/ann', '/broken', '/users/bob', '/nowhere'];
    $uri = array_shift($requests);
    $_SERVER = ['REQUEST_METHOD' => 'GET', 'REQUEST_URI' => $uri, 'HTTP_HOST' => 'runtime.test'];
    $_SERVER += ['SCRIPT_NAME' => '', 'SCRIPT_FILENAME' => '/'];
    $handler();

    return $requests !== [];
}

$routes = new RouteCollection();
$home = static fn(): Response => new Response('');
$routes->add('home', new Route('/', ['_controller' => $home]));
$routes->add('user_show', new Route('/users/{name}', ['_controller' => static function (HttpKernelInterface $kernel): Response {
    return $kernel->handle(Request::create('/'), HttpKernelInterface::SUB_REQUEST);
}]));
$routes->add('broken', new Route('/broken', ['_controller' => static fn(): Response => new Response('', 503)]));
$events = new EventDispatcher();
$stack = new RequestStack();
$events->addSubscriber(new RouterListener(new UrlMatcher($routes, new RequestContext()), $stack));
$events->addListener(KernelEvents::EXCEPTION, static function ($event): void {
    if ($event->getThrowable() instanceof NotFoundHttpException) {
        $event->setResponse(new Response('', 404));
    }
});
$kernel = null;
$events->addListener(KernelEvents::CONTROLLER_ARGUMENTS, static function ($event) use (&$kernel): void {
    if ($event->getRequest()->attributes->get('_route') === 'user_show') {
        $event->setArguments([$kernel]);
    }
});
$resolver = new ArgumentResolver(null, [new class implements Symfony\Component\HttpKernel\Controller\ValueResolverInterface {
    public function resolve(Request $request, Symfony\Component\HttpKernel\ControllerMetadata\ArgumentMetadata $argument): iterable
    {
        return [null];
    }
}]);
$kernel = new HttpKernel($events, new ControllerResolver(), $stack, $resolver);
(new FrankenPhpWorkerRunner($kernel, 0))->run();
