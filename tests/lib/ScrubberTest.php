<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Export\Scrubber;
use XHProf\Profile\Profile;

final class ScrubberTest extends TestCase
{
    public function testNoValueIsLeft(): void
    {
        self::assertSame('/a', Scrubber::url('/a'));
        self::assertSame('http://host/a?REDACTED&c=REDACTED', Scrubber::url('http://me:pw@host/a?b&c=1#x'));
        self::assertSame('php x.php REDACTED', Scrubber::command('php x.php --password=1 2'));
        self::assertSame('php x.php', Scrubber::command('php x.php'));
        self::assertSame('/usr/bin/php8.2 x.php REDACTED', Scrubber::command('/usr/bin/php8.2 x.php token=abc'));
        self::assertSame('worker.php REDACTED', Scrubber::command('worker.php token=abc'));
        self::assertSame('worker.php', Scrubber::command('worker.php'));
        $profile = Scrubber::profile(Profile::fromEdges([
            'main()' => ['ct' => 1, 'wt' => 10],
            'main()==>PDO::query#SELECT 1' => ['ct' => 1, 'wt' => 3],
            'main()==>PDO::query#SELECT 2==>' => ['ct' => 2, 'wt' => 4],
            'main()==>curl_exec#https://x/?k=1' => ['ct' => 1, 'wt' => 1],
            'main()==>f#g' => ['ct' => 1, 'wt' => 1],
        ]));
        self::assertSame([
            'main()' => ['ct' => 1, 'wt' => 10],
            'main()==>PDO::query' => ['ct' => 3, 'wt' => 7],
            'main()==>curl_exec' => ['ct' => 1, 'wt' => 1],
            'main()==>f#g' => ['ct' => 1, 'wt' => 1],
        ], $profile->edges());
    }
}
