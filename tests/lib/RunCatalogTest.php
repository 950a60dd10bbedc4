<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use XHProf\File\Folder;
use XHProf\Run\RunId;
use XHProf\Store\FolderFiles;
use XHProf\Store\Label;
use XHProf\Store\RunCatalog;
use XHProf\Store\RunEntry;
use XHProf\Store\RunFolder;
use XHProf\Store\RunIndexFile;
use XHProf\Store\RunQuery;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** Runs searched, filtered, sorted and paged: by an index in a file, and by one in memory. */
final class RunCatalogTest extends TestCase
{
    use TemporaryFolder;

    private const START = 1763680000;

    private RunFolder $store;

    protected function setUp(): void
    {
        $this->store = new RunFolder($this->folder);
    }

    /** @return array<string, array{RunQuery, string}> query, ids in order */
    public static function queries(): array
    {
        return [
            'all, newest first' => [new RunQuery(), 'f e d c b a'],
            'oldest first' => [new RunQuery(descending: false), 'a b c d e f'],
            'by wall time, unknown last' => [new RunQuery(sort: 'wt'), 'c b d a f e'],
            'by wall time upwards, unknown last' => [new RunQuery(sort: 'wt', descending: false), 'a d b c e f'],
            'by CPU time' => [new RunQuery(sort: 'cpu', descending: false), 'a b c d e f'],
            'by peak memory' => [new RunQuery(sort: 'pmu'), 'a c f e d b'],
            'by calls' => [new RunQuery(sort: 'ct'), 'd c b a f e'],
            'by title, whatever its case' => [new RunQuery(sort: 'title', descending: false), 'f e c a b d'],
            'by source' => [new RunQuery(sort: 'source', descending: false), 'b d a c e f'],
            'by host, unknown last' => [new RunQuery(sort: 'host', descending: false), 'c a b d e f'],
            'unknown order' => [new RunQuery(sort: "time; DROP TABLE runs"), 'f e d c b a'],
            'word' => [new RunQuery('ORDERS'), 'c b a'],
            'words in any order' => [new RunQuery(' 42  orders '), 'c'],
            'word of an id' => [new RunQuery('d.api'), 'd'],
            'word of a note' => [new RunQuery('before lunch'), 'b'],
            'word of a tag' => [new RunQuery('release'), 'b a'],
            'no wildcard' => [new RunQuery('o_ders'), ''],
            'quote' => [new RunQuery("o'hare"), 'd'],
            'not ASCII' => [new RunQuery("caf\u{e9}"), 'e'],
            'NUL' => [new RunQuery("orders\0 42"), 'c'],
            'source' => [new RunQuery(source: 'api'), 'd b'],
            'source in its own case' => [new RunQuery(source: 'API'), ''],
            'host' => [new RunQuery(host: 'web-1', sort: 'wt'), 'b a'],
            'URL' => [new RunQuery(url: 'GET /orders'), 'b a'],
            'part of a command' => [new RunQuery(url: 'import.php'), 'd'],
            'what is only in the note is no URL' => [new RunQuery(url: 'lunch'), ''],
            'tag' => [new RunQuery(tag: 'release'), 'a'],
            'tag with a line break' => [new RunQuery(tag: "release\n"), ''],
            'pinned' => [new RunQuery(pinned: true), 'c b'],
            'not pinned' => [new RunQuery(pinned: false), 'f e d a'],
            'from' => [new RunQuery(from: self::START + 3.0), 'f e d'],
            'until' => [new RunQuery(until: self::START + 1.0), 'a'],
            'both' => [new RunQuery(from: self::START + 1.0, until: self::START + 3.0), 'c b'],
            'wall time' => [new RunQuery(minWall: 200), 'c b'],
            'several filters' => [new RunQuery('orders', source: 'shop', pinned: true, minWall: 1), 'c'],
            'nothing' => [new RunQuery('nothing of the sort'), ''],
        ];
    }

