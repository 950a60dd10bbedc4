<?php

declare(strict_types=1);

namespace XHProf\Tests\Inspector;

use PHPUnit\Framework\Attributes\Group;

require_once __DIR__ . '/InspectorTestCase.php';

/** memory, image: a process's memory. */
#[Group('inspect')]
final class MemoryTest extends InspectorTestCase
{
    private const HEAP = <<<'PHP'
        class Item { public function __construct(public string $name, public ?Item $next = null) {} }
        final class Shop
        {
            private static array $all = [];
            public static function fill(int $n): void
            {
                for ($i = 0; $i < $n; $i++) {
                    self::$all[] = new Item("item number $i");
                }
            }
            public static function serve(string $customer): void
            {
                $basket = ['apples' => new Item('the apple')];
                wait();
            }
        }
        function generate() { $held = str_repeat('g', 5000); yield 1; }
        $generator = generate();
        $generator->current();
        $fiber = new Fiber(function () { $inFiber = str_repeat('f', 6000); Fiber::suspend(); });
        $fiber->start();
        Shop::fill(5000);
        Shop::serve('secret customer');
        PHP;

    /**
     * Percent of the heap that has a type. Left out is what PHP's URL parser (ext/uri, always there since 8.5) keeps for itself
     * from the beginning of each request, 72 KB whose types only its library knows: what is native in an empty script's heap.
     */
    private function typedPercent(Snapshot $snapshot): float
    {
        $parser = extension_loaded('uri') ? $this->snapshot($this->target('wait();'))->summary['native']['bytes'] : 0;

        return 100 * $snapshot->summary['typed']['bytes'] / ($snapshot->summary['usage'] - $parser);
    }

    /** The lines of the nodes. Hashes of strings, whose key is another one each time, are numbers: equal ones are the same. */
    private static function nodes(string $lines): string
    {
        $numbers = [];
        $nodes = preg_replace_callback('/"h":"([0-9a-f]{16})"/', static function (array $match) use (&$numbers): string {
            return '"h":' . ($numbers[$match[1]] ??= count($numbers));
        }, implode("\n", array_slice(explode("\n", trim($lines)), 1, -1)));
        self::assertNotSame([], $numbers);

        return (string) $nodes;
    }

    public function testAllOfTheHeapIsReported(): void
    {
        $pid = $this->target(self::HEAP);
        $usage = (int) explode(' ', $this->printed())[1];

        $snapshot = $this->snapshot($pid);

        self::assertSame(PHP_VERSION, $snapshot->header['php']);
        self::assertSame($pid, $snapshot->header['pid']);
        self::assertSame('cli', $snapshot->header['sapi']);
        self::assertSame('outside', $snapshot->header['reader']);
        self::assertTrue($snapshot->header['stopped']);
        self::assertStringContainsString('target0.php', $snapshot->header['command']);
        // The usage that it reported; the message itself has been freed.
        self::assertEqualsWithDelta($usage, $snapshot->header['usage'], 4096);
        $sum = array_sum(array_column($snapshot->nodes, 'b'));
        self::assertSame($snapshot->header['usage'], $sum);
        self::assertSame($sum, $snapshot->summary['usage']);
        self::assertGreaterThanOrEqual(99.0, $this->typedPercent($snapshot));
        self::assertSame(5001, $snapshot->summary['classes']['Item']['count']);
        self::assertFalse($snapshot->summary['incomplete']);
        self::assertCount(1, $snapshot->all('generator'));
        self::assertCount(1, $snapshot->all('fiber'));
    }

    public function testCallsAreReportedWithTheirVariables(): void
    {
        $snapshot = $this->snapshot($this->target(self::HEAP));

        self::assertSame(['sleep', 'wait:3', 'Shop::serve:18', '{main}:27'], $snapshot->calls());
        $frame = $snapshot->all('frame', 'Shop::serve')[0];
        self::assertSame('secret customer', $snapshot->follow($frame, 'customer')['v']);
        $apple = $snapshot->follow($snapshot->follow($frame, 'basket'), 'apples');
        self::assertSame('Item', $apple['c']);
        self::assertSame('the apple', $snapshot->follow($apple, 'name')['v']);
    }

