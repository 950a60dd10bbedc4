<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use XHProf\Demo\Fleet\SentWindow;
use XHProf\Fleet\Question\SampledClock;
use XHProf\Fleet\Question\Selection;
use XHProf\Fleet\Report\GroupsReport;
use XHProf\Owners\GroupBy;
use XHProf\Owners\Grouping;
use XHProf\Profile\CallTree;
use XHProf\Run\RequestWindow;

require_once __DIR__ . '/FleetTestCase.php';

/** Which plug-ins take the time on many hosts, of each site too: figures that were worked out by hand. */
final class GroupsTest extends FleetTestCase
{
    private const PLUGINS = '/var/www/wp-content/plugins';

    public function testPluginsOfAllHostsAndOfEachSite(): void
    {
        $this->init();
        $now = (float) intdiv(time() - 3600, 600) * 600;
        $routes = ['GET a.org/' => ['requests' => 4, 'wall_us' => 40], 'GET b.org/x' => ['requests' => 6, 'wall_us' => 60]];
        $window = RequestWindow::fromMeta([
            'seconds' => 60, 'from' => $now, 'to' => $now + 60, 'requests' => 10, 'processes' => 1, 'routes' => $routes,
        ]);
        self::assertNotNull($window);
        $tree = CallTree::fromArray([
            'names' => ['main()', 'GET a.org/', 'GET b.org/x', 'core', 'shop', 'search', 'usleep'],
            'files' => [
                '/var/www/wp-includes/plugin.php', self::PLUGINS . '/shop/a.php', self::PLUGINS . '/search/b.php', 'ext:standard',
            ],
            'file' => [-1, -1, -1, 0, 1, 2, 3], 'line' => [0, 0, 0, 1, 1, 1, 0], 'last_line' => [0, 0, 0, 1, 1, 1, 0],
            // a.org: core > shop > usleep, core > usleep; b.org: core > search > core > search > usleep
            'fn' => [0, 1, 3, 4, 6, 6, 2, 3, 5, 3, 5, 6],
            'depth' => [0, 1, 2, 3, 4, 3, 1, 2, 3, 4, 5, 6],
            'ct' => [0, 0, 1, 2, 3, 1, 0, 1, 1, 1, 1, 1],
            'self' => ['wt' => [0, 0, 1000, 2000, 4000, 8000, 0, 100, 200, 400, 800, 1600]],
        ]);
        $this->send([
            SentWindow::shipment('k1', 'aa1.auto', 'hosting', 'prod', '1', 'web-1', $window, $tree, 1),
            SentWindow::shipment('k2', 'aa2.auto', 'hosting', 'prod', '1', 'web-2', $window, $tree, 1),
        ]);
        $client = $this->client('reader');
        $which = new Selection('hosting');
        $plugins = new Grouping(GroupBy::Plugin);
        $rows = GroupsReport::report($client, $which, SampledClock::Wall, $plugins, null)->json()['rows'];
        self::assertIsArray($rows);
        // Of two hosts, per request of 20; search, which calls itself through the core, counts once.
        self::assertSame([
            ['WordPress', 950, 0.525, 1810, 8], ['shop', 600, 0.331, 600, 10], ['search', 260, 0.144, 300, 6],
        ], array_map(static fn (array $row): array => [
            $row['group'], (int) round($row['self_ns']), round($row['share'], 3), (int) round($row['total_ns']), $row['samples'],
        ], $rows));
        $perSite = GroupsReport::report($client, $which, SampledClock::Wall, $plugins, 'site')->json()['rows'];
        self::assertSame([
            ['row' => 'a.org', 'group' => 'WordPress', 'total_ns' => 18000, 'share' => 0.6],
            ['row' => 'a.org', 'group' => 'shop', 'total_ns' => 12000, 'share' => 0.4],
            ['row' => 'b.org', 'group' => 'search', 'total_ns' => 5200, 'share' => 5200 / 6200],
            ['row' => 'b.org', 'group' => 'WordPress', 'total_ns' => 1000, 'share' => 1000 / 6200],
        ], $perSite);
        $one = new Grouping(GroupBy::Plugin, one: 'shop');
        $shop = GroupsReport::report($client, $which, SampledClock::Wall, $one, null)->json();
        self::assertSame(['shop'], array_column(self::rows($shop), 'group'));
        $route = new Selection('hosting', route: 'GET b.org/x');
        $perRoute = GroupsReport::report($client, $route, SampledClock::Wall, $plugins, 'route');
        self::assertSame(['GET b.org/x', 'GET b.org/x'], array_column(self::rows($perRoute->json()), 'row'));
        $none = GroupsReport::report($client, new Selection('nobody'), SampledClock::Wall, $plugins, null);
        self::assertSame([], self::rows($none->json()));
    }

    /**
     * @param array<string, mixed> $json
     *
     * @return list<array<string, mixed>>
     */
    private static function rows(array $json): array
    {
        self::assertIsArray($json['rows']);

        return array_values(array_filter($json['rows'], is_array(...)));
    }
}
