<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use XHProf\Tests\Lib\Support\KeptWindowRuns;

require_once __DIR__ . '/AutomaticRunsTestCase.php';
require_once __DIR__ . '/../lib/Support/KeptWindowRuns.php';

/** What requests keep, on the page of requests and on that of a window. */
final class KeptPathsPageTest extends AutomaticRunsTestCase
{
    private const PATHS = '//section[@aria-labelledby="paths"]//table';

    public static function setUpBeforeClass(): void
    {
        self::$runs = self::folder();
        KeptWindowRuns::build(self::$runs);
        self::$server = new PageServer(self::ROOT, self::$runs);
    }

    public function testPathsAreShownWithTheirVerdicts(): void
    {
        $page = self::open(self::REQUESTS);
        $findings = $page->texts('//section[@aria-labelledby="growing"]//li');
        self::assertCount(3, $findings);
        self::assertStringContainsString('2.56 KB per request stay (± 262 B), 25.0 MB so far, steady App\Log::add', $findings[0]);
        self::assertStringContainsString('App\Worker::handle > App\Mailer::send > App\Log::add.', $findings[0]);
        $verdicts = $page->texts(self::below($page, self::PATHS, 'Verdict'));
        self::assertSame(['grows', 'grows', 'grows', 'filled', 'let go'], $verdicts);
        self::assertSame(['grows'], array_values(array_unique($page->texts(self::PATHS . '//strong[contains(@class, "bad")]'))));
        $perRequest = $page->texts(self::below($page, self::PATHS, 'Per request'));
        self::assertSame(['2.56 KB', '7.68 KB', '66 B', '414 B', '172 B'], $perRequest);
        self::assertStringContainsString('of 10 windows', $page->text('//h2[@id="paths"]'));
    }

    public function testOneRouteHasItsOwnPaths(): void
    {
        $page = self::open(self::REQUESTS . '&route=App\Job\Resize');
        self::assertSame(['filled', 'let go'], $page->texts(self::below($page, self::PATHS, 'Verdict')));
        self::assertSame([], $page->texts('//section[@aria-labelledby="growing"]'));
    }

    public function testRoutesHaveWhatStays(): void
    {
        $memory = '//table[contains(@class, "route-memory")]';
        foreach ([self::REQUESTS, self::runUrl(KeptWindowRuns::id(5), '', 'worker')] as $url) {
            $page = self::open($url);
            $stays = $page->texts(self::below($page, $memory, 'Stays', 'App\Job\SendInvoice'));
            self::assertSame(['2.62 KB'], $stays, $url);
        }
    }

    public function testNamesAreTexts(): void
    {
        $page = self::open(self::REQUESTS);
        self::assertSame([], $page->texts('//b'));
        self::assertStringContainsString('\x1B[31m', $page->text(self::PATHS));
    }

    public function testWithoutFollowedBlocksNothingIsShown(): void
    {
        self::assertSame([], self::open(self::REQUESTS . '&from=2030-01-01')->texts(self::PATHS));
    }
}
