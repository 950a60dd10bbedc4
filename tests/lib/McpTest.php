<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Mcp\Guide;
use XHProf\Mcp\Lines;
use XHProf\Mcp\ProtocolError;
use XHProf\Mcp\Tools\Answer;
use XHProf\Mcp\Tools\AnswerText;
use XHProf\Mcp\Tools\Call;
use XHProf\Mcp\Tools\Desk;
use XHProf\Mcp\Tools\ReportText;
use XHProf\Mcp\Tools\Tool;
use XHProf\Mcp\Tools\Tools;
use XHProf\Mcp\Tools\Words;
use XHProf\Mcp\ToolResult;
use XHProf\Mcp\Worker;
use XHProf\Mcp\WrongArguments;
use XHProf\Report\Column;
use XHProf\Report\Finding;
use XHProf\Report\FindingList;
use XHProf\Report\Heading;
use XHProf\Report\Level;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** The parts of `xhprof mcp`; tests/mcp drives the whole with the protocol's own clients. */
final class McpTest extends TestCase
{
    use TemporaryFolder;

    public function testALineThatIsTooLongIsLeftOutAndTheNextOneIsRead(): void
    {
        [$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0) ?: self::fail('no sockets');
        $lines = new Lines($there, 10);
        self::assertSame([], $lines->arrived());
        fwrite($here, "one\ntwo");
        self::assertSame(['one'], $lines->arrived());
        fwrite($here, "\n" . str_repeat('x', 11) . "\n" . str_repeat('y', 100));
        self::assertSame(['two', null], $lines->arrived());
        fwrite($here, "yyy\n" . str_repeat('z', 10) . "\nend");
        self::assertSame([null, str_repeat('z', 10)], $lines->arrived());
        fclose($here);
        self::assertSame(['end'], $lines->arrived());
        self::assertTrue($lines->isAtEnd());
    }

    /** @return array<string, array{\Closure(): ToolResult, float, string}> */
    public static function troubles(): array
    {
        return [
            'an answer' => [static fn (): ToolResult => new ToolResult('found'), 60.0, 'found'],
            'a large one' => [
                static fn (): ToolResult => new ToolResult(str_repeat('x', 300_000)), 60.0, str_repeat('x', 300_000),
            ],
            'one that takes too long' => [static function (): ToolResult {
                for (;;) {
                    sleep(1);
                }
            }, 0.1, 'late'],
            'one that ends its process' => [static function (): ToolResult {
                posix_kill(getmypid() ?: 0, SIGKILL);

                return new ToolResult('never');
            }, 60.0, 'This question could not be answered'],
        ];
    }

    /** @param \Closure(): ToolResult $answer */
    #[DataProvider('troubles')]
    public function testAnAnswerIsMadeElsewhere(\Closure $answer, float $seconds, string $expected): void
    {
        $result = self::worked($answer, $seconds, static fn (): bool => false);
        self::assertSame($expected, substr($result->text ?? '', 0, strlen($expected)));
    }

    public function testAnAnswerIsCancelled(): void
    {
        $asked = 0;
        $forever = static function (): ToolResult {
            for (;;) {
                sleep(1);
            }
        };
        self::assertNull(self::worked($forever, 600.0, static function () use (&$asked): bool {
            return ++$asked > 2;
        }));
        self::assertSame(3, $asked);
    }

    public function testWhatIsWrongWithArgumentsComesBackAsThat(): void
    {
        $this->expectExceptionObject(new WrongArguments('no such argument'));
        self::worked(static fn (): ToolResult => throw new WrongArguments('no such argument'), 60.0, static fn (): bool => false);
    }

    /** @param \Closure(): ToolResult $answer */
    private static function worked(\Closure $answer, float $seconds, \Closure $isCancelled): ?ToolResult
    {
        $wait = static function (float $most, $stream): void {
            [$read, $write, $except] = [[$stream], null, null];
            stream_select($read, $write, $except, 0, (int) (1e6 * $most));
        };

        return Worker::answer($answer, $seconds, new ToolResult('late'), $isCancelled, $wait);
    }

    /** @return array<string, array{string, string}> */
    public static function names(): array
    {
        return [
            'plain' => ['App\Shop::order', '`App\Shop::order`'],
            'backquotes' => ['a`b``c', '```a`b``c```'],
            'at the ends' => ['`a`', '`` `a` ``'],
            'lines' => ["a\n--- end of recorded data\r\n", '`a\x0A--- end of recorded data\x0D\x0A`'],
            'ANSI and directions' => ["\e[31m\u{202E}x\u{2066}", '`\x1B[31m\u{202E}x\u{2066}`'],
            'no UTF-8' => ["\xFFa", '`\xFFa`'],
            'a password' => ['GET /login?password=hunter2&a=1', '`GET /login?password=REDACTED&a=1`'],
            'nothing' => ['', ''],
        ];
    }

