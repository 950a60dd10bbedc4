<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use Symfony\Component\Console\Output\BufferedOutput;
use XHProf\Cli\Terminal\ReportView;
use XHProf\Cli\Terminal\Screen;
use XHProf\Report\Column;
use XHProf\Report\Finding;
use XHProf\Report\FindingList;
use XHProf\Report\Heading;
use XHProf\Report\Level;
use XHProf\Report\Order;
use XHProf\Report\Report;
use XHProf\Report\Share;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Tests\Html\Page;
use XHProf\Web\Http\Request;
use XHProf\Web\Table\Paging;
use XHProf\Web\Table\ReportTable;
use XHProf\Web\Templates;

require_once __DIR__ . '/../html/Page.php';

/** One table of a report in JSON, on a terminal and on a page. */
final class ReportTableTest extends TestCase
{
    private const AT = 1795000000;

    public function testEachReaderGetsItsColumns(): void
    {
        $report = new Report([self::table()], ['a note'], ['total' => 3]);
        $at = date('Y-m-d H:i', self::AT);
        self::assertSame([
            'total' => 3,
            'rows' => [
                ['name' => 'b', 'time_us' => 1500, 'at' => $at, 'is_odd' => true, 'file' => 'b.php'],
                ['name' => 'A', 'time_us' => 20, 'at' => $at, 'is_odd' => false, 'file' => ''],
                ['name' => 'c', 'time_us' => null, 'at' => null, 'is_odd' => false, 'file' => ''],
            ],
        ], $report->json());
        $output = new BufferedOutput();
        (new ReportView($report))->print(Screen::detect($output));
        $lines = explode("\n", rtrim($output->fetch()));
        self::assertSame(['own', 'when', 'name'], preg_split('/ {2,}/', trim($lines[0])));
        self::assertSame(['1.50 ms', $at, 'stands out', 'b'], preg_split('/ {2,}/', trim($lines[1])));
        self::assertSame(['-', '-', 'c'], preg_split('/ {2,}/', trim($lines[3])));
        self::assertSame('a note', end($lines));

        $page = $this->page(new ReportTable(self::table()));
        self::assertSame(['Name', 'Own', 'Seen', 'Hits'], $page->texts('//thead//*[self::th or self::td]'));
        self::assertSame(['b', '1.50 ms', date('Y-m-d H:i:s', self::AT), '7'], $page->texts('//tbody/tr[1]/*'));
        self::assertSame(['text', 'num', 'text k-mid', 'num k-wide'], $page->attributes('//tbody/tr[1]/*', 'class'));
        self::assertSame(['', '1 500 µs', '', ''], $page->attributes('//tbody/tr[1]/*', 'title'));
        self::assertSame([], $page->find('//thead//a'), 'it cannot be sorted here');
    }

    public function testATableOfAPageCanHaveTheOrderOfATerminal(): void
    {
        $table = self::table(['name', 'time_us']);
        $screen = Screen::detect(new BufferedOutput());
        self::assertSame('name      own', ReportView::table($table, $screen)->lines($screen)[0]);
    }

    public function testAPageAddsToCells(): void
    {
        $page = $this->page(new ReportTable(
            self::table(),
            static fn (array $row, string $key): array => match ([$row['name'], $key]) {
                ['b', 'name'] => ['url' => '?b', 'badge' => 'odd', 'place' => 'b.php:3'],
                ['A', 'name'] => ['text' => '(no name)', 'place' => ['text' => 'a.php:1', 'title' => 'a', 'url' => 'edit://a']],
                ['b', 'time_us'] => ['share' => 6000, 'bar' => 3000, 'url' => '?slow', 'label' => 'The slow ones'],
                ['A', 'time_us'] => ['from' => 30],
                ['b', 'hits'] => ['tone' => 'bad', 'title' => 'too many', 'bar' => 14],
                ['A', 'hits'] => ['text' => '', 'tone' => 'bad', 'url' => '?none'],
                ['c', 'hits'] => ['tone' => 'badge'],
                default => [],
            },
            static fn (array $row): array => $row['name'] === 'b' ? ['Look' => '?look'] : [],
            'kind',
        ));
        $row = '//table[@class="data own report kind"]/tbody/tr[1]';
        self::assertSame(['b odd b.php:3', '1.50 ms25.0 %', date('Y-m-d H:i:s', self::AT), '7', 'Look'], $page->texts("$row/*"));
        self::assertSame(['?b', '?slow', '?look'], $page->attributes("$row//a", 'href'));
        self::assertSame(['', '1 500 µs, 25.0 %', '', 'too many', ''], $page->attributes("$row/*", 'title'));
        self::assertSame(['1 500 µs, 25.0 % · The slow ones'], $page->attributes("$row/td[1]/*/a", 'title'));
        self::assertSame(['50', '50'], $page->attributes("$row//rect", 'width'));
        self::assertSame('7', $page->text("$row/td[3]/strong[@class=\"answer bad\"]"));
        self::assertSame(['Look: b'], $page->attributes("$row/td[@class=\"text links\"]/a", 'aria-label'));
        self::assertSame(['1'], $page->texts('//tbody/tr[3]/td[3]/span[@class="badge"]'));
        self::assertSame(['(no name) a.php:1'], $page->texts('//tbody/tr[2]/th'));
        self::assertSame(['edit://a'], $page->attributes('//tbody/tr[2]//a', 'href'));
        $change = '//tbody/tr[2]/td[@class="num delta up"]';
        self::assertSame('▲+20 µs+66.7 %', $page->text($change));
        self::assertSame(['Own: 30 µs before, 50 µs after, change +20 µs'], $page->attributes($change, 'title'));
    }

