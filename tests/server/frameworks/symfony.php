<?php

declare(strict_types=1);

// An application of Symfony's own HttpKernel, router and request, as its framework puts them together.

use Symfony\Component\EventDispatcher\EventDispatcher;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\RequestStack;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Controller\ArgumentResolver;
use Symfony\Component\HttpKernel\Controller\ControllerResolver;
use Symfony\Component\HttpKernel\EventListener\ErrorListener;
use Symfony\Component\HttpKernel\EventListener\RouterListener;
use Symfony\Component\HttpKernel\HttpKernel;
use Symfony\Component\Routing\Matcher\UrlMatcher;
use Symfony\Component\Routing\RequestContext;
use Symfony\Component\Routing\Route;
use Symfony\Component\Routing\RouteCollection;

require getenv('XHPROF_TEST_AUTOLOAD');

(static function (): void {
    $routes = new RouteCollection();
    $show = static fn(string $name): Response => new Response("user $name");
    $routes->add('user_show', new Route('/users/{name}', ['_controller' => $show]));
    $routes->add('home', new Route('/', ['_controller' => static fn(): Response => new Response('home')]));
    $stack = new RequestStack();
    $dispatcher = new EventDispatcher();
    $dispatcher->addSubscriber(new RouterListener(new UrlMatcher($routes, new RequestContext()), $stack));
    $dispatcher->addSubscriber(new ErrorListener(static fn(): Response => new Response('nothing here', 404)));
    $kernel = new HttpKernel($dispatcher, new ControllerResolver(), $stack, new ArgumentResolver());
    $request = Request::createFromGlobals();
    $response = $kernel->handle($request);
    $response->send();
    $kernel->terminate($request, $response);
})();
