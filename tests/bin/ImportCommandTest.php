<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use XHProf\Tests\Lib\Support\ExportRuns;
use XHProf\Tests\Lib\Support\Runs;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/Runs.php';
require_once __DIR__ . '/../lib/Support/ExportRuns.php';

final class ImportCommandTest extends CliTestCase
{
    public function testWhatIsExportedCanBeImported(): void
    {
        foreach (['speedscope', 'callgrind', 'json', 'xhprof', 'folded'] as $format) {
            $file = "$this->folder/$format";
            file_put_contents($file, ExportRuns::written($format, ExportRuns::small()));
            $result = $this->xhprof(['import', $file, "--source=$format", '--unit=ns']);
            self::assertSame([0, ''], [$result->exitCode, $result->err]);
            self::assertMatchesRegularExpression("~\\A[0-9a-f]{32} \\($format\\)  \\S+/$format\n\\z~", $result->out);
            $store = $this->store();
            $id = $store->find(substr($result->out, 0, 32));
            self::assertSame(1076, $store->load($id)->totals()['wt'], $format);
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

    public function testAnImpossibleImportIsRefusedInOneLine(): void
    {
        self::assertOneLineError('does not exist', $this->xhprof(['import', "$this->folder/none"]));
        file_put_contents("$this->folder/x", 'a 1');
        self::assertUsageError('--unit is one of', $this->xhprof(['import', "$this->folder/x", '--unit=years']));
        self::assertOneLineError('source of the run', $this->xhprof(['import', "$this->folder/x", '--source=../x']));
        self::assertOneLineError('there is no format "pdf"', $this->xhprof(['import', "$this->folder/x", '--format=pdf']));
    }
}
