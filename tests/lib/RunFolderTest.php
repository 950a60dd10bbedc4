<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\AmbiguousRun;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Exception\InvalidRunId;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Profile\Profile;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;
use XHProf\Store\DefaultFolder;
use XHProf\Store\RunEntry;
use XHProf\Store\RunFolder;
use XHProf\Store\RunQuery;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\Runs;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/Runs.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

final class RunFolderTest extends TestCase
{
    use TemporaryFolder;

    private const TREE = ['names' => ['main()'], 'fn' => [0], 'depth' => [0], 'ct' => [1], 'self' => ['wt' => [1000]]];

    public function testSavesAndLoads(): void
    {
        $store = new RunFolder($this->folder);
        $id = $store->save(Runs::small(), 'shop');
        self::assertMatchesRegularExpression('/\A[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}\z/', $id->id);
        self::assertSame('shop', $id->source);
        self::assertTrue($store->has($id));
        self::assertSame(Runs::small(), $store->open($id)->profile()->edges());
        self::assertNull($store->open($id)->tree());
        self::assertSame([RunFiles::file($id)], self::files($this->folder));
    }

    public function testNamesKeepEveryCharacterAndBytesThatAreNoneAreShown(): void
    {
        $store = new RunFolder($this->folder);
        $id = $store->save(Profile::fromEdges(Runs::nasty()), 'x', 'order-7');
        $names = array_map(static fn (string $name): string
            => str_replace(["\xFF", "\xFE"], ['\xFF', '\xFE'], $name), array_keys(Runs::nasty()));
        self::assertSame(array_combine($names, Runs::nasty()), $store->open($id)->profile()->edges());
        RunFiles::classic($this->folder, 'pecl.x', Runs::nasty());
        self::assertSame(Runs::nasty(), $store->open($store->identify('pecl'))->profile()->edges());
    }

    public function testReadsAFileAsPeclWritesIt(): void
    {
        $bytes = 'a:4:{s:16:"main()==>strtoup";a:5:{s:2:"ct";i:5;s:2:"wt";i:42;s:3:"cpu";i:40;s:2:"mu";i:1024;s:3:"pmu";i:0;}'
            . 's:27:"main()==>load::inc/base.php";a:5:{s:2:"ct";i:1;s:2:"wt";i:310;s:3:"cpu";i:290;s:2:"mu";i:-88;s:3:"pmu";i:64;}'
            . 's:23:"main()==>xhprof_disable";a:5:{s:2:"ct";i:1;s:2:"wt";i:0;s:3:"cpu";i:0;s:2:"mu";i:384;s:3:"pmu";i:0;}'
            . 's:6:"main()";a:5:{s:2:"ct";i:1;s:2:"wt";i:400;s:3:"cpu";i:371;s:2:"mu";i:2600;s:3:"pmu";i:64;}}';
        file_put_contents("$this->folder/65f1c2d3a4b5c.my_app.xhprof", $bytes);
        $store = new RunFolder($this->folder);
        $profile = $store->open(RunId::fromStrings('65f1c2d3a4b5c', 'my_app'))->profile();
        self::assertSame(400, $profile->totals()['wt']);
        self::assertSame(-88, $profile->edges()['main()==>load::inc/base.php']['mu']);
        self::assertSame($bytes, serialize($profile->recorded()->edges()));
        $summary = $store->list()[0];
        self::assertSame('65f1c2d3a4b5c.my_app', (string) $summary->id);
        self::assertSame(strlen($bytes), $summary->size);
        self::assertNull($summary->error);
        self::assertSame('65f1c2d3a4b5c', $summary->title);
    }

    public function testMetadata(): void
    {
        $store = new RunFolder($this->folder);
        $id = $store->save(Runs::small(), 'x', null, RunMeta::here() + ['label' => 'before', 'meta' => ['a' => 1]]);
        $meta = $store->open($id)->meta();
        self::assertSame($id->id, $meta->id);
        self::assertSame(PHP_VERSION, $meta->origin->php);
        self::assertSame('cli', $meta->origin->sapi);
        self::assertSame(getmypid(), $meta->origin->pid);
        self::assertSame(13, $meta->totals->calls);
        self::assertSame(4, $meta->totals->functions);
        self::assertSame(1000, $meta->totals->durationUs);
        self::assertSame(['wt' => 1000, 'cpu' => 900, 'mu' => 500, 'pmu' => 300], $meta->totals->figures);
        self::assertSame(['a' => 1, 'label' => 'before'], $meta->meta);
        self::assertStringStartsWith('php ', $meta->title());
        self::assertSame($meta->toArray(), RunMeta::fromArray($meta->toArray())->toArray());
    }