    public function testContentsCanBeLeftOut(): void
    {
        $pid = $this->target(self::HEAP);

        $redacted = $this->snapshot($pid, '--redact');
        $short = $this->snapshot($pid, '--max-string=6');

        self::assertTrue($redacted->header['redacted']);
        self::assertSame([], array_column($redacted->nodes, 'v'));
        $frame = $short->all('frame', 'Shop::serve')[0];
        self::assertSame('secret', $short->follow($frame, 'customer')['v']);
        self::assertSame(15, $short->follow($frame, 'customer')['n']);
    }

    public function testOtherFormatsAreMadeOfTheSnapshot(): void
    {
        $pid = $this->target(self::HEAP);
        $snapshot = "$this->folder/a.heap.jsonl";
        $taken = $this->inspect(['memory', '-p', (string) $pid, '--format=jsonl', '-o', $snapshot]);
        self::assertSame(0, $taken->exitCode, $taken->err);
        foreach (['reli' => 'context', 'heapsnapshot' => 'snapshot'] as $format => $key) {
            $refused = $this->inspect(['memory', '-p', (string) $pid, "--format=$format"]);
            $command = "xhprof heap export FILE --format=$format";
            $error = "xhprof-inspect: --format cannot be \"$format\": take jsonl, and run $command\n";
            self::assertSame([2, $error, ''], [$refused->exitCode, $refused->err, $refused->out]);

            $command = ['env', "XDG_CACHE_HOME=$this->folder", PHP_BINARY, __DIR__ . '/../../bin/xhprof', 'heap', 'export'];
            exec(implode(' ', array_map(escapeshellarg(...), [...$command, $snapshot, '-f', $format, '-o', '-'])), $lines, $code);
            self::assertSame(0, $code);
            $text = implode("\n", $lines);
            $data = json_decode($text, true, 512, JSON_THROW_ON_ERROR);
            self::assertIsArray($data);
            self::assertArrayHasKey($key, $data);
            self::assertStringContainsString('the apple', $text);
            $lines = [];
        }
    }

    /** The image yields the same nodes as the process, in the same order. */
    public function testImageOfAProcess(): void
    {
        $pid = $this->target(self::HEAP);
        $image = "$this->folder/image";

        $copied = $this->inspect(['image', '-p', (string) $pid, '-o', $image]);
        $direct = $this->inspect(['memory', '-p', (string) $pid]);
        posix_kill($pid, SIGKILL);
        $later = $this->inspect(['memory', "--image=$image"]);

        self::assertSame([0, 0, 0], [$copied->exitCode, $direct->exitCode, $later->exitCode], $copied->err . $later->err);
        self::assertMatchesRegularExpression(
            "{\Axhprof-inspect: [1-9]\d*\.\d MB of process $pid; $image: \d+ ms; stopped for \d+\.\d ms\n\z}",
            $copied->err,
        );
        self::assertSame(0600, fileperms($image) & 0777);
        self::assertSame(md5(self::nodes($direct->out)), md5(self::nodes($later->out)));
        self::assertStringContainsString('"reader":"image"', $later->out);
    }

    public function testProcessThatGoesOn(): void
    {
        $pid = $this->target(<<<'PHP'
            class Node { public array $values = []; public ?Node $other = null; }
            ready();
            $keep = [];
            for ($i = 0; ; $i++) {
                $node = new Node();
                $node->values = range(1, mt_rand(1, 50));
                $node->other = $keep[mt_rand(0, 999)] ?? null;
                $keep[$i % 1000] = $node;
                if ($i % 3 === 0) { $node->other = null; }
                if ($i % 1000 === 0) { echo "."; }
            }
            PHP);
        for ($i = 0; $i < 5; $i++) {
            $snapshot = $this->snapshot($pid, '--no-stop');

            self::assertFalse($snapshot->header['stopped']);
            self::assertGreaterThan(100, $snapshot->summary['classes']['Node']['count'] ?? 0);
        }
        $this->assertGoesOn(0);
    }

    public function testStoppedProcessGoesOn(): void
    {
        $pid = $this->target('ready(); $x = range(1, 100); while (true) { echo "."; usleep(2000); }');

        $this->snapshot($pid);

        $this->assertGoesOn(0);
        self::assertSame(0, (int) (preg_match('/^TracerPid:\s+(\d+)/m', (string) file_get_contents("/proc/$pid/status"), $match)
            ? $match[1] : -1));
    }