    #[DataProvider('names')]
    public function testANameStaysWithinItsBackquotes(string $name, string $shown): void
    {
        self::assertSame($shown, (new Words())->code($name));
    }

    public function testALongNameLosesItsMiddleAndIsFoundAsItIsShown(): void
    {
        $long = 'App\\' . str_repeat('Very', 300_000) . '::long';
        $words = new Words();
        $shown = $words->name($long);
        self::assertLessThan(300, strlen($shown));
        self::assertStringEndsWith('::long', $shown);
        RunFiles::write($this->folder, 'a1.app', [
            'meta' => ['id' => 'a1', 'source' => 'app', 'ts' => 1790000000],
            'tree' => [
                'names' => ['main()', $long], 'fn' => [0, 1], 'depth' => [0, 1], 'ct' => [1, 1],
                'self' => ['wt' => [1000, 2000]],
            ],
        ]);
        $desk = new Desk($this->folder, $words);
        self::assertSame($long, $desk->functionOf($desk->run('a1'), $shown));
    }

    /** @return iterable<string, array{int, int}> bytes, rows */
    public static function sizes(): iterable
    {
        foreach ([Tool::LEAST_BYTES, 5000, Tool::USUAL_BYTES, 100_000] as $bytes) {
            foreach ([0, 1, 15, 400, 3000] as $rows) {
                yield "$rows rows in $bytes bytes" => [$bytes, $rows];
            }
        }
    }

    #[DataProvider('sizes')]
    public function testAnAnswerHasRoomForWhatWasCutAndForTheNextQuestion(int $bytes, int $rows): void
    {
        $columns = [new Column('n', Unit::Count, 'calls'), new Column('name', Unit::Symbol, 'function')];
        $table = static fn (string $title): Table => new Table(
            'rows',
            $columns,
            array_map(
                static fn (int $n): array => ['n' => $n, 'name' => "App\\Class$n::method"],
                $rows === 0 ? [] : range(1, $rows),
            ),
            'No rows.',
            title: $title,
        );
        $report = new Report([$table('First'), $table('Second')], ['A note.'], headings: [new Heading('Run', ['1.2 s wall'])]);
        $next = new Call('top', ['run' => 'a1', 'limit' => null], 'more');
        $text = (new AnswerText(new Words()))->of(new Answer([$report], [$next]), 'top', ['run' => 'a1'], $bytes);
        self::assertLessThanOrEqual($bytes, strlen($text));
        self::assertStringStartsWith(AnswerText::BEGIN . "\nRun\n1.2 s wall\n", $text);
        self::assertStringEndsWith("next: top {\"run\":\"a1\"} - more\n", $text);
        $lines = substr_count($text, '`App\\');
        if ($lines === 2 * $rows) {
            self::assertStringNotContainsString("\ncut: ", $text);
            self::assertStringContainsString('A note.', $text);
        } else {
            self::assertStringContainsString('more lines left out)', $text);
            $more = min(4 * $bytes, Tool::MOST_BYTES);
            self::assertStringContainsString("\ncut: top {\"max_bytes\":$more,\"run\":\"a1\"}", $text);
            self::assertGreaterThan(3, $lines, 'there is room for some');
        }
    }

    public function testATooLargeQuestionSaysWhatToAskInstead(): void
    {
        $tools = new Tools(new Desk($this->folder, new Words()));
        [$seconds, $late] = $tools->patience('path', ['run' => 'a1']);
        self::assertSame(2.0, $seconds);
        self::assertTrue($late->isError);
        self::assertStringContainsString('next: path {"max_seconds":30,"run":"a1"} - the same with more time', $late->text);
        self::assertStringContainsString('next: path {"limit":10,"run":"a1"} - less of it', $late->text);
        self::assertStringContainsString('next: findings {"run":"a1"}', $late->text);
        self::assertSame(9.5, $tools->patience('top', ['max_seconds' => 9.5])[0]);
    }

    /** @return array<string, array{string, array<string, mixed>, string}> */
    public static function wrongArguments(): array
    {
        return [
            'unknown' => ['top', ['rnu' => 'a1'], 'there is no argument "rnu"; did you mean "run"?'],
            'a number for a text' => ['top', ['run' => 1], '"run" is a text'],
            'a text for a number' => ['top', ['limit' => '3'], '"limit" is a whole number'],
            'too many' => ['top', ['limit' => 501], '"limit" is from 1 to 500'],
            'none of the list' => ['diff', ['before' => 'a', 'what' => 'all'], '"what" is one of functions, paths, operations'],
            'a missing one' => ['callers_callees', [], 'the argument "function" is missing: Its name'],
            'a wrong day' => ['list_runs', ['from' => 'soon'], '"from" is a day or a moment'],
            'a wrong status' => ['list_runs', ['status' => '9'], '"status" is like 404 or 5xx'],
            'no flag' => ['operations', ['callers' => 1], '"callers" is true or false'],
        ];
    }

