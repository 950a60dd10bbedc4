<?php

declare(strict_types=1);

namespace XHProf\Tests\Bridge;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Tests\Bridge\Symfony\Shop;

require_once __DIR__ . '/Visitor.php';
require_once __DIR__ . '/symfony/Shop.php';

/** The bundle in a shop on Symfony itself, with the web profiler, over HTTP. */
final class SymfonyTest extends TestCase
{
    private const VENDOR = __DIR__ . '/../../build/frameworks/vendor/symfony/web-profiler-bundle';

    protected function setUp(): void
    {
        if (!is_dir(self::VENDOR)) {
            self::markTestSkipped('No Symfony: tools/frameworks.sh composer installs it');
        }
    }

    public function testAClickRecordsTheNextRequestOnceAndItsPanelShowsTheRun(): void
    {
        $shop = new Shop();
        $visitor = $shop->visitor;
        self::assertSame(200, $visitor->get('/product/7')->status);
        $panel = $shop->panel();
        self::assertStringContainsString('This request was not recorded.', $panel);
        self::assertSame([], $shop->runs());

        $shop->click($panel);
        self::assertSame([303, '/product/7'], [$visitor->status, $visitor->headers['location'][0] ?? null]);
        self::assertArrayHasKey('xhprof_next', $visitor->cookies());
        // The profiler's own pages neither are recorded nor use up the click.
        self::assertStringContainsString('XHProf', $visitor->get('/_profiler/latest?panel=xhprof')->body);
        self::assertSame([], $shop->runs());

        self::assertSame(200, $visitor->get('/product/7')->status);
        self::assertStringContainsString('Max-Age=0', $visitor->headers['set-cookie'][0] ?? '');
        $panel = $shop->panel();
        $visitor->get('/product/8');
        self::assertStringContainsString('This request was not recorded.', $shop->panel());

        $runs = $shop->runs();
        self::assertCount(1, $runs);
        [$id, $source] = explode('.', $runs[0]);
        self::assertSame('web', $source);
        $run = (new RunFolder($shop->runs))->open(RunId::fromStrings($id, $source));
        self::assertSame('GET product', $run->meta()->origin->route);
        self::assertSame('/product/7', $run->meta()->origin->url);
        $functions = $run->profile()->functions(['wt'])->names;
        self::assertContains('XHProf\Tests\Bridge\Shop\Pages::price', $functions);
        // What the panel has: the bar, the functions, links below the path of the pages.
        foreach (['GET /product/7', 'Where the time was', 'xhprof-t-cpu', 'First functions'] as $text) {
            self::assertStringContainsString($text, $panel);
        }
        self::assertStringContainsString("href=\"/_xhprof/./index?run=$id&amp;source=web&amp;view=calltree\"", $panel);
        $tree = $visitor->get("/_xhprof/?run=$id&source=web&view=calltree");
        self::assertSame(200, $tree->status);
        self::assertStringContainsString('Call tree', $tree->body);
        self::assertStringNotContainsString('.php?', $tree->body);
        self::assertArrayNotHasKey('x-debug-token', $tree->headers);
        self::assertSame(200, $visitor->get("/_xhprof/api?get=functions&run=$id&source=web")->status);
    }