    /** The process's waits go on too: no call ends early. */
    public function testCallsOfTheSystemAreNotInterrupted(): void
    {
        $pid = $this->target(<<<'PHP'
            $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
            ready();
            $r = [$pair[0]];
            $none = null;
            $began = hrtime(true);
            $left = sleep(1);
            $selected = stream_select($r, $none, $none, 1);
            stream_set_timeout($pair[0], 1);
            $read = fread($pair[0], 10);
            exec('sleep 1', $lines, $code);
            echo json_encode([$left, $selected, $read, stream_get_meta_data($pair[0])['timed_out'], $code,
                (hrtime(true) - $began) > 3_900_000_000]), "\n";
            PHP, ['display_errors=stderr']);
        $taken = 0;
        while (!str_contains($this->printed(), '[')) {
            $result = $this->inspect(['memory', '-p', (string) $pid, '-o', "$this->folder/heap"]);
            $taken += $result->exitCode === 0 ? 1 : 0;
        }

        self::assertGreaterThan(2, $taken);
        self::assertStringEndsWith("\n[0,0,false,true,0,true]\n", $this->printed());
    }

    public function testProgressIsForATerminal(): void
    {
        if (!is_executable('/usr/bin/script')) {
            self::markTestSkipped('there is no script(1), which makes a terminal');
        }
        $pid = $this->target(self::HEAP);
        $command = implode(' ', array_map(escapeshellarg(...), [self::program(), 'memory', '-p', (string) $pid, '-o',
            "$this->folder/heap"]));
        $name = "$this->folder/terminal";

        $result = $this->finish($this->start(['/usr/bin/script', '-qec', $command, '/dev/null'], $name), $name);
        $quiet = $this->inspect(['memory', '-p', (string) $pid, '-o', "$this->folder/heap"]);

        self::assertStringContainsString("\rxhprof-inspect:  ", $result->out);
        self::assertMatchesRegularExpression('/inspect:  \d\d %/', $result->out);
        $typed = preg_quote(sprintf('%.2f', (new Snapshot("$this->folder/heap"))->summary['typed_percent']), '/');
        self::assertMatchesRegularExpression(
            "/\\Axhprof-inspect: \\d+\\.\\d MB in \\d+ blocks, $typed % typed, .* \\d+ ms; stopped for \\d+\\.\\d ms\\n\\z/",
            $quiet->err,
        );
    }

    /** Its memory has been copied: it goes on, and may even end, while the snapshot waits for a reader. */
    public function testTheProcessGoesOnWhileItsSnapshotIsWritten(): void
    {
        $pid = $this->target(self::HEAP_THAT_GOES_ON);
        [$inspector, $pipe] = $this->blockedInspector($pid);

        self::assertNotSame('t', self::state($pid));
        $this->assertGoesOn(0);
        posix_kill($pid, SIGKILL);
        $this->eventually(fn (): bool => in_array(self::state($pid), ['', 'Z'], true), 'the target does not end');
        file_put_contents("$this->folder/whole", (string) stream_get_contents($pipe));
        $result = $this->finish($inspector, "$this->folder/blocked");

        self::assertSame(0, $result->exitCode, $result->err);
        $snapshot = new Snapshot("$this->folder/whole");
        self::assertSame($snapshot->header['usage'], $snapshot->summary['usage']);
        self::assertSame(30_000, $snapshot->summary['classes']['Item']['count']);
        self::assertGreaterThanOrEqual(99.0, $this->typedPercent($snapshot));
    }

    public function testTheSameIsReadFromACopyAndFromTheProcess(): void
    {
        $long = '$twins = [str_repeat("long text ", 20000), str_repeat("long text ", 20000)];';
        $pid = $this->target($long . self::HEAP);

        $copied = $this->inspect(['memory', '-p', (string) $pid]);
        $direct = $this->inspect(['memory', '-p', (string) $pid, '--max-copy=0']);
        $large = $this->inspect(['memory', '-p', (string) $pid, '--max-copy=1']);

        self::assertSame([0, 0, 0], [$copied->exitCode, $direct->exitCode, $large->exitCode]);
        self::assertSame(md5(self::nodes($direct->out)), md5(self::nodes($copied->out)));
        self::assertSame(md5(self::nodes($direct->out)), md5(self::nodes($large->out)));
        preg_match_all('/"n":200000,"h":(\d+),/', self::nodes($direct->out), $hashes);
        self::assertCount(2, $hashes[1], 'the long strings');
        self::assertCount(1, array_unique($hashes[1]));
        self::assertSame(['', ''], [$copied->err, $direct->err]);
        self::assertSame(
            "xhprof-inspect: the memory of process $pid is too large to copy: it is stopped until all is read\n",
            $large->err,
        );
    }

