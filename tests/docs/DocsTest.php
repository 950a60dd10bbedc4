<?php

declare(strict_types=1);

namespace XHProf\Tests\Docs;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Tools\Docs\Reference;
use XHProf\Tools\Docs\Setting;
use XHProf\Tools\Docs\Settings;
use XHProf\Tools\Docs\Stubs;

require_once __DIR__ . '/../../tools/docs/autoload.php';
require_once __DIR__ . '/Checker.php';
require_once __DIR__ . '/KnownNames.php';
require_once __DIR__ . '/Markdown.php';
require_once __DIR__ . '/ShellLine.php';

/** Every name in the documentation exists: pages, headings, commands with their options, settings, functions. */
final class DocsTest extends TestCase
{
    private const ROOT = __DIR__ . '/../..';

    private static ?Checker $checker = null;

    public static function tearDownAfterClass(): void
    {
        self::$checker = null;
    }

    /** @return iterable<string, array{string}> the pages, relative to the root */
    public static function pages(): iterable
    {
        exec('git -C ' . escapeshellarg(self::ROOT) . " ls-files '*.md'", $files);
        foreach ($files as $file) {
            // A template of the benchmark is not a page.
            if (!str_starts_with($file, 'benchmarks/') && is_file(self::ROOT . "/$file")) {
                yield $file => [$file];
            }
        }
    }

    #[DataProvider('pages')]
    public function testLinksLeadSomewhere(string $file): void
    {
        self::assertSame([], self::checker()->brokenLinks($file, self::page($file)));
    }

    #[DataProvider('pages')]
    public function testCommandsAndOptionsExist(string $file): void
    {
        self::assertSame([], self::checker()->wrongCommands($file, self::page($file)));
    }

    #[DataProvider('pages')]
    public function testSettingsAndFunctionsExist(string $file): void
    {
        self::assertSame([], self::checker()->unknownNames($file, self::page($file)));
    }

    public function testEveryPageOfDocsIsLinkedFromTheReadme(): void
    {
        $links = self::page('README.md')->links();
        foreach (glob(self::ROOT . '/docs/*.md') ?: [] as $file) {
            self::assertContains('docs/' . basename($file), $links);
        }
    }

    public function testTheReferenceIsMadeFromTheseSources(): void
    {
        $text = (string) file_get_contents(self::ROOT . '/docs/reference.md');
        self::assertSame((new Reference(self::ROOT))->text(), $text, 'docs/reference.md is out of date: run make reference');
    }

    public function testSettingsForDebuggingAreInTheLastSectionOfTheReferenceAndNowhereElseInIt(): void
    {
        $found = (new Settings(self::ROOT . '/extension'))->all();
        $marked = array_keys(array_filter($found, static fn(Setting $setting): bool => $setting->forDebugging));
        self::assertSame(['xhprof.clock'], $marked);
        $sections = preg_split('/^## /m', (string) file_get_contents(self::ROOT . '/docs/reference.md')) ?: [];
        $last = (string) array_pop($sections);
        self::assertStringStartsWith("For debugging\n", $last);
        self::assertSame($marked, self::describedSettings($last));
        self::assertSame(array_values(array_diff(array_keys($found), $marked)), self::describedSettings(implode($sections)));
        foreach ($marked as $name) {
            self::assertStringNotContainsString("`$name`", implode($sections));
        }
    }

    /** Users are not led to what only the developers need. */
    public function testTheReadmeAndTheGuideToProductionNameNoSettingForDebugging(): void
    {
        $found = (new Settings(self::ROOT . '/extension'))->all();
        foreach (array_filter($found, static fn(Setting $setting): bool => $setting->forDebugging) as $name => $setting) {
            foreach (['README.md', 'docs/production.md'] as $file) {
                self::assertStringNotContainsString($name, (string) file_get_contents(self::ROOT . "/$file"), $file);
            }
        }
    }

    /** @return list<string> settings with a description of their own, in its order; each has a row in the table, too */
    private static function describedSettings(string $section): array
    {
        preg_match_all('/^### ((?:xhprof|memprof)\.\w+)$/m', $section, $described);
        preg_match_all('/^\| \[`([\w.]+)`\]/m', $section, $rows);
        self::assertSame($described[1], $rows[1]);

        return $described[1];
    }

    /** Compares the names found in the sources with the built extension. */
    public function testTheReferenceHasWhatTheExtensionHas(): void
    {
        $code = '$of = new ReflectionExtension("xhprof"); echo json_encode([ini_get_all("xhprof"),'
            . ' array_keys($of->getFunctions()), array_keys($of->getConstants())]);';
        $extension = realpath(self::ROOT . '/extension/modules/xhprof.so');
        $json = shell_exec(implode(' ', array_map(escapeshellarg(...), [
            PHP_BINARY, '-n', '-d', "extension=$extension", '-r', $code,
        ])));
        [$settings, $functions, $constants] = json_decode((string) $json, true, 8, JSON_THROW_ON_ERROR);
        $access = ['PHP_INI_ALL' => INI_ALL, 'PERDIR' => INI_SYSTEM | INI_PERDIR, 'PHP_INI_SYSTEM' => INI_SYSTEM];
        $found = (new Settings(self::ROOT . '/extension'))->all();
        self::assertEqualsCanonicalizing(array_keys($settings), array_keys($found));
        foreach ($found as $name => $setting) {
            self::assertSame($settings[$name]['global_value'] ?? '', $setting->default, $name);
            self::assertSame($settings[$name]['access'], $access[$setting->access], $name);
        }
        $stubs = new Stubs(self::ROOT . '/extension');
        $methods = array_filter(array_keys($stubs->functions()), static fn(string $name): bool => !str_contains($name, '::'));
        self::assertSame([], array_diff($functions, $methods));
        self::assertSame([], array_diff($constants, array_keys($stubs->constants())));
    }

