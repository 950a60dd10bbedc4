<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

require_once __DIR__ . '/CliTestCase.php';

/** `xhprof diff`. */
final class DiffCommandTest extends CliTestCase
{
    protected function setUp(): void
    {
        parent::setUp();
        $this->store()->save([
            'main()' => ['ct' => 1, 'wt' => 1000, 'mu' => 100],
            'main()==>same' => ['ct' => 1, 'wt' => 100, 'mu' => 10],
            'main()==>slower' => ['ct' => 2, 'wt' => 200, 'mu' => 10],
            'main()==>removed' => ['ct' => 3, 'wt' => 300, 'mu' => 10],
        ], 'cli', 'before');
        $this->store()->save([
            'main()' => ['ct' => 1, 'wt' => 1500, 'cpu' => 9, 'mu' => 90],
            'main()==>same' => ['ct' => 1, 'wt' => 100, 'cpu' => 1, 'mu' => 10],
            'main()==>slower' => ['ct' => 2, 'wt' => 900, 'cpu' => 1, 'mu' => 10],
            "main()==>added\xff" => ['ct' => 4, 'wt' => 100, 'cpu' => 1, 'mu' => 10],
        ], 'web', 'after');
    }

    public function testTable(): void
    {
        $out = $this->xhprof(['diff', 'before', 'after'])->out;

        self::assertMatchesRegularExpression('/^wall +1\.00 ms +1\.50 ms +\+500 µs +\+50\.0 %$/m', $out);
        self::assertMatchesRegularExpression('/^mem +100 B +90 B +-10 B +-10\.0 %$/m', $out);
        self::assertMatchesRegularExpression('/^ *\+700 µs .* slower\n *-300 µs .* gone +removed\n/m', $out);
        self::assertMatchesRegularExpression('/^ *\+100 µs .* \+4 +new +added\\\\xFF$/m', $out);
        self::assertStringContainsString("4 functions changed, 1 did not\n", $out);
        self::assertDoesNotMatchRegularExpression('/ same$/m', $out);
        self::assertLessThanOrEqual(80, self::widestLine($out));
    }

    public function testSameRunHasNoChanges(): void
    {
        $result = $this->xhprof(['diff', 'before', 'before']);

        self::assertSame(0, $result->exitCode);
        self::assertStringContainsString("0 functions changed, 4 did not\n", $result->out);
    }

    public function testJson(): void
    {
        $diff = $this->xhprof(['diff', 'before', 'after', '--json', '--limit=2'])->json();

        self::assertSame(['wt', 'mu'], $diff['metrics'], 'the metrics both have');
        self::assertSame(500, $diff['totals']['delta']['wt']);
        self::assertSame(['slower', 'removed'], array_column($diff['functions'], 'name'));
        self::assertSame(['both', 'gone'], array_column($diff['functions'], 'status'));
        self::assertNull($diff['functions'][1]['b']);
        self::assertSame(700, $diff['functions'][0]['delta']['excl_wt']);
        self::assertSame(5, $diff['functions_total']);
    }

    public function testSymbol(): void
    {
        $out = $this->xhprof(['diff', 'before', 'after', '--symbol=slower'])->out;

        self::assertMatchesRegularExpression('/^excl wall +200 µs +900 µs +\+700 µs +\+350\.0 %$/m', $out);
        self::assertMatchesRegularExpression('/\+700 µs .* main\(\)$/m', $out);
        $json = $this->xhprof(['diff', 'before', 'after', '--symbol=removed', '--json'])->json();
        self::assertSame('gone', $json['status']);
        self::assertOneLineError('neither run has', $this->xhprof(['diff', 'before', 'after', '--symbol=x']));
    }

    public function testMistakes(): void
    {
        self::assertOneLineError('b', $this->xhprof(['diff', 'before']));
        self::assertOneLineError('no run nothing', $this->xhprof(['diff', 'before', 'nothing']));
        self::assertOneLineError('no "cpu" to sort by', $this->xhprof(['diff', 'before', 'after', '--sort=cpu']));
    }
}
