<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use XHProf\Run\RunId;
use XHProf\Runs\RunsReport;
use XHProf\Store\Label;
use XHProf\Tests\Lib\Support\BadRuns;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/BadRuns.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';
require_once __DIR__ . '/../lib/Support/Runs.php';

/** `xhprof list`, and features of all commands. */
final class ListCommandTest extends CliTestCase
{
    private const EDGES = ['main()' => ['ct' => 1, 'wt' => 46900, 'cpu' => 12, 'mu' => 2048]];

    public function testListsNewestFirstWithDamagedOnes(): void
    {
        $this->store()->save(self::EDGES, 'cli', 'aaaaaaaaaaaa1111', ['ts' => 1000.0, 'command' => "php \x07old.php"]);
        $this->store()->save(self::EDGES, 'web', 'aaaaaaaaaaaa2222', ['ts' => 2e9, 'url' => '/x?y', 'method' => 'GET']);
        file_put_contents(RunFiles::path("$this->folder/runs", 'broken.cli'), '');
        $out = $this->xhprof(['list'], '', ['COLUMNS' => '200'])->out;

        $lines = explode("\n", $out);
        self::assertMatchesRegularExpression('/^aaaaaaaaaaaa2  2033-05-18 .*  web +46\.9 ms +12 µs .*  GET \/x\?y$/', $lines[1]);
        $file = preg_quote(RunFiles::file('broken.cli'));
        self::assertMatchesRegularExpression("/^broken .* damaged: .*$file.* empty/", $lines[2]);
        self::assertMatchesRegularExpression('/^aaaaaaaaaaaa1 .* php \\\\x07old\.php$/', $lines[3]);
        self::assertSame(0, $this->xhprof(['report', 'aaaaaaaaaaaa1'])->exitCode);
        foreach ([40, 60, 80] as $width) {
            $narrow = $this->xhprof(['list'], '', ['COLUMNS' => (string) $width])->out;
            self::assertLessThanOrEqual($width, self::widestLine($narrow), $narrow);
            self::assertStringNotContainsString($this->folder, $narrow);
            self::assertMatchesRegularExpression('/^broken .* damage.{6}/mu', $narrow);
            self::assertMatchesRegularExpression('/^aaaaaaaaaaaa2 .* GET \/x\?y$/m', $narrow);
        }
        self::assertStringNotContainsString($this->folder, $out);
    }

    public function testABadRunHidesNoOther(): void
    {
        $this->store()->save(self::EDGES, 'cli', 'good', ['ts' => 1000.0, 'command' => 'php good.php']);
        $bad = BadRuns::into("$this->folder/runs");
        $list = $this->xhprof(['list', '--limit=1000', '--json']);
        self::assertSame(0, $list->exitCode, $list->err);
        self::assertCount(count($bad) + 1, $list->json()['runs']);
        copy("$this->folder/runs/" . RunFiles::file('good.cli'), "$this->folder/copy");
        $mean = ['mean', "good,$this->folder/copy"];
        foreach ([['list'], ['list', '--source=cli'], ['report', 'good'], $mean] as $arguments) {
            $result = $this->xhprof($arguments);
            self::assertSame(0, $result->exitCode, implode(' ', $arguments) . $result->err);
        }
        $status = $this->xhprof(['status']);
        self::assertStringContainsString((string) (count($bad) + 1), $status->out . $status->err);
        self::assertStringNotContainsString('is not the name of a function', $status->out . $status->err);
        $pruned = $this->xhprof(['prune', '--yes', '--max-runs=0', '--source=' . BadRuns::SOURCE]);
        self::assertSame(0, $pruned->exitCode, $pruned->err);
        $left = RunFiles::runs("$this->folder/runs", BadRuns::SOURCE);
        $isKept = fn (string $run): bool => $this->store()->label(RunId::fromText($run))->error !== null;
        self::assertSame(array_filter($left, $isKept), $left, 'labels that cannot be read may say that a run is pinned');
        self::assertCount(1, $this->xhprof(['list', '--source=cli', '--json'])->json()['runs']);
    }

    public function testNumbersOutOfRangeInMetadata(): void
    {
        foreach (['fine' => '1000.0', 'odd1' => '1e999', 'odd2' => '1e17', 'odd3' => '-1e17'] as $id => $ts) {
            $this->store()->save(self::EDGES, 'cli', $id);
            RunFiles::damage("$this->folder/runs", "$id.cli", 'meta', "{\"ts\":$ts,\"meta\":{\"a\":[1e999,2]}}");
        }
        $result = $this->xhprof(['list', '--json']);

        self::assertSame([0, ''], [$result->exitCode, $result->err]);
        self::assertSame([null, 2], $result->json()['runs'][0]['meta']['meta']['a']);
        $out = $this->xhprof(['list'])->out;
        self::assertSame(4, preg_match_all('/^(fine|odd\d) +(\d{4}-\d\d-\d\d|-  )/m', $out), $out);
        self::assertSame(0, $this->xhprof(['report', 'odd1', '--json'])->exitCode);
    }

