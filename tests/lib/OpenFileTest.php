<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Exception\XHProfException;
use XHProf\File\Folder;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Store\UserCache;
use XHProf\Tests\Lib\Support\Exchange;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\Runs;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/Exchange.php';
require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/Runs.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** No file outside the folder is ever read, whatever is done to its names meanwhile. */
final class OpenFileTest extends TestCase
{
    use TemporaryFolder;

    private const SECRET = 'secret of somebody else';

    private Folder $inside;

    protected function setUp(): void
    {
        mkdir("$this->folder/in");
        mkdir("$this->folder/out");
        file_put_contents("$this->folder/out/secret", self::SECRET);
        $this->inside = new Folder("$this->folder/in");
    }

    public function testOnlyARegularFileOfOneNameIsOpened(): void
    {
        $in = $this->inside->path;
        file_put_contents("$in/good", 'good');
        symlink("$this->folder/out/secret", "$in/symbolic");
        symlink('good', "$in/alias");
        link("$this->folder/out/secret", "$in/hard");
        symlink($in, "$in/itself");
        mkdir("$in/folder");
        posix_mkfifo("$in/pipe", 0600);
        symlink('/dev/zero', "$in/device");
        self::assertSame('good', $this->inside->read('good'));
        self::assertSame('go', $this->inside->head('good', 2));
        foreach (['symbolic', 'alias', 'hard', 'itself', 'folder', 'pipe', 'device', 'none'] as $name) {
            self::assertNull($this->inside->open($name), $name);
            self::assertFalse($this->inside->has($name), $name);
            self::assertSame('', $this->inside->head($name, 10), $name);
            try {
                $this->inside->read($name);
                self::fail("$name was read");
            } catch (XHProfException $e) {
                self::assertStringContainsString($name, $e->getMessage());
            }
        }
    }

    /** A pipe without a writer would block the reader for ever; the pages may have one process only. */
    public function testNamesThatAreExchangedMeanwhileLeadNowhere(): void
    {
        foreach (['link', 'hard', 'pipe'] as $kind) {
            $name = RunFiles::file("$kind.x");
            $other = "{$this->inside->path}/other.$kind";
            file_put_contents("{$this->inside->path}/$name", 'good');
            match ($kind) {
                'link' => symlink("$this->folder/out/secret", $other),
                'hard' => link("$this->folder/out/secret", $other),
                'pipe' => posix_mkfifo($other, 0600),
            };
            $exchange = new Exchange("{$this->inside->path}/$name", $other);
            $seen = [];
            for ($i = 0; $i < 3000; $i++) {
                $seen[$this->inside->head($name, 100)] = true;
                try {
                    $seen[$this->inside->read($name)] = true;
                } catch (XHProfException) {
                    // It was the other file.
                }
            }
            self::assertGreaterThan(0, $exchange->end(), 'names were exchanged');
            self::assertSame([], array_diff(array_keys($seen), ['', 'good']), $kind);
        }
    }

    /** Saving a run again replaces its files: a reader has the old ones or the new ones. */
    public function testAFileThatItsWriterReplacesIsAlwaysThere(): void
    {
        $store = new RunFolder($this->inside->path);
        $id = $store->save(Runs::small(), 'x', 'again');
        $file = RunFiles::path($this->inside->path, $id);
        foreach (['a', 'b'] as $other) {
            copy($file, "{$this->inside->path}/$other");
        }
        $exchange = new Exchange($file, "{$this->inside->path}/a", "{$this->inside->path}/b");
        for ($i = 0; $i < 1000; $i++) {
            self::assertSame(1000, $store->open(RunId::fromText((string) $id))->profile()->totals()['wt']);
        }
        self::assertGreaterThan(0, $exchange->end());
    }

    public function testAFileOfTheCacheThatHasAnotherNameIsNotWritten(): void
    {
        $victim = "$this->folder/out/thesis";
        file_put_contents($victim, 'years of work');
        link($victim, "{$this->inside->path}/.xhprof-index.sqlite");
        self::assertFalse(UserCache::isOwn("{$this->inside->path}/.xhprof-index.sqlite"));
        self::assertNull(UserCache::open("{$this->inside->path}/.xhprof-index.sqlite", 'r+b'));
        $store = new RunFolder($this->inside->path);
        $store->save(Runs::small(), 'x', 'good');
        self::assertCount(1, $store->catalog()->find(new \XHProf\Store\RunQuery(), 10)->runs);
        \XHProf\Store\RunIndex::discard("{$this->inside->path}/.xhprof-index.sqlite");
        self::assertSame('years of work', file_get_contents($victim));
    }

    public function testTheIndexIsNotInAFolderThatOthersMayWriteTo(): void
    {
        foreach ([0700 => true, 0750 => true, 02770 => false, 0777 => false, 01777 => false] as $mode => $isInside) {
            $folder = "$this->folder/" . decoct($mode);
            mkdir($folder);
            chmod($folder, $mode);
            $store = new RunFolder($folder);
            $store->save(Runs::small(), 'x', 'good');
            self::assertCount(1, $store->catalog()->find(new \XHProf\Store\RunQuery(), 10)->runs);
            self::assertSame($isInside, is_file("$folder/.xhprof-index.sqlite"), decoct($mode));
        }
    }
}
