<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** Where php.ini profiles every program, the command line and its child processes leave no run and are counted nowhere. */
final class OwnProfileTest extends CliTestCase
{
    /** @var array<string, string> */
    private array $variables = [];

    protected function setUp(): void
    {
        parent::setUp();
        self::needExtension();
        $this->script('function work() { return strrev("x"); } work();', 'program.php');
    }

    /** @return iterable<string, array{list<string>, array<string, string>}> settings, environment */
    public static function setups(): iterable
    {
        $modes = ['exact', 'sample', 'alloc', 'aggregate'];
        foreach ($modes as $mode) {
            yield "all programs, $mode" => [["xhprof.mode=$mode", 'xhprof.start_with_request=yes'], []];
        }
        yield 'a share of them' => [['xhprof.start_with_request=sampled', 'xhprof.sample_rate=1'], []];
        yield 'an exported trigger' => [['xhprof.start_with_request=trigger'], ['XHPROF_TRIGGER' => '1']];
        yield 'a trigger where all are counted' => [
            ['xhprof.start_with_request=yes', 'xhprof.mode=aggregate'], ['XHPROF_TRIGGER' => '1'],
        ];
        yield 'failed ones' => [['xhprof.start_with_request=yes', 'xhprof.save_if=failed,memory=1'], []];
    }

    /**
     * @param list<string>          $settings
     * @param array<string, string> $environment
     */
    private function everywhere(array $settings, array $environment): void
    {
        mkdir("$this->folder/conf.d");
        $lines = extension_loaded('xhprof') ? [] : ['extension=' . realpath(self::ROOT . '/extension/modules/xhprof.so')];
        array_push($lines, "xhprof.output_dir=$this->folder/runs", ...$settings);
        file_put_contents("$this->folder/conf.d/xhprof.ini", str_replace('{folder}', $this->folder, implode("\n", $lines)) . "\n");
        // With php.ini's own files before it.
        $scanned = getenv('PHP_INI_SCAN_DIR') . PATH_SEPARATOR . "$this->folder/conf.d";
        $this->variables = $environment + ['PHP_INI_SCAN_DIR' => $scanned];
    }

    /** @return list<string> */
    private function files(): array
    {
        return array_values(array_diff(scandir("$this->folder/runs") ?: [], ['.', '..']));
    }

    /**
     * @param list<string>          $settings
     * @param array<string, string> $environment
     */
    #[DataProvider('setups')]
    public function testNoCommandLeavesARun(array $settings, array $environment): void
    {
        $this->everywhere($settings, $environment);
        $commands = [['list'], ['report', 'latest'], ['prune', '--help'], ['no-such-command'], ['status'], ['requests'],
            ['list', '--json', '--source=x']];
        foreach ($commands as $command) {
            $this->xhprof($command, '', $this->variables);
            self::assertSame([], preg_grep('/\A\.xhprof-index/', $this->files(), PREG_GREP_INVERT), $command[0]);
        }
        // It is this setup that profiles all others.
        $this->process([PHP_BINARY, "$this->folder/program.php"], '', $this->variables);
        self::assertNotSame([], preg_grep('/\A\.xhprof-index/', $this->files(), PREG_GREP_INVERT));
    }

    /**
     * @param list<string>          $settings
     * @param array<string, string> $environment
     */
    #[DataProvider('setups')]
    public function testRunProfilesTheProgramOnly(array $settings, array $environment): void
    {
        $this->everywhere($settings, $environment);
        $result = $this->xhprof(['run', "$this->folder/program.php"], '', $this->variables);
        self::assertSame(0, $result->exitCode, $result->err);
        $runs = RunFiles::runs("$this->folder/runs");
        self::assertCount(1, $runs);
        self::assertContains('work', RunFiles::document("$this->folder/runs", $runs[0], 'tree')['names'] ?? []);
        $latest = $this->xhprof(['report', 'latest', '--json'], '', $this->variables);
        self::assertStringContainsString('program.php', $latest->out);
    }

    /** One who works on the tool asks for it. */
    public function testTheToolIsProfiledWhenAskedFor(): void
    {
        $this->everywhere(['xhprof.start_with_request=yes'], []);
        $this->xhprof(['list'], '', ['XHPROF_PROFILE_SELF' => '1'] + $this->variables);
        self::assertCount(1, RunFiles::runs("$this->folder/runs"));
        $result = $this->xhprof(['run', self::program(), 'list'], '', $this->variables);
        self::assertSame(0, $result->exitCode, $result->err);
        self::assertCount(2, RunFiles::runs("$this->folder/runs"));
    }
}
