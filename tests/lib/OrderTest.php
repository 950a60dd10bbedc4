<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Report\Order;
use XHProf\Web\Http\Request;
use XHProf\Web\Table\ReportTable;

/** The one rule of orders, which options and addresses share. */
final class OrderTest extends TestCase
{
    /** @return array<string, array{string, string, ?string, ?array{string, ?bool}}> sort, dir, the usual order, what they mean */
    public static function texts(): array
    {
        return [
            'an order' => ['bytes', '', null, ['bytes', null]],
            'with its direction' => ['bytes', 'asc', null, ['bytes', false]],
            'down' => ['name', 'desc', null, ['name', true]],
            'a wrong direction' => ['name', 'up', null, ['name', null]],
            'an order that there is not' => ['time', 'asc', null, null],
            'then the usual one, in the direction that is asked for' => ['time', 'asc', 'bytes', ['bytes', false]],
            'only a direction' => ['', 'asc', 'bytes', ['bytes', false]],
            'nothing' => ['', '', 'bytes', ['bytes', null]],
        ];
    }

    /** @param array{string, ?bool}|null $expected */
    #[DataProvider('texts')]
    public function testTextsAndAddressesMeanTheSame(string $sort, string $dir, ?string $usual, ?array $expected): void
    {
        $order = Order::fromTexts($sort, $dir, ['bytes', 'name'], $usual);
        self::assertSame($expected, $order === null ? null : [$order->by, $order->descending]);
        $request = new Request('GET', ['sort' => $sort, 'dir' => $dir]);
        self::assertEquals($order, ReportTable::order($request, ['bytes', 'name'], $usual));
    }

    public function testFiguresBeginWithTheLargestAndWordsWithA(): void
    {
        [$figures, $words] = [new Order('bytes'), new Order('name')];
        self::assertSame([true, false], [$figures->isDown(false), $words->isDown(true)]);
        self::assertSame([null, null], [$figures->dir(false), $words->dir(true)]);
        self::assertSame(['descending', 'ascending'], [$figures->aria('bytes', false), $words->aria('name', true)]);
        self::assertNull($figures->aria('name', true));
    }

    public function testAHeadTurnsTheOrderThatRowsHave(): void
    {
        $order = new Order('bytes');
        self::assertSame('asc', $order->next('bytes', false)->dir(false));
        self::assertNull($order->next('bytes', false)->next('bytes', false)->dir(false));
        self::assertNull($order->next('name', true)->dir(true), 'another column begins as it usually does');
        self::assertSame('desc', $order->next('name', true)->next('name', true)->dir(true));
    }
}
