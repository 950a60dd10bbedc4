<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

require_once __DIR__ . '/CliTestCase.php';

/** A pull request, played through in a repository of its own: the steps are those of docs/ci.md, by the script of the action. */
final class PullRequestTest extends CliTestCase
{
    private const ACTION = self::ROOT . '/.github/actions/check';

    private const WORKLOAD = <<<'PHP'
        <?php
        require __DIR__ . '/../src/Reviews.php';
        $db = new PDO('sqlite::memory:');
        $db->exec('CREATE TABLE review (id INTEGER, author TEXT)');
        $db->exec('INSERT INTO review VALUES ' . implode(', ', array_map(fn ($i) => "($i, 'a$i')", range(1, 80))));
        echo count((new Shop\Reviews($db))->list()), "\n";
        PHP;

    private const BEFORE = <<<'PHP'
        <?php
        namespace Shop;

        final class Reviews
        {
            public function __construct(private \PDO $db)
            {
            }

            public function list(): array
            {
                return $this->db->query('SELECT id, author FROM review')->fetchAll();
            }
        }
        PHP;

    /** The author of each review in a query of its own. */
    private const AFTER = <<<'PHP'
        <?php
        namespace Shop;

        final class Reviews
        {
            public function __construct(private \PDO $db)
            {
            }

            public function list(): array
            {
                $reviews = $this->db->query('SELECT id FROM review')->fetchAll();
                foreach ($reviews as &$review) {
                    $review['author'] = $this->author($review['id']);
                }

                return $reviews;
            }

            private function author(int $id): string
            {
                $statement = $this->db->prepare('SELECT author FROM review WHERE id = ?');
                $statement->execute([$id]);

                return $statement->fetchColumn();
            }
        }
        PHP;

    private const BUDGETS = <<<'JSON'
        {
            "budgets": [
                {
                    "name": "list of reviews",
                    "command": "*workload.php",
                    "limits": {
                        "sql in loops": 0,
                        "operations": "+0",
                        "calls": "+10%"
                    },
                    "findings": { "n-plus-one": "none new" }
                }
            ]
        }
        JSON;

    protected function setUp(): void
    {
        parent::setUp();
        self::needExtension();
        mkdir("$this->folder/shop");
        foreach (['src', 'tests'] as $name) {
            mkdir("$this->folder/shop/$name");
        }
        $this->put('src/Reviews.php', self::BEFORE);
        $this->put('tests/workload.php', self::WORKLOAD);
        $this->put('xhprof-budgets.json', self::BUDGETS);
        $this->git('init', '-q', '-b', 'main');
        $this->profile();
        $written = $this->inShop([PHP_BINARY, self::program(), 'check', "$this->folder/runs", '--write-baseline',
            '--budgets=xhprof-budgets.json']);
        self::assertSame(0, $written->exitCode, $written->err);
        $this->git('add', '.');
        $this->git('commit', '-qm', 'A list of reviews');
    }

    public function testARequestThatAddsAQueryInALoop(): void
    {
        self::assertSame(0, $this->check()->exitCode, 'main keeps to its own baseline');
        $this->git('checkout', '-qb', 'authors');
        $this->put('src/Reviews.php', self::AFTER);
        $this->profile();
        $result = $this->check();

        self::assertSame(3, $result->exitCode, $result->out . $result->err);
        $annotations = explode("\n", trim($result->out));
        self::assertCount(4, $annotations);
        self::assertStringStartsWith('::error file=src/Reviews.php,line=10,title=XHProf%3A ', $annotations[0]);
        self::assertStringContainsString('::sql in loops: 80, at most 0 in Shop\Reviews::list%0A', $annotations[0]);
        self::assertStringContainsString('%0AOperation: SELECT author FROM review WHERE id = ?.%0A', $annotations[0]);
        $comment = (string) file_get_contents("$this->folder/summary.md");
        self::assertStringStartsWith("### XHProf check: 4 of 4 limits are not kept\n", $comment);
        self::assertStringContainsString('**tests/workload.php: sql in loops: 80, at most 0** `Shop\Reviews::list`', $comment);
        self::assertStringContainsString('operations: 84, no more than the baseline (was 4, +2 000 %)', $comment);
        self::assertStringContainsString('n-plus-one: 80 queries', $comment);
        self::assertStringContainsString('Code: src/Reviews.php:10.', $comment);
        $output = (string) file_get_contents("$this->folder/output");
        self::assertMatchesRegularExpression('~\Apassed=false\nmarkdown=\S+/check\.md\njunit=\S+/check\.xml\n\z~', $output);

        // Mended: one query again.
        $this->put('src/Reviews.php', str_replace('SELECT id, author', 'SELECT author, id', self::BEFORE));
        $this->profile();
        $mended = $this->check();
        self::assertSame([0, ''], [$mended->exitCode, $mended->out]);
        self::assertStringContainsString('passed=true', (string) file_get_contents("$this->folder/output"));
    }

