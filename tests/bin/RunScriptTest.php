<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use PHPUnit\Framework\Attributes\DataProvider;

require_once __DIR__ . '/RunTestCase.php';

/** `xhprof run`: what may be run, and what cannot. */
final class RunScriptTest extends RunTestCase
{
    public function testPhpBeforeTheScriptIsNoScript(): void
    {
        $script = $this->script('exit($argv[1] === "7" ? 7 : 1);');
        foreach (['php', PHP_BINARY, '/usr/local/bin/php8.9'] as $php) {
            self::assertSame(7, $this->xhprof(['run', $php, $script, '7'])->exitCode, $php);
            $this->onlyRun();
            $this->removeRuns();
        }
        // A script may have that name.
        rename($script, "$this->folder/php");
        self::assertSame(7, $this->xhprof(['run', "$this->folder/php", '7'])->exitCode);
    }

    /** @return iterable<string, array{list<string>, string, string}> the words behind run, the standard input, what is printed */
    public static function scriptsWithoutAFile(): iterable
    {
        $code = 'function work(): int { return 3; }'
            . ' echo json_encode([work(), array_slice($argv, 1), file_get_contents("php://stdin")]);';
        yield 'code' => [['--', '-r', $code], 'in', '[3,[],"in"]'];
        yield 'code without --' => [['-r', $code, 'a'], 'in', '[3,["a"],"in"]'];
        yield 'code in one word' => [['--wall-only', "-r$code"], '', '[3,[],""]'];
        yield 'code of php' => [['php', '-r', $code, 'a', '-r', '--b=1'], '', '[3,["a","-r","--b=1"],""]'];
        $like = ['--version', '-i'];
        yield 'arguments like options of php' => [['--', PHP_BINARY, '-r', $code, ...$like], '', '[3,["--version","-i"],""]'];
        yield 'standard input' => [['-'], "<?php $code", '[3,[],""]'];
        yield 'standard input of php' => [['--', 'php', '-', '-v', 'b'], "<?php $code", '[3,["-v","b"],""]'];
        yield 'php reads standard input too with --' => [['php', '--'], "text <?php $code", 'text [3,[],""]'];
    }

    /** @param list<string> $words */
    #[DataProvider('scriptsWithoutAFile')]
    public function testAScriptMayHaveNoFile(array $words, string $input, string $printed): void
    {
        $result = $this->xhprof(['run', ...$words], $input);
        self::assertSame([0, $printed], [$result->exitCode, $result->out], $result->err);
        $edges = $this->store()->open($this->onlyRun()->id)->profile()->edges();
        self::assertSame(1, $edges['main()==>work']['ct'] ?? 0);
    }

    public function testTheExitCodeOfCodeIsItsOwn(): void
    {
        self::assertSame(7, $this->xhprof(['run', '--', '-r', 'exit(7);'])->exitCode);
        self::assertSame(255, $this->xhprof(['run', '-'], '<?php throw new Exception("x");')->exitCode);
    }

    public function testAFileMayHaveTheNameOfAnOption(): void
    {
        $this->script('exit(9);', '-r');
        $line = ['sh', '-c', 'cd "$1" && shift && exec "$@"', 'sh', $this->folder, PHP_BINARY, self::program()];
        self::assertSame(9, $this->process([...$line, 'run', '--', '-r', 'exit(7);'])->exitCode);
    }

    /** @return iterable<string, array{list<string>, string}> */
    public static function mistakes(): iterable
    {
        yield 'no script' => [['run'], 'script'];
        yield 'missing script' => [['run', '--', '/no/such.php'], 'cannot read the script /no/such.php', 1];
        yield 'folder' => [['run', '--', '/'], 'is a folder', 1];
        yield 'php alone' => [['run', 'php'], 'the script is missing'];
        yield 'options of php' => [['run', 'php', '-d', 'x=1', __FILE__], 'options of php go before the script'];
        yield 'another option of php' => [['run', 'php', '-i'], 'here is -i'];
        yield 'no code' => [['run', '--', '-r'], "the code is missing: xhprof run -- -r 'echo 1;'"];
        yield 'empty code of php' => [['run', 'php', '-r', ' '], 'the code is missing'];
        yield 'another option' => [['run', '--', '-S', 'localhost:80'], 'takes the file of a script, - or -r CODE, not "-S"'];
        yield 'flags' => [['run', '--flags=32', '--', __FILE__], '--flags takes a number from 0 to 31'];
        yield 'sort' => [['run', '--wall-only', '--sort=cpu', '--', __FILE__], 'no "cpu" to sort by', 1];
        yield 'corrected sort' => [['run', '--sort=corrected_wt', '--', __FILE__], 'it needs --corrected'];
        $corrected = ['--corrected', '--sort=corrected_cpu', '--wall-only'];
        yield 'corrected sort of CPU' => [['run', ...$corrected, '--', __FILE__], 'no "corrected_cpu"', 1];
        yield 'nothing but' => [['run', '--wall-only', '--cpu', '--', __FILE__], '--wall-only and --cpu exclude each other'];
        yield 'source' => [['run', '--source=../x', '--', __FILE__], '--source takes'];
        yield 'meta' => [['run', '--meta=x', '--', __FILE__], '--meta takes KEY=VALUE'];
        yield 'folder for runs' => [['run', '--output-dir=/proc/x', '--', __FILE__], 'cannot make the folder', 1];
        yield 'option' => [['run', '--nonsense', '--', __FILE__], '--nonsense'];
        yield 'php option' => [['run', '-d', '-x', '--', __FILE__], '--php-option takes'];
        yield 'report' => [['run', '--report-to=/no/such/file', '--', __FILE__], 'cannot write to', 1];
    }

    /** @param list<string> $arguments */
    #[DataProvider('mistakes')]
    public function testMistakesAreOneLine(array $arguments, string $message, int $exitCode = 2): void
    {
        self::assertOneLineError($message, $this->xhprof($arguments), $exitCode);
    }
}
