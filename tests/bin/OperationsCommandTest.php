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

    public function testOnlyWhoAsksForCallersGetsThem(): void
    {
        $this->saveRun();
        $data = $this->xhprof(['operations', '--json', '--sort=ct', '--callers'])->json();
        $query = $data['operations'][1];
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
