<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Findings\Findings;
use XHProf\Runs\FirstFindings;
use XHProf\Store\Label;
use XHProf\Store\RunEntry;
use XHProf\Store\RunFolder;
use XHProf\Store\RunIndexFile;
use XHProf\Store\RunQuery;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** The first finding of each run of a list: computed once, and again when it is out of date. */
final class FirstFindingsTest extends TestCase
{
    use TemporaryFolder;

    private RunFolder $store;

    protected function setUp(): void
    {
        $this->store = new RunFolder($this->folder);
    }

    /** A loop of queries in a page, 100 ms of which are the page's own. */
    private function loop(string $id, int $queries, string $page = 'page'): void
    {
        $this->store->save([
            'main()' => ['ct' => 1, 'wt' => 1000000],
            "main()==>$page" => ['ct' => 1, 'wt' => 999000],
            "$page==>PDO::query" => ['ct' => $queries, 'wt' => 899000],
        ], 'web', $id);
    }

    /** @return list<RunEntry> */
    private function runs(): array
    {
        return (new RunFolder($this->folder))->catalog()->find(new RunQuery(sort: 'source'), 20000)->runs;
    }

    /** @return array<string, string|null> text by id; '' where it is not known */
    private function found(int $budget = FirstFindings::FOR_PAGE): array
    {
        $findings = new FirstFindings(new RunFolder($this->folder));
        $runs = $this->runs();
        $findings->read($runs, $budget);
        $found = [];
        foreach ($runs as $run) {
            $found[$run->id->id] = $findings->knows($run) ? $findings->of($run)['text'] ?? null : '';
        }
        ksort($found);

        return $found;
    }

    /** Keeps another text of a run, so that it shows whether it was computed. */
    private function plant(string $id, string $maker, string $text): void
    {
        $run = array_values(array_filter($this->runs(), static fn (RunEntry $run): bool => $run->id->id === $id))[0];
        $note = (string) json_encode(['text' => $text, 'rule' => 'planted', 'function' => 'f']);
        (new RunFolder($this->folder))->catalog()->keepNotes([[$run, $note]], $maker);
    }

    public function testItIsTheFirstOneOfTheRunsReportInFewWords(): void
    {
        $this->loop('many', 150);
        $this->loop('some', 4);
        self::assertSame(['many' => '150 queries in a loop', 'some' => null], $this->found());
        $first = Findings::of($this->store->find('many'))[0];
        self::assertStringStartsWith('150 queries', $first->figure);
        self::assertSame('n-plus-one', $first->rule);
    }

    public function testWhatIsKeptIsNotComputedAgainUntilTheRunOrTheRulesChange(): void
    {
        $this->loop('many', 150);
        $this->found();
        $this->plant('many', Findings::version(), 'kept');
        self::assertSame(['many' => 'kept'], $this->found());
        $this->plant('many', 'older rules', 'out of date');
        self::assertSame(['many' => '150 queries in a loop'], $this->found());
        $this->plant('many', Findings::version(), 'kept');
        $this->loop('many', 75); // the same name
        self::assertSame(['many' => '75 queries in a loop'], $this->found());
        $this->plant('many', Findings::version(), 'kept');
        $this->store->delete($this->store->identify('many'));
        $this->loop('many', 60);
        self::assertSame(['many' => '60 queries in a loop'], $this->found());
    }

    public function testALabelChangesNoFinding(): void
    {
        $this->loop('many', 150);
        $this->found();
        $this->store->setLabel($this->store->identify('many'), Label::fromJson('{"pinned": true, "tags": ["slow"]}'));
        self::assertSame(['many' => '150 queries in a loop'], $this->found());
    }

