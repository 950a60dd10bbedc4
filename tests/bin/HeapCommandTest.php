<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Tests\Lib\Support\HeapFixture;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/HeapFixture.php';

/** `xhprof heap`: queries of a heap snapshot. */
final class HeapCommandTest extends CliTestCase
{
    private const EVIL = "Evil\e]0;owned\x07\r\n<error>x</error>\u{202E}";

    /** @var array<string, int> addresses */
    private array $named;

    private string $file;

    protected function setUp(): void
    {
        parent::setUp();
        $this->file = $this->snapshot('a', 100);
    }

    protected function environment(): array
    {
        return ['XDG_CACHE_HOME' => $this->folder, 'COLUMNS' => '120', 'TZ' => 'UTC'] + parent::environment();
    }

    private function snapshot(string $name, int $jobs): string
    {
        $fixture = new HeapFixture();
        $this->named = $fixture->worker($jobs);
        file_put_contents("$this->folder/$name.heap.jsonl", $fixture->text());

        return "$this->folder/$name.heap.jsonl";
    }

    private function address(string $name): string
    {
        return sprintf('0x%x', $this->named[$name]);
    }

    private function heap(string ...$arguments): string
    {
        $result = $this->xhprof(['heap', ...array_values($arguments)]);
        self::assertSame([0, ''], [$result->exitCode, $result->err]);

        return $result->out;
    }

    /** @return array<string, mixed> */
    private function json(string ...$arguments): array
    {
        return json_decode($this->heap(...[...$arguments, '--json']), true, 64, JSON_THROW_ON_ERROR);
    }

    public function testSummary(): void
    {
        $json = $this->json('summary', $this->file, '--limit=1');
        self::assertSame($json['summary']['usage'], array_sum(array_map(static fn (string $tier): int
            => $json['summary'][$tier]['bytes'], ['typed', 'native', 'unreachable'])));
        self::assertSame("\$GLOBALS['cache']->items", $json['keepers'][0]['path'], 'not the cache, which has nothing else');
        self::assertStringContainsString('1 of 5 classes; --limit=0 shows all', $this->heap('summary', $this->file, '-l1'));
    }

    public function testTop(): void
    {
        $named = $this->json('top', $this->file, '--q=app', '--sort=fn', '--dir=desc')['rows'];
        self::assertSame(['App\Service', 'App\Node', 'App\Job', 'App\Cache'], array_column($named, 'name'));
        $strings = $this->json('top', $this->file, '--by=string', '--limit=2')['rows'];
        self::assertSame([5120, 4976, '(App\Node)->child->text'], [
            $strings[0]['bytes'], $strings[0]['length'], $strings[0]['path'],
        ]);
        self::assertStringContainsString('"job 99"', $this->heap('top', $this->file, '--by=string'));
        $jobs = $this->heap('top', $this->file, '--class=app\job', '--limit=1');
        self::assertStringContainsString("1 of 100 App\Job, sorted by retained; --limit=0 shows all\n", $jobs);
        $path = 'Cache::remember ← Worker::run ← main()';
        self::assertStringContainsString($path, $this->heap('top', $this->file, '--by=path', '-c', 'App\Job'));
    }

    public function testWithLimit0AllObjectsAreShownAndWithAnotherTheRestIsSaid(): void
    {
        $all = $this->json('top', $this->file, '--by=object', '--limit=0');
        self::assertCount(105, $all['rows'], 'those that another of their class keeps too');
        self::assertSame([], preg_grep('/shows all/', $all['notes']));
        self::assertStringNotContainsString('shows all', $this->heap('top', $this->file, '--by=object', '--limit=0'));
        $note = '3 of 105 objects, sorted by retained; not those that another of their class keeps; --limit=0 shows all';
        $some = $this->json('top', $this->file, '--by=object', '--limit=3');
        self::assertContains($note, $some['notes']);
        self::assertStringContainsString($note, $this->heap('top', $this->file, '--by=object', '--limit=3'));
        foreach (['class', 'type', 'owner', 'array', 'string'] as $by) {
            $rows = count($this->json('top', $this->file, "--by=$by", '--limit=0')['rows']);
            $notes = $this->json('top', $this->file, "--by=$by", '--limit=1')['notes'];
            self::assertCount($rows > 1 ? 1 : 0, preg_grep("/^1 of $rows .*; --limit=0 shows all$/", $notes) ?: [], $by);
        }
    }

