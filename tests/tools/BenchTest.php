<?php

declare(strict_types=1);

namespace XHProf\Tests\Tools;

use PHPUnit\Framework\TestCase;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/../lib/Support/TemporaryFolder.php';

/** tools/bench.sh: each step runs, and what failed is named. */
final class BenchTest extends TestCase
{
    use TemporaryFolder;

    protected function setUp(): void
    {
        mkdir("$this->folder/tools", 0700, true);
        mkdir("$this->folder/benchmarks");
        foreach (['bench.sh', 'env.sh'] as $script) {
            copy(dirname(__DIR__, 2) . "/tools/$script", "$this->folder/tools/$script");
        }
    }

    public function testWhatFailedIsNamed(): void
    {
        self::assertSame([0, []], $this->failures(0, 0));
        $corrected = 'make bench: failed: the corrected times, by benchmarks/corrected.php (exit code 1)';
        self::assertSame([1, [$corrected]], $this->failures(0, 1));
        self::assertSame([1, ['make bench: failed: the costs, by benchmarks/run.php (exit code 1)']], $this->failures(1, 0));
        $fibers = 'make bench: failed: switches of fibers, by benchmarks/fibers.php (exit code 1)';
        self::assertSame([1, [$fibers]], $this->failures(0, 0, fibers: 1));
        self::assertCount(3, $this->failures(1, 255, fibers: 1)[1]);
    }

    public function testAWrongOptionIsTheOnlyMistakeThen(): void
    {
        self::assertSame([2, []], $this->failures(2, 0));
        self::assertFileDoesNotExist("$this->folder/corrected");
    }

    /** A few calls show whether it works, not whether times are right. */
    public function testAQuickRunJudgesNoTimes(): void
    {
        self::assertSame([0, []], $this->failures(0, 1, '--quick'));
        self::assertSame([1, ['make bench: failed: benchmarks/corrected.php (exit code 255)']], $this->failures(0, 255, '--quick'));
    }

    /** @return array{int, list<string>} exit code, and what is said of failures */
    private function failures(int $run, int $corrected, string $option = '', int $fibers = 0): array
    {
        foreach (['run' => $run, 'corrected' => $corrected, 'fibers' => $fibers] as $name => $code) {
            file_put_contents("$this->folder/benchmarks/$name.php", "<?php touch('$this->folder/$name'); exit($code);");
            @unlink("$this->folder/$name");
        }
        exec('bash ' . escapeshellarg("$this->folder/tools/bench.sh") . " $option 2>&1", $out, $status);
        self::assertFileExists("$this->folder/run");
        self::assertSame($run !== 2, file_exists("$this->folder/corrected"));
        self::assertSame($run !== 2, file_exists("$this->folder/fibers"));
        return [$status, array_values(preg_grep('/^make bench: /', $out) ?: [])];
    }
}