    public function testMetadataOnClocksAndOverhead(): void
    {
        $meta = [
            'v' => 1,
            'clock' => ['wall' => 'tsc', 'cpu' => 'interpolate', 'cpu_refused' => ['rseq' => 'why']],
            'overhead' => ['user' => ['callee' => 9.25, 'caller' => -1.5], 'internal' => ['callee' => 7.0, 'caller' => 11.5]],
        ];
        self::assertSame($meta, RunMeta::fromArray($meta)->toArray());
        self::assertSame(['rseq' => 'why'], RunMeta::fromArray($meta)->recording->refused);
        $wrong = RunMeta::fromArray([
            'clock' => ['wall' => ['x'], 'cpu' => 3, 'cpu_refused' => ['rseq' => null, 7 => 'x']],
            'overhead' => ['user' => 'much', 'internal' => ['callee' => INF, 'caller' => 1], 'other' => ['callee' => 1]],
        ]);
        self::assertSame([[], [], []], [$wrong->recording->clock, $wrong->recording->refused, $wrong->recording->overhead]);
        self::assertSame([], RunMeta::fromArray(['clock' => 'tsc', 'overhead' => 5])->recording->overhead);
        $whole = RunMeta::fromArray(['overhead' => ['user' => ['callee' => 9, 'caller' => 1]]]);
        self::assertSame(['user' => ['callee' => 9.0, 'caller' => 1.0]], $whole->recording->overhead);
    }

    public function testMetadataThatIsNotUtf8(): void
    {
        $store = new RunFolder($this->folder);
        $id = $store->save(Runs::small(), 'x', null, ['url' => "/\xFF<b>", 'method' => 'GET', 'odd' => NAN]);
        self::assertSame('GET /\xFF<b>', $store->open($id)->meta()->title());
    }

    public function testWithoutMetadataTheFileSpeaks(): void
    {
        RunFiles::classic($this->folder, 'a.x', Runs::small(), 1700000000);
        $meta = (new RunFolder($this->folder))->open(RunId::fromStrings('a', 'x'))->meta();
        self::assertSame(['a', 'x', 1700000000.0], [$meta->id, $meta->source, $meta->ts]);
    }

    public function testReadsTheTreeBesideTheRun(): void
    {
        $store = new RunFolder($this->folder);
        $id = $store->save(['main()' => ['ct' => 1, 'wt' => 5]], 'x', 'a');
        $tree = ['v' => 1, 'names' => ['main()'], 'fn' => [0], 'depth' => [0], 'ct' => [1], 'self' => ['wt' => [5000]]];
        RunFiles::put($this->folder, $id, ['tree' => $tree]);
        self::assertSame(['main()' => ['ct' => 1, 'wt' => 5]], $store->open($id)->tree()?->toEdges()->edges());
        // The old run's tree must not count as the new one's.
        $store->save(['main()' => ['ct' => 1, 'wt' => 6]], 'x', 'a');
        self::assertNull($store->open($id)->tree());
    }

    public function testListIsNewestFirst(): void
    {
        $store = new RunFolder($this->folder);
        $store->save(Runs::small(), 'x', 'middle', ['ts' => 1700000500.5]);
        RunFiles::classic($this->folder, 'old.x', Runs::small(), 1700000000);
        $store->save(Runs::small(), 'x', 'new', ['ts' => 1700001000]);
        $list = $store->list();
        self::assertSame(['new', 'middle', 'old'], array_map(static fn ($run) => $run->id->id, $list));
        self::assertSame(1700000500.5, $list[1]->time);
    }

