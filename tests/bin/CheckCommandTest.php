<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use XHProf\Check\BudgetsFile;
use XHProf\Exception\InvalidCheck;
use XHProf\Tests\Lib\Support\CheckedRuns;
use XHProf\Tests\Lib\Support\Runs;

require_once __DIR__ . '/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/CheckedRuns.php';
require_once __DIR__ . '/../lib/Support/Runs.php';

/** `xhprof check`: exit codes, files and forms; tests/lib/CheckTest.php has what is judged. */
final class CheckCommandTest extends CliTestCase
{
    private const GOLDEN = __DIR__ . '/check';

    /** Bytes that are markup, commands or ends of lines somewhere: of HTML, Markdown, XML, GitHub's commands, terminals. */
    private const HOSTILE = "]]>::error::%0A<b>|`@me` #1 \n::set-output name=x::y\r, : \e[31m\xFF\u{202E}&amp;\"'";

    /** @param array<string, mixed> ...$budgets */
    private function budgets(array ...$budgets): string
    {
        $file = "$this->folder/budgets.json";
        file_put_contents($file, json_encode(['budgets' => $budgets], JSON_PRETTY_PRINT | JSON_THROW_ON_ERROR));

        return $file;
    }

    /**
     * @param list<string> $arguments
     * @param array<string, string> $environment
     */
    private function check(array $arguments, array $environment = []): ProcessResult
    {
        return $this->xhprof(['check', ...$arguments], '', $environment + [
            'GITHUB_WORKSPACE' => '/srv/shop', 'CI_PROJECT_DIR' => '', 'COLUMNS' => '120',
        ]);
    }

    public function testExitCodes(): void
    {
        CheckedRuns::save($this->store(), 'a', 3);
        $over = $this->check(['a', '-b', $this->budgets(['limits' => ['sql' => 2]])]);
        self::assertSame([3, ''], [$over->exitCode, $over->err]);
        $kept = $this->budgets(['route' => 'GET /reviews', 'limits' => ['sql' => 3]]);
        $result = $this->check(['a', "--budgets=$kept"]);
        self::assertSame([0, ''], [$result->exitCode, $result->err]);
        self::assertStringContainsString("XHProf check: 1 limit is kept\n", $result->out);
        self::assertOneLineError('no run x', $this->check(['x', '-b', $kept]));
        $elsewhere = ['XHPROF_OUTPUT_DIR' => "$this->folder/none"];
        self::assertSame(0, $this->check(["$this->folder/runs", '-b', $kept], $elsewhere)->exitCode);
        self::assertOneLineError('none does not exist', $this->check(['a', '-b', $kept], $elsewhere));
        self::assertUsageError('give --budgets=FILE or --baseline=FILE', $this->check(['a']));
        self::assertUsageError('budgets file /none cannot be read', $this->check(['a', '-b', '/none']));
        self::assertUsageError('baseline file /none cannot be read', $this->check(['a', '--baseline=/none']));
        self::assertUsageError('did you mean "junit"?', $this->check(['a', '-b', $kept, '-f', 'junitt:x']));
        self::assertUsageError('text and json would both go to standard output', $this->check([
            'a', '-b', $kept, '-f', 'text', '-f', 'json',
        ]));
        self::assertUsageError('names no file', $this->check(['a', '-b', $kept, '-f', 'junit:']));
        self::assertUsageError('the folder /none does not exist', $this->check(['a', '-b', $kept, '--root=/none']));
        file_put_contents("$this->folder/broken", 'xhprof-run nonsense');
        self::assertSame(1, $this->check(["$this->folder/broken", '-b', $kept])->exitCode);
        mkdir("$this->folder/empty");
        self::assertOneLineError('there is no run in', $this->check(["$this->folder/empty", '-b', $kept]));
        self::assertUsageError('budgets.json:4: unknown key "rute"; did you mean "route"?', $this->check([
            'a', '-b', $this->budgets(['rute' => 'GET /reviews', 'limits' => ['sql' => 3]]),
        ]));
    }

