<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use XHProf\Heap\HeapIndex;

require_once __DIR__ . '/TemporaryFolder.php';

/**
 * Gives every test a folder for its heap snapshots, and below it the cache that their indexes are kept in.
 */
trait HeapFolder
{
    use TemporaryFolder;

    private string|false $cacheBefore = false;

    protected function setUp(): void
    {
        $this->cacheBefore = getenv('XDG_CACHE_HOME');
        putenv("XDG_CACHE_HOME=$this->folder");
    }

    protected function tearDown(): void
    {
        putenv($this->cacheBefore === false ? 'XDG_CACHE_HOME' : "XDG_CACHE_HOME=$this->cacheBefore");
    }

    private function snapshot(string $name = 'a'): string
    {
        return "$this->folder/$name.heap.jsonl";
    }

    private function open(string $text, string $name = 'a', ?int $mostNodes = null): HeapIndex
    {
        file_put_contents($this->snapshot($name), $text);

        return HeapIndex::open($this->snapshot($name), null, $mostNodes);
    }
}