    public function testAListHasRunsThatWereAddedSinceTheLastOne(): void
    {
        $store = new RunFolder($this->folder);
        self::assertCount(0, $store->list());
        (new RunFolder($this->folder))->save(Runs::small(), 'x', 'a');
        self::assertCount(1, $store->list());
        RunFiles::write($this->folder, 'b.x', ['meta' => ['command' => 'php b.php'], 'tree' => self::TREE]);
        touch($store->path(RunId::fromStrings('b', 'x')), 1700000000);
        [, $old] = $store->list();
        self::assertSame(['b', 1700000000.0], [$old->id->id, $old->time], 'the time of its file, where it has no other');
    }

    /** A folder of many files of PECL's XHProf is listed as fast as their names are read; searching it reads their figures. */
    public function testTheListDoesNotReadFilesOfPecls(): void
    {
        $store = new RunFolder($this->folder);
        $store->saveClassic(['main()' => ['ct' => 1, 'wt' => 77]], 'pecl', 'a1');
        [$listed, $found] = [$store->list()[0], $store->catalog()->find(new RunQuery(), 1)->runs[0]];
        self::assertSame(['a1', 'a1'], [$listed->id->id, $found->id->id]);
        self::assertSame([null, 77], [$listed->figure('wt'), $found->figure('wt')]);
    }

    public function testListReadsNoRun(): void
    {
        $damaged = ['fn' => [7]] + self::TREE;
        for ($i = 0; $i < 3000; $i++) {
            RunFiles::write($this->folder, "r$i.x", ['meta' => ['totals' => ['ct' => 1, 'wt' => 1]], 'tree' => $damaged]);
        }
        $store = new RunFolder($this->folder);
        $list = $store->list();
        self::assertCount(3000, $list);
        self::assertSame([], array_filter(array_map(static fn (RunEntry $run): ?string => $run->error, $list)));
        $this->expectException(DamagedRun::class); // Reading a run shows that it is.
        $store->open($list[0]->id)->profile()->edges();
    }

    public function testARunThatGoesWhileListingIsLeftOut(): void
    {
        $store = new RunFolder($this->folder);
        $id = $store->save(Runs::small(), 'x');
        self::assertTrue($store->has($id));
        // Another process removes it; PHP's cached status of the file must not count.
        exec('rm ' . escapeshellarg(RunFiles::path($this->folder, $id)));
        self::assertFalse($store->has($id));
        self::assertSame([], $store->list());
    }

    public function testListLeavesOutOtherFiles(): void
    {
        foreach ([RunFiles::file(...), RunFiles::classicFile(...)] as $file) {
            foreach (['x', '.a.x', '.a.run', 'a b.x', 'a..x'] as $run) {
                file_put_contents("$this->folder/{$file($run)}", 'x');
            }
            file_put_contents("$this->folder/{$file('a.x')}.tmp", 'x');
        }
        foreach (['a.x.meta.json', 'a.x.tree.json', 'a.x.label.json', 'readme'] as $name) {
            file_put_contents("$this->folder/$name", 'x');
        }
        self::assertSame([], (new RunFolder($this->folder))->list());
    }

    public function testASourceWithDotsIsFound(): void
    {
        RunFiles::classic($this->folder, 'abc.www.shop', Runs::small());
        $store = new RunFolder($this->folder);
        self::assertSame('www.shop', $store->list()[0]->id->source);
        self::assertSame('www.shop', $store->identify('abc.www.shop')->source);
        self::assertSame(1000, $store->open(RunId::fromStrings('abc', 'www.shop'))->profile()->totals()['wt']);
    }

    public function testFind(): void
    {
        $store = new RunFolder($this->folder);
        foreach ([['abc', 'x'], ['abd', 'x'], ['abd', 'y'], ['ab', 'z'], ['q', 'x']] as [$id, $source]) {
            $store->save(Runs::small(), $source, $id);
        }
        self::assertSame('abc.x', (string) $store->identify('abc'));
        self::assertSame('abd.y', (string) $store->identify('abd', 'y'));
        self::assertSame('abd.y', (string) $store->identify('abd.y'));
        self::assertSame('ab.z', (string) $store->identify('ab'));
        self::assertSame('q.x', (string) $store->identify('q'));
        try {
            $store->identify('a');
            self::fail('found one');
        } catch (AmbiguousRun $e) {
            self::assertSame('a stands for 4 runs: ab.z, abc.x, abd.x...', $e->getMessage());
        }
        try {
            $store->identify('abd');
            self::fail('found one');
        } catch (AmbiguousRun $e) {
            self::assertStringContainsString('abd.x, abd.y', $e->getMessage());
        }
        $this->expectException(RunNotFound::class);
        $this->expectExceptionMessage("there is no run zz in $this->folder");
        $store->identify('zz');
    }

