<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use PHPUnit\Framework\Attributes\After;
use PHPUnit\Framework\Attributes\Before;

/**
 * Gives every test an empty folder of its own.
 */
trait TemporaryFolder
{
    private string $folder = '';

    #[Before]
    protected function makeFolder(): void
    {
        $this->folder = sys_get_temp_dir() . '/xhprof-lib-test-' . bin2hex(random_bytes(6));
        mkdir($this->folder, 0700);
    }

    #[After]
    protected function removeFolder(): void
    {
        self::removeTree($this->folder);
    }

    private static function removeTree(string $path): void
    {
        foreach (scandir($path) ?: [] as $name) {
            if ($name === '.' || $name === '..') {
                continue;
            }
            $file = "$path/$name";
            is_dir($file) && !is_link($file) ? self::removeTree($file) : unlink($file);
        }
        rmdir($path);
    }
}