    /** Meant so: the new baseline is a diff of a few lines, which say what changed. */
    public function testANewBaselineIsADiffThatCanBeRead(): void
    {
        $this->put('src/Reviews.php', self::AFTER);
        $this->profile();
        $this->inShop([PHP_BINARY, self::program(), 'check', "$this->folder/runs", '--write-baseline']);
        $diff = $this->git('diff', '-U0', 'xhprof-baseline.json');
        preg_match_all('/^[-+] +"(\w[\w ]*)": (?:\[?\]?|(.*))$/m', $diff, $lines);
        $keys = array_values(array_unique(array_diff($lines[1], ['findings', 'where', 'what'])));
        self::assertSame(['calls', 'operations', 'sql', 'sql in loops', 'rule'], $keys);
        $this->profile();
        $again = $this->git('diff');
        $this->inShop([PHP_BINARY, self::program(), 'check', "$this->folder/runs", '--write-baseline']);
        self::assertSame($again, $this->git('diff'), 'the same work writes the same file');
    }

    public function testAMisspeltBudgetIsNamedInTheLogAndTheSummary(): void
    {
        $this->put('xhprof-budgets.json', str_replace('sql in loops', 'sql in lops', self::BUDGETS));
        $result = $this->check();
        self::assertSame(2, $result->exitCode);
        self::assertSame('::error title=XHProf check::xhprof: xhprof-budgets.json:7: unknown figure "sql in lops"; did you mean'
            . " \"sql in loops\"?\n", $result->out);
        self::assertStringContainsString('could not be made', (string) file_get_contents("$this->folder/summary.md"));
        $empty = $this->check(['INPUT_RUNS' => "\n"]);
        self::assertSame(2, $empty->exitCode);
        self::assertStringContainsString('The input "runs" is empty', $empty->out);
    }

    public function testTheActionIsYamlWhoseInputsTheScriptReads(): void
    {
        $action = $this->yaml((string) file_get_contents(self::ACTION . '/action.yml'));
        self::assertSame('composite', $action['runs']['using'] ?? null);
        $step = $action['runs']['steps'][0];
        $names = array_map(strval(...), array_keys($action['inputs']));
        $inputs = array_map(static fn (string $name): string => 'INPUT_' . strtoupper($name), $names);
        self::assertSame($inputs, array_keys($step['env']));
        $script = (string) file_get_contents(self::ACTION . '/check.sh');
        foreach ($inputs as $input) {
            self::assertStringContainsString("\${{$input}", strtr($script, [':-' => '}']));
        }
        foreach (array_keys($action['outputs']) as $output) {
            self::assertMatchesRegularExpression("/echo \"?$output=/", $script);
        }
        self::assertStringNotContainsString('${{', $step['run'], 'nothing from outside is a part of the script');
    }

    public function testTheRecipesAreYaml(): void
    {
        preg_match_all('/^```yaml\n(.*?)^```$/ms', (string) file_get_contents(self::ROOT . '/docs/ci.md'), $found);
        self::assertCount(3, $found[1]);
        foreach ($found[1] as $recipe) {
            self::assertNotSame([], $this->yaml($recipe));
        }
    }

    /** @return array<string, mixed> */
    private function yaml(string $text): array
    {
        $read = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))';
        self::needsPython();
        $result = $this->process(['python3', '-c', $read], $text);
        if (str_contains($result->err, 'No module named')) {
            self::markTestSkipped('python3-yaml is not installed');
        }
        self::assertSame(0, $result->exitCode, $result->err);

        return json_decode($result->out, true, 64, JSON_THROW_ON_ERROR);
    }

    private function profile(): void
    {
        exec('rm -f ' . escapeshellarg("$this->folder/runs") . '/*.run');
        $run = $this->inShop([PHP_BINARY, self::program(), 'run', '-q', '--', 'tests/workload.php']);
        self::assertSame(0, $run->exitCode, $run->err);
    }

    /** @param array<string, string> $inputs */
    private function check(array $inputs = []): ProcessResult
    {
        foreach (['summary.md', 'output'] as $name) {
            file_put_contents("$this->folder/$name", '');
        }

        return $this->inShop(['bash', (string) realpath(self::ACTION . '/check.sh')], $inputs + [
            'INPUT_RUNS' => "$this->folder/runs",
            'INPUT_BUDGETS' => 'xhprof-budgets.json',
            'INPUT_BASELINE' => 'xhprof-baseline.json',
            'INPUT_XHPROF' => self::program(),
            'RUNNER_TEMP' => $this->folder,
            'GITHUB_STEP_SUMMARY' => "$this->folder/summary.md",
            'GITHUB_OUTPUT' => "$this->folder/output",
            'GITHUB_WORKSPACE' => "$this->folder/shop",
        ]);
    }

    private function put(string $file, string $text): void
    {
        file_put_contents("$this->folder/shop/$file", "$text\n");
    }

    private function git(string ...$arguments): string
    {
        $identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org'];
        $result = $this->inShop(['git', ...$identity, ...array_values($arguments)]);
        self::assertSame(0, $result->exitCode, $result->err);

        return $result->out;
    }

    /**
     * @param list<string> $command
     * @param array<string, string> $environment
     */
    private function inShop(array $command, array $environment = []): ProcessResult
    {
        $line = implode(' ', array_map(escapeshellarg(...), $command));
        $shell = 'cd ' . escapeshellarg("$this->folder/shop") . " && exec $line";

        return $this->process(['sh', '-c', $shell], '', $environment);
    }
}