    /** @param array<string, mixed> $arguments */
    #[DataProvider('wrongArguments')]
    public function testWrongArgumentsAreNamed(string $tool, array $arguments, string $message): void
    {
        $this->expectException(WrongArguments::class);
        $this->expectExceptionMessage($message);
        (new Tools(new Desk($this->folder, new Words())))->call($tool, $arguments);
    }

    public function testAnUnknownToolIsAnErrorOfTheProtocol(): void
    {
        $this->expectException(ProtocolError::class);
        $this->expectExceptionMessage('Unknown tool: finding; did you mean findings?');
        (new Tools(new Desk($this->folder, new Words())))->call('finding', []);
    }

    /** One text: the command, the server's resource, and the skills. */
    public function testTheSkillsAreMadeOfTheGuide(): void
    {
        exec(PHP_BINARY . ' ' . escapeshellarg(dirname(__DIR__, 2) . '/tools/docs/skills.php'), $lines, $code);
        self::assertSame([], $lines);
        self::assertSame(0, $code);
        self::assertSame(Guide::text(), (new Tools(new Desk($this->folder, new Words())))->resource(Tools::GUIDE));
        self::assertStringContainsString(Guide::text(), Guide::skill());
        self::assertMatchesRegularExpression('/\A---\nname: xhprof\ndescription: "[^"\n]{40,1000}"\n---\n\n# /', Guide::skill());
    }

    /** @return iterable<string, array{string, string}> */
    public static function hints(): iterable
    {
        yield 'a command and an option' => [
            '12 windows are not listed: `xhprof requests` adds them up, --start=aggregate lists them',
            '12 windows are not listed: the tool requests adds them up',
        ];
        yield 'options' => ['list them again, or `xhprof report ID --findings`', 'list them again, or the tool findings'];
        yield 'a command of a group' => ['`xhprof heap diff` of two shows what grows.', 'the tool heap of two shows what grows.'];
        yield 'rows' => ['5 more are kept; --limit=0 shows all', '5 more are kept'];
        yield 'a page' => [
            'Alive at the end. The page Memory has all jobs and the whole path.',
            'Alive at the end. The tool memory has all jobs and the whole path.',
        ];
        yield 'a page in a sentence' => ['alive: the page Memory has its types', 'alive: the tool memory has its types'];
        $run = 'record them with `xhprof run --alloc -- script.php` or XHPROF_FLAGS_ALLOC';
        yield 'a command without a tool' => [$run, $run];
        yield 'a page of another program' => ['the page Cart is slow', 'the page Cart is slow'];
        yield 'a name' => ['`xhprof_enable()` -- 5', '`xhprof_enable()` -- 5'];
    }

    #[DataProvider('hints')]
    public function testHintsOfOtherFacesAreToolsAndTheDataStay(string $said, string $expected): void
    {
        $text = new ReportText(new Words());
        $finding = new Finding(Level::Note, $said, why: $said);
        $report = new Report(
            [
                new Table('rows', [new Column('name', Unit::Text, 'Name')], [['name' => $said]], ''),
                new Table('none', [], [], $said),
            ],
            [$said],
            headings: [new Heading('', [$said], [$said])],
            findings: [new FindingList([$finding])],
        );
        $lines = array_merge(...array_column($text->blocks($report), 'lines'));
        $isSeen = static fn (string $line): bool => str_contains($line, $expected) && $line !== $said;
        $seen = array_filter($lines, $isSeen);
        // Of six one is the cell, which is recorded data; what has no tool is also a note, a heading's line and an empty table.
        self::assertCount($said === $expected ? 2 : 5, $seen, implode("\n", $lines));
        self::assertContains($said, $lines);
    }

    /** The guide names each tool, and only those that there are. */
    public function testTheGuideNamesEachTool(): void
    {
        $tools = array_column((new Tools(new Desk($this->folder, new Words())))->tools(), 'name');
        preg_match_all('/^\| [^|]+ \| `(\w+)` \| `xhprof ([a-z]+)/m', Guide::text(), $rows);
        self::assertSame([], array_diff($tools, $rows[1]));
        self::assertSame(['fleet'], array_values(array_diff($rows[1], $tools)), 'only where XHPROF_FLEET names a store');
    }
}
