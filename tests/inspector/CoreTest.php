<?php

declare(strict_types=1);

namespace XHProf\Tests\Inspector;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;

require_once __DIR__ . '/InspectorTestCase.php';
require_once __DIR__ . '/CoreFile.php';

/** --core: what a core file shows is what the process had; files that are cut, of others or forged are refused by one line. */
#[Group('inspect')]
final class CoreTest extends InspectorTestCase
{
    private const PROGRAM = <<<'PHP'
        class Item { public function __construct(public string $name, public ?Item $next = null) {} }
        final class Shop
        {
            private static array $all = [];
            public static function fill(int $n): void
            {
                for ($i = 0; $i < $n; $i++) { self::$all[] = new Item("item number $i"); }
            }
            public static function serve(string $customer): void
            {
                $basket = ['apples' => new Item('the apple'), 'map' => new SplObjectStorage()];
                wait();
            }
        }
        function generate() { $held = str_repeat('g', 5000); yield 1; }
        $generator = generate();
        $generator->current();
        $fiber = new Fiber(function () { $inFiber = str_repeat('f', 6000); Fiber::suspend(); });
        $fiber->start();
        Shop::fill(3000);
        Shop::serve('secret customer');
        PHP;

    /** @var list<int> exits that are no crash */
    private const ENDS = [0, 1, 5, 6, 7, 10, 11, 12];

    /** The lines of the nodes; the key of the hashes of strings is another one each time. */
    private static function nodes(string $file): string
    {
        $lines = array_slice(explode("\n", trim((string) file_get_contents($file))), 1, -1);
        self::assertGreaterThan(3000, count($lines));

        return (string) preg_replace('/"h":"[0-9a-f]{16}"/', '', implode("\n", $lines));
    }

    /** @return iterable<string, array{\Closure(self, int, string): bool}> ways of making one; false: this system cannot */
    public static function cores(): iterable
    {
        yield 'as the kernel writes it' => [static function (self $test, int $pid, string $core): bool {
            CoreFile::ofProcess($pid)->write($core);

            return true;
        }];
        yield 'with all that is mapped' => [static function (self $test, int $pid, string $core): bool {
            CoreFile::ofProcess($pid, static fn (): bool => true)->write($core);

            return true;
        }];
        yield 'gcore' => [static function (self $test, int $pid, string $core): bool {
            exec('command -v gcore', $found, $missing);
            $missing === 0 && exec('gcore -o ' . escapeshellarg($core) . " $pid 2>&1");

            return is_file("$core.$pid") && rename("$core.$pid", $core);
        }];
        yield 'the kernel itself' => [static function (self $test, int $pid, string $core): bool {
            if (trim((string) @file_get_contents('/proc/sys/kernel/core_pattern')) !== 'core') {
                return false;
            }
            posix_kill($pid, SIGABRT);
            $name = trim((string) @file_get_contents('/proc/sys/kernel/core_uses_pid')) === '1' ? "core.$pid" : 'core';
            $test->eventually(static fn (): bool => in_array(self::state($pid), ['', 'Z'], true), 'the process does not end');

            return is_file("$test->folder/$name") && rename("$test->folder/$name", $core);
        }];
    }