    public function testPathsOfAClass(): void
    {
        $out = $this->heap('paths', $this->file, '--class=App\Job');
        self::assertStringStartsWith("App\Job\n100 of them, 7.81 KB, 15.4 KB retained\n", $out);
        self::assertMatchesRegularExpression('/^ +99  99\.0 % .* 0x[0-9a-f]+  \$GLOBALS\[\'cache\'\]->items\[\*\]$/m', $out);
        self::assertMatchesRegularExpression('/^ +1 +1\.0 % .* App\\\\Worker::run\(\) \$job$/m', $out);
        self::assertStringContainsString('Cache::remember ← Worker::run ← main()', $out);
        $garbage = $this->heap('paths', $this->file, '--class=App\Node');
        self::assertStringContainsString('(App\Node)->child  nothing keeps it', $garbage);
        self::assertSame(99, $this->json('paths', $this->file, '--class=App\Job')['holders'][0]['count']);
        self::assertStringContainsString('string', $this->heap('paths', $this->file, '--type=string'));
    }

    public function testPathsOfAnAddress(): void
    {
        $out = $this->heap('paths', $this->file, $this->address('job7'));
        $head = "App\Job {$this->address('job7')}\n72 B in a block of 80 B, 112 B retained, refcount 1\n";
        self::assertStringStartsWith($head, $out);
        self::assertStringContainsString("allocated by Cache::remember ← Worker::run ← main()\n", $out);
        $both = "It is kept by each of\n  App\Worker::run() \$job\n  \$GLOBALS['cache']->items[7]\n";
        self::assertStringContainsString($both, $out);
        self::assertStringContainsString("No single thing keeps it.\n", $out);
        $one = $this->heap('paths', $this->file, $this->address('job8'));
        self::assertStringContainsString("It is kept by\n  \$GLOBALS['cache']->items[8]\n", $one);
        $goes = "/is freed with any of these:\n.*\n.* array \(100\) +.*->items\n.* App\\\\Cache /";
        self::assertMatchesRegularExpression($goes, $one);
        $full = $this->heap('paths', $this->file, $this->address('job8'), '--full');
        $steps = '/^0x2 .*\n.*\[\'cache\'\] .*App\\\\Cache\n.*->items +array \(100\)\n.*\[8\] /m';
        self::assertMatchesRegularExpression($steps, $full);
        $lost = $this->heap('paths', $this->file, $this->address('parent'));
        self::assertStringContainsString('Nothing keeps it: no path from a root leads to it', $lost);
        $json = $this->json('paths', $this->file, $this->address('job8'));
        self::assertSame("\$GLOBALS['cache']->items[8]", $json['paths'][0]['text']);
    }

    public function testOfALongWayTheMiddleIsLeftOut(): void
    {
        $fixture = new HeapFixture();
        $before = $fixture->root('global_variables');
        for ($i = 0; $i < 200; $i++) {
            $node = $fixture->add('object', "Item$i");
            $fixture->refer($before, $i === 0 ? 'list' : 'next', $node);
            $before = $node;
        }
        file_put_contents($this->file, $fixture->text());
        $out = $this->heap('paths', $this->file, sprintf('0x%x', $before), '--full');
        self::assertMatchesRegularExpression('/^0x2 +3\.13 KB +root global_variables *$/m', $out);
        self::assertMatchesRegularExpression('/ ->next +Item38\n.* \.\.\. 120 more \.\.\. +Item159\n.* ->next +Item160$/m', $out);
    }

    public function testAValueThatIsCutSaysSo(): void
    {
        $fixture = new HeapFixture();
        foreach ([['exact', 5], [str_repeat("\x01", 30), 30], [str_repeat('y', 39), 400]] as [$value, $length]) {
            $more = ['v' => $value, 'n' => $length];
            $fixture->refer($fixture->root('global_variables'), 's', $fixture->add('string', '', 24 + $length, null, $more));
        }
        file_put_contents($this->file, $fixture->text());
        $out = $this->heap('top', $this->file, '--by=string');
        self::assertMatchesRegularExpression('/ "exact" /', $out);
        self::assertMatchesRegularExpression('/ "\\\\[^"]+"\.\.\. /', $out, 'longer as it is shown');
        self::assertStringContainsString('"' . str_repeat('y', 39) . '"...', $out);
    }