    public function testColumnsHaveATitleAboveThem(): void
    {
        $above = new Heading('Time', ['Of the wall clock']);
        $table = new Table('rows', [
            Column::ofPage('name', Unit::Symbol, 'Name'),
            Column::ofPage('own', Unit::Microseconds, 'Self', weight: Column::PHONE, above: $above),
            Column::ofPage('all', Unit::Microseconds, 'Total', weight: Column::PHONE, above: $above),
        ], [['name' => 'a', 'own' => 1, 'all' => 2]], '');
        $page = $this->page((new ReportTable($table, classes: ['own' => 'g k'], look: 'functions'))->scripted(new Order('all')));
        self::assertSame([['Name', 'Time'], ['Self', 'Total ▼']], [
            $page->texts('//thead/tr[1]/th'),
            $page->texts('//thead/tr[2]/th'),
        ]);
        self::assertSame(['2'], $page->attributes('//th[@scope="colgroup"]', 'colspan'));
        self::assertSame(['Of the wall clock'], $page->attributes('//th[@scope="colgroup"]', 'title'));
        self::assertSame(['num g k k-mid', 'num main'], $page->attributes('//tbody//td', 'class'));
        self::assertSame(['1', '2'], $page->attributes('//tbody//td', 'data-v'), 'what scripts sort by');
        self::assertSame(['name', 'own', 'all'], $page->attributes('//thead//th[@data-sort]', 'data-sort'));
        self::assertSame('data functions', $page->attributes('//table', 'class')[0]);
    }

    public function testTheAddressOrdersTheRows(): void
    {
        $page = $this->sorted([]);
        self::assertSame(['b', 'A', 'c'], $page->texts('//tbody/tr/th'));
        self::assertSame(
            ['?sort=name#rows', '?sort=time#rows', '?sort=at#rows', '?sort=hits#rows'],
            $page->attributes('//thead//a', 'href'),
        );
        self::assertSame([], $page->attributes('//th[@aria-sort]', 'aria-sort'));

        $page = $this->sorted(['sort' => 'name']);
        self::assertSame(['A', 'b', 'c'], $page->texts('//tbody/tr/th'));
        self::assertSame(['ascending'], $page->attributes('//thead//th[@class="text main"]', 'aria-sort'));
        self::assertSame('?sort=name&dir=desc#rows', $page->attributes('//thead/tr/th[1]/a', 'href')[0]);

        // What is not known comes last in both directions.
        self::assertSame(['A', 'b', 'c'], $this->sorted(['sort' => 'time', 'dir' => 'asc'])->texts('//tbody/tr/th'));
        self::assertSame(['b', 'A', 'c'], $this->sorted(['sort' => 'time', 'dir' => 'x'])->texts('//tbody/tr/th'));
        self::assertSame(['b', 'A', 'c'], $this->sorted(['sort' => 'none'])->texts('//tbody/tr/th'));

        $usual = $this->sorted([], new Order('time'));
        self::assertSame(['descending'], $usual->attributes('//th[@aria-sort]', 'aria-sort'));
        self::assertSame('?sort=time&dir=asc#rows', $usual->attributes('//thead/tr/th[2]/a', 'href')[0]);
    }

