<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use PhpParser\NodeTraverser;
use PhpParser\ParserFactory;
use XHProf\Profile\CallTree;
use XHProf\Source\ClosureNames;
use XHProf\Source\ClosurePosition;
use XHProf\Source\ClosurePositions;
use XHProf\Source\PathMap;
use XHProf\Source\SourceFiles;
use XHProf\Tests\Lib\Support\ClosureVisitor;

require_once __DIR__ . '/Support/ClosureVisitor.php';

/** Which closure of which function a closure is. */
final class ClosurePositionsTest extends TestCase
{
    private const SOURCE = <<<'PHP'
        <?php
        namespace App;
        use function strlen;
        $first = fn (array $x = [1, 2], $y = "{$a}}") => array_map(fn ($v) => match (true) {
            default => fn () => $v,
        }, $x);
        function helper() { return static function &(): array { return [function () { }, fn & () => 1]; }; }
        abstract class Route {
            const NAME = self::class . "${a}";
            abstract function none(int $x);
            function map() { $this->fn(function: 1, class: 2); return [fn () => 1, fn () => 2]; }
            static function make() { return new class(fn () => 1, [fn () => 2]) { public $x = 1; function m() { fn () => 3; } }; }
            function fn() { return new class (1) extends Other { function inner() { return fn () => 3; } }; }
        }
        trait Shared { function run() { return fn () => fn () => 4; } }
        enum Kind: string { case A = 'a'; function label() { return fn () => self::A; } }
        $either = $a ? fn (): ?int => $b ? fn () => fn () => 5 : [$b ?: 6] : static fn () => 7;
        $last = fn () => 1 ?><?php $more = function () { };
        PHP;

    public function testNamesFollowTheCode(): void
    {
        $found = [];
        foreach (ClosurePositions::parse(self::SOURCE) as $line => $positions) {
            foreach ($positions as $position) {
                $found[] = "$line " . $position->name('', 'dir/file.php');
            }
        }

        self::assertSame([
            '4 dir/file.php{closure#1}',
            '4 dir/file.php{closure#1}{closure#1}',
            '5 dir/file.php{closure#1}{closure#1}{closure#1}',
            '7 App\helper{closure#1}',
            '7 App\helper{closure#1}{closure#1}',
            '7 App\helper{closure#1}{closure#2}',
            '11 App\Route::map{closure#1}',
            '11 App\Route::map{closure#2}',
            '12 App\Route::make{closure#1}',
            '12 App\Route::make{closure#2}',
            '12 class@anonymous::m{closure#1}',
            '13 class@anonymous::inner{closure#1}',
            '15 App\Shared::run{closure#1}',
            '15 App\Shared::run{closure#1}{closure#1}',
            '16 App\Kind::label{closure#1}',
            '17 dir/file.php{closure#2}',
            '17 dir/file.php{closure#2}{closure#1}',
            '17 dir/file.php{closure#2}{closure#1}{closure#1}',
            '17 dir/file.php{closure#3}',
            '18 dir/file.php{closure#4}',
            '18 dir/file.php{closure#5}',
        ], $found);
    }

    /** @return iterable<string, array{ClosurePosition, string, string}> written here, class that the run names => name */
    public static function scopes(): iterable
    {
        yield 'in a trait' => [new ClosurePosition('App\T', true, 'run{closure#1}'), 'App\User', 'App\User::run{closure#1}'];
        yield 'bound' => [new ClosurePosition('App\A', false, 'run{closure#1}'), 'App\B', 'App\B::App\A::run{closure#1}'];
        yield 'of a file, bound' => [new ClosurePosition('', false, '{closure#2}'), 'App\B', 'App\B::d/f.php{closure#2}'];
        yield 'anonymous' => [
            new ClosurePosition('class@anonymous', false, 'run{closure#1}'), 'Base@anonymous', 'Base@anonymous::run{closure#1}',
        ];
        yield 'of a constant' => [new ClosurePosition('App\A', false, '{closure#1}'), 'App\A', 'App\A{closure#1}'];
    }

    #[DataProvider('scopes')]
    public function testTheClassOfTheRunIsKept(ClosurePosition $position, string $scope, string $expected): void
    {
        self::assertSame($expected, $position->name($scope, 'd/f.php'));
    }

