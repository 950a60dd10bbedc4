<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\InvalidNameRule;
use XHProf\Profile\NameMatch;
use XHProf\Profile\NameRules;
use XHProf\Profile\Profile;
use XHProf\Profile\StableNames;

/** Names that stay the same from build to build, and which function of a run is which of another. */
final class NameMatchTest extends TestCase
{
    /** @return iterable<string, array{list<string>, list<string>}> names of a run, and what they are called everywhere */
    public static function names(): iterable
    {
        yield 'closures of a class, by line and not by their order here' => [
            ['App\Route::{closure:src/Route.php:103}', 'App\Route::{closure:src/Route.php:9}', 'App\Route::map'],
            ['App\Route::{closure#2}', 'App\Route::{closure#1}', 'App\Route::map'],
        ];
        yield 'closures of a file' => [
            ['{closure:app/boot.php:7}', '{closure:app/boot.php:31}', '{closure:web/boot.php:8}'],
            ['app/boot.php{closure#1}', 'app/boot.php{closure#2}', 'web/boot.php{closure#1}'],
        ];
        yield 'two closures of one line' => [
            ['{closure:a/x.php:7#2}', '{closure:a/x.php:7}', '{closure:a/x.php:3}'],
            ['a/x.php{closure#3}', 'a/x.php{closure#2}', 'a/x.php{closure#1}'],
        ];
        yield 'files in the folder of a release' => [
            [
                'load::20261122/index.php', 'run_init::v1.2.3/index.php', 'load::release-7/a.php', 'load::0a1b2c3d4e/b.php',
                '{closure:2026-11-22_0930/index.php:3}', 'load::src/20261122.php', 'load::defaced/c.php', 'load::x1.2/d.php',
            ],
            [
                'load::{release}/index.php', 'run_init::{release}/index.php', 'load::{release}/a.php', 'load::{release}/b.php',
                '{release}/index.php{closure#1}', 'load::src/20261122.php', 'load::defaced/c.php', 'load::x1.2/d.php',
            ],
        ];
        yield 'code that eval() compiled' => [
            ["eval::/srv/20261122/twig/Environment.php(434) : eval()'d code", "eval::/a.php(1) : eval()'d code(2) : eval()'d code"],
            ["eval::twig/Environment.php : eval()'d code#1", "eval::/a.php : eval()'d code : eval()'d code#1"],
        ];
        yield 'closures of a class in two files, as those of a trait are' => [
            ['X::{closure:src/T.php:4}', 'X::{closure:src/X.php:2}'],
            ['X::{closure#1}', 'X::{closure#2}'],
        ];
        yield "PHP 8.4's own names, as other profilers keep them" => [
            ['{closure:App\Route::map():12}', '{closure:{closure:App\Route::map():12}:14}', '{closure:App\helper():3}'],
            ['App\Route::map{closure#1}', 'App\Route::map{closure}{closure#1}', 'App\helper{closure#1}'],
        ];
        yield 'generated classes' => [
            [
                'ComposerAutoloaderInit0123456789abcdef0123456789abcdef::getLoader',
                'Composer\Autoload\ComposerStaticInit0123456789abcdef0123456789abcdef::getInitializer',
                '__TwigTemplate_' . str_repeat('0a', 32) . '::doDisplay',
                "class@anonymous\0/srv/app/x.php:12\$0::run",
                'ContainerVqyBkeX\App_KernelProdContainer::get',
                'load::views/' . str_repeat('ab', 20) . '.php',
            ],
            [
                'ComposerAutoloaderInit{hash}::getLoader',
                'Composer\Autoload\ComposerStaticInit{hash}::getInitializer',
                '__TwigTemplate_{hash}::doDisplay',
                'class@anonymous::run',
                'Container{hash}\App_KernelProdContainer::get',
                'load::views/{hash}.php',
            ],
        ];
        yield 'two templates' => [
            ['__TwigTemplate_' . str_repeat('0b', 32) . '::doDisplay', '__TwigTemplate_' . str_repeat('0a', 32) . '::doDisplay'],
            ['__TwigTemplate_{hash}::doDisplay#2', '__TwigTemplate_{hash}::doDisplay#1'],
        ];
        yield 'names that only look like them' => [
            ['App\Template::deadbeefdeadbeef', 'App\Container::get', 'md5', 'class@anonymous::run', 'App\Proxy::create'],
            ['App\Template::deadbeefdeadbeef', 'App\Container::get', 'md5', 'class@anonymous::run', 'App\Proxy::create'],
        ];
    }

    /**
     * @param list<string> $names
     * @param list<string> $stable
     */
    #[DataProvider('names')]
    public function testAStableNameHasNoLineAndNoHash(array $names, array $stable): void
    {
        $found = StableNames::assign($names);

        self::assertSame($stable, array_map(static fn (string $name): string => $found[$name], $names));
    }