    #[DataProvider('cores')]
    public function testACoreFileShowsWhatTheProcessHad(\Closure $make): void
    {
        $limit = ['bash', '-c', 'ulimit -c unlimited 2>/dev/null; exec "$@"', 'bash'];
        $pid = $this->target(self::PROGRAM, prefix: $limit);
        $live = "$this->folder/live.heap.jsonl";
        self::assertSame(0, $this->inspect(['memory', '-p', (string) $pid, '-o', $live])->exitCode);
        $trace = $this->inspect(['trace', '-p', (string) $pid, '--for=0.1', '--format=lines'])->out;
        $stack = explode("\n\n", $trace)[0] . "\n\n";
        self::assertStringContainsString('Shop::serve', $stack);

        if (!$make($this, $pid, "$this->folder/the-core")) {
            self::markTestSkipped('no core file is written in this way here');
        }
        $result = $this->inspect(['--core', "$this->folder/the-core", '--exe', (string) realpath(PHP_BINARY)]);

        self::assertSame(0, $result->exitCode, $result->err);
        self::assertSame($stack, $result->out);
        self::assertSame(self::nodes($live), self::nodes("$this->folder/the-core.heap.jsonl"));
        $snapshot = new Snapshot("$this->folder/the-core.heap.jsonl");
        $header = (new Snapshot($live))->header;
        self::assertSame('core', $snapshot->header['reader']);
        self::assertSame($pid, $snapshot->header['pid']);
        self::assertArrayNotHasKey('host', $snapshot->header);
        foreach (['php', 'sapi', 'usage', 'peak', 'real_usage', 'chunks'] as $key) {
            self::assertSame($header[$key], $snapshot->header[$key], $key);
        }
        self::assertSame(0, $snapshot->summary['unreadable']);

        $core = ['core', "$this->folder/the-core", '--exe=' . realpath(PHP_BINARY), '-o', "$this->folder/again.heap.jsonl"];
        self::assertSame($stack, $this->inspect($core)->out);
        self::assertSame(self::nodes($live), self::nodes("$this->folder/again.heap.jsonl"));

        // One of both, and the program that the file names.
        $memory = $this->inspect(['memory', "--core=$this->folder/the-core", '-o', "$this->folder/memory.heap.jsonl", '--redact']);
        self::assertSame(0, $memory->exitCode, $memory->err);
        self::assertStringNotContainsString('secret customer', (string) file_get_contents("$this->folder/memory.heap.jsonl"));
        $calls = $this->inspect(['trace', "--core=$this->folder/the-core", '--depth=1']);
        self::assertStringStartsWith('0 sleep <internal>:-1' . "\n" . '1 (truncated)', $calls->out);
    }

    public function testACoreFileOfACrashWithinTheAllocatorOrTheGarbageCollectorIsRead(): void
    {
        $pid = $this->target(<<<'PHP'
            class Node { public $to; }
            function churn()
            {
                ready();
                for (;;) {
                    [$a, $b] = [new Node(), new Node()];
                    [$a->to, $b->to] = [$b, $a];
                    $s[] = str_repeat("x", mt_rand(1, 9000));
                    if (count($s) > 200) { $s = []; gc_collect_cycles(); }
                }
            }
            churn();
            PHP);
        mt_srand(4);
        for ($i = 0; $i < 8; $i++) {
            usleep(mt_rand(0, 20_000));
            posix_kill($pid, SIGSTOP);
            $this->eventually(static fn (): bool => self::state($pid) === 'T', 'the target does not stop');
            CoreFile::ofProcess($pid)->write("$this->folder/core$i");
            posix_kill($pid, SIGCONT);
            $result = $this->inspect(['--core', "$this->folder/core$i"]);
            self::assertContains($result->exitCode, [0, 10, 12], $result->err);
            if ($result->exitCode === 0) {
                self::assertMatchesRegularExpression('/^\d+ churn .*:\d+\n\d+ <main>/m', $result->out);
                self::assertNotSame([], (new Snapshot("$this->folder/core$i.heap.jsonl"))->nodes);
            }
        }
    }

