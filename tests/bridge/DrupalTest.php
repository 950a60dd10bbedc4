<?php

declare(strict_types=1);

namespace XHProf\Tests\Bridge;

use Drupal\Core\Site\Settings;
use PHPUnit\Framework\TestCase;
use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\HttpKernelInterface;
use Symfony\Component\Routing\Matcher\UrlMatcher;
use Symfony\Component\Routing\RequestContext;
use Symfony\Component\Routing\Route;
use Symfony\Component\Routing\RouteCollection;
use Symfony\Component\Yaml\Yaml;
use XHProf\Bridge\Drupal\PagesController;
use XHProf\Bridge\Drupal\PathBelow;
use XHProf\Bridge\Drupal\Recording;
use XHProf\Bridge\Drupal\RecordingMiddleware;
use XHProf\Bridge\NextRequest;

require_once __DIR__ . '/autoload.php';
require_once __DIR__ . '/drupal/stand-ins.php';

/** The module for Drupal without Drupal, which no registry here has: its files, and its classes with Symfony's own requests. */
final class DrupalTest extends TestCase
{
    private const MODULE = __DIR__ . '/../../bridge/drupal/xhprof_pages/xhprof_pages';

    private string $folder = '';

    protected function setUp(): void
    {
        $yaml = __DIR__ . '/../../build/frameworks/vendor/symfony/yaml';
        if (!is_dir($yaml)) {
            self::markTestSkipped('no symfony/yaml in build/frameworks (tools/frameworks.sh installs it)');
        }
        spl_autoload_register(static function (string $class) use ($yaml): void {
            if (str_starts_with($class, 'Symfony\\Component\\Yaml\\')) {
                require $yaml . strtr(substr($class, strlen('Symfony\\Component\\Yaml')), '\\', '/') . '.php';
            }
        });
        $this->folder = sys_get_temp_dir() . '/xhprof-drupal-' . bin2hex(random_bytes(5));
        mkdir($this->folder, 0o700);
        Settings::$salt = 'a salt of settings.php';
    }

    protected function tearDown(): void
    {
        array_map(unlink(...), glob("$this->folder/{*,.xhprof*}", GLOB_BRACE) ?: []);
        @rmdir($this->folder);
    }

    public function testFilesNameWhatIsThere(): void
    {
        $info = self::yaml('info');
        self::assertSame(['module', 8.2], [$info['type'], $info['php']]);
        $permissions = self::yaml('permissions');
        $services = self::yaml('services')['services'];
        foreach ($services as $service) {
            self::assertTrue(class_exists($service['class']), $service['class']);
            $expected = array_map(
                static fn (string $name): string => $services[ltrim($name, '@')]['class'],
                $service['arguments'] ?? [],
            );
            $tag = $service['tags'][0]['name'] ?? '';
            $constructor = (new \ReflectionClass($service['class']))->getConstructor();
            $required = $constructor === null ? [] : array_filter(
                $constructor->getParameters(),
                static fn (\ReflectionParameter $parameter): bool => !$parameter->isOptional(),
            );
            $types = array_map(static fn (\ReflectionParameter $parameter): string => (string) $parameter->getType(), $required);
            $kernel = $tag === 'http_middleware' ? [HttpKernelInterface::class] : [];
            self::assertSame([...$kernel, ...$expected], array_values($types));
            self::assertSame($tag === 'event_subscriber', is_a($service['class'], EventSubscriberInterface::class, true));
        }
        foreach (self::yaml('routing') as $route) {
            [$service, $method] = explode('::', $route['defaults']['_controller']);
            self::assertTrue(method_exists($services[$service]['class'], $method), $method);
            self::assertArrayHasKey($route['requirements']['_permission'], $permissions);
            self::assertTrue($permissions[$route['requirements']['_permission']]['restrict access']);
        }
        foreach (self::yaml('links.menu') as $link) {
            self::assertArrayHasKey($link['route_name'], self::yaml('routing'));
        }
    }

    public function testAllBelowThePathComesToOneRoute(): void
    {
        $matcher = new UrlMatcher(self::routes(), new RequestContext());
        $processor = new PathBelow();
        foreach (['', '/', '/api', '/assets/app.css', '/callgraph.php'] as $behind) {
            $request = Request::create("https://drupal.test/admin/reports/xhprof$behind");
            // As Drupal's RouteProvider does it.
            $path = $processor->processInbound(rtrim($request->getPathInfo(), '/'), $request);
            self::assertSame('xhprof_pages.pages', $matcher->match($path)['_route'], $behind);
            self::assertSame($behind, PathBelow::behind($request));
        }
        foreach (['/admin/reports/xhprofile', '/admin/reports', '/node/1'] as $other) {
            self::assertSame($other, $processor->processInbound($other, Request::create($other)));
            self::assertNull(PathBelow::behind(Request::create($other)));
        }
        self::assertSame('/api', PathBelow::behind(Request::create('/de/admin/reports/xhprof/api')));
        self::assertSame('xhprof_pages.next', $matcher->match('/admin/reports/xhprof-next')['_route']);
    }

