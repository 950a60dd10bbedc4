<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

require_once __DIR__ . '/CliTestCase.php';

/** `--stable-names`: two releases of one program, with the real Twig, have the same names. */
final class StableNamesTest extends CliTestCase
{
    private const APP = <<<'PHP'
        spl_autoload_register([ComposerAutoloaderInit%HASH%::class, 'load']);
        class ComposerAutoloaderInit%HASH%
        {
            public static function load(string $class): void
            {
                $file = __DIR__ . '/twig/' . strtr(substr($class, 5), '\\', '/') . '.php';
                (static function (string $file): void { require $file; })($file);
            }
        }
        function trigger_deprecation() { }
        class Shop
        {
            public function filters(array $cart, bool $isOften): array
            {
                $rare = static fn (int $n): int => abs($n);
                $often = array_map(fn (int $n): int => max($n, 1), $cart);
                return $isOften ? $often : array_map($rare, $often);
            }
        }
        require __DIR__ . '/twig/Resources/core.php';
        $cart = '{% for n in l|filter(v => v > 1) %}{{ n }}{% endfor %}';
        $twig = new Twig\Environment(new Twig\Loader\ArrayLoader(['cart' => $cart]));
        echo $twig->render('cart', ['l' => (new Shop())->filters([1, 2, 3], %OFTEN%)]);
        array_map(fn (string $s): string => trim($s), ['a']);
        PHP;

    protected function setUp(): void
    {
        self::needExtension();
        parent::setUp();
        $this->release('20261101', '', 'true');
        $this->release('20261122', "// Release of 2026-11-22.\n\n/* It has\n * more lines. */\n", 'false');
    }

    /** Comments on top of each file, an autoloader with another hash, and other closures that run. */
    private function release(string $name, string $top, string $isOften): void
    {
        $twig = self::ROOT . '/vendor/twig/twig/src';
        $files = new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator($twig, \FilesystemIterator::SKIP_DOTS));
        foreach ($files as $file) {
            $to = "$this->folder/releases/$name/twig" . substr((string) $file, strlen($twig));
            is_dir(dirname($to)) || mkdir(dirname($to), recursive: true);
            file_put_contents($to, preg_replace('/\A<\?php\n/', "<?php\n$top", (string) file_get_contents((string) $file)));
        }
        $app = strtr(self::APP, ['%HASH%' => md5($name), '%OFTEN%' => $isOften]);
        file_put_contents("$this->folder/releases/$name/index.php", "<?php\n$top$app\n");
    }

    /** @return list<string> ids of a run of each, the newer release first */
    private function runs(): array
    {
        $ids = [];
        foreach (['20261101', '20261122'] as $name) {
            $result = $this->xhprof(['run', '--no-builtins', '--', "$this->folder/releases/$name/index.php"]);
            self::assertSame([0, '23'], [$result->exitCode, $result->out], $result->err);
            preg_match('/Saved as run ([0-9a-f]+)/', $result->err, $match);
            $ids[] = $match[1] ?? self::fail($result->err);
        }

        return array_reverse($ids);
    }

    /**
     * @param list<string> $options
     *
     * @return list<string> names of the functions of a run, sorted
     */
    private function names(string $id, array $options = []): array
    {
        $result = $this->xhprof(['report', $id, '--json', '--limit=0', '--levels', ...$options]);
        self::assertSame(0, $result->exitCode, $result->err);
        $names = array_column(json_decode($result->out, true, 512, JSON_THROW_ON_ERROR)['functions'], 'name');
        sort($names);

        return $names;
    }

    public function testTwoReleasesHaveTheSameNames(): void
    {
        [$new, $old] = $this->runs();
        [$newNames, $oldNames] = [$this->names($new, ['--stable-names']), $this->names($old, ['--stable-names'])];

        self::assertSame(['Shop::filters{closure#1}'], array_values(array_diff($newNames, $oldNames)));
        self::assertSame([], array_diff($oldNames, $newNames));
        self::assertContains('Shop::filters{closure#2}', $oldNames, 'the only one of them that ran there');
        foreach (['ComposerAutoloaderInit{hash}::load', '{release}/index.php'] as $function) {
            self::assertContains($function . '{closure#1}', $newNames);
        }
        self::assertContains('load::twig/Lexer.php', $newNames);
        self::assertGreaterThan(10, count(array_diff($this->names($new), $this->names($old))), 'as they are recorded, many differ');
        self::assertSame([], preg_grep('/[0-9a-f]{32}|2026/', $newNames));
    }

    public function testAComparisonHasNoFunctionThatIsNewOrGone(): void
    {
        [$new, $old] = $this->runs();
        $result = $this->xhprof(['diff', $old, $new, '--json', '--limit=0', '--sort=ct']);
        self::assertSame(0, $result->exitCode, $result->err);
        $changed = [];
        foreach (json_decode($result->out, true, 512, JSON_THROW_ON_ERROR)['functions'] as $row) {
            if ($row['delta']['ct'] !== 0) {
                $changed[] = preg_replace('/:[0-9]+\}$/', '', $row['name']);
            }
        }

        self::assertSame(['Shop::{closure:20261122/index.php'], $changed);
    }

    public function testExportsHaveThem(): void
    {
        [$new] = $this->runs();
        foreach (['folded', 'callgrind', 'speedscope', 'csv'] as $format) {
            $result = $this->xhprof(['export', $new, '--format', $format, '-o', '-', '--stable-names']);
            self::assertSame(0, $result->exitCode, $result->err);
            self::assertStringContainsString('Shop::filters{closure#1}', $result->out, $format);
            self::assertDoesNotMatchRegularExpression('/AutoloaderInit[0-9a-f]|\{closure:[^(]*:[0-9]+\}/', $result->out, $format);
        }
    }

    public function testRulesOfTheOperator(): void
    {
        [$new] = $this->runs();
        file_put_contents("$this->folder/rules", "/^Shop\\b/ Store\n");
        $environment = ['XHPROF_NAME_RULES' => "$this->folder/rules"];
        $result = $this->xhprof(['report', $new, '--stable-names', '--symbol=Store::filters'], '', $environment);
        self::assertSame(0, $result->exitCode, $result->err);
        self::assertStringContainsString('Store::filters{closure#1}', $result->out);

        file_put_contents("$this->folder/rules", "/(/ Store\n");
        self::assertOneLineError(
            'XHPROF_NAME_RULES: line 1 of the file is not a rule',
            $this->xhprof(['report', $new, '--stable-names'], '', $environment),
        );
    }

    public function testWhatHasNoPlacesIsRefused(): void
    {
        $both = implode(',', $this->runs());
        self::assertUsageError('takes one run', $this->xhprof(['report', $both, '--stable-names']));
        self::assertUsageError('--findings excludes', $this->xhprof(['report', '--findings', '--stable-names']));
    }
}