    public function testSourceLimitAndJson(): void
    {
        foreach (['a', 'b', 'a', 'a'] as $i => $source) {
            $this->store()->save(self::EDGES, $source, "run$i", ['ts' => 1000.0 + $i]);
        }
        $list = $this->xhprof(['list', '--source=a', '--limit=2', '--json'])->json();

        self::assertSame(3, $list['runs_total']);
        self::assertSame(['run3', 'run2'], array_column($list['runs'], 'id'));
        self::assertSame(46900, $list['runs'][0]['meta']['totals']['wt']);
        self::assertStringContainsString('2 of 3 runs', $this->xhprof(['list', '--source=a', '-l', '2'])->out);
        $none = "No match among the 4 runs in $this->folder/runs\n";
        self::assertSame($none, $this->xhprof(['list', '--source=none'])->out);
        self::assertSame($none, $this->xhprof(['list', '--route=GET /none'])->out);
    }

    /** The same as the page: a sum of many requests is no single run. */
    public function testWindowsAreListedOnlyWhereTheyAreAskedFor(): void
    {
        $window = ['ts' => 5.0, 'start' => 'aggregate', 'aggregate' => ['seconds' => 60, 'requests' => 250]];
        $this->store()->save(['main()' => ['ct' => 1, 'wt' => 3_960_000]], 'web', 'window', $window);
        $this->store()->save(self::EDGES, 'web', 'single', ['ts' => 4.0]);

        $list = $this->xhprof(['list', '--slowest', '--json'])->json();
        self::assertSame([['single'], 1, 1], [array_column($list['runs'], 'id'), $list['runs_total'], $list['windows_total']]);
        self::assertStringContainsString('1 window of all requests is not listed: `xhprof requests`', $this->xhprof(['list'])->out);
        $windows = $this->xhprof(['list', '--start=aggregate', '--json'])->json();
        self::assertSame(['window'], array_column($windows['runs'], 'id'));
        self::assertStringNotContainsString('not listed', $this->xhprof(['list', '--start=aggregate'])->out);
    }

    public function testFilters(): void
    {
        $runs = [
            'a' => ['ts' => 1000.0, 'url' => '/orders', 'method' => 'GET', 'host' => 'web-1'],
            'b' => ['ts' => 90000.0, 'url' => '/Orders/7', 'method' => 'PUT', 'host' => 'web-2'],
            'c' => ['ts' => 200000.0, 'command' => 'php nightly.php', 'host' => 'web-2'],
        ];
        $wall = 100000;
        foreach ($runs as $id => $meta) {
            $this->store()->save(['main()' => ['ct' => 1, 'wt' => $wall *= 3]], 'x', $id, $meta);
        }
        $this->store()->setLabel(RunId::fromStrings('b', 'x'), Label::fromInput(true, ['slow', 'v2'], 'before lunch'));
        $day = static fn (float $time): string => date('Y-m-d', (int) $time);
        $filters = [
            '--search=ORDERS' => 'b a', '--search=lunch put' => 'b', '--host=web-2' => 'c b', '--url=/orders' => 'b a',
            '--tag=v2' => 'b', '--pinned' => 'b', '--from=' . $day(90000) => 'c b', '--to=' . $day(90000) => 'b a',
            '--min-wall=0.9s' => 'c b', '--sort=wt' => 'c b a', '--sort=title' => 'a c b', '--reverse' => 'a b c',
            '--dir=asc' => 'a b c',
        ];
        foreach ($filters as $option => $expected) {
            $list = $this->xhprof(['list', '--json', $option])->json();
            self::assertSame($expected, implode(' ', array_column($list['runs'], 'id')), $option);
        }
        self::assertSame([true, ['slow', 'v2'], 'before lunch'], array_map(
            fn (string $key): mixed => $this->xhprof(['list', '--json', '--pinned'])->json()['runs'][0][$key],
            ['pinned', 'tags', 'note'],
        ));
        $out = $this->xhprof(['list'], '', ['COLUMNS' => '200'])->out;
        self::assertStringContainsString('PUT /Orders/7  (pinned)  #slow  #v2', $out);
        self::assertUsageError('--from takes something like 2026-11-21, not "soon"', $this->xhprof(['list', '--from=soon']));
        $fastest = $this->xhprof(['list', '--json', '--slowest', '--dir=asc'])->json()['runs'];
        self::assertSame(['a', 'b', 'c'], array_column($fastest, 'id'));
        self::assertUsageError('--reverse and --dir exclude each other', $this->xhprof(['list', '--reverse', '--dir=asc']));
        self::assertUsageError('--sort takes one of time, title', $this->xhprof(['list', '--sort=x']));
    }

