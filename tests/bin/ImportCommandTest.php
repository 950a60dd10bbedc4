<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use XHProf\Store\RunEntry;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\ExportRuns;
use XHProf\Tests\Lib\Support\Runs;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/Runs.php';
require_once __DIR__ . '/../lib/Support/ExportRuns.php';

final class ImportCommandTest extends CliTestCase
{
    public function testWhatIsExportedCanBeImported(): void
    {
        foreach (['speedscope', 'callgrind', 'json', 'xhprof', 'folded', 'pprof'] as $format) {
            $file = "$this->folder/$format";
            file_put_contents($file, ExportRuns::written($format, ExportRuns::small()));
            $result = $this->xhprof(['import', $file, "--source=$format", '--unit=ns']);
            self::assertSame([0, ''], [$result->exitCode, $result->err]);
            self::assertMatchesRegularExpression("~\\A[0-9a-f]{32} \\($format\\)  \\S+/$format\n\\z~", $result->out);
            $store = $this->store();
            $id = $store->identify(substr($result->out, 0, 32));
            self::assertSame(1076, $store->open($id)->profile()->totals()['wt'], $format);
        }
    }

    public function testAFileNamedLikeARunKeepsItsIdAndSource(): void
    {
        $file = "$this->folder/4f5e61.myapp.xhprof";
        file_put_contents($file, serialize(Runs::small()));
        self::assertStringStartsWith('4f5e61 (myapp)  ', $this->xhprof(['import', $file])->out);
        self::assertSame(0, $this->xhprof(['report', '4f5e61', '--source=myapp'])->exitCode);
        self::assertMatchesRegularExpression('/\A[0-9a-f]{32} \(myapp\)  /', $this->xhprof(['import', $file])->out, 'it is there');
        self::assertMatchesRegularExpression('/\A[0-9a-f]{32} \(old\)  /', $this->xhprof(['import', '--source=old', $file])->out);
        file_put_contents("$file.gz", gzencode(serialize(Runs::small())));
        $folder = "$this->folder/other";
        mkdir($folder);
        self::assertStringStartsWith('4f5e61 (myapp)  ', $this->xhprof(['import', "--output-dir=$folder", "$file.gz"])->out);
    }

    public function testBadRecordsAreReportedAndTheOthersBecomeRuns(): void
    {
        $lines = [json_encode(['profile' => Runs::small(), 'meta' => ['url' => '/x']]), '{"profile":3}', '{"profile":'];
        file_put_contents("$this->folder/dump.jsonl", implode("\n", $lines) . "\n");
        file_put_contents("$this->folder/picture.png", "\x89PNG\0\0");
        $result = $this->xhprof(['import', "$this->folder/dump.jsonl", "$this->folder/picture.png"]);
        self::assertSame(1, $result->exitCode);
        self::assertStringContainsString("dump.jsonl, line 2: it has no profile\n", $result->err);
        self::assertStringContainsString('dump.jsonl, line 3: not JSON: ', $result->err);
        self::assertStringContainsString('picture.png: the content is not in a known format', $result->err);
        self::assertStringContainsString("dump.jsonl, line 1\n1 imported, 3 failed\n", $result->out);
        self::assertCount(1, $this->store()->list());
    }

    public function testAFileThatFailsDoesNotStopTheOthers(): void
    {
        file_put_contents("$this->folder/good.folded", "a;b 5\n");
        file_put_contents("$this->folder/bad.folded", 'PERFILE2');
        mkdir("$this->folder/folder");
        $files = ["$this->folder/none.gz", "$this->folder/folder", "$this->folder/bad.folded", "$this->folder/good.folded"];
        $result = $this->xhprof(['import', ...$files]);
        self::assertSame(1, $result->exitCode);
        self::assertStringContainsString('none.gz: none.gz does not exist', $result->err);
        self::assertStringContainsString('folder: folder is a folder, not a file', $result->err);
        self::assertStringContainsString('bad.folded: this is a recording of perf', $result->err);
        self::assertStringEndsWith("good.folded\n1 imported, 3 failed\n", $result->out);
        self::assertCount(1, $this->store()->list());
    }

    public function testWhatIsLeftOutIsReported(): void
    {
        file_put_contents("$this->folder/odd.folded", "a;b 5\nno number\n");
        $result = $this->xhprof(['import', "$this->folder/odd.folded"]);
        self::assertSame(0, $result->exitCode);
        self::assertStringContainsString('odd.folded: left out: 1 line was skipped: line 2 ("no number")', $result->err);
        self::assertMatchesRegularExpression('~\A[0-9a-f]{32} \(imported\)  \S+odd.folded\n\z~', $result->out);
    }

    public function testPipesAndStandardInputAreRead(): void
    {
        file_put_contents("$this->folder/good.folded", "a;b 5\n");
        $command = escapeshellarg(self::program()) . ' import'
            . ' --output-dir=' . escapeshellarg("$this->folder/runs");
        $php = escapeshellarg(PHP_BINARY);
        mkdir("$this->folder/runs");
        $good = escapeshellarg("$this->folder/good.folded");
        foreach (["gzip -c $good | $php $command -", "$php $command <(cat $good)"] as $line) {
            exec('bash -c ' . escapeshellarg("$line 2>&1"), $output, $code);
            self::assertSame(0, $code, implode("\n", $output));
        }
        $store = new RunFolder("$this->folder/runs");
        $samples = static fn (RunEntry $run): int => $store->open($run->id)->meta()->totals->figures['samples'] ?? 0;
        self::assertSame([5, 5], array_map($samples, $store->list()));
    }

    public function testAnImpossibleImportIsRefusedInOneLine(): void
    {
        self::assertOneLineError('does not exist', $this->xhprof(['import', "$this->folder/none"]));
        file_put_contents("$this->folder/x", 'a 1');
        self::assertUsageError('--unit takes one of samples, ns', $this->xhprof(['import', "$this->folder/x", '--unit=years']));
        self::assertOneLineError('source of the run', $this->xhprof(['import', "$this->folder/x", '--source=../x']));
        self::assertOneLineError('there is no format "pdf"', $this->xhprof(['import', "$this->folder/x", '--format=pdf']));
    }
}
