<?php

declare(strict_types=1);

namespace XHProf\Tests\Docs;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Tests\Bin\CliTestCase;
use XHProf\Tests\Bin\ProcessResult;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/../bin/CliTestCase.php';
require_once __DIR__ . '/Markdown.php';
require_once __DIR__ . '/TypedPage.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/**
 * Types the input of the README and the quick start: runs the blocks after "<!-- run -->" in order and first saves those after
 * "<!-- file: NAME -->", in a folder that has this project's bin/, with the extension in php.ini.
 */
final class QuickStartTest extends CliTestCase
{
    /** The port that the pages name. */
    private const PORT = '8080';

    /** @return iterable<string, array{string}> */
    public static function pages(): iterable
    {
        yield 'README.md' => ['README.md'];
        yield 'docs/quick-start.md' => ['docs/quick-start.md'];
    }

    #[DataProvider('pages')]
    public function testWhatIsTypedWorks(string $page): void
    {
        $result = $this->typed(new Markdown((string) file_get_contents(self::ROOT . "/$page")));
        self::assertSame(0, $result->exitCode, $result->out . $result->err);
        self::assertNotSame([], RunFiles::runs("$this->folder/runs", 'auto'), 'the request has left no run');
        self::assertFileExists("$this->folder/worker.heap.jsonl");
    }

    public function testACommandThatFailsIsSeen(): void
    {
        $page = new Markdown("<!-- run -->\n```console\n$ bin/xhprof report latest\n$ true\n```\n");
        $result = $this->typed($page);
        self::assertSame(1, $result->exitCode);
        self::assertStringContainsString('xhprof: ', $result->err);
    }

    private function typed(Markdown $page): ProcessResult
    {
        self::needExtension();
        symlink((string) realpath(self::ROOT . '/bin'), "$this->folder/bin");
        mkdir("$this->folder/conf.d");
        $extension = realpath(self::ROOT . '/extension/modules/xhprof.so');
        file_put_contents("$this->folder/conf.d/xhprof.ini", "extension=$extension\n");
        $port = self::freePort();
        $script = 'trap \'kill $(jobs -p) 2>/dev/null || true\' EXIT' . "\n";
        foreach ((new TypedPage($page))->steps() as $number => $step) {
            if ($step['file'] !== '') {
                file_put_contents("$this->folder/$number.code", $step['text']);
                $script .= "cp $number.code $step[file]\n";
                continue;
            }
            $script .= str_replace(self::PORT, $port, $step['text']) . "\n";
            if (str_ends_with($step['text'], '&')) {
                $script .= "until (exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null; do sleep 0.05; done\n";
            }
        }
        file_put_contents("$this->folder/typed.sh", $script);
        $folders = getenv('PHP_INI_SCAN_DIR');
        mkdir("$this->folder/path");
        symlink(PHP_BINARY, "$this->folder/path/php");

        return $this->process(['bash', '-eu', '-o', 'pipefail', '-c', "cd $this->folder && . ./typed.sh"], '', [
            'PATH' => "$this->folder/path:" . getenv('PATH'),
            // An empty part stands for the folder that PHP was built with.
            'PHP_INI_SCAN_DIR' => ($folders === false ? '' : $folders) . ":$this->folder/conf.d",
        ]);
    }

    private static function freePort(): string
    {
        $socket = stream_socket_server('tcp://127.0.0.1:0');
        self::assertIsResource($socket);
        $name = (string) stream_socket_get_name($socket, false);

        return substr((string) strrchr($name, ':'), 1);
    }
}
