<?php

declare(strict_types=1);

namespace XHProf\Tests\Bridge;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\App\MountedSite;
use XHProf\Bridge\Mount;
use XHProf\Bridge\NextRequest;
use XHProf\Bridge\RunSummary;
use XHProf\Bridge\SummaryHtml;
use XHProf\Bridge\UsedTokens;
use XHProf\Store\RunFolder;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;

/** What all frameworks share, without one. */
final class CoreTest extends TestCase
{
    private string $folder = '';

    protected function setUp(): void
    {
        $this->folder = sys_get_temp_dir() . '/xhprof-core-' . bin2hex(random_bytes(6));
        mkdir($this->folder);
    }

    protected function tearDown(): void
    {
        exec('rm -rf ' . escapeshellarg($this->folder));
    }

    public function testTheCookieIsTheSitesOwnAndLastsForMinutes(): void
    {
        $now = 1_800_000_000;
        $clock = static function () use (&$now): int {
            return $now;
        };
        $next = new NextRequest('a secret', $clock);
        $pattern = '~\Axhprof_next=([^;]+); Path=/; Max-Age=300; HttpOnly; SameSite=Lax; Secure\z~';
        preg_match($pattern, $next->setCookie(true), $match);
        $value = $match[1] ?? '';
        self::assertTrue($next->isAsked($value));
        self::assertFalse((new NextRequest('another secret', $clock))->isAsked($value));
        self::assertFalse((new NextRequest('', $clock))->isAsked($value));
        // A form's token is no cookie, and the other way round.
        self::assertTrue($next->isToken($next->token()));
        self::assertFalse($next->isToken($value));
        self::assertFalse($next->isAsked($next->token()));
        foreach (['', 'x', [$value], null, "1$value", substr($value, 0, -1) . 'g', "$value\n"] as $wrong) {
            self::assertFalse($next->isAsked($wrong));
        }
        $now += 300;
        self::assertTrue($next->isAsked($value));
        $now++;
        self::assertFalse($next->isAsked($value));
        self::assertStringContainsString('xhprof_next=; Path=/; Max-Age=0', NextRequest::clearCookie(false));
        self::assertFalse((new NextRequest(''))->isPossible());
    }

    public function testACookieCountsOnceAndLeavesAMarkUntilItIsOutOfDate(): void
    {
        $now = 1_800_000_000;
        $clock = static function () use (&$now): int {
            return $now;
        };
        $used = new UsedTokens($this->folder);
        $next = new NextRequest('a secret', $clock, $used);
        $value = static fn (): string => substr(explode(';', $next->setCookie(false))[0], strlen('xhprof_next='));
        $marks = fn (): int => count((array) glob("$this->folder/*/*"));
        $first = $value();
        $forged = substr($first, 0, -1) . (str_ends_with($first, '0') ? '1' : '0');
        foreach ([$forged, $next->token()] as $wrong) {
            self::assertFalse($next->take($wrong));
        }
        self::assertSame(0, $marks(), 'only what the site has signed is looked for');
        self::assertTrue($next->isAsked($first));
        self::assertTrue($next->take($first));
        self::assertFalse((new NextRequest('a secret', $clock, $used))->take($first), 'a request at the same time');
        self::assertFalse($next->isAsked($first));
        $next->giveBack($first);
        self::assertTrue($next->take($first));
        self::assertTrue($next->take($value()), 'another click');
        self::assertSame(2, $marks());
        $now += 301;
        self::assertFalse($next->take($first));
        self::assertTrue($next->take($value()));
        self::assertSame(1, $marks(), 'those out of date are removed');
        $nowhere = new NextRequest('a secret', $clock, new UsedTokens('/proc/no/folder'));
        self::assertSame([true, true], [$nowhere->take($again = $value()), $nowhere->take($again)], 'its age is the limit then');
    }

    public function testProcessesAtOnceGetOneRunOfACookie(): void
    {
        $next = new NextRequest('a secret', null, new UsedTokens($this->folder));
        $value = substr(explode(';', $next->setCookie(false))[0], strlen('xhprof_next='));
        $code = 'require ' . var_export(dirname(__DIR__, 2) . '/vendor/autoload.php', true) . '; require '
            . var_export(__DIR__ . '/autoload.php', true) . '; fgets(STDIN); echo (int) (new XHProf\Bridge\NextRequest("a secret",'
            . ' null, new XHProf\Bridge\UsedTokens($argv[1])))->take($argv[2]);';
        $taken = $processes = [];
        for ($i = 0; $i < 4; $i++) {
            $command = [PHP_BINARY, '-n', '-r', $code, '--', $this->folder, $value];
            $process = proc_open($command, [['pipe', 'r'], ['pipe', 'w']], $pipes);
            self::assertIsResource($process);
            $processes[] = [$process, $pipes];
        }
        foreach ($processes as [, $pipes]) {
            fwrite($pipes[0], "\n");
        }
        foreach ($processes as [$process, $pipes]) {
            $taken[] = stream_get_contents($pipes[1]);
            proc_close($process);
        }
        sort($taken);
        self::assertSame(['0', '0', '0', '1'], $taken);
    }