    public function testNothingShowsSecretsOfTheCommand(): void
    {
        $other = $this->start(['/usr/bin/tail', '-f', '/dev/null', '--', '--password=hunter2'], "$this->folder/other");
        $pid = $this->target('wait();', ['user_agent=x?token=hunter2']);
        $pool = 'user_agent=x?token=hunter2'; // a user who selects by it knows it

        $results = [
            'memory' => $this->inspect(['memory', '-P', $pool, '--redact', '-o', "$this->folder/%p.heap"]),
            'image' => $this->inspect(['image', '-p', (string) $pid, '-o', "$this->folder/$pid.image"]),
            'top' => $this->inspect(['top', '-p', (string) $pid, '--for=0.2']),
            'other' => $this->inspect(['memory', '-p', (string) proc_get_status($other)['pid'], '-o', "$this->folder/none"]),
        ];
        $read = $this->inspect(['memory', "--image=$this->folder/$pid.image", '--redact', '-o', "$this->folder/read.heap"]);

        self::assertSame([0, 0, 0], [$results['memory']->exitCode, $results['image']->exitCode, $read->exitCode]);
        foreach (["$pid.heap", 'read.heap'] as $file) {
            $snapshot = new Snapshot("$this->folder/$file");
            self::assertStringContainsString("'user_agent=x?token=REDACTED'", $snapshot->header['command']);
            self::assertStringNotContainsString('hunter2', (string) file_get_contents("$this->folder/$file"));
        }
        self::assertStringContainsString('token=REDACTED', $results['top']->out);
        self::assertStringContainsString('--password=REDACTED', $results['other']->err);
        foreach ($results as $result) {
            self::assertStringNotContainsString('hunter2', $result->out . $result->err);
        }
    }

    public function testSeveralProcesses(): void
    {
        $pool = 'user_agent=' . basename($this->folder); // in the commands of these three
        $pids = array_map(fn (string $code): int => $this->target($code, [$pool]), [self::HEAP, self::HEAP, 'wait();']);
        $gone = (int) file_get_contents('/proc/sys/kernel/pid_max'); // the first number that no process has

        $output = "$this->folder/%p.heap.jsonl";
        $result = $this->inspect(['memory', '-p', "$pids[0],$pids[1]", '-p', "$gone,$pids[0]", '-o', $output]);
        $images = $this->inspect(['image', '-P', $pool, '-o', "$this->folder/%p.image"]);

        self::assertSame(3, $result->exitCode, $result->err);
        self::assertStringContainsString("xhprof-inspect: there is no process $gone\n", $result->err);
        foreach ([$pids[0], $pids[1]] as $pid) {
            self::assertStringContainsString("xhprof-inspect: process $pid: 1.", $result->err);
            $snapshot = new Snapshot("$this->folder/$pid.heap.jsonl");
            self::assertSame($pid, $snapshot->header['pid']);
            self::assertSame(5001, $snapshot->summary['classes']['Item']['count']);
        }
        self::assertCount(2, glob("$this->folder/*.heap.jsonl") ?: []);
        self::assertSame(0, $images->exitCode, $images->err);
        $expected = array_map(fn (int $pid): string => "$this->folder/$pid.image", $pids);
        self::assertEqualsCanonicalizing($expected, glob("$this->folder/*.image") ?: []);
        $none = $this->inspect(['trace', '-P', 'no such pool']);
        self::assertRefusal(3, '/no PHP process has "no such pool" in its command/', $none);
    }

    /** It is stopped within the allocator again and again. */
    public function testProcessThatAllocatesAllTheTime(): void
    {
        $pid = $this->target(<<<'PHP'
            ready();
            while (true) {
                $kept = [];
                for ($i = 0; $i < 2000; $i++) {
                    $kept[] = str_repeat('x', $i * 7 % 5000);
                    unset($kept[$i >> 1]);
                }
            }
            PHP);
        for ($i = 0; $i < 40; $i++) {
            $snapshot = $this->snapshot($pid);

            self::assertSame($snapshot->header['usage'], $snapshot->summary['usage']);
            unlink(glob("$this->folder/*.heap.jsonl")[0] ?? '');
        }
    }