    public function testAClosureIsNamedByWhereItIsWritten(): void
    {
        $names = ['App\Route::{closure:src/Route.php:103}', 'App\Route::{closure:src/Route.php:9}', '{closure:a/x.php:3}'];
        $positions = [$names[0] => 'App\Route::map{closure#3}'];

        self::assertSame([
            $names[0] => 'App\Route::map{closure#3}',
            $names[1] => 'App\Route::{closure#1}',
            $names[2] => 'a/x.php{closure#1}',
        ], self::sorted(StableNames::assign($names, $positions)));
    }

    public function testAPositionIsNotTakenBySomeoneElse(): void
    {
        $names = ['{closure:src/h.php:12}', '{closure:src/h.php:20}', '{closure:src/h.php:30}'];

        self::assertSame(
            [$names[0] => 'src/h.php{closure#2}', $names[1] => 'src/h.php{closure#1}', $names[2] => 'src/h.php{closure#3}'],
            self::sorted(StableNames::assign($names, [$names[1] => 'src/h.php{closure#1}'])),
        );
    }

    public function testNoTwoFunctionsBecomeOneAndWhatIsStableKeepsItsName(): void
    {
        $names = ["class@anonymous\0/a.php:1\$0::run", 'class@anonymous::run', "class@anonymous\0/b.php:2\$0::run"];

        self::assertSame([
            $names[0] => 'class@anonymous::run#2',
            $names[2] => 'class@anonymous::run#3',
            'class@anonymous::run' => 'class@anonymous::run',
        ], self::sorted(StableNames::assign($names)));
    }

    /** @return iterable<string, array{string, string}> rules, and "App\Proxy_1f::run by 7" under them */
    public static function rules(): iterable
    {
        yield 'none' => ["; a comment\n\n", 'App\Proxy_1f::run by 7'];
        yield 'one' => ['/(?<=Proxy_)[0-9a-f]+/ {n}', 'App\Proxy_{n}::run by 7'];
        yield 'a delimiter in what stands for it' => ['/Proxy_1f/ a/i', 'App\a/i::run by 7'];
        yield 'two, one of which removes' => ["#_[0-9a-f]+#\r\n~ BY \d+~i", 'App\Proxy::run'];
        yield 'one that leaves nothing changes nothing' => ['/.*/s', 'App\Proxy_1f::run by 7'];
    }

    #[DataProvider('rules')]
    public function testAnOperatorsRulesComeFirst(string $text, string $expected): void
    {
        $file = (string) tempnam(sys_get_temp_dir(), 'xhprof-rules-');
        file_put_contents($file, $text);
        try {
            $rules = NameRules::ofFile($file);
        } finally {
            unlink($file);
        }

        self::assertSame($expected, $rules->apply('App\Proxy_1f::run by 7'));
        self::assertSame('md5', NameRules::ofFile('')->apply('md5'));
    }

    /** @return iterable<string, array{string, string}> */
    public static function noRules(): iterable
    {
        yield 'no delimiter' => ["/a/ b\nabc def", 'line 2'];
        yield 'no expression' => ['/(/ b', 'line 1'];
        yield 'code' => ['/a/e system', 'line 1'];
    }

    #[DataProvider('noRules')]
    public function testARuleThatIsNoneIsNamed(string $text, string $expected): void
    {
        $file = (string) tempnam(sys_get_temp_dir(), 'xhprof-rules-');
        file_put_contents($file, $text);
        try {
            $this->expectException(InvalidNameRule::class);
            $this->expectExceptionMessage("XHPROF_NAME_RULES: $expected of the file is not a rule");
            NameRules::ofFile($file);
        } finally {
            unlink($file);
        }
    }

    public function testComparisonsUseTheSameRules(): void
    {
        $file = (string) tempnam(sys_get_temp_dir(), 'xhprof-rules-');
        file_put_contents($file, '/(?<=Gen_)[a-z]+/ {n}');
        $a = self::profile(['Gen_abc::run', 'md5']);
        $b = self::profile(['Gen_xyz::run', 'md5']);
        $rules = NameRules::ofFile($file);
        unlink($file);

        self::assertSame([], NameMatch::between($a, $b));
        self::assertSame(['Gen_abc::run' => 'Gen_xyz::run'], NameMatch::between($a, $b, rules: $rules));
    }

    public function testClosuresThatMovedTogetherAreTheSame(): void
    {
        $a = self::profile(['{closure:a/x.php:12}', '{closure:a/x.php:20}', 'md5']);
        $b = self::profile(['{closure:a/x.php:20}', '{closure:a/x.php:28}', 'md5']);

        self::assertSame(
            ['{closure:a/x.php:12}' => '{closure:a/x.php:20}', '{closure:a/x.php:20}' => '{closure:a/x.php:28}'],
            self::sorted(NameMatch::between($a, $b)),
        );
    }

    public function testAnAddedClosureDoesNotShiftTheOthers(): void
    {
        $callees = ['{closure:a/x.php:12}' => 'trim', '{closure:a/x.php:20}' => 'strlen', '{closure:a/x.php:30}' => 'ucfirst'];
        $a = self::profile($callees);
        $b = self::profile(['{closure:a/x.php:14}' => 'sort'] + [
            '{closure:a/x.php:22}' => 'trim', '{closure:a/x.php:31}' => 'strlen', '{closure:a/x.php:40}' => 'ucfirst',
        ]);

        self::assertSame([
            '{closure:a/x.php:12}' => '{closure:a/x.php:22}',
            '{closure:a/x.php:20}' => '{closure:a/x.php:31}',
            '{closure:a/x.php:30}' => '{closure:a/x.php:40}',
        ], self::sorted(NameMatch::between($a, $b)));
    }