    public function testRetainedByAnAddress(): void
    {
        $json = $this->json('retained', $this->file, $this->address('items'), '--limit=1');
        self::assertSame(['array', 'array table'], [$json['tree'][0]['type'], $json['tree'][0]['children'][0]['type']]);
        self::assertSame($json['whole_bytes'], $json['tree'][0]['retained_bytes']);
    }

    public function testDiff(): void
    {
        $b = $this->snapshot('b', 160);
        $byName = $this->heap('diff', $this->file, $b, '--sort=fn');
        self::assertMatchesRegularExpression('/ class\n.* App\\\\Cache\n.* App\\\\Job\n/', $byName);
        $classes = array_column($this->json('diff', $this->file, $b)['classes'], null, 'name');
        self::assertSame([[100, 160], [8000, 12800], 60, 0], [
            $classes['App\Job']['count'], $classes['App\Job']['bytes'], $classes['App\Job']['new'], $classes['App\Job']['gone'],
        ]);
    }

    public function testStrings(): void
    {
        $fixture = new HeapFixture();
        $hash = ['h' => '0123456789abcdef', 'n' => 24, 'v' => 'a text of twenty-four by'];
        foreach (['a', 'b', 'c'] as $name) {
            $address = $fixture->add('string', '', 48, 64, $hash);
            $fixture->refer($fixture->root('global_variables'), $name, $address);
        }
        $first = sprintf('0x%x', $address - 2 * 64);
        file_put_contents($file = "$this->folder/equal.heap.jsonl", $fixture->text());
        $out = $this->heap('strings', $file);
        self::assertMatchesRegularExpression('/^ 128 B  66\.7 % .* 3  ' . $first . '  "a text of .*  \$GLOBALS\[\'a\'\]$/m', $out);
        self::assertStringEndsWith("\n1 of 1 contents; 2 copies more than needed take 128 B, 66.7 % of the heap\n", $out);
        $json = $this->json('strings', $file);
        self::assertSame([1, 2, 128], [$json['groups'], $json['copies'], $json['bytes']]);
        self::assertSame([3, 128, $first, "\$GLOBALS['a']"], [
            $json['strings'][0]['count'], $json['strings'][0]['wasted_bytes'], $json['strings'][0]['example']['address'],
            $json['strings'][0]['example']['path'],
        ]);
        $old = $this->xhprof(['heap', 'strings', $this->file]);
        self::assertSame(1, $old->exitCode);
        self::assertStringContainsString('take a new one', $old->err);
    }

    public function testLeaks(): void
    {
        $file = $this->snapshot('c', 1000);
        $out = $this->heap('leaks', $file);
        self::assertMatchesRegularExpression("/ 1  App\\\\Node  {$this->address('parent')}$/m", $out);
        self::assertMatchesRegularExpression("/ 1  string\?  {$this->address('lost')}$/m", $out);
        $json = $this->json('leaks', $file);
        self::assertSame([999, 'App\Job'], [$json['accumulates'][0]['count'], $json['accumulates'][0]['of']]);
        file_put_contents("$this->folder/none.heap.jsonl", (new HeapFixture())->text());
        self::assertSame("Nothing looks like a leak.\n", $this->heap('leaks', "$this->folder/none.heap.jsonl"));
    }

    public function testFitsEveryWidthAndPlainTerminals(): void
    {
        $b = $this->snapshot('b', 160);
        $commands = [
            ['summary', $b], ['top', $b], ['top', $b, '--by=object'], ['top', $b, '--by=path'], ['paths', $b, '-cApp\Job'],
            ['retained', $b], ['diff', $this->file, $b], ['leaks', $b], ['paths', $b, $this->address('job8'), '--full'],
        ];
        foreach ($commands as $command) {
            foreach ([60, 80, 160] as $width) {
                $out = $this->xhprof(['heap', ...$command], '', ['COLUMNS' => (string) $width])->out;
                self::assertLessThanOrEqual($width, self::widestLine($out), implode(' ', $command) . "\n$out");
            }
            $plain = $this->xhprof(['heap', ...$command], '', ['LC_ALL' => 'C'])->out;
            self::assertDoesNotMatchRegularExpression('/[^\x20-\x7e\n]/', $plain);
        }
    }

