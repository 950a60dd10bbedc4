<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use XHProf\Store\RunEntry;

require_once __DIR__ . '/CliTestCase.php';

/** `xhprof run`, with the extension. */
abstract class RunTestCase extends CliTestCase
{
    protected function setUp(): void
    {
        self::needExtension();
        parent::setUp();
    }

    protected function onlyRun(): RunEntry
    {
        $runs = $this->store()->list();
        self::assertCount(1, $runs);
        self::assertNull($runs[0]->error);

        return $runs[0];
    }

    protected function removeRuns(): void
    {
        foreach (glob("$this->folder/runs/*") ?: [] as $file) {
            unlink($file);
        }
    }
}