    public function testADamagedRunHasNoneAndHidesNoOther(): void
    {
        $this->loop('many', 150);
        file_put_contents(RunFiles::path($this->folder, 'empty.web'), '');
        $this->loop('torn', 150);
        $file = RunFiles::path($this->folder, 'torn.web');
        $bytes = (string) file_get_contents($file);
        file_put_contents($file, substr($bytes, 0, intdiv(strlen($bytes), 2)));
        $found = $this->found();
        self::assertSame('150 queries in a loop', $found['many']);
        self::assertNull($found['empty']);
        self::assertNull($found['torn']);
    }

    public function testNamesAreMadePrintableAndShort(): void
    {
        $evil = "Evil\\<script>\x1b[31m\u{202e}" . str_repeat('x', 300);
        $this->store->save([
            'main()' => ['ct' => 1, 'wt' => 1000000],
            "main()==>$evil" => ['ct' => 1, 'wt' => 900000],
        ], 'web', 'evil');
        $text = (string) $this->found()['evil'];
        self::assertMatchesRegularExpression('/^90\.0 % of the wall time in <script>\\\\x1B\[31m.*x…$/u', $text);
        self::assertLessThanOrEqual(100, mb_strlen($text));
        self::assertSame(1, preg_match('/\A[^\x00-\x1F\x{202E}]*\z/u', $text));
    }

    public function testAFolderThatCannotBeWrittenHasThemToo(): void
    {
        $this->loop('many', 150);
        putenv('XDG_CACHE_HOME=/proc/none');
        $home = getenv('HOME');
        putenv('HOME=/proc/none');
        symlink('/dev/null', "$this->folder/" . RunIndexFile::NAME);
        try {
            $catalog = (new RunFolder($this->folder))->catalog();
            self::assertSame(['many' => '150 queries in a loop'], $this->found());
            $this->plant('many', Findings::version(), 'kept');
            if (!$catalog->isIndexed()) {
                self::assertSame(['many' => '150 queries in a loop'], $this->found(), 'nothing keeps it');
            }
        } finally {
            putenv('XDG_CACHE_HOME');
            putenv($home === false ? 'HOME' : "HOME=$home");
        }
    }

    public function testAnIndexThatSomebodyWritesIsNoError(): void
    {
        $this->loop('many', 150);
        $this->runs();
        $writer = new \PDO("sqlite:$this->folder/" . RunIndexFile::NAME);
        $writer->exec('BEGIN IMMEDIATE');
        self::assertSame(['many' => '150 queries in a loop'], $this->found());
        $writer->exec('ROLLBACK');
    }

    public function testABudgetBoundsWhatIsReadAndTheNextListReadsOn(): void
    {
        for ($i = 0; $i < 400; $i++) {
            $this->loop(sprintf('r%03d', $i), 150);
        }
        $known = fn (): int => count(array_filter($this->found()));
        $first = $known();
        self::assertGreaterThan(50, $first, 'a page');
        self::assertLessThan(200, $first);
        self::assertSame(2 * $first, $known());
        for ($i = 0; $i < 8; $i++) {
            $last = $known();
        }
        self::assertSame(400, $last);
    }

    public function testARunThatIsLargerThanTheBudgetIsReadWhereItIsAskedFor(): void
    {
        $this->loop('many', 150);
        $this->loop('more', 150);
        $run = $this->runs()[0];
        $large = new RunEntry($run->id, $run->time, $run->stamp, FirstFindings::FOR_REQUEST + 1, $run->title, $run->meta);
        $huge = new RunEntry($run->id, $run->time, $run->stamp, FirstFindings::TOO_LARGE + 1, $run->title, $run->meta);
        $knows = function (RunEntry $run, int $budget): bool {
            $findings = new FirstFindings(new RunFolder($this->folder));
            $findings->read([$run], $budget);

            return $findings->knows($run);
        };
        self::assertFalse($knows($large, FirstFindings::FOR_PAGE));
        self::assertFalse($knows($huge, FirstFindings::FOR_COMMAND));
        self::assertTrue($knows($large, FirstFindings::FOR_REQUEST), 'else it would never have its turn');
        self::assertTrue($knows($large, FirstFindings::FOR_PAGE), 'it is known now');
    }
}