    public function testAUrlIsShownBeforeItsMarks(): void
    {
        $url = '/t.php?id=17';
        $id = $this->store()->save(self::EDGES, 'web', 'aaaa1', [
            'ts' => 1000.0, 'url' => $url, 'method' => 'GET', 'start' => 'yes', 'status' => 503,
        ]);
        $this->store()->setLabel($id, Label::fromInput(true, ['before-the-release'], ''));
        foreach ([60, 80, 100] as $width) {
            $out = $this->xhprof(['list'], '', ['COLUMNS' => (string) $width])->out;
            self::assertLessThanOrEqual($width, self::widestLine($out));
            self::assertStringContainsString("GET $url  ", $out, "$width columns");
        }
        $wide = $this->xhprof(['list', '--wide'])->out;
        self::assertStringContainsString("GET $url  (503)  (pinned)  #before-the-release\n", $wide);
    }

    public function testShortNamesAreUnique(): void
    {
        self::assertSame(
            ['0123456789' => '01234567', 'abcdefghij1' => 'abcdefghij1', 'abcdefghij2x' => 'abcdefghij2', 'x' => 'x'],
            RunsReport::shortNames(['abcdefghij2x', 'x', 'twice', '0123456789', 'abcdefghij1', 'twice']),
        );
    }

    public function testOverviewHelpAndVersion(): void
    {
        $overview = $this->xhprof([]);
        self::assertSame([0, ''], [$overview->exitCode, $overview->err]);
        self::assertSame($overview->out, $this->xhprof(['--help'])->out);
        self::assertMatchesRegularExpression('/\Axhprof \d+\.\d+\.\d+\n\z/', $this->xhprof(['--version'])->out);
    }

    public function testUnknownCommandAndOptionAreOneLine(): void
    {
        foreach (['rnu' => 'run', 'lst' => 'list', 'hep' => 'heap', 'repotr' => 'report', 'xyzzy' => ''] as $typed => $meant) {
            $message = "Command \"$typed\" is not defined" . ($meant === '' ? ';' : "; did you mean $meant?") . ' `xhprof` lists';
            self::assertUsageError($message, $this->xhprof([$typed]));
        }
        $limit = 'did you mean --limit? Usage: xhprof report [options] [--] [<run>]';
        self::assertUsageError($limit, $this->xhprof(['report', '--lmit=3']));
        self::assertUsageError('(missing: "b"); usage: xhprof diff [options] [--] <a> <b>', $this->xhprof(['diff', '1']));
        self::assertUsageError('"lst" is not defined', $this->xhprof(['lst']));
        self::assertUsageError('--nonsense', $this->xhprof(['list', '--nonsense']));
        self::assertUsageError('No arguments expected', $this->xhprof(['list', 'x']));
    }

    public function testWithoutComposerPackagesOneLineSaysWhatToDo(): void
    {
        $this->installWithoutPackages('clone');
        $result = $this->process([PHP_BINARY, "$this->folder/clone/bin/xhprof", 'list']);

        self::assertOneLineError("run `composer install` in $this->folder/clone", $result);
    }

    public function testWithoutMbstringOneLineNamesThePackage(): void
    {
        $asked = 'exit((int) (extension_loaded("mbstring") || extension_loaded("iconv")));';
        $bare = $this->process([PHP_BINARY, '-n', '-r', $asked]);
        if ($bare->exitCode !== 0) {
            self::markTestSkipped('mbstring or iconv is part of this PHP');
        }
        // What the file itself is read with, where it is a phar.
        $asked = 'exit((int) !extension_loaded("phar"));';
        $isThere = self::isCheckout() || $this->process([PHP_BINARY, '-n', '-r', $asked])->exitCode === 0;
        $php = [PHP_BINARY, '-n', ...($isThere ? [] : ['-d', 'extension=phar'])];
        foreach ([[], ['list'], ['report', 'latest']] as $arguments) {
            $result = $this->process([...$php, self::program(), ...$arguments]);
            self::assertOneLineError("PHP's extension mbstring is missing; its package is php", $result);
        }
    }

    public function testWorksInTheVendorFolderOfAnotherProject(): void
    {
        $this->installWithoutPackages('project/vendor/xhprof/xhprof');
        $autoload = '<?php require ' . var_export(realpath(self::ROOT . '/vendor/autoload.php'), true) . ';';
        file_put_contents("$this->folder/project/vendor/autoload.php", $autoload);
        $result = $this->process([PHP_BINARY, "$this->folder/project/vendor/xhprof/xhprof/bin/xhprof", 'list']);

        self::assertSame([0, "No runs in $this->folder/runs\n"], [$result->exitCode, $result->out], $result->err);
    }