    public function testAWebRequestIsNamedByMethodAndUrl(): void
    {
        $file = "$this->folder/web.heap.jsonl";
        $header = ['command' => '', 'method' => 'GET', 'url' => '/orders?page=2', 'host' => 'shop.example'];
        file_put_contents($file, (new HeapFixture($header))->text());
        $out = $this->xhprof(['heap', 'summary', $file], '', ['COLUMNS' => '200'])->out;
        self::assertMatchesRegularExpression('~ on shop\.example, .*GET /orders\?page=2$~m', $out);
    }

    public function testThePeakOfASnapshotFromOutsideIsCalledPhps(): void
    {
        foreach (['inside' => 'peak', 'outside' => "PHP's peak", 'image' => "PHP's peak"] as $reader => $shown) {
            $fixture = new HeapFixture(['reader' => $reader, 'peak' => 2 << 20]);
            $fixture->worker(100);
            file_put_contents($this->file, $fixture->text());
            self::assertStringContainsString("; $shown 2.00 MB;", $this->heap('summary', $this->file));
        }
    }

    public function testNamesCannotSpeakToTheTerminal(): void
    {
        $fixture = new HeapFixture(['command' => self::EVIL, 'host' => self::EVIL]);
        $list = $fixture->add('array', '', 56, 65536, ['n' => 50]);
        $fixture->refer($fixture->root('global_variables'), self::EVIL, $list);
        $fixture->path(1, self::EVIL);
        for ($i = 0; $i < 50; $i++) {
            $object = $fixture->add('object', self::EVIL, 40, 40, ['f' => self::EVIL, 'p' => 1]);
            $string = $fixture->add('string', '', 40, 40, ['v' => self::EVIL, 'n' => 99]);
            $fixture->refer($list, self::EVIL . $i, $object);
            $fixture->refer($object, self::EVIL, $string);
        }
        $fixture->add('native', self::EVIL);
        $fixture->add('unreachable', self::EVIL);
        $file = "$this->folder/evil.heap.jsonl";
        file_put_contents($file, $fixture->text());
        $address = sprintf('0x%x', $list + 64);
        $commands = [
            ['summary', $file], ['top', $file, '--by=string'], ['top', $file, '--by=path', '--full'], ['leaks', $file],
            ['paths', $file, $address, '--full'], ['paths', $file, '--type=object'], ['retained', $file, '--limit=0'],
            ['diff', $file, $this->file], ['summary', $file, '--ansi'], ['top', $file, '--class=' . self::EVIL],
            ['top', $file, '--class=' . self::EVIL . 'x'],
        ];
        foreach ($commands as $command) {
            $result = $this->xhprof(['heap', ...$command], '', ['COLUMNS' => '400']);
            $all = (string) preg_replace('/\e\[[0-9;]*m/', '', $result->out . $result->err);
            self::assertDoesNotMatchRegularExpression('/[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80\xae/', $all);
            self::assertStringContainsString('<error>x</error>', $all, implode(' ', $command));
        }
    }

    /** @return iterable<string, array{list<string>, string}> */
    public static function mistakes(): iterable
    {
        $questions = 'summary, top, paths, retained, diff, leaks, strings, export';
        yield 'question' => [['what'], "unknown question \"what\"; take one of $questions"];
        yield 'no file' => [['summary', 'none.jsonl'], 'none.jsonl does not exist', 1];
        yield 'a folder' => [['summary', '/tmp'], '/tmp is a folder', 1];
        yield 'no snapshot' => [['leaks', __FILE__], 'this is not a heap snapshot', 1];
        yield 'by' => [['top', '', '--by=x'], '--by takes one of class, type, owner, object, array, string, path, not "x"'];
        yield 'sort' => [['top', '', '--sort=x'], '--sort takes one of bytes, retained, count, size, fn, not "x"'];
        yield 'limit' => [['retained', '', '--limit=x'], '--limit takes a number'];
        yield 'depth' => [['retained', '', '--depth=1000'], '--depth takes a number from 0 to 200'];
        yield 'strings of a class' => [
            ['top', '', '--by=string', '-cApp\Job'],
            '--by=string lists all of them; --class and --type go with --by=object or path',
        ];
        yield 'nothing named' => [['paths', ''], 'name one address, or one --class=, or one --type='];
        yield 'both named' => [['paths', '', '0x1', '-cA'], 'name one address, or one --class=, or one --type='];
        yield 'no address' => [['paths', '', 'Foo'], 'an address is a number like 0x7f12a4c01e00, not "Foo"'];
        yield 'nothing there' => [['paths', '', '0x777'], 'nothing in the snapshot begins at 0x777', 1];
        yield 'class' => [['paths', '', '-cJob'], 'the snapshot has no objects of the class Job; it has App\Job', 1];
        yield 'type' => [['top', '', '-tfoo'], 'the snapshot has no type foo; it has ', 1];
    }