    #[DataProvider('queries')]
    public function testQueries(RunQuery $query, string $expected): void
    {
        $this->six();
        foreach ([true, false] as $indexed) {
            $catalog = $this->catalog($indexed);
            self::assertSame($indexed, $catalog->isIndexed());
            $found = $catalog->find($query, 50);
            self::assertSame($expected, self::ids($found->runs));
            self::assertSame([count($found->runs), 6, 0], [$found->matches, $found->total, $found->pending]);
            self::assertSame($expected, implode(' ', array_map(static fn (RunId $id): string => $id->id, $catalog->ids($query))));
            // The pages together are the same list.
            $ids = $expected === '' ? [] : explode(' ', $expected);
            for ($at = 0; $at < count($ids); $at++) {
                $page = $catalog->find($query, 1, $at);
                self::assertSame([$ids[$at], count($ids)], [self::ids($page->runs), $page->matches]);
            }
        }
    }

    public function testEntries(): void
    {
        $this->six();
        $find = fn (bool $indexed): array => $this->catalog($indexed)->find(new RunQuery(), 9)->runs;
        self::assertEquals($find(false), $find(true));
        self::assertEquals($find(false), $find(true));
        $b = $find(true)[4];
        $origin = $b->meta->origin;
        self::assertSame('GET /orders?page=2', $b->title);
        self::assertSame(['GET', '/orders?page=2', null], [$origin->method, $origin->url, $origin->command]);
        self::assertSame('web-1', $b->meta->origin->host);
        self::assertSame([200, null, 20], [$b->figure('wt'), $b->figure('cpu'), $b->calls()]);
        self::assertSame([true, [], "seen\nbefore lunch, not a release"], [$b->label->pinned, $b->label->tags, $b->label->note]);
        $bytes = 0;
        foreach (glob("$this->folder/b.*") ?: [] as $file) {
            $bytes += (int) filesize($file);
        }
        self::assertSame($bytes, $b->size);
    }

    public function testChoices(): void
    {
        $this->six();
        foreach ([true, false] as $indexed) {
            self::assertSame([
                'sources' => ['api', 'shop', 'worker'],
                'hosts' => ['web-0', 'web-1', 'web-2'],
                'tags' => ['release', 'slow page'],
            ], $this->catalog($indexed)->choices());
        }
    }

    public function testSnapshotsAreSeenBesideTheRuns(): void
    {
        $this->six();
        foreach ([true, false] as $indexed) {
            $has = fn (): bool => $this->catalog($indexed)->hasSnapshots();
            touch("$this->folder/no name.heap.jsonl");
            self::assertFalse($has());
            touch("$this->folder/worker.1.heap.jsonl");
            self::assertTrue($has());
            unlink("$this->folder/worker.1.heap.jsonl");
            self::assertFalse($has());
        }
    }

    /** By its neighbours alone a run has the same short name as by all. */
    public function testRunsAlikeShowWhichBeginningIsUnique(): void
    {
        foreach (['a', 'aa', 'aab', 'aab-1', 'b-2', 'b', 'ba', 'both', 'bot', 'z'] as $second => $id) {
            $this->make($id, 'web', $second, []);
        }
        $this->make('both', 'cli', 20, []);
        $catalog = $this->catalog();
        $all = $catalog->ids(new RunQuery());
        $common = static fn (RunId $id, array $ids): int => max(0, ...array_map(
            static fn (RunId $other): int => (string) $other === (string) $id ? 0 : strspn($id->id ^ $other->id, "\0"),
            $ids,
        ));
        foreach ($all as $id) {
            $alike = $catalog->alike([$id]);
            self::assertSame($common($id, $all), $common($id, $alike), (string) $id);
            self::assertContains((string) $id, array_map(strval(...), $alike));
            self::assertEquals($alike, $this->catalog(false)->alike([$id]));
        }
        self::assertSame([], $catalog->alike([]));
    }