    public function testABaselineIsWrittenAndHeld(): void
    {
        CheckedRuns::save($this->store(), 'a', 3);
        $file = "$this->folder/base.json";
        $written = $this->check(["$this->folder/runs", "--write-baseline=$file"]);
        self::assertSame([0, '', "xhprof: wrote the baseline of 1 subject to $file\n"], [
            $written->exitCode, $written->out, $written->err,
        ]);
        self::assertSame(0, $this->check(['latest', "--baseline=$file"])->exitCode);
        CheckedRuns::save($this->store(), 'b', 60);
        $over = $this->check(['b', "--baseline=$file"]);
        self::assertSame(3, $over->exitCode);
        self::assertStringContainsString('60, no more than the baseline (was 3, +1 900 %)', $over->out);
        self::assertStringContainsString('n-plus-one: 60 queries', $over->out);
    }

    /** All forms at once, of one check with a limit that is kept, one that is not, one that is unknown, and a finding. */
    public function testForms(): void
    {
        CheckedRuns::save($this->store(), '4f0c91ab4f0c91ab4f0c91ab4f0c91ab', 60);
        $this->check(['latest', "--write-baseline=$this->folder/base.json"]);
        CheckedRuns::save($this->store(), '4f0c91ab4f0c91ab4f0c91ab4f0c91ab', 70);
        $budgets = $this->budgets(
            [
                'route' => 'GET /reviews',
                'limits' => ['calls' => [500, '+5%'], 'sql in loops' => 10, 'allocated' => '1M'],
                'findings' => 'none',
            ],
            ['route' => 'GET /none', 'optional' => true, 'limits' => ['calls' => 1]],
        );
        $forms = ['markdown' => 'md', 'github' => 'txt', 'junit' => 'xml', 'gitlab' => 'json', 'json' => 'all.json'];
        $forms['text'] = 'out';
        $options = [];
        foreach ($forms as $form => $ending) {
            array_push($options, '-f', "$form:$this->folder/check.$ending");
        }
        $result = $this->check(['latest', '-b', $budgets, "--baseline=$this->folder/base.json", ...$options]);
        self::assertSame([3, ''], [$result->exitCode, $result->err]);
        foreach ($forms as $ending) {
            $text = str_replace($this->folder, '/tmp/shop', (string) file_get_contents("$this->folder/check.$ending"));
            $golden = self::GOLDEN . "/check.$ending";
            if (getenv('XHPROF_GOLDEN') === 'write') {
                file_put_contents($golden, $text);
            }
            self::assertStringEqualsFile($golden, $text);
        }
        self::assertStringContainsString('XHProf check: 4 of 5 limits are not kept', $result->out);
        self::assertValidJUnit((string) file_get_contents("$this->folder/check.xml"));
    }

    public function testLinksToPages(): void
    {
        CheckedRuns::save($this->store(), 'a', 60);
        $budgets = $this->budgets(['limits' => ['sql' => 1, 'calls' => 1]]);
        $out = $this->check(['a', '-b', $budgets, '--url=https://profiles.example.org/x/'], ['COLUMNS' => '300'])->out;
        self::assertStringContainsString('Run: https://profiles.example.org/x/index.php?run=a&source=web&view=operations.', $out);
        self::assertStringContainsString("Run: https://profiles.example.org/x/index.php?run=a&source=web.\n", $out);
        $markdown = $this->check(['a', '-b', $budgets, '--url=https://profiles.example.org/(x)> y', '-f', 'markdown'])->out;
        $link = '- [GET /reviews, a](<https://profiles.example.org/%28x%29%3E%20y/index.php?run=a&source=web>)';
        self::assertStringEndsWith("#### Runs\n\n$link\n", $markdown);
        $out = $this->check(['a', '-b', $budgets, "--output-dir=$this->folder/runs"], ['COLUMNS' => '300'])->out;
        self::assertStringContainsString("Run: xhprof operations a --output-dir='$this->folder/runs'.", $out);
    }