    /** @param list<string> $arguments "" is the snapshot */
    #[DataProvider('mistakes')]
    public function testMistakesAreOneLine(array $arguments, string $message, int $exitCode = 2): void
    {
        $arguments = array_map(fn (string $argument): string => $argument === '' ? $this->file : $argument, $arguments);
        self::assertOneLineError($message, $this->xhprof(['heap', ...$arguments]), $exitCode);
    }

    /** @return iterable<string, array{string, list<string>}> arguments after the snapshot */
    public static function questions(): iterable
    {
        yield 'summary' => ['summary', []];
        yield 'top' => ['top', []];
        yield 'paths' => ['paths', ['0x5']];
        yield 'retained' => ['retained', ['0x5']];
        yield 'diff' => ['diff', ['b.heap.jsonl']];
        yield 'leaks' => ['leaks', []];
    }

    /** @param list<string> $more */
    #[DataProvider('questions')]
    public function testEverySubcommandRefusesFilesThatAreNoSnapshot(string $question, array $more): void
    {
        $this->snapshot('b', 10);
        $more = array_map(fn (string $argument): string
            => str_ends_with($argument, '.jsonl') ? "$this->folder/$argument" : $argument, $more);
        self::assertUsageError('Not enough arguments (missing: ', $this->xhprof(['heap', $question]));
        self::assertUsageError('Too many arguments to ', $this->xhprof(['heap', $question, $this->file, ...$more, 'x', 'y']));
        $options = ['--nope' => 'The "--nope" option', '--limit=-1' => '--limit takes a number from 0, not "-1"'];
        foreach ($options as $option => $message) {
            self::assertUsageError($message, $this->xhprof(['heap', $question, $this->file, ...$more, $option]));
        }
        $run = '{"main()":{"ct":1,"wt":5}}';
        $contents = [
            '' => 'the file is empty', 'text' => 'this is not a heap snapshot', $run => 'this is not a heap snapshot',
            '{"snapshot":{"meta":{}}}' => 'a heap snapshot for DevTools; only the format jsonl can be read',
            '{"summary":[],"location_types_summary":{}}' => 'a snapshot of the format reli; only the format jsonl can be read',
            (string) gzencode($run) => 'it is gzipped; gunzip it first',
            "{\"xhprof_heap\":1}\n{\"a\":1,\"t\":\"root\"}\nnonsense\n{\"end\":true}\n" => 'line 3: not JSON',
        ];
        // One reader for all: the first has each of its errors, the others a file of another kind and one with a wrong line.
        if ($question !== 'summary') {
            $contents = array_intersect($contents, ['this is not a heap snapshot', 'line 3: not JSON']);
        }
        $file = "$this->folder/other.jsonl";
        self::assertOneLineError("$file does not exist", $this->xhprof(['heap', $question, $file, ...$more]));
        self::assertOneLineError("$this->folder is a folder", $this->xhprof(['heap', $question, $this->folder, ...$more]));
        foreach ($contents as $text => $message) {
            file_put_contents($file, $text);
            self::assertOneLineError("$file: $message", $this->xhprof(['heap', $question, $file, ...$more]));
        }
        self::assertSame([], glob("$this->folder/xhprof/*.tmp"));
        if (posix_geteuid() !== 0) {
            chmod($file, 0);
            self::assertOneLineError("$file cannot be read: ", $this->xhprof(['heap', $question, $file, ...$more]));
        }
    }

    public function testBothSnapshotsOfAComparisonAreChecked(): void
    {
        self::assertUsageError('(missing: "b")', $this->xhprof(['heap', 'diff', $this->file]));
        $file = "$this->folder/other.jsonl";
        self::assertOneLineError("$file does not exist", $this->xhprof(['heap', 'diff', $this->file, $file]));
        file_put_contents($file, 'text');
        self::assertOneLineError("$file: this is not a heap snapshot", $this->xhprof(['heap', 'diff', $this->file, $file]));
    }