    public function testARemovedClosureKeepsANameOfItsOwn(): void
    {
        $a = self::profile(['{closure:a/x.php:10}' => 'trim', '{closure:a/x.php:20}' => 'strlen']);
        $b = self::profile(['{closure:a/x.php:20}' => 'trim', '{closure:a/x.php:99}' => 'sort', 'other' => 'sort']);
        $map = NameMatch::between($a, $b);
        $renamed = $a->renamed($map);

        self::assertSame('{closure:a/x.php:20}', $map['{closure:a/x.php:10}']);
        self::assertCount(count($a->symbols()), $renamed->symbols(), 'no two functions became one');
        self::assertSame($a->totals(), $renamed->totals());
    }

    public function testAFileInAnotherFolderIsTheSameIfNoOtherHasItsName(): void
    {
        $a = self::profile(['run_init::demo/reformat.php', 'load::demo/a.php', 'load::one/index.php', '{closure:demo/a.php:3}']);
        $b = self::profile([
            'run_init::demo2/reformat.php', 'load::demo2/a.php', 'load::two/index.php', 'load::three/index.php',
            '{closure:demo2/a.php:9}',
        ]);

        self::assertSame([
            'load::demo/a.php' => 'load::demo2/a.php',
            'run_init::demo/reformat.php' => 'run_init::demo2/reformat.php',
            '{closure:demo/a.php:3}' => '{closure:demo2/a.php:9}',
        ], self::sorted(NameMatch::between($a, $b)));
    }

    public function testTheFirstScriptsOfBothTreesAreTheSameWhateverTheirNames(): void
    {
        $a = self::profile(['load::r1/old.php', 'f']);
        $b = self::profile(['load::r2/new.php', 'f']);

        self::assertSame(
            ['load::r1/old.php' => 'load::r2/new.php', 'run_init::r1/old.php' => 'run_init::r2/new.php'],
            self::sorted(NameMatch::between($a, $b, ['main()', 'run_init::r1/old.php'], ['main()', 'run_init::r2/new.php'])),
        );
    }

    public function testTemplatesAreMatchedByWhatTheyCall(): void
    {
        [$one, $two, $three, $four] = array_map(static fn (string $byte): string
            => '__TwigTemplate_' . str_repeat($byte, 32) . '::doDisplay', ['0a', '0b', '0c', '0d']);
        $a = self::profile([$one => 'strtoupper', $two => 'number_format']);
        $b = self::profile([$three => 'number_format', $four => 'strtoupper']);

        self::assertSame([$one => $four, $two => $three], self::sorted(NameMatch::between($a, $b)));
        $c = self::profile([$three => 'sort', $four => 'rsort']);
        self::assertSame([], NameMatch::between($a, $c), 'what calls other functions is another template');
    }

    public function testRunsOfOneVersionNeedNoMap(): void
    {
        $a = self::profile(['{closure:a/x.php:12}', 'f']);
        $b = self::profile(['{closure:a/x.php:12}', '{closure:a/x.php:20}', 'f']);

        self::assertSame([], NameMatch::between($a, $b));
        self::assertSame($a, $a->renamed([]));
    }

    public function testLevelsOfARecursionAreRenamedWithTheirFunction(): void
    {
        $run = Profile::fromEdges(['main()==>f' => ['ct' => 1], 'f==>f@1' => ['ct' => 2], 'f@1==>g' => ['ct' => 3]]);

        self::assertSame(['main()==>h', 'h==>h@1', 'h@1==>g'], array_keys($run->renamed(['f' => 'h'])->edges()));
    }

    public function testManyClosuresOfOneFileAreMatchedByTheirOrder(): void
    {
        $name = static fn (int $line): string => "{closure:a/x.php:$line}";
        $a = self::profile(array_map($name, range(10, 7000, 10)));
        $b = self::profile(array_map($name, range(17, 7007, 10)));

        self::assertSame('{closure:a/x.php:17}', NameMatch::between($a, $b)['{closure:a/x.php:10}']);
        self::assertCount(700, NameMatch::between($a, $b));
    }

    /** @param array<string>|array<string, string> $functions names; or names and what each calls */
    private static function profile(array $functions): Profile
    {
        $edges = ['main()' => ['ct' => 1, 'wt' => 1000]];
        foreach ($functions as $name => $callee) {
            $function = is_int($name) ? $callee : $name;
            $edges["main()==>$function"] = ['ct' => 1, 'wt' => 10];
            if (!is_int($name)) {
                $edges["$function==>$callee"] = ['ct' => 1, 'wt' => 3];
            }
        }

        return Profile::fromEdges($edges);
    }

    /**
     * @param array<string, string> $map
     *
     * @return array<string, string>
     */
    private static function sorted(array $map): array
    {
        ksort($map, SORT_STRING);

        return $map;
    }
}
