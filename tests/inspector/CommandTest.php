<?php

declare(strict_types=1);

namespace XHProf\Tests\Inspector;

use PHPUnit\Framework\Attributes\Group;

require_once __DIR__ . '/InspectorTestCase.php';

/** memory: of a command that it runs. */
#[Group('inspect')]
final class CommandTest extends InspectorTestCase
{
    public function testCommandThatIsRunKeepsItsRights(): void
    {
        $code = 'grep -E "^(CapPrm|CapBnd|NoNewPrivs)" /proc/self/status; ulimit -v; ulimit -c; sleep 0.6';
        exec($code, $expected);

        $result = $this->inspect(['memory', '-o', "$this->folder/heap", '--after=0.1', '--', '/bin/sh', '-c', $code]);

        self::assertSame(implode("\n", $expected) . "\n", $result->out);
    }

    public function testCommandThatIsRun(): void
    {
        $result = null;
        foreach (['0.4', '4', '20'] as $after) { // a busy machine may not have come to the script before
            @unlink("$this->folder/heap");
            $result = $this->inspect(['memory', '-o', "$this->folder/heap", "--after=$after", '--', ...$this->untilThereIs(
                "$this->folder/heap",
                'echo "done\n"; exit(7);',
            )]);
            if (($classes = self::classes("$this->folder/heap")) !== []) {
                break;
            }
        }

        self::assertSame(7, $result->exitCode, $result->err);
        self::assertSame("done\n", $result->out);
        self::assertSame(1, $classes['ArrayObject']['count']);
    }

    /** @return array<string, array<string, mixed>> of a snapshot that was taken of untilThereIs(), by name; none of another one */
    private static function classes(string $path): array
    {
        $classes = is_file($path) ? (new Snapshot($path))->summary['classes'] ?? [] : [];

        return isset($classes['ArrayObject']) ? $classes : [];
    }

    /** @return list<string> a PHP that holds an ArrayObject until the file is there, for a minute at most, and then runs the code */
    private function untilThereIs(string $file, string $then): array
    {
        $path = var_export($file, true);
        $wait = "for (\$i = 0; \$i < 6000 && !file_exists($path); \$i++) { usleep(10_000); clearstatcache(); }";
        file_put_contents("$this->folder/run.php", "<?php \$held = new ArrayObject([1]); $wait $then");

        return [PHP_BINARY, '-n', "$this->folder/run.php"];
    }

    public function testCommandThatEndsEarlyOrCannotBeRun(): void
    {
        $early = $this->inspect(['memory', '-o', "$this->folder/heap", '--after=30', '--', PHP_BINARY, '-n', '-r', 'exit(3);']);
        $killed = $this->inspect(['memory', '-o', "$this->folder/of", '--after=0.3', '--', ...$this->untilThereIs(
            "$this->folder/of",
            'exec("kill -9 " . getmypid());',
        )]);
        $absent = $this->inspect(['memory', '-o', "$this->folder/heap", '--', '/no/such/program']);

        self::assertRefusal(8, '/ended before its snapshot was due, after 30 s/', $early);
        self::assertFileDoesNotExist("$this->folder/heap");
        self::assertSame(128 + 9, $killed->exitCode, $killed->err);
        self::assertRefusal(1, '/cannot run \/no\/such\/program: No such file or directory/', $absent);
    }

    /** Before the snapshot, while the inspector waits. */
    public function testSignalGoesToTheCommandThatIsRun(): void
    {
        $code = 'trap "echo told; exit 5" TERM; echo up; i=0; while [ $((i += 1)) -lt 2000 ]; do sleep 0.02; done';
        $name = "$this->folder/signal";
        $command = [self::program(), 'memory', '-o', "$this->folder/heap", '--after=60', '--', '/bin/sh', '-c', $code];
        $inspector = $this->start($command, $name);
        $this->eventually(fn (): bool => file_get_contents("$name.out") === "up\n", 'the command does not begin');

        proc_terminate($inspector, SIGTERM);
        $result = $this->finish($inspector, $name);

        self::assertSame(8, $result->exitCode, $result->err);
        self::assertSame("up\ntold\n", $result->out);
    }
}