    /** @return iterable<string, array{string}> */
    public static function folders(): iterable
    {
        foreach (['xhprof_lib', 'tests', 'vendor/symfony', 'vendor/twig', 'vendor/phpunit'] as $folder) {
            yield $folder => [$folder];
        }
    }

    /** The same as a whole parser finds in real code. */
    #[DataProvider('folders')]
    public function testAParserAgrees(string $folder): void
    {
        $parser = (new ParserFactory())->createForNewestSupportedVersion();
        $files = new \RecursiveIteratorIterator(
            new \RecursiveDirectoryIterator(dirname(__DIR__, 2) . "/$folder", \FilesystemIterator::SKIP_DOTS),
        );
        $closures = 0;
        foreach ($files as $file) {
            $source = $file instanceof \SplFileInfo && $file->getExtension() === 'php'
                ? (string) file_get_contents($file->getPathname())
                : '';
            // Others have none, and parsing is slow.
            if (preg_match('/\bfn\b|\bfunction\s*&?\s*\(/', $source) !== 1) {
                continue;
            }
            $expected = new ClosureVisitor();
            $nodes = $parser->parse($source) ?? [];
            $expected->tokens = $parser->getTokens();
            (new NodeTraverser($expected))->traverse($nodes);
            self::assertEquals($expected->sorted(), ClosureVisitor::rows(ClosurePositions::parse($source)), (string) $file);
            $closures += count($expected->found);
        }
        self::assertGreaterThan(10, $closures);
    }

    public function testWhatIsNoSourceEnds(): void
    {
        self::assertSame([], ClosurePositions::parse(''));
        self::assertSame([], ClosurePositions::parse('}}}) fn () => 1'));
        self::assertSame([], ClosurePositions::parse('<?php new class(1)) new class(( {'));
        self::assertCount(1, ClosurePositions::parse("<?php }}}) \n fn () => 1"));
        mt_srand(7);
        for ($round = 0; $round < 500; $round++) {
            $source = self::SOURCE;
            for ($change = 0; $change < 5; $change++) {
                $source = substr_replace($source, chr(mt_rand(32, 126)), mt_rand(5, strlen($source) - 1), mt_rand(0, 3));
            }
            self::assertLessThan(strlen($source), count(ClosurePositions::parse($source), COUNT_RECURSIVE));
        }
    }

    public function testOnlySourcesThatAreThereAndOlderThanTheRunAreAsked(): void
    {
        $folder = sys_get_temp_dir() . '/xhprof-closures-' . bin2hex(random_bytes(6));
        mkdir($folder);
        $file = "$folder/x.php";
        file_put_contents($file, "<?php\n\$a = fn () => 1; \$b = fn () => 2;\nfunction f() { return fn () => 3; }\n");
        touch($file, 1000);
        $dir = basename($folder);
        [$second, $third] = ["{closure:$dir/x.php:2", "{closure:$dir/x.php:3"];
        $names = ['main()', "$second}", "$second#2}", "X::$third}", "{closure:$dir/x.php:9}"];
        $tree = CallTree::fromArray([
            'names' => $names, 'fn' => [0, 1, 2, 3, 4], 'depth' => [0, 1, 1, 1, 1], 'ct' => [1, 1, 1, 1, 1],
            'self' => ['wt' => [1, 1, 1, 1, 1]], 'files' => [$file], 'file' => [-1, 0, 0, 0, 0], 'line' => [0, 2, 2, 3, 9],
            'last_line' => [0, 2, 2, 3, 9],
        ]);
        try {
            $files = new SourceFiles([$folder], PathMap::parse(''));
            self::assertSame([
                $names[1] => "$dir/x.php{closure#1}",
                $names[2] => "$dir/x.php{closure#2}",
                $names[3] => 'X::f{closure#1}',
            ], ClosureNames::find($tree, $files, 1000.0));
            self::assertSame([], ClosureNames::find($tree, $files, 999.0), 'changed since');
            self::assertSame([], ClosureNames::find($tree, new SourceFiles([], PathMap::parse('')), null), 'not allowed');
        } finally {
            unlink($file);
            rmdir($folder);
        }
    }
}
