<?php

declare(strict_types=1);

namespace XHProf\Tests\Tools;

use PHPUnit\Framework\TestCase;
use XHProf\Profile\Profile;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/../lib/Support/TemporaryFolder.php';

/** tools/lint/layers.php finds every way in which a class uses a namespace above it, and nothing else. */
final class LayersTest extends TestCase
{
    use TemporaryFolder;

    protected function setUp(): void
    {
        mkdir("$this->folder/Functions", 0700, true);
        mkdir("$this->folder/Nowhere");
    }

    public function testTheLibraryKeepsItsLayers(): void
    {
        exec(escapeshellarg(PHP_BINARY) . ' ' . escapeshellarg(self::lint()), $lines, $status);
        self::assertSame([[], 0], [$lines, $status]);
    }

    public function testUsesOfWhatStandsBelowAndOfTheSameNamespacePass(): void
    {
        self::assertSame([], $this->offences(<<<'PHP'
            use InvalidArgumentException;
            use XHProf\Exception\UnknownMetric;
            use XHProf\Profile\{EdgeKey, Profile};
            use XHProf\Functions\FlatReport;

            final class Row extends Base implements namespace\Own, \XHProf\Run\Any
            {
                const TEXT = 'XHProf\Web\App';
            }
            PHP));
    }

    public function testUsesOfWhatStandsAboveAreOffences(): void
    {
        self::assertSame([
            'Functions/Row.php:4: Functions must not use XHProf\Cli\JsonOutput',
            'Functions/Row.php:5: Functions must not use XHProf\Web\Http\Url',
            'Functions/Row.php:6: Functions must not use XHProf\Graph\CallGraph',
            'Functions/Row.php:7: Functions must not use XHProf\Import\Readers',
            'Functions/Row.php:10: Functions must not use XHProf\Functions\Of\Nothing',
            'Functions/Row.php:10: Functions must not use XHProf\Web\App',
            'Functions/Row.php:12: Functions must not use XHProf\Graph\CallGraph',
            'Functions/Row.php:13: Functions must not use XHProf\Export\Csv',
            'Functions/Row.php:13: Functions must not use XHProf\Heap\HeapGraph',
        ], $this->offences(<<<'PHP'
            use XHProf\Cli\JsonOutput as Printed;
            use XHProf\Web\Http\{Url};
            use XHProf\Graph\CallGraph;
            use function XHProf\Import\Readers;
            use XHProf\Export;

            final class Row extends \XHProf\Web\App implements Of\Nothing
            {
                public function graph(CallGraph $graph): void {
                    Export\Csv::of(new \XHProf\Heap\HeapGraph());
                }
            }
            PHP));
    }

    public function testAFolderWithoutALineIsAnOffence(): void
    {
        file_put_contents("$this->folder/Nowhere/Row.php", '<?php');
        self::assertSame(['Nowhere/Row.php: tools/lint/layers.php does not know this folder'], $this->offences(''));
    }

    /**
     * @param string $code of a class in XHProf\Functions, from line 4 on
     *
     * @return list<string> without those of the list itself: its entries are not used here
     */
    private function offences(string $code): array
    {
        file_put_contents("$this->folder/Functions/Row.php", "<?php\n\nnamespace XHProf\Functions;\n$code");
        $command = [PHP_BINARY, self::lint(), $this->folder];
        exec(implode(' ', array_map(escapeshellarg(...), $command)), $lines, $status);
        self::assertSame(1, $status);
        $offences = preg_grep('~\Atools/lint/layers.php: .* any more~', $lines, PREG_GREP_INVERT) ?: [];
        $offences = str_replace("$this->folder/", '', $offences);
        natsort($offences);
        return array_values($offences);
    }

    private static function lint(): string
    {
        return dirname(__DIR__, 2) . '/tools/lint/layers.php';
    }
}