    /** @return iterable<string, array{string, int}> */
    public static function paths(): iterable
    {
        yield 'the list' => ['/', 200];
        yield 'a page of its own' => ['/api', 400];
        yield 'the same as a file' => ['/api.php', 400];
        yield 'a style' => ['/assets/app.css', 200];
        yield 'out of the assets' => ['/assets/../templates/base.html.twig', 404];
        yield 'a template' => ['/templates/base.html.twig', 404];
        yield 'the parts of the pages' => ['/bootstrap.php', 404];
        yield 'behind a page' => ['/index.php/x', 404];
        yield 'a hidden file' => ['/assets/.htaccess', 404];
        yield 'a NUL' => ["/assets/app.css\0.png", 404];
        yield 'the style of summaries' => ['/bridge/summary.css', 200];
    }

    #[DataProvider('paths')]
    public function testOnlyPagesAndAssetsAreBelowThePath(string $path, int $status): void
    {
        self::assertSame($status, (new Mount($this->folder))->respond($path, 'GET')->status);
    }

    public function testAddressesBelowThePathNameNoFilesAndOthersStayAsTheyAre(): void
    {
        $page = (new Mount($this->folder))->respond('/', 'GET')->content();
        self::assertStringContainsString('href="./index?view=requests"', $page);
        self::assertStringNotContainsString('index.php', $page);
        self::assertSame('index.php?view=heap', Url::index(['view' => 'heap']));
        $site = new MountedSite(null, new RunFolder($this->folder));
        self::assertStringContainsString('href="index.php?view=requests"', $site->respond('', new Request('GET', []))->content());
    }

    public function testTheListOfRunsLinksToTheButtonWhereTheSiteHasOne(): void
    {
        foreach (['no runs' => false, 'a run' => true] as $case => $hasRun) {
            if ($hasRun) {
                $profile = ['main()' => ['ct' => 1, 'wt' => 5], 'main()==>one' => ['ct' => 1, 'wt' => 4]];
                file_put_contents("$this->folder/5f0e0000000000000000000000000001.web.xhprof", serialize($profile));
            }
            $list = fn (Mount $mount): string => $mount->respond('/', 'GET')->content();
            $with = $list(new Mount($this->folder, [], new NextRequest('a secret')));
            self::assertSame($hasRun, str_contains($with, '5f0e0000'), $case);
            self::assertMatchesRegularExpression('~<a href="bridge/next">profile the next request…</a>~i', $with, $case);
            $own = $list(new Mount($this->folder, [], null, '/admin?a=1&b="2"'));
            self::assertMatchesRegularExpression('~<a href="/admin\?a=1&amp;b=&quot;2&quot;">profile the next~i', $own, $case);
            $without = [
                $list(new Mount($this->folder)),
                (new MountedSite(null, new RunFolder($this->folder)))->respond('', new Request('GET', []))->content(),
            ];
            foreach ($without as $page) {
                self::assertStringNotContainsStringIgnoringCase('profile the next request', $page, $case);
            }
        }
    }

    public function testThePathWithoutASlashIsSentOn(): void
    {
        $answer = (new Mount($this->folder))->respond('', 'GET', [], [], [], ['REQUEST_URI' => '/admin/_xhprof?run=1']);
        self::assertSame([302, './_xhprof/?run=1'], [$answer->status, $answer->headers['Location'] ?? null]);
        foreach (['//evil.example/..', '/', "/a\r\nb"] as $uri) {
            $server = ['REQUEST_URI' => $uri];
            self::assertSame(404, (new Mount($this->folder))->respond('', 'GET', [], [], [], $server)->status, $uri);
        }
    }

    public function testTheProcessIsAsItWasAfterAPage(): void
    {
        $before = [ini_get('memory_limit'), ini_get('display_errors'), ini_get('html_errors'), error_reporting(), gc_enabled()];
        ini_set('memory_limit', '300M');
        ini_set('display_errors', '1');
        error_reporting(E_ALL & ~E_NOTICE);
        $during = [ini_get('memory_limit'), ini_get('display_errors'), ini_get('html_errors'), error_reporting(), gc_enabled()];
        $mount = new Mount($this->folder);
        foreach (['/', '/api', '/assets/app.css', '/nothing'] as $path) {
            $mount->respond($path, 'GET')->content();
            self::assertSame($during, [
                ini_get('memory_limit'), ini_get('display_errors'), ini_get('html_errors'), error_reporting(), gc_enabled(),
            ], $path);
        }
        RunSummary::read('a0000000000000000000000000000001', 'web', $this->folder);
        self::assertSame('300M', ini_get('memory_limit'));
        ini_set('memory_limit', (string) $before[0]);
        ini_set('display_errors', (string) $before[1]);
        error_reporting($before[3]);
    }

