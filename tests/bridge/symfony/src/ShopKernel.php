<?php

declare(strict_types=1);

namespace XHProf\Tests\Bridge\Shop;

use Symfony\Bundle\FrameworkBundle\FrameworkBundle;
use Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
use Symfony\Bundle\SecurityBundle\SecurityBundle;
use Symfony\Bundle\TwigBundle\TwigBundle;
use Symfony\Bundle\WebProfilerBundle\WebProfilerBundle;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpKernel\Kernel;
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;
use Symfony\Component\Security\Core\User\InMemoryUser;
use XHProf\Bridge\Symfony\XHProfBundle;

/**
 * A small shop on Symfony. Its environment says how it is set up: SHOP_VAR, a folder to write to; SHOP_XHPROF, the configuration of
 * the bundle as JSON; SHOP_LOGIN=1, with users; SHOP_NO_ROUTES=1, without the routes of the pages; SHOP_NO_PROFILER=1.
 */
final class ShopKernel extends Kernel
{
    use MicroKernelTrait;

    public function registerBundles(): iterable
    {
        yield new FrameworkBundle();
        yield new TwigBundle();
        yield new XHProfBundle();
        if (getenv('SHOP_NO_PROFILER') !== '1') {
            yield new WebProfilerBundle();
        }
        if (getenv('SHOP_LOGIN') === '1') {
            yield new SecurityBundle();
        }
    }

    public function getProjectDir(): string
    {
        return dirname(__DIR__);
    }

    public function getCacheDir(): string
    {
        return getenv('SHOP_VAR') . '/cache';
    }

    public function getLogDir(): string
    {
        return getenv('SHOP_VAR') . '/log';
    }

    private function configureContainer(ContainerConfigurator $container): void
    {
        $hasProfiler = getenv('SHOP_NO_PROFILER') !== '1';
        $container->extension('framework', [
            'secret' => getenv('SHOP_SECRET') === false ? 'a secret of the shop' : (string) getenv('SHOP_SECRET'),
            'http_method_override' => false,
            'handle_all_throwables' => true,
            'php_errors' => ['log' => true],
            'session' => ['handler_id' => null, 'save_path' => getenv('SHOP_VAR') . '/sessions', 'cookie_samesite' => 'lax'],
            'profiler' => ['enabled' => $hasProfiler, 'collect' => true],
            'messenger' => ['transports' => ['queue' => 'in-memory://'], 'routing' => [Order::class => 'queue']],
        ]);
        if ($hasProfiler) {
            $container->extension('web_profiler', ['toolbar' => true, 'intercept_redirects' => false]);
        }
        if (getenv('SHOP_LOGIN') === '1') {
            $container->extension('security', [
                'password_hashers' => [InMemoryUser::class => 'plaintext'],
                'providers' => ['users' => ['memory' => ['users' => [
                    'ann' => ['password' => 'ann', 'roles' => ['ROLE_ADMIN']],
                    'bob' => ['password' => 'bob', 'roles' => ['ROLE_USER']],
                ]]]],
                'firewalls' => ['main' => ['lazy' => true, 'provider' => 'users', 'http_basic' => ['realm' => 'Shop']]],
            ]);
        }
        /** @var array<string, mixed> $config */
        $config = json_decode(getenv('SHOP_XHPROF') ?: '{}', true, 8, JSON_THROW_ON_ERROR);
        $container->extension('xhprof', $config);
        $services = $container->services()->defaults()->autowire()->autoconfigure();
        $services->load('XHProf\\Tests\\Bridge\\Shop\\', __DIR__ . '/*')->exclude([__FILE__, __DIR__ . '/Order.php']);
    }

    private function configureRoutes(RoutingConfigurator $routes): void
    {
        $routes->import(Pages::class, 'attribute');
        if (getenv('SHOP_NO_ROUTES') !== '1') {
            $routes->import('@XHProfBundle/config/routes.php');
        }
        if (getenv('SHOP_NO_PROFILER') !== '1') {
            // Before 7.3 they are XML.
            $folder = dirname((string) (new \ReflectionClass(WebProfilerBundle::class))->getFileName());
            $ending = is_file("$folder/Resources/config/routing/wdt.php") ? 'php' : 'xml';
            $routes->import("@WebProfilerBundle/Resources/config/routing/wdt.$ending")->prefix('/_wdt');
            $routes->import("@WebProfilerBundle/Resources/config/routing/profiler.$ending")->prefix('/_profiler');
        }
    }
}