    public function testTheFirstRowsAreShownAndAllAreAsked(): void
    {
        $rows = array_map(static fn (int $i): array => ['n' => $i], range(1, 4500));
        $table = new Table('rows', [new Column('n', Unit::Count, 'n')], $rows, '');
        $shown = function (array $query) use ($table): Page {
            $url = static fn (array $more): string => '?' . http_build_query($more);

            return $this->page((new ReportTable($table, top: 3))->ordered(new Request('GET', $query), $url));
        };
        $first = $shown(['sort' => 'n', 'dir' => 'desc']);
        self::assertSame(['4 500', '4 499', '4 498'], $first->texts('//tbody/tr/th'));
        self::assertSame('3 of 4 500 · Show more', $first->text('//p[@class="count"]'));
        self::assertSame('?sort=n&dir=desc&all=1#rows', $first->attributes('//p[@class="count"]/a', 'href')[0]);
        $last = $shown(['all' => '1', 'page' => '3']);
        self::assertCount(500, $last->find('//tbody/tr'));
        self::assertSame('4 001', $last->texts('//tbody/tr/th')[0]);
        self::assertSame(['?all=1&page=2#rows'], $last->attributes('//nav[@class="pager"]//a', 'href'));
        self::assertSame('?sort=n&dir=asc&all=1#rows', $shown(['all' => '1', 'sort' => 'n'])->attributes('//thead//a', 'href')[0]);
    }

    public function testATableOfOnePageHasTheOrdersThatItsReportKnows(): void
    {
        $request = new Request('GET', ['all' => '1', 'page' => '2', 'sort' => 'n', 'dir' => 'asc']);
        $paging = ReportTable::paging($request, 2001);
        $columns = [new Column('n', Unit::Count, 'n'), new Column('why', Unit::Text, 'why')];
        $table = new ReportTable(new Table('rows', $columns, [['n' => 7, 'why' => 'last']], ''));
        $url = static fn (array $more): string => '?' . http_build_query($more);
        $order = ReportTable::order($request, ['n']);
        self::assertEquals(new Order('n', false), $order);
        self::assertNull(ReportTable::order($request, ['why']));
        $page = $this->page($table->paged($paging, true, $order ?? new Order('n'), ['n'], $url));
        self::assertSame(['7', 'last'], $page->texts('//tbody/tr/*'), 'the rows are those of this page');
        self::assertSame(['?sort=n&all=1#rows'], $page->attributes('//thead//a', 'href'));
        self::assertSame(['?sort=n&dir=asc&all=1&page=1#rows'], $page->attributes('//nav[@class="pager"]//a', 'href'));
    }

    public function testACellMayHaveATemplateOfItsOwnAndAFigureAName(): void
    {
        $strip = ['width' => 1, 'height' => 1, 'text' => 'A picture', 'bars' => 'M0 0', 'marked' => ''];
        $page = $this->page(new ReportTable(
            self::table(),
            static fn (array $row, string $key): array => match ($key) {
                'time_us' => ['url' => '?slow', 'label' => 'The slow ones'],
                'hits' => ['template' => 'strip.html.twig', 'part' => ['strip' => $strip]],
                default => [],
            },
        ));
        self::assertSame('A picture', $page->attributes('//tbody/tr[1]/td[3]/*', 'aria-label')[0]);
        self::assertSame('The slow ones of b: 1.50 ms', $page->attributes('//tbody/tr[1]/td[1]//a', 'aria-label')[0]);
        self::assertSame(['not known'], $page->attributes('//tbody/tr[3]/td[1]', 'title'));
    }

    public function testATableWithoutAKeyIsNotForPrograms(): void
    {
        self::assertSame(['n' => 1], (new Report([new Table('', [], [], '')], facts: ['n' => 1]))->json());
    }

    public function testATableWithoutRowsSaysSo(): void
    {
        $page = $this->page(new ReportTable(new Table('rows', [], [], 'Nothing has arrived.', 'Rows', note: 'in order')));
        self::assertSame(['Nothing has arrived.'], $page->texts('//section[@aria-labelledby="rows"]/p[@class="empty"]'));
        self::assertSame('Rows in order', $page->text('//h2[@id="rows"]'));
        self::assertSame([], $page->find('//table'));
    }

