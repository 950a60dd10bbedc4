<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use XHProf\Tests\Html\Page;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../html/Page.php';

/** What only xhprof.phar has: it is one file, of any name, anywhere. `tools/phar.sh check` runs the other tests here with it too. */
final class PharTest extends CliTestCase
{
    private string $phar;

    protected function setUp(): void
    {
        if (self::isCheckout()) {
            self::markTestSkipped('XHPROF_BIN names no phar: tools/phar.sh check');
        }
        parent::setUp();
        $this->phar = self::program();
        $this->store()->save(['main()' => ['ct' => 1, 'wt' => 9], 'main()==>findMe' => ['ct' => 1, 'wt' => 8]], 'cli', 'run1');
    }

    public function testItsNameAndFolderDoNotMatter(): void
    {
        $expected = $this->xhprof(['report', 'run1'])->out;
        self::assertStringContainsString('findMe', $expected);
        mkdir("$this->folder/a folder's");
        foreach (['xhprof', 'a.txt', 'XHPROF.PHAR.old', 'x.phar.gz', "a folder's/xhprof.phar", "a folder's/#%20?.phar"] as $name) {
            copy($this->phar, "$this->folder/$name");
            $result = $this->process([PHP_BINARY, "$this->folder/$name", 'report', 'run1']);
            self::assertSame([0, $expected, ''], [$result->exitCode, $result->out, $result->err], $name);
        }
        symlink("$this->folder/a folder's/xhprof.phar", "$this->folder/link");
        chmod("$this->folder/a folder's/xhprof.phar", 0o755);
        chmod("$this->folder/a folder's", 0o555);
        // By its first line, as a program in PATH.
        $path = ['PATH' => "$this->folder:" . dirname(PHP_BINARY) . ':' . getenv('PATH')];
        $result = $this->process(['link', 'report', 'run1'], environment: $path);
        chmod("$this->folder/a folder's", 0o755);
        self::assertSame([0, $expected, ''], [$result->exitCode, $result->out, $result->err]);
    }

    public function testSettingsOfPhpDoNotMatter(): void
    {
        $expected = $this->xhprof(['report', 'run1'])->out;
        $settings = [
            ['phar.readonly=0'], ['phar.require_hash=1'], ['phar.require_hash=0'], ['opcache.enable_cli=1'],
            ['opcache.enable_cli=1', "opcache.file_cache=$this->folder"],
            ['opcache.enable_cli=1', 'opcache.validate_timestamps=0'],
            ['memory_limit=16M'], ['short_open_tag=1'], ['zend.assertions=1'], ['default_charset=ISO-8859-1'],
        ];
        foreach ($settings as $lines) {
            $options = array_merge(...array_map(static fn (string $line): array => ['-d', $line], $lines));
            foreach (['first', 'second'] as $time) {
                $result = $this->process([PHP_BINARY, ...$options, $this->phar, 'report', 'run1']);
                $where = "$time time, " . implode(', ', $lines);
                self::assertSame([0, $expected, ''], [$result->exitCode, $result->out, $result->err], $where);
            }
        }
    }

    /** As of a service that closes what it does not use: then PHP opens the file itself as descriptor 0. */
    public function testWithoutStandardInput(): void
    {
        $expected = $this->xhprof(['report', 'run1'])->out;
        $result = $this->process(['sh', '-c', '"$@" <&-', 'sh', PHP_BINARY, $this->phar, 'report', 'run1']);
        self::assertSame([0, $expected, ''], [$result->exitCode, $result->out, $result->err]);
    }

    public function testTwoOfThemAtTheSameTime(): void
    {
        self::needExtension();
        // Another version of the same name, which the first one profiles.
        mkdir("$this->folder/other");
        $other = "$this->folder/other/xhprof.phar";
        self::change($this->phar, $other, 'extension/VERSION', '3.99.0');
        self::assertSame("xhprof 3.99.0\n", $this->process([PHP_BINARY, $other, '--version'])->out);
        $result = $this->xhprof(['run', '-q', '--', $other, '--version'], environment: ['XHPROF_PROFILE_SELF' => '1']);
        self::assertSame([0, "xhprof 3.99.0\n"], [$result->exitCode, $result->out], $result->err);
        $edges = implode("\n", array_keys($this->store()->open($this->store()->list()[0]->id)->profile()->edges()));
        self::assertStringContainsString('XHProf\App\Application::getVersion', $edges);
        self::assertStringNotContainsString('ProfiledScript', $edges, 'the program has nothing of what profiles it');
    }

    public function testTheProgramHasNothingOfIt(): void
    {
        self::needExtension();
        $look = 'echo json_encode([get_included_files(), get_declared_classes(), get_defined_functions()["user"],'
            . ' stream_get_wrappers(), spl_autoload_functions(), ini_get("auto_prepend_file"), Phar::running(),'
            . ' array_keys($GLOBALS)]);';
        $script = $this->script($look);
        $plain = $this->process([PHP_BINARY, '-d', 'extension=' . realpath(self::ROOT . '/extension/modules/xhprof.so'), $script]);
        $profiled = $this->xhprof(['run', '-q', '--', $script]);
        self::assertSame($plain->out, $profiled->out);
        self::assertStringContainsString('script.php', $plain->out);
    }