    public function testOrderOfFolders(): void
    {
        $before = getenv('XHPROF_OUTPUT_DIR');
        try {
            putenv('XHPROF_OUTPUT_DIR');
            $ini = ini_get('xhprof.output_dir');
            $expected = $ini === false || $ini === '' ? DefaultFolder::path() : rtrim($ini, '/');
            self::assertSame($expected, (new RunFolder())->directory());
            putenv("XHPROF_OUTPUT_DIR=$this->folder/");
            $expected = $ini === false || $ini === '' ? $this->folder : $expected;
            self::assertSame($expected, (new RunFolder())->directory());
            self::assertSame($expected, (new RunFolder(''))->directory());
            self::assertSame('/elsewhere', (new RunFolder('/elsewhere'))->directory());
            self::assertSame('/', (new RunFolder('/'))->directory());
        } finally {
            putenv($before === false ? 'XHPROF_OUTPUT_DIR' : "XHPROF_OUTPUT_DIR=$before");
        }
    }

    /** @return iterable<string, array{string|null, string|null, string}> xhprof.output_dir, XHPROF_OUTPUT_DIR, the folder */
    public static function orders(): iterable
    {
        yield 'the setting' => ['set', null, 'set'];
        yield 'before the environment' => ['set', 'given', 'set'];
        yield 'the environment' => [null, 'given', 'given'];
        yield 'beside an empty setting' => ['', 'given', 'given'];
        yield 'an empty one' => ['set', '', 'set'];
        yield 'neither' => [null, null, 'own'];
        yield 'both empty' => ['', '', 'own'];
    }

    /** The extension saves where the library looks, and bin/xhprof too. */
    #[DataProvider('orders')]
    public function testTheExtensionAndTheLibraryFindTheSameFolder(?string $setting, ?string $variable, string $expected): void
    {
        $root = dirname(__DIR__, 2);
        if (!is_file("$root/extension/modules/xhprof.so")) {
            self::markTestSkipped('extension/modules/xhprof.so is not built (make build)');
        }
        mkdir("$this->folder/set");
        mkdir("$this->folder/given");
        $options = extension_loaded('xhprof') ? [] : ['-d', "extension=$root/extension/modules/xhprof.so"];
        array_push($options, '-d', 'xhprof.output_dir=' . ($setting === null || $setting === '' ? '' : "$this->folder/$setting"));
        $environment = array_diff_key(getenv(), ['XHPROF_OUTPUT_DIR' => 1, 'XHPROF_TRIGGER' => 1]);
        $environment += $variable === null ? [] : ['XHPROF_OUTPUT_DIR' => $variable === '' ? '' : "$this->folder/$variable"];
        $environment['TMPDIR'] = $this->folder;
        $ask = static function (string ...$command) use ($environment): string {
            $command = array_values($command);
            $process = proc_open($command, [1 => ['pipe', 'w']], $pipes, null, $environment);
            self::assertIsResource($process);
            $output = (string) stream_get_contents($pipes[1]);
            proc_close($process);

            return trim($output);
        };
        $code = 'require ' . var_export("$root/xhprof_lib/autoload.php", true) . ';
            xhprof_enable(); xhprof_disable(); $id = xhprof_save();
            $store = new XHProf\Store\RunFolder();
            echo $store->directory(), " ", $store->identify($id)->id === $id ? "found" : "lost";';
        $own = "$this->folder/xhprof-" . posix_geteuid();
        $folder = $expected === 'own' ? $own : "$this->folder/$expected";
        self::assertSame("$folder found", $ask(PHP_BINARY, ...[...$options, '-r', $code]));
        $status = json_decode($ask(PHP_BINARY, ...[...$options, "$root/bin/xhprof", 'list', '--json']), true);
        self::assertIsArray($status);
        self::assertCount(1, $status['runs'] ?? $status);
    }