    public function testWithoutCallPathsItSaysHowToRecordThem(): void
    {
        file_put_contents("$this->folder/none.heap.jsonl", (new HeapFixture())->text());
        $result = $this->xhprof(['heap', 'top', "$this->folder/none.heap.jsonl", '--by=path']);
        self::assertOneLineError('the snapshot has no call paths: call xhprof_enable(XHPROF_FLAGS_ALLOC)', $result);
    }

    public function testACutFileIsSaid(): void
    {
        $text = (string) file_get_contents($this->file);
        file_put_contents("$this->folder/cut.heap.jsonl", substr($text, 0, 9000));
        $out = $this->heap('summary', "$this->folder/cut.heap.jsonl");
        self::assertStringContainsString('The end of the file is missing', $out);
    }

    public function testLongWorkShowsProgressOnATerminal(): void
    {
        $script = $this->script(
            <<<'PHP'
            require $argv[1];
            $output = new Symfony\Component\Console\Output\ConsoleOutput();
            XHProf\Cli\Terminal\Progress::during($output, static function (Closure $tell): void {
                $tell('Too early', 1, 4);
                for ($i = 0; $i < 4; $i++) {
                    usleep(250000);
                    $tell('Working', $i, 4);
                }
            });
            PHP,
        );
        $command = [PHP_BINARY, $script, self::ROOT . '/vendor/autoload.php'];
        self::assertSame(['', ''], [$this->process($command)->err, $this->process($command)->out], 'no terminal, no word');
        if (!is_executable('/usr/bin/script')) {
            self::markTestSkipped('there is no script(1) to make a terminal with');
        }
        $pseudo = $this->process(['/usr/bin/script', '-qec', implode(' ', array_map(escapeshellarg(...), $command)), '/dev/null']);
        $wipe = "\r\e[2K";
        self::assertStringContainsString("{$wipe}Working ... 75 %$wipe", $pseudo->out);
        self::assertStringNotContainsString('Too early', $pseudo->out);
    }

    public function testHelp(): void
    {
        self::assertSame($this->heap('top', '--help'), $this->xhprof(['help', 'heap', 'top'])->out);
        self::assertStringContainsString('1 of 5 classes; ', $this->heap('--limit=1', 'summary', $this->file));
        self::assertSame('', $this->heap('-q', 'summary', $this->file));
    }