    /** The extension beside it is loaded: not one that another user has put there. */
    public function testWhoseExtensionIsLoaded(): void
    {
        self::needExtension();
        mkdir("$this->folder/mine");
        copy($this->phar, "$this->folder/mine/xhprof.phar");
        copy((string) realpath(self::ROOT . '/extension/modules/xhprof.so'), "$this->folder/mine/xhprof.so");
        $run = [PHP_BINARY, "$this->folder/mine/xhprof.phar", 'run', '-d', 'extension_dir=/nowhere', '-q', '--'];
        $result = $this->process([...$run, $this->script('echo 1;')]);
        self::assertSame([0, '1'], [$result->exitCode, $result->out], $result->err);
        if (posix_getuid() !== 0) {
            self::markTestSkipped('only root gives files to another user');
        }
        chown("$this->folder/mine/xhprof.so", 65534);
        self::assertOneLineError('has no extension xhprof', $this->process([...$run, $this->script('echo 1;')]));
    }

    public function testADamagedFileIsNotRun(): void
    {
        $bytes = (string) file_get_contents($this->phar);
        $damaged = "$this->folder/damaged.phar";
        file_put_contents($damaged, substr($bytes, 0, -5000));
        self::assertOneLineError('is damaged', $this->process([PHP_BINARY, $damaged, 'list']));
        $bytes[strlen($bytes) >> 1] = $bytes[strlen($bytes) >> 1] === 'a' ? 'b' : 'a';
        file_put_contents($damaged, $bytes);
        self::assertOneLineError('is damaged', $this->process([PHP_BINARY, $damaged, 'list']));
    }

    public function testItsPagesAreCompiledAndOfNoOther(): void
    {
        $show = '[, $phar, $runs] = $argv; $root = "phar://$phar"; require "$root/xhprof_lib/autoload.php";'
            . 'require "$root/vendor/autoload.php"; $folder = new XHProf\Store\RunFolder($runs);'
            . '$site = new XHProf\App\Site("$root/xhprof_html", $folder);'
            . '$answer = $site->index(new XHProf\Web\Http\Request("GET", ["run" => "run1"]));'
            . 'echo json_encode([substr_count($answer->body, "findMe") > 0, array_values(preg_grep("~/compiled/~",'
            . ' get_included_files())), class_exists(Twig\Compiler::class, false)]);';
        $result = $this->process([PHP_BINARY, '-r', $show, '--', $this->phar, "$this->folder/runs"]);
        [$shows, $compiled, $compiles] = json_decode($result->out, true) ?? self::fail($result->out . $result->err);
        self::assertTrue($shows);
        self::assertNotSame([], $compiled);
        self::assertFalse($compiles, 'Twig compiles in the request');
    }

    /** Its folder is that of the web server. What is there is neither shown nor run. */
    public function testWhatIsBesideItIsNotServed(): void
    {
        mkdir("$this->folder/web/assets", 0o755, true);
        copy($this->phar, "$this->folder/web/served");
        foreach (['index.php', 'api.php', 'router.php', 'assets/app.css', 'assets/other.css', 'a.html', '.htaccess'] as $file) {
            file_put_contents("$this->folder/web/$file", 'planted <?php echo "run";');
        }
        $process = $this->start([PHP_BINARY, "$this->folder/web/served", 'serve', '--port=0', '--no-token']);
        do {
            usleep(5000);
            $isThere = preg_match('~http://\S+/~', (string) file_get_contents("$this->folder/stdout"), $url) === 1;
        } while (!$isThere && proc_get_status($process)['running']);
        self::assertTrue($isThere, (string) file_get_contents("$this->folder/stderr"));
        $ask = static fn (string $path): Page => Page::ask($url[0] . $path);
        $pages = [
            '' => [200, 'run1'], 'index.php' => [200, 'run1'], 'index.php?run=run1&source=cli' => [200, 'findMe'],
            'api.php?get=runs' => [200, '"run1"'], 'callgraph.php' => [400, 'run'], 'assets/app.css' => [200, '--'],
            'assets/other.css' => [404, 'no such page'], 'a.html' => [404, 'no such page'], 'served' => [404, 'no such page'],
            'router.php' => [404, 'no such page'], '.htaccess' => [404, 'no such page'], 'index.php/x' => [404, ''],
        ];
        $answers = array_map($ask, array_combine(array_keys($pages), array_keys($pages)));
        $asset = $answers['assets/app.css'];
        $again = Page::ask("$url[0]assets/app.css", ['header' => ["If-None-Match: {$asset->headers['etag']}"]]);
        proc_terminate($process);
        proc_close($process);
        foreach ($pages as $path => [$status, $text]) {
            self::assertStringContainsString((string) $status, (string) $answers[$path]->status, $path);
            self::assertStringContainsString($text, $answers[$path]->body, $path);
            self::assertStringNotContainsString('planted', $answers[$path]->body, $path);
        }
        self::assertSame(file_get_contents(self::ROOT . '/xhprof_html/assets/app.css'), $asset->body);
        self::assertStringContainsString('304', (string) $again->status);
    }

    /** One file with all views is made of the pages and their scripts. */
    public function testItExportsWhatACheckoutDoes(): void
    {
        foreach (['html', 'callgrind', 'dot'] as $format) {
            $command = ['export', 'run1', '-f', $format, '-o', '-'];
            $packed = $this->xhprof($command);
            $plain = $this->process([PHP_BINARY, self::ROOT . '/bin/xhprof', ...$command]);
            self::assertSame([0, 0], [$packed->exitCode, $plain->exitCode], $packed->err . $plain->err);
            self::assertTrue($plain->out === $packed->out, $format);
        }
    }

    /** Copies a phar, with another text of one of its files. */
    private static function change(string $from, string $to, string $name, string $text): void
    {
        copy($from, $to);
        $change = '$phar = new Phar($argv[1]); $phar[$argv[2]] = $argv[3];';
        $process = proc_open([PHP_BINARY, '-d', 'phar.readonly=0', '-r', $change, '--', $to, $name, $text], [], $pipes);
        self::assertIsResource($process);
        self::assertSame(0, proc_close($process));
    }
}
