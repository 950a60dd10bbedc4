<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** report, diff and requests by owner: where the table comes from, and what is said of a wrong one. */
final class GroupsTest extends CliTestCase
{
    private const TREE = [
        'names' => ['main()', 'shop', 'search', 'usleep'],
        'files' => ['/app/index.php', '/app/src/Shop/a.php', '/app/src/Search/b.php', 'ext:standard'],
        'file' => [0, 1, 2, 3], 'line' => [1, 1, 1, 0], 'last_line' => [1, 1, 1, 0],
        'fn' => [0, 1, 3, 2], 'depth' => [0, 1, 2, 1], 'ct' => [1, 1, 1, 1],
        'self' => ['wt' => [1000, 2000, 4000, 8000]],
    ];

    private const OWNERS = '{"owners": {"Checkout": ["src/Shop/"]}, "roots": ["/app"], "rest": "Others"}';

    protected function setUp(): void
    {
        parent::setUp();
        RunFiles::write("$this->folder/runs", 'a1.cli', ['meta' => [], 'tree' => self::TREE]);
        RunFiles::write("$this->folder/runs", 'a2.cli', ['meta' => [], 'tree' => self::TREE]);
        mkdir("$this->folder/project", 0700);
    }

    public function testTheTableOfOwnersComesFromTheOptionTheVariableOrTheProject(): void
    {
        file_put_contents("$this->folder/owners.json", self::OWNERS);
        $expected = [['Others', 0.009], ['Checkout', 0.006]];
        self::assertSame($expected, $this->owners(["--owners=$this->folder/owners.json"]));
        self::assertSame($expected, $this->owners([], ['XHPROF_OWNERS' => "$this->folder/owners.json"]));
        file_put_contents("$this->folder/project/xhprof-owners.json", self::OWNERS);
        self::assertSame($expected, $this->owners([], [], "$this->folder/project"));
        // The variable comes before the project's.
        file_put_contents("$this->folder/other.json", '{"owners": {"Search": ["**/Search/"]}}');
        self::assertSame(
            [['Search', 0.008], ['(no owner)', 0.007]],
            $this->owners([], ['XHPROF_OWNERS' => "$this->folder/other.json"], "$this->folder/project"),
        );
    }

    public function testWrongTablesAreRefused(): void
    {
        $this->assertUsage('there is no table of owners: write xhprof-owners.json', ['report', 'a1', '--by=owner']);
        $this->assertUsage('none.json: the table of owners cannot be read', ['report', 'a1', '--by=owner', '--owners=none.json']);
        file_put_contents("$this->folder/wrong.json", "{\n  \"owner\": {}\n}");
        $wrong = ["--owners=$this->folder/wrong.json", '--by=owner'];
        foreach ([['report', 'a1'], ['diff', 'a1', 'a2'], ['requests']] as $command) {
            $this->assertUsage('wrong.json:2: there is no key "owner"; did you mean "owners"?', [...$command, ...$wrong]);
        }
        $this->assertUsage('--owners needs --by=owner', ['report', 'a1', '--by=folder', ...array_slice($wrong, 0, 1)]);
        $this->assertUsage('--owners needs --by', ['report', 'a1', ...array_slice($wrong, 0, 1)]);
        $this->assertUsage('--by excludes --findings, --files and --levels', ['report', 'a1', '--by=folder', '--levels']);
        $this->assertUsage('did you mean "src/Shop"?', ['report', 'a1', '--by=folder', '--group=src/Shpo']);
    }

    public function testMarkdownAndTextHaveTheGroups(): void
    {
        $run = $this->xhprof(['report', 'a1', '--by=folder', '--markdown', "--output-dir=$this->folder/runs"]);
        self::assertSame([0, ''], [$run->exitCode, $run->err]);
        self::assertStringContainsString('src/Search', $run->out);
        $diff = $this->xhprof(['diff', 'a1', 'a2', '--by=folder', "--output-dir=$this->folder/runs"]);
        self::assertSame([0, ''], [$diff->exitCode, $diff->err]);
        self::assertStringContainsString('0 folders changed, 3 did not', $diff->out);
    }

    /**
     * @param list<string> $options
     * @param array<string, string> $environment
     *
     * @return list<array{string, float}> owner and own µs
     */
    private function owners(array $options, array $environment = [], ?string $folder = null): array
    {
        $command = [PHP_BINARY, self::program(), 'report', 'a1', '--by=owner', '--json', ...$options];
        $command[] = "--output-dir=$this->folder/runs";
        $run = $this->process($folder === null ? $command : ['env', '-C', $folder, ...$command], '', $environment);
        self::assertSame([0, ''], [$run->exitCode, $run->err]);
        $groups = $run->json()['groups'] ?? null;
        self::assertIsArray($groups);

        return array_values(array_map(
            static fn (array $row): array => [(string) $row['name'], round($row['excl_wt'] / 1000, 6)],
            $groups,
        ));
    }

    /** @param list<string> $arguments */
    private function assertUsage(string $message, array $arguments): void
    {
        $run = $this->xhprof([...$arguments, "--output-dir=$this->folder/runs"]);
        self::assertSame(2, $run->exitCode, $run->out . $run->err);
        self::assertStringContainsString($message, $run->err);
        self::assertSame('', $run->out);
    }
}