    /** The order is said in these places, in the same words. */
    public function testTheOrderIsSaidAsItIs(): void
    {
        $root = dirname(__DIR__, 2);
        $words = static fn (string $text): string => (string) preg_replace('/\s+/', ' ', str_replace('`', '', $text));
        $help = (string) shell_exec(escapeshellarg(PHP_BINARY) . " $root/bin/xhprof list --help");
        foreach (['docs/production.md' => null, 'bin/xhprof list --help' => $help] as $place => $text) {
            $text ??= (string) file_get_contents("$root/$place");
            self::assertTrue(str_contains($words($text), DefaultFolder::ORDER), $place);
        }
        $reference = $words((string) file_get_contents("$root/docs/reference.md"));
        $rest = substr(DefaultFolder::ORDER, (int) strpos(DefaultFolder::ORDER, 'the environment'));
        self::assertTrue(str_contains($reference, 'If empty: ' . str_replace(', else', ', or else', $rest)), 'docs/reference.md');
    }

    public function testTheIniSettingComesBeforeTheTemporaryFolder(): void
    {
        // The setting exists with the extension only: PHP accepts no made-up ini entry.
        if (ini_get('xhprof.output_dir') === false) {
            self::assertSame(DefaultFolder::path(), self::inAnotherPhp('echo (new XHProf\Store\RunFolder())->directory();'));

            return;
        }
        self::assertSame($this->folder, self::inAnotherPhp(
            "ini_set('xhprof.output_dir', '$this->folder'); echo (new XHProf\\Store\\RunFolder())->directory();",
        ));
    }

    /** Each in a PHP of its own, whose folder for temporary files is the test's. */
    public function testTheDefaultFolderIsTheUsersOwn(): void
    {
        $directory = 'try { echo (new XHProf\Store\RunFolder())->directory(); }'
            . ' catch (XHProf\Exception\StoreError $e) { echo "refused"; }';
        $ask = fn (string $code): string => self::inAnotherPhp("putenv('XHPROF_OUTPUT_DIR'); $code", $this->folder);
        $own = $ask($directory);
        self::assertSame("$this->folder/xhprof-", substr($own, 0, strlen("$this->folder/xhprof-")));
        self::assertSame(0700, fileperms($own) & 07777);
        $answers = [$ask($directory)];
        chmod($own, 0777);
        $answers[] = $ask($directory);
        chmod($own, 0700);
        rename($own, "$this->folder/other");
        symlink("$this->folder/other", $own);
        $answers[] = $ask($directory);
        self::assertSame([$own, 'refused', 'refused'], $answers, 'as it was made, open to others, a link');
        unlink($own);
    }

    public function testOldRunsOfTheTemporaryFolderAreFoundByTheirId(): void
    {
        RunFiles::classic($this->folder, 'before.old', Runs::small());
        $classic = 'require "' . dirname(__DIR__, 2) . '/xhprof_lib/utils/xhprof_runs.php"; $runs = new XHProfRuns_Default();';
        $get = "$classic echo json_encode(\$runs->get_run('before', 'old', \$d)), \$d;";
        $ask = fn (): string => self::inAnotherPhp("putenv('XHPROF_OUTPUT_DIR'); $get", $this->folder);
        self::assertStringContainsString('"main()"', $ask());
        $file = "$this->folder/" . RunFiles::classicFile('before.old');
        unlink($file);
        symlink('/proc/self/status', $file);
        self::assertStringStartsWith('null', $ask());
    }

    public function testFilesAreForOwnerAndGroup(): void
    {
        $mask = umask(0);
        try {
            (new RunFolder($this->folder))->save(Runs::small(), 'x', 'a');
            self::assertSame(0, umask(), 'as it was');
        } finally {
            umask($mask);
        }
        foreach (glob("$this->folder/a.x.*") ?: [] as $file) {
            self::assertSame(0640, fileperms($file) & 0777, $file);
        }
    }