    public function testTheToolbarShowsTheTimeAndTheFindingsOfTheRunOrWhatToDo(): void
    {
        $shop = new Shop();
        $page = static fn (): string => $shop->visitor->headers['x-debug-token'][0] ?? '';
        $shop->visitor->get('/product/7');
        $token = $page();
        self::assertStringContainsString('this request was not recorded Runs All runs Profile this page', $shop->toolbar());
        $shop->click($shop->visitor->get("/_profiler/$token?panel=xhprof")->body);
        $shop->visitor->get('/product/7');
        $token = $page();
        $line = '~\A(\S+ (?:ms|s|µs)) (?:\d+(?: first)? findings? )?XHProf \1 · .+ · (?:no|\d+(?: first)?) findings?~u';
        self::assertMatchesRegularExpression($line, $shop->toolbar());
        unlink($shop->runs . '/' . $shop->runs()[0] . '.run');
        self::assertMatchesRegularExpression('~\Arun XHProf .*It may have been deleted.~', $shop->barOf($token));

        $shop = new Shop(settings: ['xhprof.start_with_request=yes']);
        $shop->visitor->get('/product/7');
        $token = $shop->visitor->headers['x-debug-token'][0] ?? '';
        self::assertMatchesRegularExpression($line, $shop->barOf($token));
        // As while its request has not ended.
        foreach ((array) glob("$shop->runs/*.run") as $file) {
            unlink((string) $file);
        }
        $notYet = 'Settings of php.ini record this request. Its run is saved when the request has ended';
        self::assertStringContainsString($notYet, $shop->barOf($token));
        self::assertStringContainsString($notYet, $shop->visitor->get("/_profiler/$token?panel=xhprof")->body);
    }

    /** @return iterable<string, array{string, int, string, string|null}> */
    public static function requests(): iterable
    {
        yield 'redirect' => ['/old', 302, 'Pages::count', 'GET old'];
        yield 'streamed answer' => ['/export', 200, 'Pages::line', 'GET export'];
        yield 'sub-request' => ['/cart', 200, 'Pages::count', 'GET cart'];
        yield 'exception' => ['/broken', 500, 'Pages::count', 'GET broken'];
        yield 'exit' => ['/leave', 200, 'Pages::count', null];
        yield 'data for a script' => ['/stock', 200, 'Pages::stock', 'GET stock'];
        yield 'no route' => ['/nothing/12', 404, 'Symfony\Component\HttpKernel\HttpKernel::handleThrowable', null];
    }

    #[DataProvider('requests')]
    public function testKindsOfRequests(string $path, int $status, string $function, ?string $route): void
    {
        $shop = new Shop();
        $shop->visitor->get('/');
        $shop->click($shop->panel());
        self::assertSame($status, $shop->visitor->get($path)->status);
        $runs = $shop->runs();
        self::assertCount(1, $runs);
        [$id, $source] = explode('.', $runs[0]);
        $run = (new RunFolder($shop->runs))->open(RunId::fromStrings($id, $source));
        self::assertNotSame([], preg_grep('~' . preg_quote($function, '~') . '\z~', $run->profile()->functions(['wt'])->names));
        self::assertSame([$path, $status], [$run->meta()->origin->url, $run->meta()->origin->status]);
        if ($route !== null) {
            self::assertSame($route, $run->meta()->origin->route);
            self::assertStringContainsString("run=$id&amp;", $shop->panel());
        }
    }

    public function testWhereSettingsRecordTheRequestItsRunIsShownAndNothingElseIsRecorded(): void
    {
        $shop = new Shop(settings: ['xhprof.start_with_request=yes', 'xhprof.source=all']);
        $ids = [];
        foreach ([false, true] as $isAsked) {
            if ($isAsked) {
                $shop->visitor->get('/');
                $shop->click($shop->panel());
            }
            $before = $shop->runs();
            $shop->visitor->get('/stock');
            $ofRequest = array_values(array_diff($shop->runs(), $before));
            $panel = $shop->panel();
            self::assertCount(1, $ofRequest);
            $ids[] = $ofRequest[0];
            self::assertStringContainsString('run=' . substr($ofRequest[0], 0, 32) . '&amp;source=all', $panel);
        }
        self::assertStringEndsWith('.all', $ids[1]);
    }

    public function testWithoutTheExtensionThePanelSaysSoAndThePagesAreThere(): void
    {
        $shop = new Shop(hasExtension: false);
        self::assertSame(200, $shop->visitor->get('/')->status);
        $panel = $shop->panel();
        self::assertStringContainsString('The PHP extension xhprof is not loaded', $panel);
        self::assertStringNotContainsString('<form class="xhprof-next"', $panel);
        self::assertSame(200, $shop->visitor->get('/_xhprof/')->status);
    }