    public function testTheIndexFollowsTheFiles(): void
    {
        $this->six();
        self::assertSame('f e d c b a', $this->found());
        self::assertFileExists("$this->folder/" . RunIndexFile::NAME);
        self::assertSame(0600, fileperms("$this->folder/" . RunIndexFile::NAME) & 0777);

        // Like the extension: writes files without notifying the index, in the same second.
        $this->make('g', 'shop', 7, ['wt' => 5]);
        self::assertSame('g f e d c b a', $this->found());
        unlink(RunFiles::path($this->folder, 'c.shop'));
        self::assertSame('g f e d b a', $this->found());
        // Replaced in place: the folder's time is unchanged, and the name is known.
        $this->settle();
        self::assertSame('g f e d b a', $this->found());
        RunFiles::put($this->folder, 'g.shop', ['meta' => ['v' => 1, 'ts' => 1, 'url' => '/replaced', 'totals' => ['wt' => 77]]]);
        touch("$this->folder", time() - 100);
        $found = $this->catalog()->find(new RunQuery(), 9);
        self::assertSame('f e d b a g', self::ids($found->runs));
        self::assertSame([77, ' /replaced'], [$found->runs[5]->figure('wt'), ' ' . $found->runs[5]->meta->origin->url]);
        // However many are asked for.
        RunFiles::put($this->folder, 'g.shop', ['meta' => ['v' => 1, 'ts' => 1, 'url' => '/again', 'totals' => ['wt' => 7]]]);
        touch("$this->folder", time() - 100);
        self::assertSame(7, $this->catalog()->find(new RunQuery(), PHP_INT_MAX)->runs[5]->figure('wt'));
        // Gone in place.
        unlink(RunFiles::path($this->folder, 'f.worker'));
        touch("$this->folder", time() - 100);
        self::assertSame('e d b a g', $this->found());
    }

    public function testLabelsOfOthersAreSeen(): void
    {
        $this->six();
        $this->found();
        file_put_contents("$this->folder/d.api.label.json", Label::fromInput(true, ['nightly'], '')->toJson());
        self::assertSame('d', $this->found(new RunQuery(tag: 'nightly')));
        file_put_contents("$this->folder/d.api.label.json", Label::fromInput(true, ['weekly'], '')->toJson());
        self::assertSame('d', $this->found(new RunQuery(tag: 'weekly')));
        unlink("$this->folder/d.api.label.json");
        self::assertSame('', $this->found(new RunQuery(tag: 'weekly')));
        // A label without a run is ignored.
        file_put_contents("$this->folder/zz.api.label.json", Label::fromInput(true, ['weekly'], '')->toJson());
        self::assertSame('', $this->found(new RunQuery(tag: 'weekly')));
    }

    public function testASettledFolderIsNotReadAgain(): void
    {
        $this->six();
        $this->settle();
        $this->found();
        // Long ago: only a folder whose time is meaningless can hide a run.
        $this->make('g', 'shop', 7, ['wt' => 5]);
        touch($this->folder, time() - 100);
        self::assertSame('f e d c b a', $this->found());
        touch($this->folder, time() - 50);
        self::assertSame('g f e d c b a', $this->found());
    }

    public function testADamagedIndexIsThrownAway(): void
    {
        $this->six();
        $file = "$this->folder/" . RunIndexFile::NAME;
        $this->found();
        $good = (string) file_get_contents($file);
        $other = "$this->folder/other.sqlite";
        $pdo = new \PDO("sqlite:$other");
        $pdo->exec('CREATE TABLE runs (name)');
        unset($pdo);
        $half = substr($good, 0, intdiv(strlen($good), 2));
        $noise = $good;
        for ($at = 4096; $at < strlen($noise); $at += 7) {
            $noise[$at] = chr(ord($noise[$at]) ^ 0x5A);
        }
        $damages = ['', 'not a database', $half, $noise, (string) file_get_contents($other), str_replace('XHPR', 'XXXX', $good)];
        foreach ($damages as $number => $bytes) {
            file_put_contents($file, $bytes);
            self::assertSame('f e d c b a', $this->found(), "damage $number");
            self::assertSame('f e d c b a', $this->found(), "damage $number");
            self::assertTrue($this->catalog()->isIndexed());
        }
    }

