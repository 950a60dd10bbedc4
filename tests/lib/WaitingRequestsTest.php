<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Store\RunFolder;
use XHProf\Store\WaitingRequests;
use XHProf\Tests\Lib\Support\TemporaryFolder;
use XHProf\Tests\Lib\Support\WindowFiles;

require_once __DIR__ . '/Support/WindowFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** Requests in spools and journals; that they are those of the extension is tested in tests/bin/RequestsCommandTest.php. */
final class WaitingRequestsTest extends TestCase
{
    use TemporaryFolder;

    public function testRecordsOfAllFilesAreAddedUp(): void
    {
        self::assertSame([0, '', []], $this->found());
        file_put_contents("$this->folder/.xhprof-aggregate.auto.0.60-10000-wall.spool", WindowFiles::spool([3, 200]));
        file_put_contents("$this->folder/.xhprof-aggregate.web.0.60-10000-wall@1,2.spool", WindowFiles::spool([]));
        $journal = "$this->folder/.xhprof-aggregate.auto.0.60-10000-wall.00000000000000ab.journal";
        file_put_contents($journal, WindowFiles::journal([1, 1, 1]));
        [$requests, $text, $spools] = $this->found();
        self::assertSame(206, $requests);
        self::assertStringStartsWith('206 requests wait to be saved: ', $text);
        self::assertSame(['auto' => 203, 'web' => 0], array_column($spools, 'requests', 'source'));
    }

    public function testWhatASpoolHasTakenFromAJournalCountsOnce(): void
    {
        $base = "$this->folder/.xhprof-aggregate.auto.0.60-10000-wall";
        file_put_contents("$base.spool", WindowFiles::spool([1], 0xab));
        file_put_contents("$base.00000000000000ab.journal", WindowFiles::journal([1]));
        self::assertSame(1, $this->found()[0]);
        self::assertStringStartsWith('1 request waits to be saved: ', $this->found()[1]);
        file_put_contents("$base.00000000000000ac.journal", WindowFiles::journal([5]));
        self::assertSame(6, $this->found()[0]);
    }

    public function testRecordsOfAnEarlierUseOfAJournalDoNotCount(): void
    {
        $file = WindowFiles::journal([1, 2]) . substr(WindowFiles::journal([4], 'another.'), 64);
        file_put_contents("$this->folder/.xhprof-aggregate.auto.0.60-10000-wall.00000000000000ab.journal", $file);
        self::assertSame(3, $this->found()[0]);
    }

    public function testRecordsOfTheExtensionBeforeCountBesideItsOwn(): void
    {
        $path = "$this->folder/.xhprof-aggregate.auto.0.60-10000-wall.spool";
        foreach ([[8], [9], [8, 9], [9, 8], [8, 8, 9]] as $versions) {
            file_put_contents($path, WindowFiles::spool([3, 200, 40, 5], versions: $versions));
            self::assertSame(248, $this->found()[0], implode(' ', $versions));
        }
        foreach ([7, 6] as $version) {
            file_put_contents($path, WindowFiles::spool([3, 200], versions: [9, $version]));
            self::assertSame(3, $this->found()[0], "nothing is known of version $version");
        }
    }

    /** @return array{int, string, list<array{source: string, requests: int, bytes: int, written: int}>} */
    private function found(): array
    {
        $waiting = WaitingRequests::in($this->folder);
        self::assertEquals($waiting, (new RunFolder($this->folder))->catalog()->waiting(), 'by the index');

        return [$waiting->requests, $waiting->text(), $waiting->spools];
    }
}
