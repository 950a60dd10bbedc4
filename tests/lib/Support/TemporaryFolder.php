<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use PHPUnit\Framework\Attributes\After;
use PHPUnit\Framework\Attributes\Before;

/** Gives every test an empty folder of its own. */
trait TemporaryFolder
{
    protected string $folder = '';

    #[Before]
    protected function makeFolder(): void
    {
        $this->folder = sys_get_temp_dir() . '/xhprof-lib-test-' . bin2hex(random_bytes(6));
        mkdir($this->folder, 0700);
    }

    #[After]
    protected function removeFolder(): void
    {
        exec('rm -rf ' . escapeshellarg($this->folder));
    }
}