    public function testAnIndexThatSomebodyIsWritingIsReadAllTheSame(): void
    {
        $this->six();
        $this->settle();
        $writer = new \PDO("sqlite:$this->folder/" . RunIndexFile::NAME);
        $writer->exec('BEGIN IMMEDIATE');
        $this->make('g', 'shop', 7, ['wt' => 5]);
        $catalog = $this->catalog();
        self::assertSame('f e d c b a', self::ids($catalog->find(new RunQuery(), 9)->runs));
        self::assertTrue($catalog->isIndexed());
        $writer->exec('ROLLBACK');
        self::assertSame('g f e d c b a', $this->found());
        $writer->exec('BEGIN EXCLUSIVE');
        self::assertSame('g f e d c b a', $this->found(), 'out of the files');
        unset($writer);
    }

    public function testNamesInTheIndexAreNotTrusted(): void
    {
        $this->six();
        $this->settle();
        $changed = (int) filemtime($this->folder);
        $pdo = new \PDO("sqlite:$this->folder/" . RunIndexFile::NAME);
        $pdo->exec("UPDATE runs SET name = 'nobody.x', tags = '<b>' WHERE name = 'b.api'");
        unset($pdo);
        touch($this->folder, $changed);
        clearstatcache();
        self::assertSame('f e d c a', $this->found());
        touch($this->folder, time());
        self::assertSame('f e d c b a', $this->found());
        // A name that is not a run's is damage: the index is made again.
        foreach (['find', 'ids'] as $asked) {
            $pdo = new \PDO("sqlite:$this->folder/" . RunIndexFile::NAME);
            $pdo->exec("UPDATE runs SET name = '../../etc/passwd.x' WHERE name = 'a.shop'");
            unset($pdo);
            $found = $asked === 'ids' ? implode(' ', $this->catalog()->ids(new RunQuery())) : $this->found();
            self::assertSame('f e d c b a', preg_replace('/\.\w+/', '', $found));
            self::assertSame('f e d c b a', $this->found());
        }
        // A column of another type may have values of another type.
        $pdo = new \PDO("sqlite:$this->folder/" . RunIndexFile::NAME);
        $pdo->exec('CREATE TABLE other AS SELECT * FROM runs');
        $pdo->exec('DROP TABLE runs');
        $pdo->exec('ALTER TABLE other RENAME TO runs');
        $pdo->exec('UPDATE runs SET label_error = 5, error = 7.5, tags = 3, title = x\'FF\', time = 9e999, wt = \'<\'');
        unset($pdo);
        self::assertCount(6, $this->catalog()->find(new RunQuery(), 10)->runs);
    }

    public function testSomebodyElsesIndexIsNotOpened(): void
    {
        $this->six();
        $target = "$this->folder/precious";
        file_put_contents($target, 'keep');
        symlink($target, "$this->folder/" . RunIndexFile::NAME);
        putenv("XDG_CACHE_HOME=$this->folder");
        try {
            self::assertSame('f e d c b a', $this->found());
            self::assertSame('keep', file_get_contents($target));
            self::assertCount(1, glob("$this->folder/xhprof/*.sqlite") ?: []);
            unlink("$this->folder/" . RunIndexFile::NAME);
            chmod($this->folder, 0777);
            self::assertSame('f e d c b a', $this->found());
            self::assertFileDoesNotExist("$this->folder/" . RunIndexFile::NAME, 'not where everybody may write');
        } finally {
            putenv('XDG_CACHE_HOME');
        }
    }

