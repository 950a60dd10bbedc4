<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Cli\MemoryLimit;
use XHProf\Cli\Terminal\Writer;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** The command line stays within the available memory, and ends with a message where that is too little. */
final class MemoryLimitTest extends CliTestCase
{
    /** @return array<string, array{array<string, string>, int|null}> */
    public static function machines(): array
    {
        $machine = ['proc/meminfo' => "MemTotal:       8000000 kB\nMemAvailable:    1000000 kB\n"];
        $in = static fn (string $path): array => ['proc/self/cgroup' => "0::$path\n"] + $machine;

        return [
            'nothing is known' => [[], null],
            'a machine' => [$machine, 921600000],
            'little is left' => [['proc/meminfo' => "MemAvailable: 1000 kB\n"], 128 << 20],
            'no limit' => [$in('/a') + ['sys/fs/cgroup/a/memory.max' => "max\n"], 921600000],
            'a limit' => [
                $in('/a/b') + ['sys/fs/cgroup/a/b/memory.max' => "600000000\n",
                    'sys/fs/cgroup/a/b/memory.current' => "100000000\n"],
                450000000,
            ],
            'a limit of its parent' => [
                $in('/a/b') + ['sys/fs/cgroup/a/b/memory.max' => "max\n", 'sys/fs/cgroup/a/memory.max' => "400000000\n",
                    'sys/fs/cgroup/a/memory.current' => '0'],
                360000000,
            ],
            'files in memory' => [
                $in('/') + ['sys/fs/cgroup/memory.max' => "600000000\n", 'sys/fs/cgroup/memory.current' => "500000000\n",
                    'sys/fs/cgroup/memory.stat' => "anon 1\ninactive_file 200000000\nactive_file 100000000\n"],
                360000000,
            ],
            "a container that names the host's cgroup" => [
                $in('/docker/0123') + ['sys/fs/cgroup/memory.max' => "500000000\n", 'sys/fs/cgroup/memory.current' => "0\n"],
                450000000,
            ],
            'the first version' => [
                ['proc/self/cgroup' => "9:cpu:/x\n4:memory:/c\n0::/d\n",
                    'sys/fs/cgroup/memory/c/memory.limit_in_bytes' => "300000000\n",
                    'sys/fs/cgroup/memory/c/memory.usage_in_bytes' => "0\n",
                    'sys/fs/cgroup/memory/memory.limit_in_bytes' => "9223372036854771712\n"] + $machine,
                270000000,
            ],
            'used up' => [
                $in('/') + ['sys/fs/cgroup/memory.max' => "1000\n", 'sys/fs/cgroup/memory.current' => "5000\n"],
                128 << 20,
            ],
        ];
    }

    /** @param array<string, string> $files */
    #[DataProvider('machines')]
    public function testWhatIsLeft(array $files, ?int $bytes): void
    {
        foreach ($files as $name => $text) {
            @mkdir(dirname("$this->folder/root/$name"), 0700, true);
            file_put_contents("$this->folder/root/$name", $text);
        }
        self::assertSame($bytes, MemoryLimit::bytes("$this->folder/root"));
    }

    public function testAFileThatTakesMoreIsOneLine(): void
    {
        $this->store()->save(['main()' => ['ct' => 1, 'wt' => 9]], 'cli', 'run1');
        $names = array_map(static fn (int $i): string => "f$i", range(1, 600000));
        $tree = ['names' => $names, 'fn' => [0], 'depth' => [0], 'ct' => [1]];
        RunFiles::put("$this->folder/runs", 'run1.cli', ['tree' => $tree + ['self' => ['wt' => [9000]]]]);
        $environment = ['XHPROF_MEMORY_LIMIT' => '24M', 'XHPROF_OUTPUT_DIR' => "$this->folder/runs"];
        $result = $this->xhprof(['export', 'run1', '--format=json', '-o', "$this->folder/out"], environment: $environment);
        self::assertOneLineError('XHPROF_MEMORY_LIMIT=SIZE raises it', $result);
        self::assertStringContainsString('24.0 MB', $result->err);
        self::assertFileDoesNotExist("$this->folder/out", 'not even a part of it');
        // The message cannot be written either: the command ends all the same.
        $xhprof = escapeshellarg(PHP_BINARY) . ' ' . escapeshellarg(self::program());
        $command = "exec $xhprof export run1 --format=json -o - > /dev/full 2> /dev/full";
        self::assertSame(1, $this->process(['sh', '-c', $command], '', $environment)->exitCode);
    }

    public function testAWriterWhoseErrorsAreTakenEnds(): void
    {
        $full = @fopen('/dev/full', 'wb');
        if ($full === false) {
            self::markTestSkipped('there is no /dev/full');
        }
        set_error_handler(static fn (): bool => true);
        try {
            $this->expectExceptionMessage('cannot write to it');
            (new Writer($full, 'it'))->write(str_repeat('x', 100000));
        } finally {
            restore_error_handler();
        }
    }
}
