<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Report\Column;
use XHProf\Report\Finding;
use XHProf\Report\FindingList;
use XHProf\Report\Heading;
use XHProf\Report\Level;
use XHProf\Report\Markdown;
use XHProf\Report\Report;
use XHProf\Report\Share;
use XHProf\Report\Table;
use XHProf\Report\Unit;

/** Reports as Markdown: what GitHub would read as markup, a link or a mention is text. */
final class MarkdownTest extends TestCase
{
    /** @return iterable<string, array{string, string}> */
    public static function sentences(): iterable
    {
        yield 'plain words' => ['12.3 ms in 4 calls (3 %), self', '12.3 ms in 4 calls (3 %), self'];
        yield 'a pipe would end a cell' => ['a|b', 'a\|b'];
        yield 'emphasis' => ['*all* ~~none~~', '\*all\* \~\~none\~\~'];
        yield 'a link' => ['[x](javascript:1)', '\[x\](javascript:1)'];
        yield 'an image' => ['![x](http://e/x.png)', '!\[x\](http:&#8203;//e/x.png)'];
        yield 'markup' => ['<img src=x> &lt;', '&lt;img src=x&gt; &amp;lt;'];
        yield 'a mention' => ['ask @octocat, a@b', 'ask @&#8203;octocat, a@&#8203;b'];
        yield 'no mention' => ['f@ @', 'f@ @'];
        yield 'an issue' => ['see #12 and org/repo#7', 'see #&#8203;12 and org/repo#&#8203;7'];
        yield 'backquotes' => ['`id`', '\`id\`'];
        yield 'a backslash' => ['App\Kernel', 'App\\\\Kernel'];
        yield 'underscores within a word' => ['file_get_contents', 'file_get_contents'];
        yield 'underscores around one' => ['_x_ __y__', '\_x\_ \_\_y\_\_'];
        yield 'a formula' => ['$x$', '\$x\$'];
        yield 'several lines' => ["a\n\n# b\r\nc", 'a  # b c'];
        yield 'a line separator and a direction mark' => ["a\u{2028}b\u{202E}c", 'a\\\\u{2028}b\\\\u{202E}c'];
        yield 'bytes that are not UTF-8' => ["a\xFF", 'a\\\\xFF'];
    }

    #[DataProvider('sentences')]
    public function testASentenceIsShownAsItIs(string $text, string $markdown): void
    {
        self::assertSame($markdown, Markdown::text($text));
    }

    /** @return iterable<string, array{string, string}> */
    public static function names(): iterable
    {
        yield 'a method' => ['App\Kernel::boot', '`App\Kernel::boot`'];
        yield 'a mention and markup do nothing in code' => ['@octocat <b>', '`@octocat <b>`'];
        yield 'a backquote' => ['a`b', '<code>a&#96;b</code>'];
        yield 'a pipe and a backslash' => ['a\|b', '<code>a&#92;&#124;b</code>'];
        yield 'the end of the code' => ['`</code><script>|', '<code>&#96;&#60;&#47;code&#62;&#60;script&#62;&#124;</code>'];
        yield 'spaces at an end' => [' x', '<code> x</code>'];
        yield 'letters of others' => ['Été|', '<code>Été&#124;</code>'];
        yield 'several lines' => ["SELECT 1\nFROM t", '`SELECT 1\x0AFROM t`'];
        yield 'nothing' => ['', ''];
    }

    #[DataProvider('names')]
    public function testANameIsCode(string $name, string $markdown): void
    {
        self::assertSame($markdown, Markdown::code($name));
    }

    public function testWhatBeginsABlockIsAParagraph(): void
    {
        $begins = ['- x', '+ x', '# x', '> x', '1. x', '2) x', '=== x', '-5 %', '+4.7 %', '1.5 ms'];

        $expected = ['\- x', '\+ x', '\# x', '&gt; x', '1\. x', '2\) x', '\=== x', '-5 %', '+4.7 %', '1.5 ms'];
        self::assertSame($expected, array_map(Markdown::paragraph(...), $begins));
    }

    public function testAReportHasItsHeadFindingsTablesAndNotes(): void
    {
        $columns = [
            new Column('wt', Unit::Microseconds, 'wall', share: new Share(4000)),
            new Column('bar', Unit::Bar, ''),
            new Column('name', Unit::Symbol, 'function'),
            new Column('path', Unit::Path, 'from'),
            new Column('why', Unit::Text, 'why'),
        ];
        $rows = [
            ['wt' => 1000, 'bar' => 0.25, 'name' => 'a|b', 'path' => ['f', 'main()'], 'why' => 'x|y'],
            ['wt' => null, 'bar' => null, 'name' => 'c', 'path' => [], 'why' => ''],
        ];
        $table = new Table('t', $columns, $rows, 'None.', 'All', below: '2 of 9 rows' . Table::SHOW_ALL);
        $findings = new FindingList([
            new Finding(Level::Wrong, '150 queries', symbol: 'Shop\load', between: 'most in', why: 'One would do.'),
            Finding::wrong('no folder', 'make it'),
        ], 'findings', 'Nothing.', 'What to look at');
        $report = new Report([$table, new Table('n', $columns, [], '')], ['', 'the note'], headings: [
            new Heading('Run 1', ['A line.'], ['Sampled.'], 'GET /?a=`b`', ['1 ms', '2 calls']),
        ], findings: [$findings]);

        self::assertSame(<<<'MARKDOWN'
            ### Run 1 <code>GET &#47;&#63;a&#61;&#96;b&#96;</code>

            1 ms, 2 calls

            A line.

            > Sampled.

            #### What to look at

            - **150 queries**; most in `Shop\load`. One would do.
            - **Wrong:** no folder. make it

            #### All

            | Function | From | Why | Wall |
            | --- | --- | --- | --: |
            | <code>a&#124;b</code> | `f` ← `main()` | x\|y | 1.00 ms (25.0 %) |
            | `c` |  |  | - |

            2 of 9 rows

            The note

            MARKDOWN, Markdown::report($report));
    }

    public function testAnEmptyReportIsNothing(): void
    {
        self::assertSame('', Markdown::report(new Report([])));
    }
}