    public function testSettingsOfTheHostCountBeforeTheEnvironment(): void
    {
        putenv('XHPROF_TEST_SETTING=environment');
        $request = new Request('GET', []);
        self::assertSame('environment', $request->setting('XHPROF_TEST_SETTING'));
        self::assertSame('host', $request->withSettings(['XHPROF_TEST_SETTING' => 'host'])->setting('XHPROF_TEST_SETTING'));
        self::assertSame('', $request->withSettings(['XHPROF_TEST_SETTING' => ''])->with('a', 'b')->setting('XHPROF_TEST_SETTING'));
        putenv('XHPROF_TEST_SETTING');
    }

    public function testTheFormAsksForTheNextRequestOfThisSiteAlone(): void
    {
        $next = new NextRequest('a secret');
        $mount = new Mount($this->folder, [], $next);
        $send = static fn (string $token, string $back, array $server = []): array => [
            ($answer = $mount->respond('/' . Mount::NEXT, 'POST', [], ['token' => $token, 'back' => $back], [], $server))->status,
            $answer->headers['Location'] ?? null,
            count($answer->cookies),
        ];
        if (extension_loaded('xhprof')) {
            self::assertSame([303, '/shop?a=1', 1], $send($next->token(), '/shop?a=1'));
            self::assertSame([303, '../', 1], $send($next->token(), '//evil.example/'));
            self::assertSame([303, '../', 1], $send($next->token(), '/\\evil.example/'));
        } else {
            self::assertSame([409, null, 0], $send($next->token(), '/shop'));
        }
        self::assertSame([extension_loaded('xhprof') ? 403 : 409, null, 0], $send('', '/shop'));
        self::assertSame([403, null, 0], $send($next->token(), '/shop', ['HTTP_SEC_FETCH_SITE' => 'cross-site']));
        self::assertSame(403, (new Mount($this->folder))->respond('/' . Mount::NEXT, 'POST')->status);
        // A site that has forgotten to name its secret.
        $unsigned = new Mount($this->folder, [], new NextRequest(''));
        foreach (['GET' => 200, 'POST' => 409] as $method => $status) {
            $answer = $unsigned->respond('/' . Mount::NEXT, $method);
            self::assertSame($status, $answer->status);
            self::assertStringContainsString('has no secret', $answer->content());
        }
    }

    public function testAForeignSiteGetsNothing(): void
    {
        $foreign = ['HTTP_SEC_FETCH_SITE' => 'cross-site', 'HTTP_SEC_FETCH_MODE' => 'cors', 'HTTP_SEC_FETCH_DEST' => 'empty'];
        self::assertSame(403, (new Mount($this->folder))->respond('/api', 'GET', ['get' => 'runs'], [], [], $foreign)->status);
    }

    public function testASummaryEscapesWhatItShows(): void
    {
        $html = SummaryHtml::of(RunSummary::none('<script>alert(1)</script> "x"'), '/"><b>/');
        self::assertStringContainsString('&lt;script&gt;alert(1)&lt;/script&gt; &quot;x&quot;', $html);
        self::assertStringNotContainsString('<script', $html);
        $form = SummaryHtml::nextForm(new NextRequest('s'), '/"><b>/', '"><i>', '<u>');
        self::assertStringNotContainsString('<b>', $form);
        self::assertStringNotContainsString('<i>', $form);
        self::assertStringNotContainsString('<u>', $form);
    }

    /** @return iterable<string, array{string, string}> */
    public static function unreadable(): iterable
    {
        yield 'no run' => ['a0000000000000000000000000000001', 'There is no run'];
        yield 'no id' => ['../../etc/passwd', 'This is not a run'];
        yield 'damaged' => ['d0000000000000000000000000000001', 'cannot be read'];
    }

    #[DataProvider('unreadable')]
    public function testARunThatCannotBeReadIsASentence(string $id, string $sentence): void
    {
        file_put_contents("$this->folder/d0000000000000000000000000000001.web.run", 'no run');
        $summary = RunSummary::read($id, 'web', $this->folder);
        self::assertStringContainsString($sentence, $summary->problem);
        self::assertSame([], $summary->functions);
    }

    public function testTheBarHasTheColoursOfThePages(): void
    {
        $theme = (string) file_get_contents(__DIR__ . '/../../xhprof_html/assets/theme.css');
        $pattern = '/--time-([a-z_]{2,}): (light-dark\([^)]*\));/';
        self::assertGreaterThan(10, preg_match_all($pattern, $theme, $colours, PREG_SET_ORDER));
        foreach ($colours as [, $part, $colour]) {
            self::assertStringContainsString(".xhprof-t-$part {\n    --xhprof-part: $colour;\n}", SummaryHtml::css());
        }
    }
}
