<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Owners\GroupBy;
use XHProf\Owners\Grouping;
use XHProf\Report\Order;
use XHProf\Requests\GroupShares;
use XHProf\Requests\SiteNames;
use XHProf\Run\RunMeta;
use XHProf\Store\RunFolder;
use XHProf\Store\RunQuery;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** Which part of each route, or of each site, plug-ins have: windows and saved requests whose figures were worked out by hand. */
final class GroupSharesTest extends TestCase
{
    use TemporaryFolder;

    private const WINDOW = [
        'names' => ['main()', 'GET a.org/', 'GET b.org/x', 'wp', 'shop', 'usleep', '(between requests)'],
        'files' => ['/w/wp-includes/a.php', '/w/wp-content/plugins/shop/a.php', 'ext:standard'],
        'file' => [-1, -1, -1, 0, 1, 2, -1], 'line' => [0, 0, 0, 1, 1, 0, 0], 'last_line' => [0, 0, 0, 1, 1, 0, 0],
        'fn' => [0, 1, 3, 4, 5, 2, 4, 5, 3, 6, 5],
        'depth' => [0, 1, 2, 3, 4, 1, 2, 3, 3, 1, 2],
        'ct' => [0, 1, 2, 3, 4, 1, 5, 6, 7, 0, 9],
        'self' => ['wt' => [0, 1000, 2000, 3000, 4000, 1000, 5000, 6000, 7000, 0, 9000]],
    ];

    public function testWindowsByRoute(): void
    {
        $this->window($this->folder, 1);
        $this->window($this->folder, 2);
        $shares = new GroupShares(new Grouping(GroupBy::Plugin), '', false);
        $shares->add(new RunFolder($this->folder), new RunQuery(), null);
        $json = $shares->report(null, 0)->json();
        self::assertSame([2, 3, 'wt'], [$json['windows'], $json['routes_total'], $json['metric']]);
        self::assertSame([
            ['GET b.org/x', 'shop', 22, '0.579', 20],
            ['(between requests)', 'WordPress', 18, '1.000', 0],
            ['GET b.org/x', 'WordPress', 16, '0.421', 20],
            ['GET a.org/', 'shop', 14, '0.700', 6],
            ['GET a.org/', 'WordPress', 6, '0.300', 6],
        ], self::rows($json));
        self::assertEqualsWithDelta(14 / 6, $json['rows'][3]['per_request_us'], 1e-9);
    }

    public function testOneRouteAndOneGroup(): void
    {
        $this->window($this->folder, 1);
        $shares = new GroupShares(new Grouping(GroupBy::Plugin, one: 'shop'), 'GET a.org/', false);
        $shares->add(new RunFolder($this->folder), new RunQuery(), null);
        self::assertSame([['GET a.org/', 'shop', 7, '0.700', 3]], self::rows($shares->report(null, 0)->json()));
        $none = new GroupShares(new Grouping(GroupBy::Plugin), 'GET /none', false);
        $none->add(new RunFolder($this->folder), new RunQuery(), null);
        self::assertSame([], $none->report(null, 0)->json()['rows']);
    }

    public function testSitesAreHostsOfRoutesOrFolders(): void
    {
        foreach (['x', 'y', 'empty'] as $site) {
            mkdir("$this->folder/$site", 0700);
        }
        $this->window("$this->folder/x", 1);
        $hosts = new GroupShares(new Grouping(GroupBy::Plugin), '', true);
        $hosts->add(new RunFolder("$this->folder/x"), new RunQuery(), null);
        $rows = self::rows($hosts->report(null, 0)->json());
        self::assertSame(['b.org', '(no host)', 'b.org', 'a.org', 'a.org'], array_column($rows, 0));
        $this->window("$this->folder/y", 1);
        $this->window("$this->folder/y", 2);
        $folders = new GroupShares(new Grouping(GroupBy::Plugin), '', true);
        foreach (['x', 'y', 'empty'] as $site) {
            $folders->add(new RunFolder("$this->folder/$site"), new RunQuery(), $site, true);
        }
        $report = $folders->report(new Order('row'), 3);
        self::assertSame([
            ['x', 'WordPress', 20, '0.526', 13], ['x', 'shop', 18, '0.474', 13], ['y', 'WordPress', 40, '0.526', 26],
        ], self::rows($report->json()));
        self::assertSame('3 of 4 lines, a plug-in of a site each; --limit=0 shows all', $report->tables[0]->below);
        self::assertContains('1 folder without a run.', $report->notes);
        self::assertSame([], glob("$this->folder/y/.xhprof-index*") ?: [], 'few runs need no index');
    }