    public function testASnapshotOfTheExtension(): void
    {
        self::needExtension();
        $module = self::ROOT . '/extension/modules/xhprof.so';
        $load = is_file($module) && !extension_loaded('xhprof') ? ['-d', "extension=$module"] : [];
        $file = "$this->folder/real.heap.jsonl";
        $script = $this->script(
            <<<'PHP'
            if (!function_exists('xhprof_heap_snapshot')) { exit(9); }
            gc_disable();
            final class Item { public array $tags; function __construct(int $i) { $this->tags = ["tag $i"]; } }
            final class Store { public static array $items = []; }
            final class Lost { public array $s; function __construct() { $this->s = [$this, str_repeat('x', mt_rand(9, 99))]; } }
            final class Listener {
                public array $rows = [];
                function __construct(int $n) { for ($i = 0; $i < 300; $i++) { $this->rows[] = "row $n of $i"; } }
                function handler() { return function () { return count($this->rows); }; }
            }
            final class Registry { public static array $listeners = []; }
            for ($i = 0; $i < 7; $i++) { Registry::$listeners[] = (new Listener($i))->handler(); }
            function keep() { static $kept = []; $kept[] = new Item(-1); }
            for ($i = 0; $i < 1000; $i++) { Store::$items["item $i"] = new Item($i); }
            for ($i = 0; $i < 10; $i++) { new Lost; }
            keep();
            $closure = (static function (Item $used) { return static fn () => $used; })(new Item(-2));
            function job(Item $item, string $file) { xhprof_heap_snapshot($file); }
            job(new Item(-3), $argv[1]);
            PHP,
        );
        $made = $this->process([PHP_BINARY, ...$load, $script, $file]);
        if ($made->exitCode === 9) {
            self::markTestSkipped('this extension takes no heap snapshots');
        }
        self::assertSame([0, ''], [$made->exitCode, $made->err . $made->out]);
        $summary = $this->json('summary', $file);
        self::assertSame([], $summary['notes']);
        self::assertSame($summary['summary']['usage'], $summary['header']['usage']);
        $classes = array_column($summary['classes'], null, 'name');
        self::assertSame([1003, 10], [$classes['Item']['count'], $classes['Lost']['count']]);
        $retainers = array_column($this->json('paths', $file, '--class=Item', '--limit=0')['holders'], 'count', 'path');
        ksort($retainers);
        self::assertSame([
            "\$GLOBALS['closure']{use \$used}" => 1, 'Store::$items[*]' => 1000, 'job() $item' => 1, 'keep() static $kept[*]' => 1,
        ], $retainers);
        $leaks = $this->json('leaks', $file);
        $accumulating = array_column($leaks['accumulates'], null, 'path');
        self::assertSame([1000, 'Item'], [$accumulating['Store::$items']['count'], $accumulating['Store::$items']['of']]);
        $listeners = $accumulating['Registry::$listeners'];
        self::assertSame([7, 'Closure', 7], [$listeners['count'], $listeners['of'], $listeners['part_count']]);
        $rows = array_map(static fn (int $i): array => ["Registry::\$listeners[$i]{\$this}->rows", 300, 'string'], range(0, 6));
        $parts = array_map(static fn (array $part): array => [$part['path'], $part['count'], $part['of']], $listeners['parts']);
        self::assertEqualsCanonicalizing($rows, $parts);
        self::assertGreaterThan(array_sum(array_column($listeners['parts'], 'retained_bytes')), $listeners['retained_bytes']);
        self::assertSame(2, count($accumulating), 'the rows are under their container only');
        $shown = '/\bRegistry::\$listeners\n(?:.*  \.\.\.\[\d\]\{\$this\}->rows\n){3} +4 more parts\n/';
        self::assertMatchesRegularExpression($shown, $this->heap('leaks', $file));
        $garbage = array_map(static fn (array $row): array => [$row['count'], $row['of']], $leaks['garbage']);
        self::assertContains([10, 'Lost'], $garbage);
    }

    public function testASnapshotIsWrittenInOtherFormats(): void
    {
        foreach (['heapsnapshot' => 'snapshot', 'reli.json' => 'context'] as $extension => $key) {
            $file = "$this->folder/a.$extension";
            file_put_contents($file, 'what was there before');
            chmod($file, 0644);
            $format = explode('.', $extension)[0];
            $out = $this->heap('export', $this->file, '--format', $format);
            self::assertMatchesRegularExpression('~\AWrote ' . preg_quote($file, '~') . ', [\d.]+ KB\n\z~', $out);
            self::assertArrayHasKey($key, json_decode((string) file_get_contents($file), true, 200, JSON_THROW_ON_ERROR));
            clearstatcache();
            self::assertSame('600', decoct(fileperms($file) & 0777), 'it has what the program had in memory');
            self::assertSame(file_get_contents($file), $this->heap('export', $this->file, '-f', $format, '-o', '-'));
        }
        self::assertStringContainsString("\n    \"context\": {\n", $this->heap('export', $this->file, '-freli', '--pretty', '-o-'));
    }

    public function testAnImpossibleExportIsRefusedInOneLine(): void
    {
        $export = fn (string ...$more): ProcessResult => $this->xhprof(['heap', 'export', ...array_values($more)]);
        self::assertUsageError('--format is missing: html, heapsnapshot, reli', $export($this->file));
        self::assertUsageError('--pretty is for reli, not heapsnapshot', $export($this->file, '-f', 'heapsnapshot', '--pretty'));
        self::assertOneLineError('there is no format "pprof" of heap snapshots; take', $export($this->file, '-f', 'pprof'));
        self::assertOneLineError('does not exist', $export("$this->folder/none", '-f', 'reli'));
        $where = "$this->folder/no/where";
        self::assertOneLineError("cannot write to $where: No such", $export($this->file, '-f', 'reli', '-o', $where));
        file_put_contents("$this->folder/cut", substr((string) file_get_contents($this->file), 0, 700) . "]\n{}\n");
        self::assertOneLineError('not JSON', $export("$this->folder/cut", '-f', 'reli', '-o', "$this->folder/out"));
        self::assertFileDoesNotExist("$this->folder/out");
    }
}