    /** Looks as if within the allocator until the inspector has stopped it three times: then sigtimedwait() returns. */
    public function testStoppedWithinTheAllocatorItIsLetGoAndStoppedAgain(): void
    {
        $ffi = $this->ffi();
        $pid = $this->target(self::DAMAGED . <<<'PHP'
            for ($stops = 0; $stops < 3;) {
                $stops += $wait() === -1 ? 1 : 0;
            }
            $add(-$damage);
            echo "repaired\n";
            while (true) { $wait(); }
            PHP, $ffi);

        $snapshot = $this->snapshot($pid);

        self::assertStringContainsString('repaired', $this->printed());
        self::assertSame($snapshot->header['usage'], $snapshot->summary['usage']);
        $image = $this->inspect(['image', '-p', (string) $pid, '-o', "$this->folder/image"]);
        self::assertSame(0, $image->exitCode, $image->err);
    }

    public function testHeapThatStaysDamagedIsRefused(): void
    {
        $ffi = $this->ffi();
        $pid = $this->target(self::DAMAGED . 'while (true) { $wait(); echo "."; }', $ffi);

        foreach (['memory', 'image'] as $command) {
            $result = $this->inspect([$command, '-p', (string) $pid, '-o', "$this->folder/of"]);

            self::assertRefusal(10, "/heap of process $pid cannot be read: .* do not add up .*stopped 25 times/", $result);
            self::assertSame([], glob("$this->folder/of*"));
        }
        self::assertNotSame('t', self::state($pid));
    }