    /** @param list<string> $printed */
    private static function table(array $printed = []): Table
    {
        $row = static fn (string $name, ?int $time, ?int $at, bool $isOdd, int $hits, string $file = ''): array
            => ['name' => $name, 'time_us' => $time, 'at' => $at, 'is_odd' => $isOdd, 'hits' => $hits, 'file' => $file];

        return new Table('rows', [
            new Column('name', Unit::Name, 'name'),
            new Column('time_us', Unit::Microseconds, 'own', help: 'Own time', sort: 'time'),
            new Column('at', Unit::Minute, 'when', Column::PHONE, 'Seen'),
            new Column('is_odd', Unit::Mark, ''),
            Column::ofPage('hits', Unit::Count, 'Hits', weight: Column::NARROW),
        ], [
            $row('b', 1500, self::AT, true, 7, 'b.php'), $row('A', 20, self::AT, false, 0), $row('c', null, null, false, 1),
        ], 'Nothing.', caption: 'Rows of a test', printed: $printed);
    }

    /** @param array<string, string> $query */
    private function sorted(array $query, ?Order $usual = null): Page
    {
        $url = static fn (array $more): string => '?' . http_build_query($more);

        return $this->page((new ReportTable(self::table()))->ordered(new Request('GET', $query), $url, $usual));
    }

    public function testRowsOfMetricsHaveTheirUnitsAndChangesTheirSigns(): void
    {
        $table = new Table('totals', [
            new Column('label', Unit::Mark, ''),
            new Column('b', Unit::OfMetric, 'B'),
            new Column('delta', Unit::OfMetric, 'B - A', isChange: true),
            new Column('share', Unit::Percent, '%', isChange: true),
            new Column('name', Unit::Symbol, 'function'),
        ], [
            ['label' => 'wall', 'metric' => 'wt', 'b' => 2000, 'delta' => 1500, 'share' => 3.0, 'name' => "f\xff\u{202E}"],
            ['label' => 'mem', 'metric' => 'mu', 'b' => 10, 'delta' => -1, 'share' => 12.5, 'name' => 'g', 'why' => 'small'],
            ['label' => 'calls', 'metric' => 'ct', 'b' => 7, 'delta' => 0, 'share' => null, 'name' => 'h', 'why' => null],
        ], '', printed: ['label', 'b', 'delta', 'share', 'name'], faint: 'why');
        $output = new BufferedOutput();
        $output->setDecorated(true);
        ReportView::table($table, Screen::detect($output))->print(Screen::detect($output));
        $lines = explode("\n", rtrim($output->fetch()));
        $plain = array_map(static fn (string $line): string => (string) preg_replace('/\e\[[0-9;]*m/', '', $line), $lines);
        self::assertSame('wall   2.00 ms  +1.50 ms  +300.0 %  f\xFF\xE2\x80\xAE', $plain[1]);
        self::assertSame('mem       10 B      -1 B  +1 250 %  g', $plain[2]);
        self::assertSame('calls        7         0         -  h', $plain[3]);
        self::assertSame([2, 5, 0], array_map(static fn (string $line): int
            => substr_count($line, "\e[33m") + substr_count($line, "\e[90m"), array_slice($lines, 1)));
    }

