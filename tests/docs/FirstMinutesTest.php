<?php

declare(strict_types=1);

namespace XHProf\Tests\Docs;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Tests\Bin\CliTestCase;

require_once __DIR__ . '/../bin/CliTestCase.php';
require_once __DIR__ . '/Markdown.php';
require_once __DIR__ . '/TypedPage.php';
require_once __DIR__ . '/Typing.php';

/** How the ways of docs/first-five-minutes.md are typed by tools/first-minutes.sh, and the table of that page. */
final class FirstMinutesTest extends CliTestCase
{
    private const PAGE = self::ROOT . '/docs/first-five-minutes.md';

    /** Most seconds of a way. */
    private const FIVE_MINUTES = 300;

    public function testEachWayEndsWithTheQueryItsNumberAndItsPlace(): void
    {
        $page = self::page();
        self::assertNotSame([], $page->ways());
        foreach ($page->ways() as $way) {
            $shown = implode("\n", array_merge(...array_column($page->steps($way), 'shown')));
            self::assertMatchesRegularExpression('/\b150 quer.*\.php:\d+/s', $shown, $way);
        }
    }

    /** Installing begins with one table: whatever a reader has, one line to type, and where the rest of it is. */
    public function testInstallBeginsWithWhatToTypeForWhatAReaderHas(): void
    {
        $text = (string) file_get_contents(self::ROOT . '/docs/install.md');
        $begin = (string) strstr($text, '- [Requirements]', true);
        $table = (string) strstr((string) strstr($begin, "| you have | type | more |\n|---|---|---|\n"), "\n\n", true);
        preg_match_all('/^\| (?!you have)(.+) \| (.+) \| (.+) \|$/m', $table, $rows, PREG_SET_ORDER);
        foreach ($rows as [, $what, $type, $more]) {
            self::assertMatchesRegularExpression('/`[^`]+`/', $type, $what);
            self::assertMatchesRegularExpression('/\[.+\]\(\S+\)/', $more, $what);
        }
        $has = implode("\n", array_column($rows, 1));
        $readers = [
            'checkout', 'Debian', 'no root', 'only runs to read', 'Composer', 'Symfony', 'Laravel', 'WordPress', 'Drupal', 'Docker',
            'Alpine', 'DDEV', 'development container', 'PIE', 'PECL', 'CI', 'coding assistant',
        ];
        foreach ($readers as $reader) {
            self::assertStringContainsString($reader, $has);
        }
    }

    /** Nothing here measures a time: the page says on which machine, and when, it was measured. */
    public function testTheTableHasTheLinesOfEachWayAndTheirSum(): void
    {
        $page = self::page();
        $text = (string) file_get_contents(self::PAGE);
        $table = (string) strstr($text, '## How long it took');
        preg_match_all('/^\| (\w+) \| (.+) \| ([\d.]+) \| ([\d.]+) \|$/m', $table, $rows, PREG_SET_ORDER);
        $typed = $sums = [];
        foreach ($rows as [, $way, $line, $bookworm, $trixie]) {
            if ($line === 'all') {
                self::assertEqualsWithDelta($sums[$way] ?? [], [(float) $bookworm, (float) $trixie], 0.55, $way);
                self::assertLessThan(self::FIVE_MINUTES, max((float) $bookworm, (float) $trixie), $way);
                continue;
            }
            $typed[$way][] = str_replace('\|', '|', trim($line, '`'));
            $sums[$way] = [($sums[$way][0] ?? 0) + (float) $bookworm, ($sums[$way][1] ?? 0) + (float) $trixie];
        }
        $expected = [];
        foreach ($page->ways() as $way) {
            $lines = array_filter($page->steps($way), static fn (array $step): bool => $step['file'] === '');
            $expected[$way] = array_column($lines, 'text');
        }
        self::assertSame($expected, $typed);
        self::assertMatchesRegularExpression('/\(.*\d{4}-\d{2}-\d{2}\)/s', $table, 'machine and date');
    }

