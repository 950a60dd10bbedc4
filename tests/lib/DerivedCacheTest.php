<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Store\DerivedCache;

/** What was computed is computed once, for as long as it can be trusted. */
final class DerivedCacheTest extends TestCase
{
    private string $folder;

    private int $made = 0;

    protected function setUp(): void
    {
        $this->folder = sys_get_temp_dir() . '/xhprof-derived-' . bin2hex(random_bytes(6));
        mkdir($this->folder, 0700);
    }

    protected function tearDown(): void
    {
        foreach (array_diff(scandir($this->folder) ?: [], ['.', '..']) as $name) {
            unlink("$this->folder/$name");
        }
        rmdir($this->folder);
    }

    /**
     * @param list<mixed> $key
     *
     * @return array<mixed>
     */
    private function remember(array $key): array
    {
        return (new DerivedCache($this->folder))->remember($key, fn (): array => ['made' => ++$this->made, 'of' => $key]);
    }

    /** @return list<string> */
    private function files(): array
    {
        return array_values(array_diff(scandir($this->folder) ?: [], ['.', '..']));
    }

    public function testItIsMadeOncePerKey(): void
    {
        $first = $this->remember(['run', 'version 1']);
        self::assertSame($first, $this->remember(['run', 'version 1']));
        self::assertSame(1, $this->made);
        self::assertSame(2, $this->remember(['run', 'version 2'])['made']);
        self::assertCount(2, $this->files());
        self::assertSame(0, fileperms("$this->folder/{$this->files()[0]}") & 0002);
    }

    public function testDamageAndForeignFilesAreNotTrusted(): void
    {
        $this->remember(['a']);
        $file = "$this->folder/{$this->files()[0]}";
        $good = (string) file_get_contents($file);
        // Cut off; an object; a number; a link; a file with two names.
        foreach ([substr($good, 0, -3), 'O:8:"stdClass":0:{}', 'i:5;', ''] as $made => $bytes) {
            file_put_contents($file, $bytes);
            self::assertSame($made + 2, $this->remember(['a'])['made']);
        }
        $before = $this->made;
        rename($file, "$file.other");
        symlink("$file.other", $file);
        self::assertSame($before + 1, $this->remember(['a'])['made']);
        self::assertFalse(is_link($file), 'the link is replaced, not followed');
        link($file, "$file.second");
        self::assertSame($before + 2, $this->remember(['a'])['made']);
        chmod($file, 0666);
        self::assertSame($before + 3, $this->remember(['a'])['made']);
    }

    public function testTheLeastUsedGo(): void
    {
        for ($i = 0; $i < 205; $i++) {
            $this->remember([$i]);
            touch("$this->folder/" . hash('sha256', serialize([1, [$i]])), 1000000 + $i);
            $this->remember([0]);
        }
        self::assertCount(200, $this->files());
        self::assertContains(hash('sha256', serialize([1, [0]])), $this->files(), 'it is used all the time');
        $before = $this->made;
        $this->remember([1]);
        self::assertSame($before + 1, $this->made);
    }

    public function testWhereNothingCanBeWrittenItIsMadeEachTime(): void
    {
        $cache = new DerivedCache("$this->folder/none");
        self::assertSame('x', $cache->remember(['a'], static fn (): string => 'x'));
        self::assertSame('y', $cache->remember(['a'], static fn (): string => 'y'));
    }
}