    public function testSharesCallPathsAndTreesOnATerminal(): void
    {
        $call = new Column('path', Unit::Path, 'allocated by');
        $rows = [
            ['bytes' => 30, 'path' => ['f', 'g', 'main()'], 'count' => [4, 3]],
            ['bytes' => 10, 'path' => ['h'], 'count' => [1, 1]],
        ];
        $share = new Column('bytes', Unit::Bytes, 'bytes', share: new Share(40, bar: 4));
        $columns = [$call, $share, new Column('count', Unit::Count, 'more', isChange: true)];
        $table = new Table('', $columns, $rows, '', lead: 'Leads:', below: 'Below.');
        $tree = [['text' => '├─ a long name of a function'], ['text' => '│  └─ b']];
        $branches = new Table('', [new Column('text', Unit::Branch, 'tree')], $tree, '');
        $headings = [new Heading('Title', ['sentence'], ['warning'])];
        $print = static function (Report $report, int $width, bool $isUnicode): string {
            $output = new BufferedOutput();
            (new ReportView($report))->print(new Screen($output, $width, false, $isUnicode));

            return (string) preg_replace('/ +$/m', '', $output->fetch());
        };
        self::assertSame(
            <<<'TEXT'
            Title
            sentence
            warning

            Leads:
            bytes       %       more  allocated by
             30 B  75.0 %  ███    -1  f ← g ← main()
             10 B  25.0 %  █       0  h
            Below.

            tree
            ├─ a lon…nction
            │  └─ b

            TEXT,
            $print(new Report([$table], headings: $headings), 99, true) . "\n" . $print(new Report([$branches]), 14, true),
        );
        $full = $print(new Report([$table->with(['isFull' => true])]), 99, false);
        self::assertStringContainsString("  f\n    <- g\n    <- main()\n", $full);
        self::assertStringContainsString("|- a lo...ction\n|  `- b\n", $print(new Report([$branches]), 13, false));
        $parts = $table->with(['parts' => static fn (array $row): array => $row['bytes'] < 30 ? [] : [
            ['bytes' => '', 'path' => ['part']],
        ]]);
        self::assertMatchesRegularExpression('/main\(\)\n +-  part\n/', $print(new Report([$parts]), 99, true));
        self::assertSame([30, 10], array_column($table->ordered(new Order('count', false))->rows, 'bytes'));
        self::assertSame(['of' => 'all'], (new Report([$table], facts: ['of' => 'all'], rowsInJson: false))->json());
        self::assertSame('1 of 2 rows; --limit=0 shows all', $table->first(1, 'rows')->below);
    }

    public function testRowsOfAPageHaveCallPathsChangesBarsAndBoxesToPickThem(): void
    {
        $rows = [
            ['path' => ['A\\f', 'g', 'main()'], 'bytes' => [10, 40], 'part' => 3, 'why' => 'small'],
            ['path' => ['h'], 'bytes' => [5, 5], 'part' => 6, 'why' => null],
        ];
        $table = new Table('rows', [
            new Column('path', Unit::Path, 'path'),
            new Column('after', Unit::Bytes, 'after', 12, sort: null, value: static fn (array $row): int => $row['bytes'][1]),
            new Column('bytes', Unit::Bytes, 'bytes', 12, help: 'Growth', isChange: true),
            new Column('part', Unit::Bytes, 'part', share: new Share(12)),
        ], $rows, '', faint: 'why');
        $order = new Order('bytes');
        self::assertSame(['path', 'bytes', 'part'], $table->orders());
        self::assertSame([false, true, false], array_column(ReportTable::choices($table, $order), 'selected'));
        $shown = (new ReportTable($table, static fn (array $row, string $key): array => $key === 'bytes' ? ['bar' => 60] : []))
            ->paged(new Paging(2, 2, 1), false, $order, ['bytes'], static fn (array $more): string => '?sort')
            ->of(9, '?all')->picked(static fn (array $row): string => $row['path'][0], 'Pick');
        $page = $this->page($shown);
        self::assertSame('A\\f← g ← main()', $page->text('//tbody/tr[1]/th'));
        self::assertSame(['40 B', '▲+30 B+300.0 %', '3 B25.0 %'], array_slice($page->texts('//tbody/tr[1]/td'), 1));
        self::assertSame('Bytes: 10 bytes before, 40 bytes after, change +30 bytes', $page->attributes('//td[3]', 'title')[0]);
        self::assertSame(['50', '25', '50'], $page->attributes('//tbody//rect', 'width'));
        $heads = array_slice($page->attributes('//thead/tr/th', 'class'), 2, 2);
        self::assertSame(['num k-mid', 'num main'], $heads, 'the order stays');
        self::assertSame(['?sort#rows'], $page->attributes('//thead//a', 'href'));
        self::assertSame(['faint', ''], $page->attributes('//tbody/tr', 'class'));
        self::assertSame(['A\\f', 'h'], $page->attributes('//input[@name="pick[]"]', 'value'));
        self::assertSame('2 of 9 · Show more', $page->text('//p[@class="count"]'));
        self::assertNull(ReportTable::frames([]));
        $frames = ReportTable::frames(array_map(strval(...), range(1, 100)));
        self::assertSame([4, 60, 35], [count($frames['shown'] ?? []), count($frames['rest'] ?? []), $frames['more'] ?? 0]);
    }

