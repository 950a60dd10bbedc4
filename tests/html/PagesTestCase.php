<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\TestCase;
use XHProf\Profile\Profile;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Web\Http\Response;

require_once __DIR__ . '/Workload.php';
require_once __DIR__ . '/Fixtures.php';
require_once __DIR__ . '/Page.php';
require_once __DIR__ . '/PageServer.php';

/** One server and one folder of runs for all tests of a class. */
abstract class PagesTestCase extends TestCase
{
    protected const ROOT = __DIR__ . '/../../xhprof_html';

    protected static PageServer $server;
    protected static string $runs;

    public static function setUpBeforeClass(): void
    {
        self::$runs = self::folder();
        Fixtures::build(self::$runs);
        self::$server = new PageServer(self::ROOT, self::$runs);
    }

    public static function tearDownAfterClass(): void
    {
        self::remove(self::$runs);
    }

    /** A page that must exist and be whole. */
    protected static function open(string $path, int $status = 200): Page
    {
        $page = self::$server->get($path);
        self::assertSame($status, $page->status, "$path: " . substr($page->body, 0, 500));
        self::assertSound($page, $path);

        return $page;
    }

    /** Checks of every page: headers, nothing inline, no PHP message, no path of the server. */
    protected static function assertSound(Page $page, string $path): void
    {
        self::assertSame(Response::CONTENT_SECURITY_POLICY, $page->headers['content-security-policy'] ?? '', $path);
        self::assertSame('nosniff', $page->headers['x-content-type-options'] ?? '', $path);
        self::assertSame('same-origin', $page->headers['referrer-policy'] ?? '', $path);
        self::assertSame('text/html; charset=utf-8', strtolower($page->headers['content-type'] ?? ''), $path);
        self::assertArrayNotHasKey('x-powered-by', $page->headers);
        self::assertSame(1, preg_match('//u', $page->body), "$path is not UTF-8");
        self::assertStringEndsWith("</html>\n", $page->body, $path);
        self::assertSame([], $page->find('//*[@style] | //style | //script[not(@src)] | //base | //iframe'), $path);
        self::assertSame([], $page->find('//@*[starts-with(name(), "on")]/..'), $path);
        self::assertSame(['module'], array_unique($page->attributes('//script', 'type')), $path);
        self::assertCount(1, $page->find('//h1'), $path);
        $words = '/(Warning|Notice|Deprecated|Fatal error|Stack trace|Exception)\b.*( in | on line |#0)/';
        self::assertDoesNotMatchRegularExpression($words, $page->body, $path);
        foreach ([self::$runs, dirname(__DIR__, 2)] as $secret) {
            self::assertStringNotContainsString($secret, $page->body, $path);
        }
    }

    protected static function profile(string $id, string $source = 'shop'): Profile
    {
        return (new RunFolder(self::$runs))->open(RunId::fromStrings($id, $source))->profile();
    }

    /**
     * @param array<string, int|float> $row
     * @param list<string> $columns
     * @return list<int|float>
     */
    protected static function cells(array $row, array $columns): array
    {
        return array_map(static fn (string $column): int|float => $row[$column], $columns);
    }

    /** A whole number in the pages' form. */
    protected static function number(int|float $number): string
    {
        return number_format($number, 0, '.', ' ');
    }

    protected static function folder(): string
    {
        $folder = sys_get_temp_dir() . '/xhprof-pages-' . bin2hex(random_bytes(6));
        mkdir($folder);

        return $folder;
    }

    protected static function remove(string $folder): void
    {
        foreach (array_diff(scandir($folder) ?: [], ['.', '..']) as $file) {
            unlink("$folder/$file");
        }
        rmdir($folder);
    }
}