    public function testAMissingFolderAndADamagedRunAreSentences(): void
    {
        $shop = new Shop(['run_dir' => '/nonexistent/runs']);
        $shop->visitor->get('/');
        $shop->click($shop->panel());
        self::assertSame(200, $shop->visitor->get('/product/1')->status);
        self::assertStringContainsString('This request was not recorded: ', $shop->panel());
        self::assertNotSame('', $shop->visitor->get('/_xhprof/')->body);

        $shop = new Shop();
        $shop->visitor->get('/');
        $shop->click($shop->panel());
        $shop->visitor->get('/product/1');
        $token = $shop->visitor->headers['x-debug-token'][0];
        $file = $shop->runs . '/' . $shop->runs()[0] . '.run';
        file_put_contents($file, substr((string) file_get_contents($file), 0, 300));
        $panel = $shop->visitor->get("/_profiler/$token?panel=xhprof");
        self::assertSame(200, $panel->status);
        self::assertMatchesRegularExpression('~<p class="xhprof-problem">[^<]{20,}</p>~', $panel->body);
        unlink($file);
        $gone = $shop->visitor->get("/_profiler/$token?panel=xhprof")->body;
        self::assertStringContainsString('It may have been deleted.', $gone);
    }

    public function testOnlyThoseWithTheRoleSeeThePages(): void
    {
        $shop = new Shop(['role' => 'ROLE_ADMIN'], ['SHOP_LOGIN' => '1']);
        // Nor may others ask for a profile.
        $shop->visitor->get('/');
        self::assertStringNotContainsString('<form class="xhprof-next"', $shop->panel());
        self::assertSame(401, $shop->visitor->post('/_xhprof/bridge/next', ['token' => 'x'])->status);
        $paths = ['/_xhprof', '/_xhprof/', '/_xhprof/api?get=runs', '/_xhprof/assets/app.css', '/_xhprof/bridge/summary?run=a'];
        foreach ($paths as $path) {
            self::assertSame(401, $shop->visitor->get($path)->status, $path);
            self::assertStringNotContainsString('Runs · XHProf', $shop->visitor->body);
        }
        // The site remembers him from here on.
        foreach ($paths as $path) {
            self::assertSame(403, $shop->visitor->get($path, ['Authorization: Basic ' . base64_encode('bob:bob')])->status, $path);
        }
        $ann = ['Authorization: Basic ' . base64_encode('ann:ann')];
        self::assertSame(302, $shop->visitor->get('/_xhprof', $ann)->status);
        self::assertSame(['./_xhprof/'], $shop->visitor->headers['location']);
        self::assertSame(200, $shop->visitor->get('/_xhprof/', $ann)->status);
    }

    public function testOutOfDebugModeThePagesAreNotThere(): void
    {
        $shop = new Shop(environment: ['SHOP_DEBUG' => '0', 'SHOP_NO_PROFILER' => '1']);
        self::assertSame(404, $shop->visitor->get('/_xhprof/')->status);
        self::assertSame(200, $shop->visitor->get('/')->status);
        $shop = new Shop(['enabled' => false]);
        self::assertSame(404, $shop->visitor->get('/_xhprof/')->status);
    }

    public function testWithoutRoutesThePanelSaysHowToGetThem(): void
    {
        $shop = new Shop(environment: ['SHOP_NO_ROUTES' => '1']);
        $shop->visitor->get('/');
        self::assertStringContainsString('@XHProfBundle/config/routes.php', $shop->panel());
    }

