<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Store\RunId;
use XHProf\Store\RunStore;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/TemporaryFolder.php';

/**
 * Several processes over one folder.
 */
final class ConcurrencyTest extends TestCase
{
    use TemporaryFolder;

    public function testTwoWritersOfOneRunNeverMixIt(): void
    {
        $writers = [$this->writer(1), $this->writer(2)];
        $store = new RunStore($this->folder);
        $id = RunId::fromStrings('same', 'x');
        $seen = [];
        $reads = 0;
        while (array_filter($writers, static fn ($writer): bool => proc_get_status($writer)['running']) !== []) {
            if ($store->has($id)) {
                // A file half written, or of both writers, would be damaged or of unequal figures.
                $figures = array_unique(array_column($store->load($id)->edges(), 'wt'));
                self::assertCount(1, $figures);
                $seen[(string) $figures[0]] = true;
                self::assertNull($store->list()[0]->error);
                $reads++;
            }
        }
        array_map(proc_close(...), $writers);
        self::assertGreaterThan(10, $reads);
        self::assertSame([], array_diff_key($seen, [1 => 1, 2 => 1]));
        // No temporary file is left.
        $files = array_values(array_diff(scandir($this->folder) ?: [], ['.', '..']));
        self::assertSame(['same.x.meta.json', 'same.x.xhprof'], $files);
    }

    /**
     * @return resource
     */
    private function writer(int $figure)
    {
        $autoload = var_export(dirname(__DIR__, 2) . '/xhprof_lib/autoload.php', true);
        $folder = var_export($this->folder, true);
        $code = "require $autoload;
            \$run = ['main()' => ['ct' => 1, 'wt' => $figure]];
            for (\$i = 0; \$i < 2000; \$i++) { \$run['main()==>f' . \$i] = ['ct' => 1, 'wt' => $figure]; }
            \$store = new XHProf\\Store\\RunStore($folder);
            for (\$i = 0; \$i < 150; \$i++) { \$store->save(\$run, 'x', 'same'); }";
        $pipes = [];
        $process = proc_open([PHP_BINARY, '-r', $code], [], $pipes);
        self::assertIsResource($process);

        return $process;
    }
}
