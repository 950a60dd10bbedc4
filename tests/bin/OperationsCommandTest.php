<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use XHProf\Profile\CallTree;
use XHProf\Tests\Lib\Support\OperationsRun;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/OperationsRun.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** `xhprof operations`: what a run waited for. */
final class OperationsCommandTest extends CliTestCase
{
    private const EVIL = "evil\e]0;owned\x07\r\n<error>x</error>";

    /** @param list<array{string, string, int, int, int, int, int}> $rows */
    private function saveRun(array $rows = OperationsRun::ROWS): void
    {
        $edges = CallTree::fromArray(OperationsRun::TREE)->toEdges();
        $run = $this->store()->save($edges, 'cli', 'aaaa1111', ['command' => 'php page.php']);
        RunFiles::put("$this->folder/runs", $run, ['tree' => ['n' => 6] + OperationsRun::TREE]);
        OperationsRun::save($this->store(), $run, $rows);
    }

    public function testOperationsByKindAndText(): void
    {
        $this->saveRun();
        $result = $this->xhprof(['operations'], '', ['COLUMNS' => '120']);
        self::assertSame([0, ''], [$result->exitCode, $result->err]);
        $kinds = '/^ *5\.23 ms +53 +4 +All\n *5\.05 ms +97\.0 % +1 +1 +HTTP\n *150 µs +2\.9 % +22 +2 +SQL$/m';
        self::assertMatchesRegularExpression($kinds, $result->out);
        self::assertMatchesRegularExpression(
            '/^ *93 µs +21 +78 µs +500 ns +5\.50? µs +15 +sql +SELECT name FROM author WHERE id = \?$/m',
            $result->out,
        );
        self::assertMatchesRegularExpression('/^Repeated in a loop.*\n.*\n *20 +90 µs +page +SELECT name/m', $result->out);
        $callers = $this->xhprof(['operations', '--callers'], '', ['COLUMNS' => '120'])->out;
        self::assertStringContainsString('PDOStatement::execute ← author ← page ← main()', $callers);
        self::assertStringNotContainsString('SELECT', $this->xhprof(['operations', '--kind=http'])->out);
        self::assertStringContainsString('1 of 4 operations', $this->xhprof(['operations', '--limit=1'])->out);
    }

    public function testJsonHasAllFigures(): void
    {
        $this->saveRun();
        $data = $this->xhprof(['operations', '--json', '--sort=ct', '--callers'])->json();
        self::assertSame(4, $data['operations_total']);
        self::assertSame(['file', 'sql', 'http', 'sql'], array_column($data['operations'], 'kind'));
        $query = $data['operations'][1];
        self::assertSame([21, 93000, 78000, 15], [$query['ct'], $query['total_ns'], $query['max_ns'], $query['duplicates']]);
        self::assertSame(['main()', 'page', 'author', 'PDOStatement::execute'], $query['callers'][0]['path']);
        self::assertSame('page', $query['callers'][0]['repeated_in']);
        $brief = $this->xhprof(['operations', '--json', '--sort=ct'])->json()['operations'][1];
        self::assertSame([count($query['callers']), 'page'], [$brief['callers_total'], $brief['repeated_in']]);
        self::assertArrayNotHasKey('callers', $brief, 'who did not ask for them has no whole call paths to read');
    }

    public function testMistakesHaveASentence(): void
    {
        $this->saveRun();
        $mistakes = [
            ['--sort=nonsense', 2, '--sort takes one of'],
            ['--kind=mail', 1, 'no operations of the kind "mail", but http, sql, file'],
        ];
        foreach ($mistakes as [$option, $code, $text]) {
            $result = $this->xhprof(['operations', $option]);
            self::assertSame($code, $result->exitCode);
            self::assertStringContainsString($text, $result->err);
        }
        RunFiles::remove("$this->folder/runs", 'aaaa1111.cli', 'operations');
        $result = $this->xhprof(['operations']);
        self::assertSame(1, $result->exitCode);
        self::assertStringContainsString('this run has no operations', $result->err);
    }

    public function testAFileThatIsNoRunIsNoRunWithoutOperations(): void
    {
        file_put_contents("$this->folder/packed.run.gz", (string) gzencode('xhprof-run 1 8'));
        foreach (['operations', 'memory'] as $command) {
            $result = $this->xhprof([$command, "$this->folder/packed.run.gz"]);
            self::assertOneLineError('packed.run.gz: not a run', $result);
        }
    }

    public function testATerminalObeysNoText(): void
    {
        $this->saveRun([['sql', self::EVIL, 3, 1, 100, 100, 1]]);
        $out = $this->xhprof(['operations', '--callers'])->out;
        self::assertDoesNotMatchRegularExpression('/[\x00-\x09\x0b-\x1f\x7f]/', $out);
        self::assertStringContainsString('<error>x</error>', $out);
    }

    public function testEveryWidthFits(): void
    {
        $this->saveRun();
        foreach ([40, 60, 80, 160] as $width) {
            $out = $this->xhprof(['operations', '--callers'], '', ['COLUMNS' => (string) $width])->out;
            self::assertLessThanOrEqual($width, self::widestLine($out), $out);
        }
    }
}