    public function testABudgetLeavesTheRest(): void
    {
        for ($i = 0; $i < 100; $i++) {
            $this->make("r$i", 'x', $i, ['wt' => $i]);
        }
        $catalog = $this->catalog();
        self::assertSame(0, $this->catalog(false)->sync(0.0), 'an index in memory would begin again');
        $left = $catalog->sync(0.0);
        self::assertSame(84, $left);
        $listing = $catalog->find(new RunQuery(), 5);
        self::assertSame([16, 100, 84], [$listing->matches, $listing->total, $listing->pending]);
        self::assertSame(0, $this->catalog()->sync());
        self::assertSame(100, $this->catalog()->find(new RunQuery(), 5)->matches);
    }

    /** Another PHP has made an index: runs are still saved, labelled, read and deleted. */
    public function testWithoutSqliteOnlySearchesAreMissing(): void
    {
        $this->six();
        self::assertCount(6, $this->store->catalog()->find(new RunQuery(), 9)->runs);
        self::assertFileExists("$this->folder/" . RunIndexFile::NAME);
        $code = <<<'PHP'
            require $argv[1];
            if (extension_loaded('pdo_sqlite')) {
                exit('it is built in');
            }
            $store = new XHProf\Store\RunFolder($argv[2]);
            $id = $store->identify('a');
            $store->setLabel($id, XHProf\Store\Label::fromInput(true, ['other'], ''));
            $store->save(['main()' => ['ct' => 1, 'wt' => 77]], 'shop', 'a');
            $store->delete($store->identify('b'));
            echo $store->find('a')->profile()->totals()['wt'], ' ', implode(',', $store->label($id)->tags), "\n";
            echo count($store->list()), "\n";
            foreach ([fn () => $store->catalog()->choices(), fn () => $store->find('latest')] as $list) {
                try {
                    $list();
                } catch (XHProf\Exception\StoreError $e) {
                    echo $e->getMessage(), "\n";
                }
            }
            PHP;
        $arguments = [PHP_BINARY, '-n', '-r', $code, '--', dirname(__DIR__, 2) . '/xhprof_lib/autoload.php', $this->folder];
        exec(implode(' ', array_map(escapeshellarg(...), $arguments)) . ' 2>&1', $lines);
        if ($lines === ['it is built in']) {
            self::markTestSkipped('this PHP has SQLite without its settings');
        }
        self::assertCount(4, $lines);
        self::assertSame(['77 other', '5'], array_slice($lines, 0, 2));
        self::assertSame($lines[2], $lines[3]);
        self::assertStringStartsWith("lists of runs need PHP's extension pdo_sqlite; its package is php-sqlite3 (Deb", $lines[2]);
        $found = (new RunFolder($this->folder))->catalog()->find(new RunQuery(), 9)->runs;
        $entries = array_column($found, null, 'title');
        self::assertCount(5, $entries, 'the index follows');
        self::assertSame([77, ['other']], [$entries['a']->figure('wt') ?? null, $entries['a']->label->tags ?? null]);
    }

    #[RequiresPhpExtension('pcntl')]
    public function testSeveralProcessesAtOnce(): void
    {
        $children = [];
        for ($child = 0; $child < 4; $child++) {
            $pid = pcntl_fork();
            if ($pid === 0) {
                $ok = true;
                for ($i = 0; $i < 15; $i++) {
                    $this->make("c$child-$i", 'x', $i, ['wt' => $i]);
                    $ok = $this->catalog()->find(new RunQuery("c$child-"), 50)->matches === $i + 1 && $ok;
                }
                // Without PHPUnit's own end.
                posix_kill((int) getmypid(), $ok ? SIGKILL : SIGABRT);
            }
            $children[] = $pid;
        }
        foreach ($children as $pid) {
            pcntl_waitpid($pid, $status);
            self::assertSame(SIGKILL, pcntl_wtermsig($status));
        }
        self::assertSame(60, $this->catalog()->find(new RunQuery(), 9)->matches);
    }

