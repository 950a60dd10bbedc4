<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use XHProf\Operations\OperationRow;
use XHProf\Tests\Lib\Support\AutomaticRuns;

require_once __DIR__ . '/AutomaticRunsTestCase.php';

/** view=whatif: totals and percentiles without what is struck out. Its figures are those of tests/lib/WhatIfTest.php. */
final class WhatIfPageTest extends AutomaticRunsTestCase
{
    private static function url(string $without, string $run = AutomaticRuns::TRIGGERED, string $source = 'live'): string
    {
        return self::runUrl($run, '&view=whatif&without=' . rawurlencode($without), $source);
    }

    public function testAFunctionsPageLeadsThere(): void
    {
        $function = self::open(self::runUrl(AutomaticRuns::TRIGGERED, '&symbol=PDOStatement::execute'));
        $link = $function->attributes('//a[.="What if it took no time"]', 'href')[0];
        $page = self::open($link);
        $row = $page->texts('//section[@aria-labelledby="totals"]//tbody/tr[1]/td');
        self::assertSame(['812 ms', '406 ms', '406 ms', '-50.0 %'], $row);
        self::assertStringStartsWith('Exact for what was recorded', $page->texts('//p[@class="note"]')[0]);
        $symbol = 'run=' . AutomaticRuns::TRIGGERED . '&source=live&symbol=PDOStatement::execute';
        $api = self::$server->get("api.php?get=symbol&$symbol");
        self::assertStringContainsString('If it took no time', $api->body);
        // What is struck can be put back.
        $none = self::open($page->attributes('//ul[@class="struck"]//a[contains(., "Put back")]', 'href')[0]);
        self::assertSame([], $none->texts('//ul[@class="struck"]'));
    }

    public function testRoutesOfARange(): void
    {
        $requests = self::open(self::REQUESTS);
        $flame = $requests->attributes('//a[contains(., "Flame graph of this range")]', 'href')[0];
        $page = self::open(str_replace('view=flame', 'view=whatif&without=PDOStatement::execute', $flame));
        $rows = $page->texts('//section[@aria-labelledby="routes"]//tbody/tr/th');
        self::assertCount(5, $rows);
        self::assertSame('GET /search', $rows[0]);
        self::assertStringContainsString('Percentiles are an estimate', implode(' ', $page->texts('//p[@class="note"]')));
    }

    public function testMistakesNameTheNearest(): void
    {
        $page = self::open(self::url("PDOStatement::excute\nApp\\Db::query\n<b>"));
        $warnings = $page->texts('//p[@class="warning"]');
        self::assertStringContainsString('"PDOStatement::excute"; did you mean "PDOStatement::execute"?', $warnings[0]);
        self::assertStringContainsString('"<b>"', $warnings[1]);
        self::assertCount(1, $page->find('//ul[@class="struck"]/li'));
        self::open(self::url('f') . '&groups=fruit', 400);
        $group = self::open(self::url('App\Twig', AutomaticRuns::SAMPLED) . '&groups=namespace');
        self::assertSame('-37.4 %', $group->texts('//section[@aria-labelledby="totals"]//tbody/tr[1]/td')[3]);
        self::open(self::runUrl(AutomaticRuns::TRIGGERED, '&view=whatif&without[]=f'), 400);
        self::assertCount(1, self::open(self::url('operation:' . OperationRow::idOf('sql', 'x')))->texts('//p[@class="warning"]'));
    }
}
