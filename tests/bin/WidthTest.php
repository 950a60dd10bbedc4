<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** Tables fit a terminal; output to another program is not cut. */
final class WidthTest extends CliTestCase
{
    private static function long(string $function): string
    {
        return implode('\\', array_fill(0, 40, 'SomePackage')) . "::$function";
    }

    protected function setUp(): void
    {
        parent::setUp();
        foreach (['one' => 500, 'two' => 900] as $id => $wt) {
            $this->store()->save([
                'main()' => ['ct' => 1, 'wt' => 1000 + $wt, 'cpu' => 900, 'mu' => 70, 'pmu' => 80],
                'main()==>' . self::long('f') => ['ct' => 1, 'wt' => $wt, 'cpu' => 100, 'mu' => 7, 'pmu' => 8],
                self::long('f') . '==>' . self::long('g') => ['ct' => 1, 'wt' => 9, 'cpu' => 1, 'mu' => 7, 'pmu' => 8],
            ], 'web', $id, ['url' => '/' . self::long('url'), 'method' => 'GET', 'ts' => 1e9 + $wt]);
        }
        $self = ['wt' => [1000000, 491000, 9000], 'cpu' => [800000, 99000, 1000], 'mu' => [63, 0, 7], 'pmu' => [72, 0, 8]];
        $tree = [
            'n' => 3, 'names' => ['main()', self::long('f'), self::long('g')], 'fn' => [0, 1, 2], 'depth' => [0, 1, 2],
            'ct' => [1, 1, 1], 'self' => $self,
        ];
        RunFiles::put("$this->folder/runs", 'one.web', ['tree' => $tree]);
    }

    /** @return array<string, array{list<string>, string}> command, text in its output */
    public static function tables(): array
    {
        return [
            'report' => [['report', 'one', '--limit=0'], self::long('g')],
            'tree' => [['report', 'one', '--tree'], self::long('f')],
            'function' => [['report', 'one', '--symbol=main()'], self::long('f')],
            'its name' => [['report', 'one', '--symbol=' . self::long('g')], self::long('g') . "\n"],
            'head' => [['report', 'one'], self::long('url')],
            'diff' => [['diff', 'one', 'two'], self::long('url')],
            'function of a diff' => [['diff', 'one', 'two', '--symbol=main()'], self::long('f')],
            'mean' => [['mean', 'one', 'two'], self::long('f')],
            'list' => [['list'], self::long('url')],
        ];
    }

    /** @param list<string> $command */
    #[DataProvider('tables')]
    public function testWhatIsNoTerminalIsWhole(array $command, string $text): void
    {
        $piped = $this->xhprof($command);
        self::assertSame([0, ''], [$piped->exitCode, $piped->err]);
        self::assertStringContainsString($text, $piped->out);
        self::assertStringNotContainsString('…', $piped->out);
        self::assertSame($piped->out, $this->xhprof([...$command, '--wide'], '', ['COLUMNS' => '60'])->out);
        self::assertStringNotContainsString($text, $this->xhprof($command, '', ['COLUMNS' => '150'])->out);
        self::assertStringContainsString($text, $this->xhprof($command, '', ['COLUMNS' => '3000'])->out, 'no upper limit');
    }

    /** @param list<string> $command */
    #[DataProvider('tables')]
    public function testATerminalIsFitted(array $command, string $text): void
    {
        // The sentence of a diff names the function in full.
        $out = str_replace(self::long('f') . ".\n", '', $this->onTerminal($command));
        self::assertLessThanOrEqual(80, self::widestLine($out), $out);
        self::assertStringContainsString(rtrim($text), $this->onTerminal([...$command, '--wide']));
    }

    /** @param list<string> $arguments */
    private function onTerminal(array $arguments): string
    {
        $ends = [['file', '/dev/null', 'r'], ['pty'], ['file', "$this->folder/stderr", 'w']];
        $process = @proc_open([PHP_BINARY, self::program(), ...$arguments], $ends, $pipes, null, $this->environment());
        if (!is_resource($process)) {
            self::markTestSkipped('PHP has no pseudo terminals');
        }
        $out = '';
        // the terminal reports its end as an error
        while (($read = @fread($pipes[1], 8192)) !== false && $read !== '') {
            $out .= $read;
        }
        proc_close($process);
        self::assertSame('', (string) file_get_contents("$this->folder/stderr"));

        return str_replace("\r\n", "\n", (string) preg_replace('/\e\[[0-9;]*m/', '', $out));
    }
}
