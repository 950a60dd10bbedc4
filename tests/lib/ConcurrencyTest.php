<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Store\RunIndexFile;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/**
 * Several processes use one folder.
 */
final class ConcurrencyTest extends TestCase
{
    use TemporaryFolder;

    /** Least runs of both writers, in turns, that the reader must have seen. */
    private const CHANGES = 20;

    public function testTwoWritersOfOneRunNeverMixIt(): void
    {
        $store = new RunFolder($this->folder);
        $id = RunId::fromStrings('same', 'x');
        // They write until a file stops them, however long the reader takes.
        $writers = [$this->writer(1), $this->writer(2)];
        try {
            $last = null;
            for ($changes = 0; $changes < self::CHANGES;) {
                foreach ($writers as $writer) {
                    self::assertTrue(proc_get_status($writer)['running'], 'a writer failed');
                }
                if (!$store->has($id)) {
                    continue;
                }
                // A half-written file, or one of both writers, would be damaged or have unequal figures.
                $figures = array_unique(array_column($store->open($id)->profile()->edges(), 'wt'));
                self::assertCount(1, $figures);
                self::assertContains($figures[0], [1, 2]);
                $changes += $figures[0] === $last ? 0 : 1;
                $last = $figures[0];
                foreach ($store->list() as $run) {
                    self::assertNull($run->error);
                }
            }
        } finally {
            touch("$this->folder/stop");
            array_map(proc_close(...), $writers);
        }
        // No temporary file is left, beside the index.
        $index = [RunIndexFile::NAME, RunIndexFile::NAME . '-journal'];
        $files = array_values(array_diff(scandir($this->folder) ?: [], ['.', '..', 'stop', ...$index]));
        self::assertSame([RunFiles::file('same.x')], $files);
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
            \$store = new XHProf\\Store\\RunFolder($folder);
            do { \$store->save(\$run, 'x', 'same'); clearstatcache(); } while (!file_exists($folder . '/stop'));";
        $pipes = [];
        $process = proc_open([PHP_BINARY, '-r', $code], [], $pipes);
        self::assertIsResource($process);

        return $process;
    }
}