    public function testDamagedRunsAreListed(): void
    {
        file_put_contents(RunFiles::path($this->folder, 'a.x'), '');
        file_put_contents(RunFiles::path($this->folder, 'b.x'), 'no run');
        RunFiles::classic($this->folder, 'c.x', ['main()' => ['ct' => 1, 'wt' => 5]]);
        RunFiles::damage($this->folder, 'f.x', 'meta', 'no metadata');
        RunFiles::classic($this->folder, 'g.x', 'no run');
        RunFiles::classic($this->folder, 'd.x', ['1690000000.1' => 'main()==>f']);
        symlink('/etc/passwd', RunFiles::path($this->folder, 'e.x'));
        foreach ([true, false] as $indexed) {
            $runs = [];
            foreach ($this->catalog($indexed)->find(new RunQuery(), 9)->runs as $run) {
                $runs[$run->id->id] = $run;
            }
            self::assertCount(7, $runs);
            self::assertStringEndsWith(RunFiles::file('a.x') . ': the file is empty', (string) $runs['a']->error);
            self::assertStringEndsWith(RunFiles::file('b.x') . ': not a run file', (string) $runs['b']->error);
            self::assertSame([5, null], [$runs['c']->figure('wt'), $runs['c']->error]);
            self::assertStringEndsWith(RunFiles::file('f.x') . ': its head is not JSON', (string) $runs['f']->error);
            self::assertStringEndsWith('g.x.xhprof: not a run (string, not an array)', (string) $runs['g']->error);
            $d = $runs['d'];
            self::assertSame([100000, 1, 1690000000.1], [$d->figure('wt'), $d->meta->recording->samples, $d->time]);
            self::assertStringContainsString('not a regular file', (string) $runs['e']->error);
        }
    }

    private function six(): void
    {
        $get = ['method' => 'GET', 'host' => 'web-1'];
        $this->make('a', 'shop', 0, ['wt' => 100, 'cpu' => 1], $get + ['url' => '/orders?page=1', 'peak_memory' => 500]);
        $this->make('b', 'api', 1, ['wt' => 200], $get + ['url' => '/orders?page=2', 'calls' => 20]);
        $delete = ['url' => '/Orders/42', 'method' => 'DELETE', 'host' => 'web-0'];
        $this->make('c', 'shop', 2, ['wt' => 300], $delete + ['peak_memory' => 400, 'calls' => 30]);
        $import = ['command' => "php import.php --by=O'Hare", 'host' => 'web-2'];
        $this->make('d', 'api', 3, ['wt' => 150], $import + ['calls' => 40]);
        $this->make('e', 'worker', 4, [], ['command' => "Caf\u{e9}"]);
        $this->make('f', 'worker', 5, [], ['command' => 'cafe%bar_x']);
        $this->label('a', 'shop', Label::fromInput(false, ['slow page', 'release'], ''));
        $this->label('b', 'api', Label::fromInput(true, [], "seen\nbefore lunch, not a release"));
        $this->label('c', 'shop', Label::fromInput(true, [], ''));
    }

    /**
     * @param array<string, int>   $totals
     * @param array<string, mixed> $meta
     */
    private function make(string $id, string $source, int $second, array $totals, array $meta = []): void
    {
        $meta += ['v' => 1, 'ts' => self::START + $second, 'totals' => $totals + ['x' => 1], 'calls' => $id === 'a' ? 10 : null];
        RunFiles::write($this->folder, "$id.$source", ['meta' => $meta]);
    }

    private function label(string $id, string $source, Label $label): void
    {
        file_put_contents("$this->folder/$id.$source.label.json", $label->toJson());
    }

    private function settle(): void
    {
        $this->found();
        touch($this->folder, time() - 100);
        $this->found();
    }

    private function catalog(bool $indexed = true): RunCatalog
    {
        return new RunCatalog(new FolderFiles(new Folder($this->folder)), $indexed);
    }

    /** @phpstan-impure */
    private function found(RunQuery $query = new RunQuery()): string
    {
        return self::ids($this->catalog()->find($query, 50)->runs);
    }

    /** @param list<RunEntry> $runs */
    private static function ids(array $runs): string
    {
        return implode(' ', array_map(static fn (RunEntry $run): string => $run->id->id, $runs));
    }
}
