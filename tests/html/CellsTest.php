<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\TestCase;
use XHProf\Web\Table\Cells;
use XHProf\Web\Table\ShownMetric;

/** Figures as the tables show them. */
final class CellsTest extends TestCase
{
    public function testMemoryHasAShareOnlyWhereItIsAPart(): void
    {
        foreach (['mu', 'excl_mu'] as $key) {
            foreach ([-500, 1500] as $noPart) {
                $cell = Cells::value($noPart, ShownMetric::of($key), 1000, true);
                self::assertSame(['', 0.0], [$cell['share'], $cell['width']], "$key $noPart");
                self::assertStringNotContainsString('%', $cell['exact']);
            }
            self::assertSame('50.0 %', Cells::value(500, ShownMetric::of($key), 1000, true)['share']);
        }
    }
}