    /** @return iterable<string, array{string, list<string>}> a page, and the beginnings of the lines of TAP */
    public static function pages(): iterable
    {
        $console = static fn (string $mark, string $text): string => "<!-- $mark -->\n```console\n$text\n```\n\n";
        yield 'what it shows is printed' => [
            $console('run: way', "$ echo one two; echo; echo 'a   b'\none …\n…\na   b\n$ true"),
            ['ok - way: echo one two', 'ok - way: true'],
        ];
        yield 'files of all ways and of this one, not of another' => [
            "<!-- file: all.txt -->\n```\nall's \$x\n```\n\n<!-- file: a/one.txt, way -->\n```\none\n```\n\n"
                . "<!-- file: other.txt, other -->\n```\nother\n```\n\n"
                . $console('run: other', '$ false')
                . $console('run: way', "$ cat all.txt a/one.txt\nall's \$x\none\n$ ls\na\nall.txt"),
            ['ok - way: cat', 'ok - way: ls'],
        ];
        yield 'a line is missing' => [
            $console('run: way', "$ echo 150 queries; echo end\n15 queries\n$ true"),
            ['not ok - way: echo', '# did not print: 15 queries', '# 150 queries', '# end', 'ok - way: true'],
        ];
        yield 'lines in another order' => [
            $console('run: way', "$ echo b; echo a\na\nb"),
            ['not ok - way: echo', '# did not print: b', '# b', '# a'],
        ];
        yield 'a line fails, and the others are not typed' => [
            $console('run: way', "$ echo why >&2; (exit 3)\n$ echo x\nx"),
            ['not ok - way: echo', '# ended with 3', '# why', 'not ok - way: echo x', '# was not reached', '# '],
        ];
        yield 'a pipe fails in its middle' => [
            $console('run: way', '$ false | cat'),
            ['not ok - way: false', '# ended with 1', '# '],
        ];
        yield 'the shell ends' => [
            $console('run: way', "$ echo bye; exit 0\n$ true"),
            ['not ok - way: echo', '# was not reached', '# bye', 'not ok - way: true', '# was not', '# '],
        ];
        yield 'a folder stays, a line goes on' => [
            $console('run: way', "$ mkdir x && cd x\n$ echo \\\n    \"\${PWD##*/}\" \\\n    z\nx z"),
            ['ok - way: mkdir', 'ok - way: echo'],
        ];
        yield 'a server answers' => [
            "<!-- file: x.txt -->\n```\nhere\n```\n\n" . $console('run: way', '$ ' . PHP_BINARY . " -S 127.0.0.1:8000 -t . &\n"
                . "$ at=:8000; exec 4<>/dev/tcp/127.0.0.1/\${at#:}; printf 'GET /x.txt\\r\\n\\r\\n' >&4; cat <&4\n…\nhere"),
            ['ok - way: ' . PHP_BINARY, 'ok - way: at='],
        ];
    }

    /** @param list<string> $expected */
    #[DataProvider('pages')]
    public function testWhatIsTypedIsCompared(string $text, array $expected): void
    {
        mkdir("$this->folder/home");
        $server = stream_socket_server('tcp://127.0.0.1:0') ?: self::fail();
        $port = substr((string) strrchr((string) stream_socket_get_name($server, false), ':'), 1);
        fclose($server);
        $typing = new Typing((new TypedPage(new Markdown($text)))->steps('way'), [':8000' => ":$port"]);
        file_put_contents("$this->folder/typed.sh", $typing->script());
        $result = $this->process(['bash', '-c', 'cd "$0/home" && exec bash "$0/typed.sh"', $this->folder]);
        self::assertSame('', $result->err);
        $lines = Typing::tap('way', $typing->read($result->out));
        self::assertSame($expected, array_map(
            static fn (string $line, string $begin): string => str_starts_with($line, $begin) ? $begin : $line,
            $lines,
            array_pad($expected, count($lines), "\0"),
        ));
    }

    private static function page(): TypedPage
    {
        return new TypedPage(new Markdown((string) file_get_contents(self::PAGE)));
    }
}