    public function testTheProgramHasToBeTheOneThatHasRun(): void
    {
        copy((string) realpath(PHP_BINARY), "$this->folder/php");
        chmod("$this->folder/php", 0755);
        $pid = $this->target(self::PROGRAM, php: "$this->folder/php");
        CoreFile::ofProcess($pid)->write("$this->folder/core");
        rename("$this->folder/php", "$this->folder/moved");

        $core = "--core=$this->folder/core";
        $refused = fn (int $code, string $pattern, string ...$exe) => self::assertRefusal(
            $code,
            "~$pattern~",
            $this->inspect(['memory', $core, ...array_values($exe)]),
        );
        $refused(5, 'its program, \S+/php, could not be read \(No such file or directory\): name it by --exe=FILE');
        $refused(11, '/bin/sh is not the program of \S+/core, or another build of it: that is of \S+/php', '--exe=/bin/sh');
        $refused(11, 'cannot read \S+/none: No such file', "--exe=$this->folder/none");
        $refused(11, 'cannot read \S+/core: it is not a program or library', "--exe=$this->folder/core");
        $refused(11, 'it is not an ELF file', '--exe=' . __FILE__);
        $refused(11, 'it is not a file', '--exe=/dev/zero');
        $result = $this->inspect(['memory', $core, "--exe=$this->folder/moved", '-o', "$this->folder/out"]);
        self::assertSame(0, $result->exitCode, $result->err);

        // A new build at the same place is not taken for the old one.
        $bytes = (string) file_get_contents("$this->folder/moved");
        file_put_contents("$this->folder/php", substr_replace($bytes, chr(ord($bytes[0x3f0]) ^ 1), 0x3f0, 1));
        $refused(5, 'it has been replaced since');
    }

    public function testFilesThatAreNoCoreFilesOfThisMachineAreRefused(): void
    {
        $core = new CoreFile();
        $core->memory[] = ['from' => 0x10000, 'to' => 0x11000, 'rights' => 4, 'bytes' => str_repeat('x', 4096), 'file' => '',
            'offset' => 0];
        $other = CoreFile::machine() === CoreFile::X86_64 ? CoreFile::AARCH64 : CoreFile::X86_64;
        $cases = [
            '32 bits' => [['class' => 1, 'machine' => 3], '/it is of a process of 32 bits/'],
            'no class' => [['class' => 7], '/it is damaged/'],
            'byte order' => [['data' => 2], '/it is of a machine with another byte order/'],
            'machine' => [['machine' => $other], '/it is of a machine with another processor/'],
            'version' => [['version' => 2], '/an unknown version of ELF/'],
            'program' => [['type' => 3], '/it is not a core file but a program or library/'],
            'entries' => [['phentsize' => 32], '/it is damaged/'],
            'no entries' => [['phnum' => 0], '/it is damaged/'],
            'entries elsewhere' => [['phnum' => 0xffff], '/it is damaged/'],
            'too many entries' => [['phnum' => 0xfffe], '/it is cut short/'],
            'entries behind its end' => [['phoff' => PHP_INT_MAX], '/it is cut short/'],
            'no PHP' => [[], '/process 1 is not PHP: php worker\.php --password=REDACTED/'],
        ];
        foreach ($cases as $name => [$header, $pattern]) {
            $core->header = $header;
            $core->write("$this->folder/made");
            self::assertRefusal($name === 'no PHP' ? 5 : 11, $pattern, $this->inspect(['memory', "--core=$this->folder/made"]));
        }
        file_put_contents("$this->folder/text", str_repeat('no core ', 1000));
        self::assertRefusal(11, '/it is not an ELF file/', $this->inspect(['memory', "--core=$this->folder/text"]));
        file_put_contents("$this->folder/text", '');
        self::assertRefusal(11, '/it is not a core file/', $this->inspect(['memory', "--core=$this->folder/text"]));
        self::assertRefusal(11, '/it is not a file/', $this->inspect(['memory', "--core=$this->folder"]));
        self::assertRefusal(11, '/No such file/', $this->inspect(['memory', "--core=$this->folder/none"]));
        self::assertRefusal(2, '/--exe names the program of a core file/', $this->inspect(['memory', '-p', '1', '--exe=/bin/sh']));
        self::assertRefusal(2, '/no process is named/', $this->inspect(['memory', '-p', '1', "--core=$this->folder/made"]));
        self::assertRefusal(2, '/--core=FILE is missing/', $this->inspect(['core']));
        self::assertRefusal(2, '/top has no option --core/', $this->inspect(['top', "--core=$this->folder/made"]));
    }

