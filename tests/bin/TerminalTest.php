<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use PHPUnit\Framework\TestCase;
use Symfony\Component\Console\Output\NullOutput;
use XHProf\App\Application;
use XHProf\App\CommandLine;
use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Cli\Terminal\TextFit;
use XHProf\Functions\Recursion;

/** The parts that need no process. */
final class TerminalTest extends TestCase
{
    public function testShortensInTheMiddleByColumnsNotBytes(): void
    {
        self::assertSame('Some\V…::method', TextFit::shorten('Some\Vendor\Other::method', 15));
        self::assertSame('short', TextFit::shorten('short', 5));
        self::assertSame('sh', TextFit::shorten('short', 2));
        self::assertSame('ab...ij', TextFit::shorten('abcdefghij', 7, '...'));
        $wide = str_repeat('漢字', 20);
        for ($width = 1; $width < 90; $width++) {
            self::assertLessThanOrEqual($width, TextFit::width(TextFit::shorten($wide, $width)));
            self::assertSame(1, preg_match('//u', TextFit::shorten($wide, $width)));
        }
    }

    public function testAListLosesItsEnd(): void
    {
        $list = static fn (string $text, int $width): string => TextFit::shortenList($text, ' < ', $width);
        self::assertSame('inner < outer', $list('inner < outer', 13));
        self::assertSame('inner < …', $list('inner < outer', 12));
        self::assertSame('a < b < …', $list('a < b < third < fourth', 14));
        self::assertSame('a < Some\V…::method < …', $list('a < Some\Vendor\Other::method < main()', 23));
        self::assertSame('a < Some\V…::method', $list('a < Some\Vendor\Other::method', 19));
        self::assertSame('Some\V…::method < …', $list('Some\Vendor\Other::method < main()', 19));
        self::assertSame('Some\V…::method', $list('Some\Vendor\Other::method', 15));
        foreach (range(1, 60) as $width) {
            self::assertLessThanOrEqual($width, TextFit::width($list('漢字漢字 < inner < Some\Class::method < main()', $width)));
        }
    }

    public function testPadding(): void
    {
        self::assertSame(['  µs', 'µs  ', 'long'], [
            TextFit::padLeft('µs', 4),
            TextFit::padRight('µs', 4),
            TextFit::padLeft('long', 2),
        ]);
    }

    public function testNarrowTableLosesTheLeastImportantColumnsFirst(): void
    {
        $table = new Table([
            new Column('first'),
            new Column('second', weight: 1),
            new Column('third', weight: 2),
            Column::name('name', 10),
        ]);
        $table->add(['1', '22', '333', 'a<b>name\\']);
        $table->add(['1', '22', '333', str_repeat('n', 30)]);

        self::assertSame([], $table->leftOut(new Screen(new NullOutput(), 80)));
        self::assertSame(['third'], $table->leftOut(new Screen(new NullOutput(), 30)));
        self::assertSame(['second', 'third'], $table->leftOut(new Screen(new NullOutput(), 20)));
        self::assertStringContainsString('a\<b\>name', $table->lines(new Screen(new NullOutput(), 80))[1]);
        foreach ([20, 30, 40, 80] as $width) {
            self::assertLessThanOrEqual($width, TextFit::width($table->lines(new Screen(new NullOutput(), $width))[2]));
        }
    }

    public function testBars(): void
    {
        $screen = new Screen(new NullOutput(), isUnicode: true);
        self::assertSame(['', '████', '██', '▌', '████'], array_map(
            static fn (float $share): string => $screen->bar($share, 4),
            [0.0, 1.0, 0.5, 0.125, 7.0],
        ));
        self::assertSame('##', (new Screen(new NullOutput(), isUnicode: false))->bar(0.5, 4));
    }

    public function testRecursionLevelsAddUp(): void
    {
        $merged = Recursion::fold([
            'f@1' => ['ct' => 2, 'wt' => 30, 'excl_wt' => 10],
            'g' => ['ct' => 1, 'wt' => 1, 'excl_wt' => 1],
            'f' => ['ct' => 1, 'wt' => 50, 'excl_wt' => 20],
            'f@2' => ['ct' => 4, 'wt' => 20, 'excl_wt' => 20],
        ]);

        self::assertSame(['ct' => 7, 'wt' => 50, 'excl_wt' => 50], $merged['f']);
        self::assertSame(['f', 'g'], array_keys($merged));
    }

    public function testArgumentsAfterTheScriptAreItsOwn(): void
    {
        $run = (new Application('/nowhere'))->get('run');
        $run->mergeApplicationDefinition(false);
        $separate = static fn (string $line): string => implode(' ', array_slice(
            CommandLine::separate(explode(' ', "xhprof run $line"), 1, $run->getDefinition()),
            2,
        ));

        self::assertSame('--cpu -- a.php --cpu', $separate('--cpu a.php --cpu'));
        self::assertSame('--cpu -- a.php --cpu', $separate('--cpu -- a.php --cpu'));
        self::assertSame('--source=s -- a.php', $separate('--source s a.php'));
        self::assertSame('--source=s -- a.php s', $separate('--source=s a.php s'));
        self::assertSame('-l5 -d-n -- a.php -n', $separate('-l 5 -d -n a.php -n'));
        self::assertSame('-l5 -- a.php', $separate('-l5 a.php'));
        self::assertSame('--help', $separate('--help'));
    }

    public function testASparklineGoesByItsLargestValue(): void
    {
        self::assertSame('▁▂▅█ █', (new Screen(new NullOutput()))->sparkline([0, 1, 4, 8, null, 7.9]));
        self::assertSame('_.=#', (new Screen(new NullOutput(), isUnicode: false))->sparkline([0, 1, 4, 8]));
        self::assertSame('▁▁ ', (new Screen(new NullOutput()))->sparkline([0, 0.0, null]));
        self::assertSame('', (new Screen(new NullOutput()))->sparkline([]));
    }
}
