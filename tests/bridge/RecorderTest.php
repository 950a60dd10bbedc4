<?php

declare(strict_types=1);

namespace XHProf\Tests\Bridge;

require_once __DIR__ . '/SiteTestCase.php';

/** The core's recorder in a process that no framework runs. */
final class RecorderTest extends SiteTestCase
{
    public function testARunOfAWorkerHasNoNameOfTheOneBefore(): void
    {
        $this->need('composer');
        [$status, $output] = $this->command([__DIR__ . '/worker.php']);
        self::assertSame(0, $status, $output);
        $routes = [];
        foreach (self::runs($this->folder->path . '/runs') as $run) {
            $routes[(string) $run->meta()->id] = $run->meta()->origin->route;
        }
        $ids = explode("\n", trim($output));
        self::assertCount(4, $routes);
        self::assertSame(['GET a', '(no route)', '(no route)', 'GET b'], array_map(
            static fn(string $id): ?string => $routes[$id] ?? null,
            $ids,
        ));
    }
}