    public function testHostileNames(): void
    {
        $name = self::HOSTILE;
        foreach (["f $name", Runs::NASTY] as $number => $function) {
            $this->store()->save([
                'main()' => ['ct' => 1, 'wt' => 900],
                "main()==>$function" => ['ct' => 1, 'wt' => 800],
                "$function==>PDO::query" => ['ct' => 80, 'wt' => 90],
            ], 'cli', "n$number", ['command' => "php $function"]);
        }
        $budgets = $this->budgets(['name' => $this->utf8($name), 'limits' => ['calls' => 1, 'cpu' => '1 s'], 'findings' => 'none']);
        $outputs = [];
        foreach (['text', 'markdown', 'github', 'junit', 'gitlab', 'json'] as $form) {
            $result = $this->check(['n0', 'n1', '-b', $budgets, '-f', $form]);
            self::assertSame([3, ''], [$result->exitCode, $result->err], $form);
            self::assertSame(1, preg_match('//u', $result->out), "$form is UTF-8");
            $commands = preg_match('/[\x00-\x09\x0B-\x1F\x7F]|\x{202E}/u', $result->out);
            self::assertSame(0, $commands, "$form has nothing that a terminal obeys");
            $outputs[$form] = $result->out;
        }
        foreach (explode("\n", trim($outputs['github'])) as $line) {
            self::assertMatchesRegularExpression('/\A::error file=[^:,]+,line=\d+,title=[^:,]+::[^\r\n]*\z/', $line);
        }
        self::assertStringNotContainsString('<b>', str_replace('`', '', preg_replace('/`[^`]*`/', '', $outputs['markdown']) ?? ''));
        self::assertValidJUnit($outputs['junit']);
        $issues = json_decode($outputs['gitlab'], true, 16, JSON_THROW_ON_ERROR);
        self::assertCount(count(array_unique(array_column($issues, 'fingerprint'))), $issues);
        $all = json_decode($outputs['json'], true, 64, JSON_THROW_ON_ERROR);
        self::assertFalse($all['passed']);
    }

    /** Two findings of the same place are two issues to GitLab, with fingerprints that stay. */
    public function testFingerprintsStay(): void
    {
        $issues = function (int $queries): array {
            CheckedRuns::save($this->store(), 'a', $queries);
            $budgets = $this->budgets(['limits' => ['sql' => 1], 'findings' => 'none']);

            return json_decode($this->check(['a', '-b', $budgets, '-f', 'gitlab'])->out, true, 16, JSON_THROW_ON_ERROR);
        };
        [$before, $after] = [$issues(60), $issues(70)];
        self::assertSame(array_column($before, 'fingerprint'), array_column($after, 'fingerprint'));
        self::assertNotSame(array_column($before, 'description'), array_column($after, 'description'));
        self::assertSame(['src/Page.php', 10], [$after[0]['location']['path'], $after[0]['location']['lines']['begin']]);
    }

    public function testOfManySubjectsThoseThatKeepTheirLimitsAreCounted(): void
    {
        for ($i = 0; $i < 41; $i++) {
            CheckedRuns::save($this->store(), "r$i", $i === 7 ? 9 : 3, ['route' => "GET /r$i"]);
        }
        $budgets = $this->budgets(['limits' => ['sql' => 3]]);
        foreach (['text', 'markdown'] as $form) {
            $result = $this->check(["$this->folder/runs", '-b', $budgets, '-f', $form]);
            self::assertSame(3, $result->exitCode);
            self::assertStringContainsString('1 of 41 limits is not kept', $result->out);
            self::assertStringContainsString('GET /r7', $result->out);
            self::assertStringNotContainsString('GET /r8', $result->out);
            self::assertStringContainsString('40 others keep all limits.', $result->out);
        }
        self::assertSame(41, substr_count($this->check(["$this->folder/runs", '-b', $budgets, '-f', 'junit'])->out, '<testcase'));
    }

    /** What it does not find within its time must not count as nothing. */
    public function testARegularExpressionThatTakesTooLong(): void
    {
        $this->store()->save([
            'main()' => ['ct' => 1, 'wt' => 9],
            'main()==>' . str_repeat('a', 60) . '!' => ['ct' => 2, 'wt' => 5],
        ], 'cli', 'a');
        $budgets = $this->budgets(['limits' => ['calls of /^(a+)+$/' => 0]]);
        self::assertUsageError('/^(a+)+$/: this regular expression takes too long', $this->check(['a', '-b', $budgets]));
    }

