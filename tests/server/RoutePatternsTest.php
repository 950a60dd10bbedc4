<?php

declare(strict_types=1);

namespace XHProf\Tests\Server;

use XHProf\Run\RunMeta;
use XHProf\Tools\Servers\DevServer;
use XHProf\Tools\Servers\Folder;
use XHProf\Tools\Servers\PhpFpm;
use XHProf\Tools\Servers\Request;

require_once __DIR__ . '/ServerTestCase.php';

/** Routes by xhprof.route_patterns: the example of the documentation, and values that differ between requests. */
final class RoutePatternsTest extends ServerTestCase
{
    private Folder $site;
    private string $script;

    protected function setUp(): void
    {
        self::needExtension();
        $this->site = new Folder();
        $this->script = "{$this->site->path}/index.php";
        file_put_contents($this->script, '<?php echo preg_last_error();');
    }

    public function testTheExampleNamesTheRoutesOfItsTable(): void
    {
        $text = (string) file_get_contents(__DIR__ . '/../../docs/production.md');
        $start = (int) strpos($text, '### Routes by patterns');
        $section = substr($text, $start, (int) strpos($text, "\n## ", $start) - $start);
        self::assertSame(1, preg_match('/```ini\n(.*?)```/s', $section, $example));
        self::assertGreaterThan(4, preg_match_all('/^\| `(GET|POST) (\S+)` \| `(.*)` \|$/m', $section, $rows, PREG_SET_ORDER));

        file_put_contents("{$this->site->path}/example.ini", $example[1] ?? '');
        $server = new DevServer(
            self::loaded(['xhprof.start_with_request=yes']),
            environment: ['PHP_INI_SCAN_DIR' => getenv('PHP_INI_SCAN_DIR') . ":{$this->site->path}"],
            script: $this->script,
        );
        foreach ($rows as [, $method, $path]) {
            $form = $method === 'POST' ? ['action' => 'other'] : null;
            self::assertSame('0', $server->client->send(new Request($path, $form))->body);
        }
        $server->stop();
        self::assertSame('', $server->errors());
        self::assertEqualsCanonicalizing(array_column($rows, 3), self::routes($server->runs()));
    }

    /** More values than a process keeps; each request has the one that nginx has made for it. */
    public function testEachHostHasItsOwnPatterns(): void
    {
        self::needServers();
        $server = new PhpFpm(
            self::loaded(['xhprof.start_with_request=yes']),
            1,
            script: $this->script,
            parameters: ['PHP_ADMIN_VALUE' => '"xhprof.route_patterns=\'#^/(de|fr)([/?]|\z)#=${arg_site}_\1 #(#=bad\'"'],
        );
        $expected = [];
        foreach ([1, 2, 3, 4, 5, 6, 1, 6, 5, 5, 2] as $site) {
            self::assertSame('0', $server->client->get("/fr?site=s$site")->body);
            $expected[] = "GET s{$site}_fr";
        }
        $server->stop();
        self::assertSame(1, substr_count($server->errors(), "\n"), $server->errors());
        self::assertStringContainsString('"#(#=bad" is ignored: missing closing parenthesis', $server->errors());
        self::assertEqualsCanonicalizing($expected, self::routes($server->runs()));
    }

    /** @return list<string|null> */
    private static function routes(string $folder): array
    {
        return array_map(static fn(RunMeta $run): ?string => $run->origin->route, self::wholeRuns($folder));
    }
}