    /** $wait() sleeps until the process is stopped, or for 50 s; $add() changes the size that the heap has noted. */
    private const DAMAGED = <<<'PHP'
        $c = FFI::cdef('void *zend_mm_get_heap(void); int sigemptyset(void *); int sigaddset(void *, int);
            int sigtimedwait(const void *, void *, const void *); int sigprocmask(int, const void *, void *);');
        $set = $c->new('char[128]');
        $c->sigemptyset(FFI::addr($set));
        $c->sigaddset(FFI::addr($set), 10);
        $c->sigprocmask(0, FFI::addr($set), null);
        $time = $c->new('long[2]');
        $time[0] = 50;
        $wait = fn (): int => $c->sigtimedwait(FFI::addr($set), null, FFI::addr($time));
        $size = $c->cast('long *', $c->zend_mm_get_heap()) + 2;
        $add = function (int $bytes) use ($size): void { $size[0] += $bytes; };
        $damage = 32 << 20;
        ready();
        $add($damage);
        PHP . "\n";

    /** @return list<string> settings with which a target has FFI */
    private function ffi(): array
    {
        foreach ([[], ['extension=ffi']] as $settings) {
            $command = [PHP_BINARY, '-n', ...array_map(static fn (string $value): string => "-d$value", $settings), '-r',
                'exit(extension_loaded("FFI") ? 0 : 1);'];
            exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>/dev/null', $output, $code);
            if ($code === 0) {
                return $settings;
            }
        }
        self::markTestSkipped('this PHP has no FFI');
    }

    /** While its output waits for a reader, a process that is not copied waits too; any end of the inspector lets it go on. */
    public function testTheProcessGoesOnHoweverTheInspectorEnds(): void
    {
        $pid = $this->target(self::HEAP_THAT_GOES_ON);
        foreach ([SIGKILL, SIGTERM, SIGINT] as $signal) {
            [$inspector, $pipe] = $this->blockedInspector($pid, '--max-copy=0');
            $this->eventually(fn (): bool => self::state($pid) === 't', 'the process is not stopped');

            proc_terminate($inspector, $signal);
            $result = $this->finish($inspector, "$this->folder/blocked");

            self::assertSame($signal === SIGKILL ? -$signal : 128 + $signal, $result->exitCode);
            $this->eventually(fn (): bool => self::state($pid) !== 't', 'the process is stopped still');
            $this->assertGoesOn(0);
            fclose($pipe);
        }
    }

    public function testTemporaryFileGoesWithASignal(): void
    {
        $pid = $this->target(self::HEAP_THAT_GOES_ON);
        $this->start([self::program(), 'memory', '-p', (string) $pid, '-o', "$this->folder/of"], "$this->folder/x");
        $this->eventually(fn (): bool => glob("$this->folder/of.*.tmp") !== [] || is_file("$this->folder/of"), 'it does not begin');

        foreach (glob("$this->folder/of.*.tmp") ?: [] as $file) {
            posix_kill((int) explode('.', basename($file))[1], SIGTERM);
        }

        $this->eventually(fn (): bool => glob("$this->folder/of.*.tmp") === [], 'the temporary file stays');
        $this->assertGoesOn(0);
    }

    public function testProcessThatIsKilledMeanwhile(): void
    {
        $pid = $this->target(self::HEAP_THAT_GOES_ON);
        [$inspector, $pipe] = $this->blockedInspector($pid, '--max-copy=0');

        posix_kill($pid, SIGKILL);
        $written = stream_get_contents($pipe);
        $result = $this->finish($inspector, "$this->folder/blocked");

        self::assertSame(8, $result->exitCode, $result->err);
        self::assertSame("xhprof-inspect: process $pid ended meanwhile\n", $result->err);
        self::assertStringNotContainsString('"end":true', (string) $written);
    }

    /** A hostile process that took over this program would gain only the right to read processes. */
    public function testPrivilegesAreDroppedBeforeReading(): void
    {
        $pid = $this->target(self::HEAP_THAT_GOES_ON);
        [$inspector, $pipe] = $this->blockedInspector($pid);
        $of = proc_get_status($inspector)['pid'];
        $status = (string) file_get_contents("/proc/$of/status");
        $limits = (string) file_get_contents("/proc/$of/limits");
        fclose($pipe);

        $kept = 1 << 19 | 1 << 1; // CAP_SYS_PTRACE, CAP_DAC_OVERRIDE
        foreach (['CapPrm', 'CapEff', 'CapBnd'] as $set) {
            $value = preg_match("/^$set:\\s+([0-9a-f]+)/m", $status, $match) === 1 ? $match[1] : 'ff';
            if ($set !== 'CapBnd' || posix_geteuid() === 0) {
                self::assertSame(0, hexdec($value) & ~$kept, "$set: $value");
            }
        }
        self::assertMatchesRegularExpression('/^NoNewPrivs:\s+1$/m', $status);
        self::assertMatchesRegularExpression('/^Max core file size +0 +0 /m', $limits);
        self::assertMatchesRegularExpression('/^Max address space +\d+ /m', $limits);
    }

    /** Under nohup, this program and the command that it runs go on when the terminal is closed. */
    public function testHangupThatIsIgnoredStaysIgnored(): void
    {
        $nohup = ['/bin/sh', '-c', 'trap "" HUP; exec "$@"', 'sh'];
        $code = 'grep -E "^Sig(Ign|Cgt|Blk)" /proc/self/status; sleep 0.6';
        $direct = $this->finish($this->start([...$nohup, '/bin/sh', '-c', $code], "$this->folder/direct"), "$this->folder/direct");
        $command = ['memory', '-o', "$this->folder/heap", '--after=0.1', '--', '/bin/sh', '-c', $code];
        $pid = $this->target('wait();');
        $trace = $this->start([...$nohup, self::program(), 'trace', '-p', (string) $pid], "$this->folder/trace");
        $signals = static fn (string $set): int => (int) hexdec(preg_match(
            "/^Name:\\s+xhprof-inspect$.*^$set:\\s+([0-9a-f]+)/ms", // not of the process before its exec
            (string) @file_get_contents('/proc/' . proc_get_status($trace)['pid'] . '/status'),
            $match,
        ) === 1 ? $match[1] : '0');

        $this->eventually(fn (): bool => ($signals('SigCgt') >> SIGTERM - 1 & 1) === 1, 'the inspector does not watch signals');

        self::assertSame([1, 0], [$signals('SigIgn') >> SIGHUP - 1 & 1, $signals('SigCgt') >> SIGHUP - 1 & 1]);
        self::assertStringContainsString('SigIgn', $direct->out);
        self::assertSame($direct->out, $this->inspect($command, $nohup)->out);
    }

    /** A hostile process may list more memory than can be searched. */
    public function testMappingThatIsTooLargeToBeLookedThrough(): void
    {
        $pid = $this->target(<<<'PHP'
            $c = FFI::cdef('void *mmap(void *, size_t, int, int, int, long);');
            $c->mmap(null, 1 << 45, 3, 0x4022, -1, 0);
            wait();
            PHP, $this->ffi());
        self::assertMatchesRegularExpression('/^VmSize:\s+\d{11,} kB/m', (string) file_get_contents("/proc/$pid/status"));

        $snapshot = $this->snapshot($pid);
        $image = $this->inspect(['image', '-p', (string) $pid, '-o', "$this->folder/image"]);
        $later = $this->inspect(['memory', "--image=$this->folder/image", '-o', "$this->folder/later"]);

        self::assertFalse($snapshot->summary['incomplete']);
        self::assertSame([0, 0], [$image->exitCode, $later->exitCode], $image->err . $later->err);
        self::assertSame($snapshot->summary['usage'], (new Snapshot("$this->folder/later"))->summary['usage']);
    }

    public function testProcessThatIsHeldAlready(): void
    {
        $pid = $this->target(self::HEAP_THAT_GOES_ON);
        [$inspector, $pipe] = $this->blockedInspector($pid, '--max-copy=0');
        $tracer = proc_get_status($inspector)['pid'];

        $result = $this->inspect(['memory', '-p', (string) $pid]);
        $other = $this->inspect(['memory', '-p', (string) $pid, '--no-stop', '-o', "$this->folder/other"]);
        fclose($pipe);

        self::assertRefusal(9, "/process $pid is traced by process $tracer already .* --no-stop/", $result);
        self::assertSame(0, $other->exitCode, $other->err);
    }

    private const HEAP_THAT_GOES_ON = <<<'PHP'
        class Item { public $x; }
        $all = [];
        for ($i = 0; $i < 30_000; $i++) { $item = new Item(); $item->x = "item number $i"; $all[] = $item; }
        ready();
        while (true) { echo "."; usleep(2000); }
        PHP;

    /** @return array{resource, resource} an inspector that waits with a part of its snapshot in a pipe, and that pipe */
    private function blockedInspector(int $pid, string ...$options): array
    {
        $path = "$this->folder/pipe" . bin2hex(random_bytes(4));
        self::assertTrue(posix_mkfifo($path, 0600));
        $pipe = fopen($path, 'r+e');
        self::assertIsResource($pipe);
        $inspector = $this->start(
            [self::program(), 'memory', '-p', (string) $pid, ...array_values($options)],
            "$this->folder/blocked",
            [],
            $path,
        );
        $reader = fopen($path, 're');
        self::assertIsResource($reader);
        fclose($pipe);
        // It is full: the inspector sleeps in write().
        $of = proc_get_status($inspector)['pid'];
        $this->eventually(
            fn (): bool => str_contains((string) file_get_contents("/proc/$of/wchan"), 'pipe_write'),
            'the inspector does not begin to write',
        );

        return [$inspector, $reader];
    }

    /** Some versions of PHP unwind all calls before the shutdown functions: then no calls are left, and no memory of theirs. */
    public function testCallsAfterAnErrorAtMemoryLimit(): void
    {
        $pid = $this->target(<<<'PHP'
            ini_set('memory_limit', '24M');
            class Eater
            {
                public array $kept = [];
                public function eat(int $deeper): void
                {
                    if ($deeper > 0) {
                        $this->eat($deeper - 1);
                        return;
                    }
                    while (true) {
                        $this->kept[] = str_repeat('x', 100_000);
                    }
                }
            }
            register_shutdown_function(function (): void {
                ini_set('memory_limit', '-1');
                wait();
            });
            (new Eater())->eat(3);
            PHP);
        $at = ["--memory-limit-error-file=$this->folder/target0.php", '--memory-limit-error-line=16'];

        $result = $this->inspect(['memory', '-p', (string) $pid, '-o', "$this->folder/heap", ...$at]);

        if ((int) explode(' ', $this->printed())[1] < 4 << 20) {
            self::assertRefusal(12, '/no calls left from line 16 .* xhprof\.heap_on_limit/', $result);
            return;
        }
        self::assertSame(0, $result->exitCode, $result->err);
        $snapshot = new Snapshot("$this->folder/heap");
        $calls = implode(' ', $snapshot->calls());
        self::assertMatchesRegularExpression(
            '/^sleep wait:3 \S*\{closure\S* (str_repeat )?Eater::eat:16 (Eater::eat:12 ){3}\{main\}:24$/',
            $calls,
        );
        $other = $this->inspect(['memory', '-p', (string) $pid, $at[0], '--memory-limit-error-line=4']);
        self::assertRefusal(12, '/no calls left from line 4 /', $other);
    }
}