    /** A password of one service is not in the environment of the other, whose user runs other programs too. */
    public function testEachServiceReadsAFileOfItsOwn(): void
    {
        $files = [];
        foreach (['pages' => 'docs/install.md', 'ship' => 'docs/fleet.md'] as $unit => $page) {
            $text = (string) file_get_contents(self::ROOT . "/tools/install/xhprof-$unit.service");
            preg_match_all('/^EnvironmentFile=-?(\S+)$/m', $text, $found);
            self::assertCount(1, $found[1], $unit);
            $named = (string) file_get_contents(self::ROOT . "/$page");
            self::assertStringContainsString("`{$found[1][0]}`", $named, "$page names the file");
            $files[] = $found[1][0];
        }
        self::assertSame($files, array_unique($files));
    }

    public function testTheReadmeIsShort(): void
    {
        self::assertLessThan(200, count(file(self::ROOT . '/README.md') ?: []));
    }

    /** @return iterable<string, array{string, string}> a page, and its mistake */
    public static function mistakes(): iterable
    {
        yield 'file' => ['[x](docs/none.md)', 'there is no such file'];
        yield 'picture' => ['![x](docs/none.png)', 'there is no such file'];
        yield 'heading' => ["# One\n[x](#two)", 'there is no such heading'];
        yield 'heading of another page' => ['[x](SECURITY.md#none)', 'there is no such heading'];
        yield 'command' => ["```console\n$ bin/xhprof rnu script.php\n```", 'rnu'];
        yield 'option' => ["```console\n$ bin/xhprof report latest --sorted=wt\n```", '--sorted'];
        yield 'option on a continued line' => ["```console\n$ bin/xhprof report latest \\\n    --sorted=wt\n```", '--sorted'];
        yield 'option behind a pipe' => ["```sh\ncat x | bin/xhprof import - --fromat=folded\n```", '--fromat'];
        yield 'option in a line of text' => ['Type `bin/xhprof list --olwest`.', '--olwest'];
        yield 'question' => ['`bin/xhprof heap sumary a.heap.jsonl`', 'there is no question sumary'];
        yield 'argument too few' => ["```console\n$ bin/xhprof diff 4f0c\n```", 'Not enough arguments'];
        yield 'format' => ['`bin/xhprof export latest --format=pdf`', 'there is no format pdf'];
        yield 'workflow' => ["```yaml\nsteps:\n  - run: sudo bin/xhprof staus\n```", 'staus'];
        yield 'option of xhprof-inspect' => ['`bin/xhprof-inspect memory -p 1 --formt=jsonl`', '--formt'];
        yield 'option of another command of it' => ['`xhprof-inspect image -p 1 --rate=9`', '--rate'];
        yield 'command of xhprof-inspect' => ['`xhprof-inspect heap -p 1`', 'there is no command heap'];
        yield 'format of xhprof-inspect' => ['`xhprof-inspect memory -p 1 --format=pdf`', 'there is no format pdf'];
        yield 'target' => ["```sh\nmake biuld\n```", 'there is no target biuld'];
        yield 'setting' => ["```ini\nxhprof.max_run=5\n```", 'there is no setting xhprof.max_run'];
        yield 'function' => ["```php\nxhprof_enabel();\n```", 'there is no function xhprof_enabel()'];
        yield 'flag' => ['`XHPROF_FLAGS_MEM`', 'no source knows XHPROF_FLAGS_MEM'];
    }

    #[DataProvider('mistakes')]
    public function testMistakesAreFound(string $text, string $expected): void
    {
        $page = new Markdown("$text\n");
        $found = [
            ...self::checker()->brokenLinks('README.md', $page),
            ...self::checker()->wrongCommands('README.md', $page),
            ...self::checker()->unknownNames('README.md', $page),
        ];
        self::assertCount(1, $found, implode("\n", $found));
        self::assertStringContainsString($expected, $found[0]);
    }

    /** @return iterable<string, array{string}> correct text that resembles a mistake */
    public static function rightThings(): iterable
    {
        yield 'output of a command' => ["```console\n$ true\nbin/xhprof rnu\nmake biuld\n```"];
        yield 'another program' => ['`composer require xhprof/xhprof --dev`, `docker build -t xhprof --none .`'];
        yield 'a script\'s own options' => ['`bin/xhprof run -- script.php --none`, `xhprof run script.php --none`'];
        yield 'a command without its arguments, in a line of text' => ['`bin/xhprof diff --fail-over=5%`'];
        yield 'a file' => ['`extension/modules/xhprof.so`, xhprof.ini, https://xhprof.example/none'];
        yield 'phpize' => ["```sh\ncd extension && phpize && ./configure && make && sudo make install\n```"];
        yield 'a link in code' => ['`[x](none.md)`'];
        yield 'a heading with code, twice' => ["# `a` and_b: c\n# `a` and_b: c\n[x](#a-and_b-c) [x](#a-and_b-c-1)"];
        yield 'quotes' => ["```console\n$ bin/xhprof report latest --symbol='A\\B::c' | grep -- --none > x 2>&1 # --none\n```"];
    }

    #[DataProvider('rightThings')]
    public function testCorrectDocsHaveNoMistakes(string $text): void
    {
        $page = new Markdown("$text\n");
        self::assertSame([], [
            ...self::checker()->brokenLinks('README.md', $page),
            ...self::checker()->wrongCommands('README.md', $page),
            ...self::checker()->unknownNames('README.md', $page),
        ]);
    }

    private static function checker(): Checker
    {
        return self::$checker ??= new Checker(self::ROOT);
    }

    private static function page(string $file): Markdown
    {
        return new Markdown((string) file_get_contents(self::ROOT . "/$file"));
    }
}