    public function testWithoutTheExtensionOneLineSaysWhatToDo(): void
    {
        // a package, and a checkout that never built it
        foreach (['package' => false, 'clone' => true] as $name => $isCheckout) {
            $this->installWithoutPackages($name);
            symlink((string) realpath(self::ROOT . '/vendor'), "$this->folder/$name/vendor");
            mkdir("$this->folder/$name/extension/modules", 0700, true);
            if ($isCheckout) {
                copy(self::ROOT . '/extension/config.m4', "$this->folder/$name/extension/config.m4");
            }
            $minor = PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION;
            $package = "install the package php$minor-xhprof, or put the xhprof.so of the release for PHP " . PHP_VERSION;
            $run = [PHP_BINARY, "$this->folder/$name/bin/xhprof", 'run', '-d', 'extension_dir=/nowhere', '--', __FILE__];
            $result = $this->process($run);
            $make = "run `make build` in $this->folder/$name";
            self::assertOneLineError($isCheckout ? "the extension is not built; $make" : $package, $result);
            if (!$isCheckout) {
                self::assertStringContainsString('into /nowhere. Saved runs can be read without it', $result->err);
            }
            $options = ['-d', 'extension_dir=/nowhere', '--php-option=-n', '--json'];
            $status = $this->process([PHP_BINARY, "$this->folder/$name/bin/xhprof", 'status', ...$options]);
            $findings = json_decode($status->out, true)['findings'] ?? [];
            self::assertSame('the extension is not loaded', $findings[0]['text'] ?? $status->err);
            $how = $isCheckout ? 'run `make build`; then put "extension=xhprof" into php.ini' : $package;
            self::assertStringStartsWith($how, $findings[0]['todo']);

            file_put_contents("$this->folder/$name/extension/modules/xhprof.so", 'not an ELF file');
            $result = $this->process($run);
            self::assertOneLineError('xhprof.so cannot be loaded into PHP ' . PHP_VERSION, $result);
            self::assertStringContainsString($isCheckout ? $make : $package, $result->err);
            unlink("$this->folder/$name/extension/modules/xhprof.so");
        }
    }

    /** Neither php.ini nor the folder of extensions has it. */
    public function testTheExtensionBesideAPharIsLoaded(): void
    {
        self::needExtension();
        $classes = ['Cli/CliError', 'Cli/PhpProbe', 'Script/PhpRuntime'];
        $paths = array_map(static fn (string $class): string => self::ROOT . "/xhprof_lib/src/$class.php", $classes);
        $build = '[, $file] = $argv; $p = new Phar($file, 0, "x.phar"); foreach (array_slice($argv, 2) as $i => $path) {'
            . ' $p["$i.php"] = file_get_contents($path); }'
            . '$p->setStub("<?php Phar::mapPhar(\"x.phar\"); foreach ([0, 1, 2] as \$i) { require \"phar://x.phar/\$i.php\"; }'
            . ' try { \$php = new XHProf\\Script\\PhpRuntime(\"phar://x.phar\", [\"-d\", \"extension_dir=/nowhere\"]);'
            . ' echo implode(\" \", \$php->command()); }'
            . ' catch (XHProf\\Cli\\CliError \$e) { echo \$e->getMessage(); } __HALT_COMPILER();");';
        mkdir("$this->folder/a b");
        $phar = "$this->folder/a b/x.phar";
        $result = $this->process([PHP_BINARY, '-d', 'phar.readonly=0', '-r', $build, '--', $phar, ...$paths]);
        self::assertSame('', $result->err . $result->out);
        self::assertStringContainsString("into $this->folder/a b or /nowhere.", $this->process([PHP_BINARY, $phar])->out);

        symlink((string) realpath(self::ROOT . '/extension/modules/xhprof.so'), "$this->folder/a b/xhprof.so");
        self::assertStringEndsWith("-d extension='$this->folder/a b/xhprof.so'", $this->process([PHP_BINARY, $phar])->out);
    }

    /** An installation at $path of the test's folder: command and library, without Composer's packages and the extension. */
    private function installWithoutPackages(string $path): void
    {
        mkdir("$this->folder/$path/bin", 0700, true);
        copy(self::ROOT . '/bin/xhprof', "$this->folder/$path/bin/xhprof");
        symlink((string) realpath(self::ROOT . '/xhprof_lib'), "$this->folder/$path/xhprof_lib");
    }
}