    public function testPages(): void
    {
        $pages = new PagesController($this->folder);
        $ask = static fn (string $behind): Response => $pages->pages(
            Request::create("https://drupal.test/sub/index.php/admin/reports/xhprof$behind", server: [
                'SCRIPT_NAME' => '/sub/index.php', 'SCRIPT_FILENAME' => '/var/www/sub/index.php',
            ]),
        );
        self::assertSame([302, './xhprof/'], [$ask('')->getStatusCode(), $ask('')->headers->get('Location')]);
        $list = $ask('/');
        self::assertSame(200, $list->getStatusCode());
        self::assertStringContainsString('<title>Runs · XHProf</title>', (string) $list->getContent());
        self::assertStringContainsString("frame-ancestors 'none'", (string) $list->headers->get('Content-Security-Policy'));
        ob_start();
        $ask('/assets/app.css')->sendContent();
        self::assertStringEqualsFile(__DIR__ . '/../../xhprof_html/assets/app.css', (string) ob_get_clean());
        self::assertSame('application/json', $ask('/api?get=runs')->headers->get('Content-Type'));
        self::assertSame(404, $ask('/nothing')->getStatusCode());
        $damaged = str_repeat('a', 32);
        file_put_contents("$this->folder/$damaged.web.run", 'no run');
        $answer = $ask("/?run=$damaged&source=web");
        self::assertGreaterThanOrEqual(400, $answer->getStatusCode());
        self::assertStringContainsString('</html>', (string) $answer->getContent());
    }

    public function testTheNextRequestIsAskedForAndRecordedOnce(): void
    {
        $recording = new Recording();
        $kernel = new RecordingMiddleware(new class implements HttpKernelInterface {
            public function handle(Request $request, int $type = self::MAIN_REQUEST, bool $catch = true): Response
            {
                return new Response('page');
            }
        }, $recording);
        $cookie = explode('=', explode(';', Recording::next()->setCookie(true))[0])[1];
        $request = Request::create('https://drupal.test/node/1', cookies: [NextRequest::COOKIE => $cookie]);
        $answer = $kernel->handle($request);
        self::assertSame('page', $answer->getContent());
        self::assertTrue($recording->isAsked());
        self::assertSame([NextRequest::COOKIE, true], [
            $answer->headers->getCookies()[0]->getName(), $answer->headers->getCookies()[0]->isCleared(),
        ]);
        $recording->end($request, 'entity.node.canonical');
        self::assertFalse($recording->isAsked());
        // Neither another one's cookie, nor the pages themselves, nor a site without a salt.
        foreach ([['/node/1', str_replace('.', '.0', $cookie)], ['/admin/reports/xhprof/', $cookie]] as [$path, $value]) {
            $kernel->handle(Request::create($path, cookies: [NextRequest::COOKIE => $value]));
            self::assertFalse($recording->isAsked(), $path);
        }
        Settings::$salt = '';
        $kernel->handle(Request::create('/node/1', cookies: [NextRequest::COOKIE => $cookie]));
        self::assertFalse($recording->isAsked());
    }

    public function testTheLinkOpensThePageAgain(): void
    {
        $pages = new PagesController($this->folder);
        $back = static fn (string $referrer): Response => $pages->next(
            Request::create('https://drupal.test/admin/reports/xhprof-next', server: ['HTTP_REFERER' => $referrer]),
        );
        $answer = $back('https://drupal.test/node/1');
        if (!extension_loaded('xhprof')) {
            self::assertSame(409, $answer->getStatusCode());
            self::assertStringContainsString('extension xhprof is not loaded', (string) $answer->getContent());
            return;
        }
        self::assertSame('https://drupal.test/node/1', $answer->headers->get('Location'));
        self::assertTrue(Recording::next()->isAsked($answer->headers->getCookies()[0]->getValue()));
        self::assertSame('/', $back('https://drupal.test.evil.test/')->headers->get('Location'));
    }

    private static function routes(): RouteCollection
    {
        $routes = new RouteCollection();
        foreach (self::yaml('routing') as $name => $route) {
            $routes->add((string) $name, new Route($route['path'], $route['defaults'], [], [], '', [], $route['methods']));
        }

        return $routes;
    }

    /** @return array<string, mixed> */
    private static function yaml(string $kind): array
    {
        /** @phpstan-ignore class.notFound */
        return (array) Yaml::parseFile(self::MODULE . ".$kind.yml");
    }
}