    /** The schema refuses what the command does, and takes what it takes. */
    public function testTheSchema(): void
    {
        $check = 'import json, sys, jsonschema; s, d = map(json.load, (open(sys.argv[1]), sys.stdin));'
            . ' print(json.dumps([jsonschema.Draft202012Validator(s).is_valid(one) for one in d]))';
        $limits = static fn (mixed $limits): array => ['budgets' => [['limits' => $limits]]];
        $good = [
            $limits(['calls' => 3, 'calls of Shop\\*' => '1 500', 'sql in loops' => ['+0', 9], 'sql like SELECT *' => '+5%']),
            $limits(['wall' => ['200 ms', '+10%'], 'waiting.sql' => '1.5 s', 'self cpu of f' => '300 us', 'not running' => 0]),
            $limits(['peak' => '32M', 'allocated' => 1 << 20, 'process peak' => '+2 MB', 'p95' => '1 min']),
            ['$schema' => 'x', 'budgets' => [['meta' => ['a' => 'b'], 'optional' => true, 'findings' => 'none new']]],
            ['budgets' => [['route' => 'GET /x', 'name' => 'n', 'findings' => ['n-plus-one' => 'none', 'waiting' => 'any']]]],
        ];
        $bad = [
            $limits(['cals' => 3]), $limits(['calls' => -1]), $limits(['wall' => 200]), $limits(['wall' => '200']),
            $limits(['peak' => '32 X']), $limits(['sql' => '20 ms']), $limits(['sql' => []]), $limits([3]),
            ['budgets' => []], ['budgets' => [['route' => 'GET /x']]], ['budgets' => [['rout' => 'x', 'findings' => 'none']]],
            ['budgets' => [['findings' => 'non']]], ['budgets' => [['findings' => ['n-plus-on' => 'none']]]], ['budget' => []],
            ['budgets' => [['findings' => 'none', 'optional' => 'yes']]], ['budgets' => [['findings' => 'none', 'route' => '']]],
        ];
        $schema = self::ROOT . '/docs/budgets.schema.json';
        $all = [...$good, ...$bad];
        self::needsPython();
        $result = $this->process(['python3', '-c', $check, $schema], json_encode($all, JSON_THROW_ON_ERROR));
        if (str_contains($result->err, 'No module named')) {
            self::markTestSkipped('python3-jsonschema is not installed');
        }
        $isTaken = array_map(static function (array $budgets): bool {
            try {
                BudgetsFile::parse(json_encode($budgets, JSON_THROW_ON_ERROR), 'b.json');

                return true;
            } catch (InvalidCheck) {
                return false;
            }
        }, $all);
        self::assertSame([...array_fill(0, count($good), true), ...array_fill(0, count($bad), false)], $isTaken);
        self::assertSame($isTaken, json_decode($result->out, true), $result->err);
    }

    public function testThePartialCheckOfABaseline(): void
    {
        CheckedRuns::save($this->store(), 'a', 3);
        CheckedRuns::save($this->store(), 'b', 3, ['route' => 'GET /others']);
        $file = "$this->folder/base.json";
        $this->check(['a', 'b', "--write-baseline=$file"]);
        self::assertUsageError("base.json:4: no run is of \"GET /others\"", $this->check(['a', "--baseline=$file"]));
        $part = $this->check(['a', "--baseline=$file", '--partial']);
        self::assertSame(0, $part->exitCode, $part->err);
        self::assertStringContainsString('skipped  baseline', $part->out);
    }

    private function utf8(string $text): string
    {
        return (string) iconv('UTF-8', 'UTF-8//IGNORE', str_replace("\xFF", '', $text));
    }

    private static function assertValidJUnit(string $xml): void
    {
        $document = new \DOMDocument();
        $before = libxml_use_internal_errors(true);
        $isValid = $document->loadXML($xml) && $document->schemaValidate(self::GOLDEN . '/junit.xsd');
        $errors = array_map(static fn (\LibXMLError $error): string => trim($error->message), libxml_get_errors());
        libxml_clear_errors();
        libxml_use_internal_errors($before);
        self::assertTrue($isValid, implode("\n", $errors));
    }
}
