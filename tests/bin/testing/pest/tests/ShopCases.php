<?php

declare(strict_types=1);

use XHProf\Testing\ProfilesCode;
use XHProf\Tests\Bin\Testing\Shop;

require_once __DIR__ . '/../../cases/bootstrap.php';

uses(ProfilesCode::class);

it('passes and returns the value', function (): void {
    $shop = new Shop();
    expect($this->assertOperationsAtMost(3, fn (): array => $shop->authors(3), 'sql'))->toBe([false, false, false]);
});

it('fails with too many queries', function (int $count): void {
    $shop = new Shop();
    $this->assertOperationsAtMost(3, fn (): array => $shop->authors($count), 'sql');
})->with([3, 7]);

it('compares with a baseline', function (): void {
    $shop = new Shop();
    $count = (int) getenv('AUTHORS');
    // Pest works in the folder of its packages, which is not that of these tests.
    $file = getenv('BASELINE') ?: null;
    expect($this->assertNotMoreThanBaseline(fn (): array => $shop->authors($count), $file))->toHaveCount($count);
});