    public function testWhatIsLoadedWhereNothingIsAskedFor(): void
    {
        $expected = ['Symfony/XHProfBundle.php', 'Symfony/RequestListener.php', 'NextRequest.php'];
        foreach ([true, false] as $hasExtension) {
            $shop = new Shop(environment: ['SHOP_NO_PROFILER' => '1'], hasExtension: $hasExtension);
            $shop->visitor->get('/');
            $files = json_decode($shop->visitor->get('/files')->body, true);
            self::assertIsArray($files);
            $root = dirname(__DIR__, 2) . '/bridge/src/';
            self::assertSame(array_map(static fn (string $file): string => $root . $file, $expected), $files);
        }
    }

    public function testACommandIsARunWhenItIsAskedFor(): void
    {
        $plain = Shop::console(['shop:work']);
        self::assertSame([0, "stock: 55\n", []], [$plain['code'], $plain['out'], $plain['runs']]);
        $asked = Shop::console(['shop:work', '--xhprof']);
        self::assertSame([0, "stock: 55\n"], [$asked['code'], $asked['out']], $asked['err']);
        self::assertCount(1, $asked['runs']);
        self::assertStringContainsString('XHProf: run ' . basename($asked['runs'][0], '.run'), $asked['err']);
        self::assertStringContainsString('--xhprof', Shop::console(['shop:work', '--help'])['out']);
        $without = Shop::console(['shop:work', '--xhprof'], hasExtension: false);
        self::assertSame([0, "stock: 55\n"], [$without['code'], $without['out']]);
        self::assertStringContainsString('XHProf: The PHP extension xhprof is not loaded', $without['err']);
        // Its settings record the command already.
        $triggered = Shop::console(['shop:work', '--xhprof'], ['XHPROF_TRIGGER' => '1'], ['xhprof.start_with_request=trigger']);
        self::assertCount(1, $triggered['runs']);
        self::assertStringContainsString('XHProf: run ' . basename($triggered['runs'][0], '.run'), $triggered['err']);
    }

    public function testEachMessageIsARunWhenItIsAskedFor(): void
    {
        $consume = ['messenger:consume', 'queue', '--limit=3', '--time-limit=60'];
        $orders = ['SHOP_ORDERS' => '7,13,8'];
        $plain = Shop::console($consume, $orders);
        self::assertSame([], $plain['runs']);
        $asked = Shop::console([...$consume, '--xhprof'], $orders);
        self::assertSame(0, $asked['code'], $asked['err']);
        self::assertCount(3, $asked['runs']);
        foreach ($asked['runs'] as $run) {
            self::assertStringContainsString('XHProf XHProf\Tests\Bridge\Shop\Order: run ' . basename($run, '.run'), $asked['err']);
        }
        // The extension makes a run of each message by itself: not two.
        $settings = ['xhprof.start_with_request=yes', 'xhprof.source=jobs'];
        $spans = Shop::console([...$consume, '--xhprof'], $orders, $settings);
        $ofJobs = preg_grep('/\.jobs\.run\z/', $spans['runs']) ?: [];
        self::assertSame(count($spans['runs']), count($ofJobs), implode(', ', $spans['runs']));
        self::assertCount(3 + 1, $spans['runs'], 'and one of the worker itself');
        // Whichever the settings choose, each message has one run: theirs, or that of the option.
        foreach (['trigger', 'sampled'] as $start) {
            $settings = [
                "xhprof.start_with_request=$start", 'xhprof.sample_rate=0.5', 'xhprof.trigger_value=x', 'xhprof.source=jobs',
            ];
            $mixed = Shop::console([...$consume, '--xhprof'], $orders, $settings);
            preg_match_all('/Order: run ([0-9a-f]{32}\.\w+)/', $mixed['err'], $named);
            self::assertCount(3, array_unique($named[1]), $mixed['err']);
            $others = array_diff($mixed['runs'], array_map(static fn (string $run): string => "$run.run", $named[1]));
            self::assertLessThanOrEqual($start === 'sampled' ? 1 : 0, count($others), 'the worker itself');
        }
    }
}