    public function testPartsThatDoNotFitAreRefused(): void
    {
        $page = static fn (int $at, int $pages = 1): array => ['from' => $at, 'to' => $at + 4096 * $pages, 'rights' => 6,
            'bytes' => str_repeat('x', 4096 * $pages), 'file' => '', 'offset' => 0];
        $file = static fn (string $numbers, string $names = ''): array => [0x46494c45, $numbers . $names];
        $one = pack('PPPPP', 1, 4096, 0x10000, 0x11000, 0);
        $two = pack('PPPPPPPP', 2, 4096, 0x10000, 0x12000, 0, 0x11000, 0x13000, 0);
        $cases = [
            'overlapping' => [[$page(0x10000, 2), $page(0x11000)], []],
            'files without room' => [[$page(0x10000)], [$file(pack('PP', 1 << 60, 4096))]],
            'files without names' => [[$page(0x10000)], [$file($one)]],
            'a name without an end' => [[$page(0x10000)], [$file($one, '/x')]],
            'pages of no bytes' => [[$page(0x10000)], [$file(pack('PP', 0, 0))]],
            'an offset that overflows' => [[$page(0x10000)], [$file(substr($one, 0, -8) . pack('P', -1), "/x\0")]],
            'overlapping files' => [[$page(0x10000)], [$file($two, "/x\0/y\0")]],
        ];
        foreach ($cases as $name => [$memory, $notes]) {
            $core = new CoreFile();
            [$core->memory, $core->notes, $core->hasFiles] = [$memory, $notes, false];
            $core->write("$this->folder/made");
            $result = $this->inspect(['memory', "--core=$this->folder/made"]);
            self::assertSame("xhprof-inspect: cannot read $this->folder/made: it is damaged\n", $result->err, $name);
            self::assertSame(11, $result->exitCode, $name);
        }
        // A name of a file is no line of the list of memory, and no file but a library is read.
        file_put_contents("$this->folder/private", str_repeat('private', 2000));
        $core = new CoreFile();
        $core->memory = [
            ['bytes' => '', 'file' => "$this->folder/private"] + $page(0x20000),
            ['bytes' => '', 'file' => "/x\n10000-20000 rw-p 0 0 0 /y"] + $page(0x30000),
        ];
        $core->write("$this->folder/made");
        self::assertRefusal(5, '/process 1 is not PHP/', $this->inspect(['memory', "--core=$this->folder/made"]));
    }

    public function testDamagedCoreFilesEndWell(): void
    {
        $pid = $this->target(self::PROGRAM);
        CoreFile::ofProcess($pid)->write("$this->folder/core");
        $bytes = (string) file_get_contents("$this->folder/core");
        posix_kill($pid, SIGKILL);
        mt_srand(3);
        for ($i = 0; $i < 8; $i++) {
            $cut = substr($bytes, 0, mt_rand(0, strlen($bytes) - 1));
            self::assertRefusal(11, '/it is (cut short|not a core file|damaged)/', $this->damaged($cut));
        }
        $head = (int) strpos($bytes, "\x7fELF", 64); // the notes end before the first page of a program
        for ($i = 0; $i < 40; $i++) {
            $other = $bytes;
            $end = [$head, $head, strlen($bytes), strlen($bytes)][$i % 4];
            for ($n = [1, 10, 100, 5000][mt_rand(0, 3)]; $n > 0; $n--) {
                $at = mt_rand(0, $end - 1);
                if ($i % 4 === 3) { // a pointer, or the like, to another place
                    $at &= ~7;
                    $from = mt_rand(0, $end - 8) & ~7;
                    for ($k = 0; $k < 8 && $at + $k < $end; $k++) {
                        $other[$at + $k] = $bytes[$from + $k];
                    }
                } else {
                    $other[$at] = chr(mt_rand(0, 255));
                }
            }
            $result = $this->damaged($other);
            self::assertContains($result->exitCode, self::ENDS, $result->err);
            if ($result->exitCode !== 0) {
                self::assertMatchesRegularExpression('/\Axhprof-inspect: [^\n]+\n\z/', $result->err);
            }
        }
    }

    private function damaged(string $bytes): \XHProf\Tests\Bin\ProcessResult
    {
        file_put_contents("$this->folder/damaged", $bytes);

        return $this->inspect(['memory', "--core=$this->folder/damaged"]);
    }
}