    public function testHeadsBarsIndentationAndWhatHasNoRoom(): void
    {
        $heading = new Heading('Run 1', subject: 'GET /a/long/address', parts: ['1.00 ms wall', '3 calls of 2 functions']);
        $columns = [
            new Column('id', Unit::Id, 'id'),
            new Column('time', Unit::Microseconds, 'time', 2, share: new Share(200, bar: 0, weight: 3)),
            new Column('bytes', Unit::Bytes, 'memory', 1, share: new Share(10, bar: 0, weight: 1, isSigned: true)),
            new Column('bar', Unit::Bar, '', 4, value: static fn (array $row): float => $row['time'] / 200),
            new Column('name', Unit::Nested, 'path', least: 4),
            new Column('what', Unit::Marked, 'what', least: 10),
        ];
        $rows = [
            ['id' => 'a1', 'time' => 100, 'bytes' => 5, 'name' => 'f', 'depth' => 2, 'what' => 'GET /  (404)  #tag', 'why' => null],
            ['id' => 'a2', 'time' => 50, 'bytes' => -5, 'name' => 'g', 'depth' => 101, 'what' => 'damaged: it', 'why' => 'it'],
        ];
        $printed = array_column($columns, 'key');
        $table = new Table('', $columns, $rows, '', printed: $printed, namesHidden: true, wrong: 'why');
        $print = static function (int $width) use ($heading, $table): string {
            $output = new BufferedOutput();
            $report = new Report([$table], ['', 'The end.'], headings: [$heading]);
            (new ReportView($report))->print(new Screen($output, $width));

            return $output->fetch();
        };
        self::assertSame(
            <<<'TEXT'
            Run 1  GET /a/long/address
            1.00 ms wall, 3 calls of 2 functions

            id    time       %  memory       %        path     what
            a1  100 µs  50.0 %     5 B  50.0 %  ████    f      GET /  (404)  #tag
            a2   50 µs  25.0 %    -5 B       -  ██    [101] g  damaged: it

            The end.

            TEXT,
            $print(999),
        );
        self::assertSame(
            <<<'TEXT'
            Run 1  GET /a/…ng/address
            1.00 ms wall,
            3 calls of 2 functions

            id  path    what
            a1    f     GET /  …
            a2  [1…] g  damaged: it
            With --wide: time, memory

            The end.

            TEXT,
            $print(25),
        );
        $output = new BufferedOutput(decorated: true);
        (new ReportView(new Report([$table])))->print(new Screen($output, 999));
        self::assertMatchesRegularExpression('/\e\[31mdamaged: it/', $output->fetch());
    }

    public function testFindingsStandBelowTheTables(): void
    {
        $findings = [
            Finding::ok('all is <b>well</b>'),
            Finding::wrong('it is broken in a way that takes more than one line', 'mend it'),
            new Finding(Level::Note, '9 calls', null, "f\x1b", 'the most in', 'Few are better.', ['figure' => '9 calls']),
        ];
        $lists = [
            new FindingList($findings, 'checks', lead: ['Checks'], below: ['of a folder']),
            new FindingList([], lead: ['Not shown']),
            new FindingList([], 'others', 'Nothing stands out.'),
        ];
        $table = new Table('rows', [new Column('n', Unit::Count, 'n')], [['n' => 1]], '');
        $report = new Report([$table], ['The end.'], findings: $lists);
        $output = new BufferedOutput();
        (new ReportView($report))->print(new Screen($output, 40));
        self::assertSame(
            <<<'TEXT'
            n
            1

            Checks
            ok  all is <b>well</b>
            !!  it is broken in a way that takes
                more than one line
            9 calls  the most in f\x1B
              Few are better.
                of a folder

            Nothing stands out.
            The end.

            TEXT,
            $output->fetch(),
        );
        self::assertSame([
            'rows' => [['n' => 1]],
            'checks' => [
                ['level' => 'ok', 'text' => 'all is <b>well</b>', 'todo' => null],
                ['level' => 'wrong', 'text' => 'it is broken in a way that takes more than one line', 'todo' => 'mend it'],
                ['figure' => '9 calls'],
            ],
            'others' => [],
        ], $report->json());
        self::assertFalse(FindingList::areRight($lists));
        self::assertTrue(FindingList::areRight([new FindingList([$findings[0], $findings[2]])]));
    }

    private function page(ReportTable $table): Page
    {
        $view = new Templates(__DIR__ . '/../../xhprof_html');

        $html = $view->page('report_table.html.twig', ['table' => $table->toArray()])->body;

        return new Page(['HTTP/1.1 200'], '<meta charset="utf-8">' . $html);
    }
}