    /** Without windows the saved requests count, also those without call paths; a damaged one is left out. */
    public function testSavedRequests(): void
    {
        $tree = ['fn' => [0, 3, 4], 'depth' => [0, 1, 2], 'ct' => [1, 1, 1], 'self' => ['wt' => [0, 4000, 6000]]] + self::WINDOW;
        $meta = static fn (string $route): array
            => ['url' => $route, 'method' => 'GET', 'route' => "GET $route", 'start' => 'auto'];
        RunFiles::write($this->folder, 'a1.auto', ['meta' => $meta('/p'), 'tree' => $tree]);
        RunFiles::write($this->folder, 'a2.auto', ['meta' => $meta('/p'), 'tree' => $tree]);
        $edges = ['main()' => ['ct' => 1, 'wt' => 8], 'main()==>Acme\Tool\f' => ['ct' => 1, 'wt' => 5]];
        (new RunFolder($this->folder))->save($edges, 'auto', 'a3', $meta('/q'));
        file_put_contents("$this->folder/a4.auto.run", substr((string) file_get_contents("$this->folder/a1.auto.run"), 0, 700));
        $shares = new GroupShares(new Grouping(GroupBy::Plugin), '', false);
        $shares->add(new RunFolder($this->folder), new RunQuery(), null);
        $report = $shares->report(null, 0);
        self::assertSame([
            ['GET /p', 'shop', 12, '0.600', 2], ['GET /p', 'WordPress', 8, '0.400', 2],
            ['GET /q', '(unknown)', 5, '0.625', 1], ['GET /q', '(application)', 3, '0.375', 1],
        ], self::rows($report->json()));
        self::assertContains('These are the saved requests: there are no windows of all.', $report->notes);
    }

    public function testNamesOfSitesAreWhatDiffers(): void
    {
        self::assertSame(['a', 'b'], SiteNames::of(['/srv/a/runs', '/srv/b/runs/']));
        self::assertSame(['a/x', 'b/y'], SiteNames::of(['/srv/a/x/runs', '/srv/b/y/runs']));
        self::assertSame(['runs'], SiteNames::of(['/srv/a/runs']));
        self::assertSame(['/srv/a', '/srv/a/a'], SiteNames::of(['/srv/a', '/srv/a/a']));
        self::assertSame([], SiteNames::of([]));
    }

    private function window(string $folder, int $number): void
    {
        $figures = static fn (int $requests): array => ['requests' => $requests, 'wall_us' => 100];
        RunFiles::write($folder, sprintf('%032x', $number) . '.auto', [
            'meta' => [
                'start' => 'aggregate', 'ts' => 1_700_000_000 + 60 * $number,
                'aggregate' => [
                    'seconds' => 60, 'from' => 1_700_000_000 + 60 * $number, 'to' => 1_700_000_060 + 60 * $number,
                    'routes' => ['GET a.org/' => $figures(3), 'GET b.org/x' => $figures(10), '(between requests)' => $figures(0)],
                ],
            ] + RunMeta::ofSamples('wall', 38, 1),
            'tree' => self::WINDOW,
        ]);
    }

    /**
     * @param array<string, mixed> $json
     *
     * @return list<list<string|int>>
     */
    private static function rows(array $json): array
    {
        self::assertIsArray($json['rows']);

        return array_values(array_map(static fn (array $row): array => [
            $row['row'], $row['group'], (int) round($row['time_us']), sprintf('%.3f', $row['share']), $row['requests'],
        ], $json['rows']));
    }
}