    public function testAMissingFolderIsAClearError(): void
    {
        $store = new RunFolder("$this->folder/none");
        foreach ([fn () => $store->list(), fn () => $store->save(Runs::small(), 'x'), fn () => $store->identify('a')] as $call) {
            try {
                $call();
                self::fail('no error');
            } catch (StoreError $e) {
                self::assertSame("the run folder $this->folder/none does not exist", $e->getMessage());
            }
        }
        $this->expectException(RunNotFound::class);
        $store->open(RunId::fromStrings('a', 'x'))->profile();
    }

    public function testAFolderThatCannotBeWrittenIsAClearError(): void
    {
        // Not even root can write there.
        $this->expectException(StoreError::class);
        $this->expectExceptionMessageMatches('~^/proc/' . RunFiles::file('a\.x') . ' cannot be written: ~');
        (new RunFolder('/proc'))->save(Runs::small(), 'x', 'a');
    }

    public function testNothingIsLeftOfAFailedWrite(): void
    {
        $file = RunFiles::path($this->folder, 'a.x');
        mkdir($file);
        try {
            (new RunFolder($this->folder))->save(Runs::small(), 'x', 'a');
            self::fail('no error');
        } catch (StoreError $e) {
            self::assertStringContainsString("$file cannot be written", $e->getMessage());
        }
        self::assertSame([RunFiles::file('a.x')], self::files($this->folder));
    }

    public function testARunThatIsNoneIsNotSaved(): void
    {
        try {
            (new RunFolder($this->folder))->save(['main()' => 1], 'x');
            self::fail('saved');
        } catch (InvalidProfile) {
            self::assertSame([], self::files($this->folder));
        }
    }

    /**
     * @return iterable<array{string, string}>
     */
    public static function wrongIds(): iterable
    {
        foreach (['', '..', '../x', '/etc/passwd', 'a/b', "a\0b", "a\n", 'a b', 'é', '%2e', 'a.b', str_repeat('a', 65)] as $id) {
            yield [$id, 'x'];
        }
        $long = [str_repeat('a', 65), str_repeat('a.', 90) . 'a'];
        foreach (['', '.', '..', '.a', 'a.', 'a..b', 'a/../b', "x\0", "x\n", 'x y', ...$long] as $source) {
            yield ['a', $source];
        }
    }

    #[DataProvider('wrongIds')]
    public function testIdsCannotLeaveTheFolder(string $id, string $source): void
    {
        $store = new RunFolder($this->folder);
        foreach ([fn () => RunId::fromStrings($id, $source), fn () => $store->save(Runs::small(), $source, $id)] as $call) {
            try {
                $call();
                self::fail('accepted');
            } catch (InvalidRunId $e) {
                self::assertDoesNotMatchRegularExpression('/[^ -~]/', $e->getMessage());
            }
        }
        self::assertSame([], self::files($this->folder));
    }

    public function testTheLongestIdIsAccepted(): void
    {
        $id = str_repeat('Z', 64);
        self::assertSame("$id.$id", (string) (new RunFolder($this->folder))->save(Runs::small(), $id, $id));
        self::assertTrue(RunId::fromStrings('a', 'b')->equals(RunId::fromStrings('a', 'b')));
        self::assertFalse(RunId::fromStrings('a', 'b')->equals(RunId::fromStrings('a', 'c')));
    }

    /**
     * @return list<string>
     */
    private static function files(string $folder): array
    {
        return array_values(array_diff(scandir($folder) ?: [], ['.', '..']));
    }

    private static function inAnotherPhp(string $code, ?string $temporary = null): string
    {
        $autoload = var_export(dirname(__DIR__, 2) . '/xhprof_lib/autoload.php', true);
        $environment = array_diff_key(getenv(), ['XHPROF_OUTPUT_DIR' => 1]);
        $environment['TMPDIR'] = $temporary ?? sys_get_temp_dir();
        $process = proc_open([PHP_BINARY, '-r', "require $autoload; $code"], [1 => ['pipe', 'w']], $pipes, null, $environment);
        self::assertIsResource($process);
        $output = (string) stream_get_contents($pipes[1]);
        proc_close($process);

        return $output;
    }
}
