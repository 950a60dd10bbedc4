<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Store\RunFolder;

require_once __DIR__ . '/CliTestCase.php';

/** `xhprof status`: the settings in effect, problems, and their remedies. */
final class StatusCommandTest extends CliTestCase
{
    private const EDGES = ['main()' => ['ct' => 1, 'wt' => 46900]];

    protected function setUp(): void
    {
        parent::setUp();
        self::needExtension();
    }

    /**
     * @param array<string, string> $settings of php.ini, without "xhprof."
     * @param list<string>          $arguments
     */
    private function statusOf(array $settings, array $arguments = [], bool $loaded = true, string $temporary = ''): ProcessResult
    {
        $lines = $loaded ? ['extension=' . realpath(self::ROOT . '/extension/modules/xhprof.so')] : [];
        foreach ($settings + ['output_dir' => "$this->folder/runs"] as $name => $value) {
            $lines[] = "xhprof.$name=$value";
        }
        file_put_contents("$this->folder/php.ini", implode("\n", $lines) . "\n");

        $environment = ['COLUMNS' => '200'] + ($temporary === '' ? [] : ['TMPDIR' => $temporary]);

        return $this->xhprof(['status', "--ini=$this->folder", ...$arguments], '', $environment);
    }

    public function testAllIsRight(): void
    {
        chmod("$this->folder/runs", 0700);
        $asked = ['ts' => time() - 30.0, 'url' => "/x\x1b", 'method' => 'GET', 'start' => 'trigger'];
        $this->store()->save(self::EDGES, 'web', 'aaaa1', $asked);
        $this->store()->save(self::EDGES, 'web', 'aaaa2', ['ts' => 1000.0, 'start' => 'sampled']);
        $this->store()->save(self::EDGES, 'web', 'aaaa3', ['ts' => 1000.0]);
        $result = $this->statusOf(['start_with_request' => 'trigger', 'trigger_value' => 'hush', 'max_runs' => '300']);
        self::assertSame([0, ''], [$result->exitCode, $result->err]);
        self::assertMatchesRegularExpression("~^PHP 8\.\S+(?: ZTS)?, $this->folder/php.ini\nok  extension 3~", $result->out);
        $lines = [
            'ok  xhprof.start_with_request=trigger: requests and commands with XHPROF_TRIGGER',
            'ok  xhprof.trigger_value is set',
            'ok  xhprof.mode=exact: every call',
            'ok  at most 300 runs or 1.00 GB of a source are kept',
            "Runs in $this->folder/runs",
            'ok  writable (',
            '3 runs (1.0 % of the limit), ',
            'triggered 1, chosen by rate 1, by the program 1',
            's ago  GET /x\x1B',
        ];
        foreach ($lines as $line) {
            self::assertStringContainsString($line, $result->out);
        }
        self::assertStringNotContainsString('hush', $result->out);
        // The command saves no run.
        self::assertCount(3, $this->store()->list());
    }

    public function testAFolderThatOthersCanWriteIsWrong(): void
    {
        foreach ([01777, 0777] as $mode) {
            chmod("$this->folder/runs", $mode);
            $result = $this->statusOf(['start_with_request' => 'yes']);
            self::assertSame(1, $result->exitCode);
            self::assertStringContainsString('!!  every user may write there', $result->out);
        }
        chmod("$this->folder/runs", 0770);
        self::assertStringNotContainsString('every user', $this->statusOf(['start_with_request' => 'yes'])->out);
    }

    /** @return array<string, array{array<string, string>, int, string, string}> settings, exit code, finding, remedy */
    public static function settings(): array
    {
        $trigger = ['trigger_value' => 'x'];

        return [
            'nothing starts' => [
                [], 1, '!!  xhprof.start_with_request=no: nothing starts by itself', 'trigger, sampled or yes in php.ini',
            ],
            'no value' => [
                ['start_with_request' => 'often'], 1, '!!  xhprof.start_with_request=often is not a valid value', 'use trigger',
            ],
            'none of them' => [
                ['start_with_request' => 'sampled', 'sample_rate' => '0'], 1,
                '!!  xhprof.start_with_request=sampled with xhprof.sample_rate=0', 'xhprof.sample_rate=0.01',
            ],
            'some' => [
                ['start_with_request' => 'sampled', 'sample_rate' => '0.001'], 0,
                'ok  xhprof.start_with_request=sampled: 1 request of 1 000, and those with XHPROF_TRIGGER',
                'xhprof.trigger_value="a long secret"',
            ],
            'all in full' => [
                ['start_with_request' => 'yes'] + $trigger, 0, '--  xhprof.mode=exact: every call', 'too costly in production',
            ],
            'aggregate of nothing' => [
                ['start_with_request' => 'trigger', 'mode' => 'aggregate'], 1, 'but never with xhprof.start_with_request=trigger',
                'xhprof.start_with_request=yes',
            ],
            'coarse' => [
                ['start_with_request' => 'yes', 'mode' => 'aggregate', 'flush_seconds' => '30', 'sampling_interval' => '100000'], 0,
                '--  xhprof.mode=aggregate: sampled every 100 ms, merged into one run every 30 s', 'xhprof.sampling_interval=10000',
            ],
            'fine' => [
                ['start_with_request' => 'yes', 'mode' => 'aggregate'], 0,
                'ok  xhprof.mode=aggregate: sampled every 10.0 ms', '',
            ],
            'without hooks' => [
                ['start_with_request' => 'yes', 'hooks' => 'off'], 1, 'xhprof.hooks=off hides all calls',
                'xhprof.mode=sample',
            ],
            'all allocations without hooks' => [
                ['start_with_request' => 'yes', 'mode' => 'alloc', 'hooks' => 'off'], 1, 'xhprof.hooks=off hides all calls',
                'xhprof.mode=sample',
            ],
            'sampled allocations' => [
                ['start_with_request' => 'yes', 'mode' => 'alloc', 'alloc_sample_bytes' => '512K', 'hooks' => 'off'], 0,
                'ok  xhprof.mode=alloc: one allocation every 512 KB', '',
            ],
            'no bound' => [
                ['start_with_request' => 'trigger', 'max_runs' => '0', 'max_bytes' => '0'], 0,
                '--  the folder grows without limit', 'xhprof prune',
            ],
            'only slow ones' => [
                ['start_with_request' => 'trigger', 'save_slower_than_ms' => '250'], 0,
                'ok  only profiles of 250 ms or more are kept', '',
            ],
            'no folder' => [
                ['start_with_request' => 'trigger', 'output_dir' => '/nowhere/runs'], 1, '!!  the folder does not exist',
                'mkdir -m 0770 /nowhere/runs',
            ],
        ];
    }

    /** @param array<string, string> $settings */
    #[DataProvider('settings')]
    public function testAdvice(array $settings, int $exitCode, string $finding, string $todo): void
    {
        $result = $this->statusOf($settings);
        self::assertSame([$exitCode, ''], [$result->exitCode, $result->err], $result->out);
        self::assertStringContainsString($finding, $result->out);
        self::assertStringContainsString($todo, (string) strstr($result->out, 'To do') . ($todo === '' ? '.' : ''));
        self::assertCount(0, $this->store()->list());
    }

    public function testAPhpThatCannotBeSampled(): void
    {
        foreach (['sample' => [1, '!!'], 'exact' => [0, '--']] as $mode => [$exitCode, $mark]) {
            $module = is_file(PHP_EXTENSION_DIR . '/opcache.so') ? ['-d', 'zend_extension=opcache'] : [];
            $jit = [...$module, '-d', 'opcache.jit=function', '-d', 'opcache.jit_buffer_size=16M'];
            $settings = ['start_with_request' => 'sampled', 'sample_rate' => '0.1', 'trigger_value' => 'x', 'mode' => $mode];
            $result = $this->statusOf($settings, $jit);
            self::assertSame($exitCode, $result->exitCode, $result->out);
            self::assertStringContainsString("$mark  nothing can be sampled: PHP's JIT loses variables", $result->out);
        }
    }

    public function testWithoutTheExtension(): void
    {
        $result = $this->statusOf(['start_with_request' => 'yes'], [], false);
        self::assertSame(1, $result->exitCode);
        self::assertStringContainsString('!!  the extension is not loaded', $result->out);
        self::assertStringContainsString("put \"extension=xhprof\" into $this->folder/php.ini", $result->out);
        self::assertOneLineError('/nowhere does not exist', $this->xhprof(['status', '--ini=/nowhere']));
    }

    /**
     * @param array<string, string> $pools file => lines
     * @param list<string>          $arguments
     */
    private function statusOfPools(array $pools, array $arguments = [], string $folder = 'pool.d'): ProcessResult
    {
        @mkdir("$this->folder/$folder");
        foreach ($pools as $file => $lines) {
            file_put_contents("$this->folder/$folder/$file", $lines);
        }
        $settings = ['start_with_request' => 'no', 'trigger_value' => 'x', 'sampling_interval' => '10000', 'output_dir' => ''];

        return $this->statusOf($settings, $arguments);
    }

    public function testWhatPoolsSetCounts(): void
    {
        mkdir("$this->folder/own", 0700);
        $user = posix_getpwuid(posix_geteuid())['name'] ?? 'root';
        $www = <<<INI
            ; [not]
            [global]
            pid = /run/php-fpm.pid
            [www]
            user = $user
            php_admin_value[xhprof.start_with_request] = "trigger" ; who asks
            php_value[xhprof.start_with_request] = yes
            php_value[xhprof.mode]=sample
            ;php_value[xhprof.mode]=alloc
            php_admin_flag[xhprof.sampling_lines] = on
            php_admin_value[xhprof.output_dir] = $this->folder/own
            php_admin_value[memory_limit] = 32M
            INI;
        $result = $this->statusOfPools(['www.conf' => $www]);
        self::assertSame([0, ''], [$result->exitCode, $result->err], $result->out);
        $said = [
            "Pool www, $this->folder/pool.d/www.conf\n",
            'ok  xhprof.start_with_request=trigger: requests and commands',
            'ok  xhprof.mode=sample',
            "Runs in $this->folder/own\nok  $user may write there (",
        ];
        foreach ($said as $text) {
            self::assertStringContainsString($text, $result->out);
        }
        self::assertStringNotContainsString("$this->folder/runs", $result->out, "the shell's folder is not the server's");
        $json = $this->statusOfPools([], ['--json'])->json();
        self::assertSame(['www', '1'], [$json['pools'][0]['name'], $json['pools'][0]['settings']['xhprof.sampling_lines']]);
        self::assertSame(['trigger', '(set)'], [
            $json['settings']['xhprof.start_with_request'],
            $json['settings']['xhprof.trigger_value'],
        ]);
    }

    public function testWhichPoolStartsWhat(): void
    {
        $pools = [
            'a.conf' => "[api]\nenv[XHPROF_OUTPUT_DIR] = \$dir/\$pool\nphp_value[xhprof.start_with_request] = yes\n",
            'b.conf' => "[www]\npm = static\n[cron]\npm = static\n",
        ];
        $pools['a.conf'] = str_replace('$dir', $this->folder, $pools['a.conf']) . "php_value[xhprof.mode] = sample\n";
        mkdir("$this->folder/api", 0700);
        $all = $this->statusOfPools($pools);
        self::assertSame([0, ''], [$all->exitCode, $all->err], $all->out);
        $start = 'xhprof\.start_with_request';
        self::assertMatchesRegularExpression("/^Pool api, .*\nok .*\nok  $start=yes: every request$/m", $all->out);
        self::assertMatchesRegularExpression("/^Pools www and cron, .*\nok .*\n--  $start=no: nothing starts/m", $all->out);
        self::assertStringContainsString("Runs in $this->folder/api\n", $all->out);
        self::assertSame(['api', 'www', 'cron'], array_column($this->statusOfPools([], ['--json'])->json()['pools'], 'name'));
        $one = $this->statusOfPools([], ['--pool=www']);
        self::assertSame([1, ''], [$one->exitCode, $one->err]);
        self::assertStringNotContainsString('api', $one->out);
        self::assertStringContainsString('!!  xhprof.start_with_request=no: nothing starts by itself', $one->out);
        self::assertSame(0, $this->statusOfPools([], ["--pool=$this->folder/pool.d/a.conf"])->exitCode);
        file_put_contents("$this->folder/pool.d/empty.conf", '');
        self::assertSame('', $this->statusOfPools([])->err);
        self::assertUsageError('its pools: api, www, cron', $this->statusOfPools([], ['--pool=web']));
        self::assertUsageError('--pool needs --ini', $this->xhprof(['status', '--pool=www']));

        $none = $this->statusOfPools(['a.conf' => "[api]\nphp_value[xhprof.mode] = exact\n"]);
        self::assertSame(1, $none->exitCode);
        $flat = (string) preg_replace('/\s+/', ' ', $none->out);
        self::assertStringContainsString('nothing starts by itself', $flat);
    }

    public function testOtherPlacesOfPools(): void
    {
        $pool = ['www.conf' => "[www]\nphp_admin_value[xhprof.start_with_request]=trigger\n"];
        self::assertStringContainsString('Pool www, ', $this->statusOfPools($pool, [], 'php-fpm.d')->out);
        unlink("$this->folder/php-fpm.d/www.conf");
        $empty = $this->statusOfPools([]);
        self::assertStringContainsString('.htaccess and .user.ini were not checked', $empty->out);
        self::assertStringNotContainsString('not checked', $this->xhprof(['status'])->out);
    }

    public function testWithoutAFolderItIsThatOfThePoolsUser(): void
    {
        mkdir("$this->folder/pool.d");
        mkdir($temporary = "$this->folder/temporary", 0777);
        $me = posix_getpwuid(posix_geteuid()) ?: self::markTestSkipped('this user has no name');
        $other = posix_getpwnam('nobody') ?: self::markTestSkipped('there is no nobody');
        $settings = ['start_with_request' => 'trigger', 'trigger_value' => 'x', 'output_dir' => ''];
        $status = function (string $user) use ($settings, $temporary): ProcessResult {
            file_put_contents("$this->folder/pool.d/www.conf", "[www]\nuser = $user\n");

            return $this->statusOf($settings, [], true, $temporary);
        };
        foreach ([$other['name'], (string) $other['uid']] as $user) {
            $result = $status($user);
            self::assertSame([0, ''], [$result->exitCode, $result->err], $result->out);
            self::assertStringContainsString("Runs in $temporary/xhprof-$other[uid]\n", $result->out);
            self::assertStringContainsString('ok  the first run creates the folder', $result->out);
        }
        self::assertSame([], glob("$temporary/*"), 'looking makes none');
        self::assertStringContainsString("Runs in $temporary/xhprof-UID\n", $status('not-here')->out);

        mkdir($own = "$temporary/xhprof-$me[uid]", 0700);
        (new RunFolder($own))->save(self::EDGES, 'web', 'aaaa1', ['ts' => 1000.0]);
        $result = $status($me['name']);
        self::assertSame([0, ''], [$result->exitCode, $result->err], $result->out);
        self::assertStringContainsString("Runs in $own\n", $result->out);
        self::assertStringContainsString("ok  $me[name] may write there ($me[name], mode 0700)", $result->out);
        self::assertStringContainsString('    1 run', $result->out);
        self::assertStringNotContainsString('chgrp', $result->out);
        chmod($own, 0770);
        self::assertStringContainsString("!!  not private to $me[name]", $status($me['name'])->out);
        if ($other['uid'] !== $me['uid']) {
            mkdir("$temporary/xhprof-$other[uid]", 0700);
            self::assertStringContainsString("!!  not private to $other[name]", $status($other['name'])->out);
        }
    }

    public function testAFolderThatOnlyItsUserReadsHidesNoSettings(): void
    {
        chmod("$this->folder/runs", 0);
        if (is_readable("$this->folder/runs")) {
            self::markTestSkipped('root reads everything');
        }
        $result = $this->statusOf(['start_with_request' => 'trigger']);
        self::assertSame('', $result->err);
        self::assertStringContainsString('ok  xhprof.start_with_request=trigger', $result->out);
        self::assertStringContainsString('    only its owner may list the runs', $result->out);
    }

    public function testWhatTheFolderSays(): void
    {
        chmod("$this->folder/runs", 01777);
        mkdir("$this->folder/conf.d");
        file_put_contents("$this->folder/conf.d/a.ini", '');
        file_put_contents("$this->folder/conf.d/b.ini", '');
        $this->store()->save(self::EDGES, 'web', 'aaaa1', ['ts' => 1000.0]);
        $this->store()->save(self::EDGES, 'web', 'aaaa2', ['ts' => 1000.0, 'start' => 'manual']);
        $result = $this->statusOf(['start_with_request' => 'trigger']);
        self::assertSame(1, $result->exitCode, 'sticky or not: others may put runs there');
        self::assertStringContainsString('!!  every user may write there', $result->out);
        self::assertStringContainsString('set a private folder: xhprof.output_dir=', $result->out);
        chmod("$this->folder/runs", 0777);
        self::assertStringContainsString("chmod o-w $this->folder/runs", $this->statusOf([])->out);
        self::assertStringContainsString("    by the program 2\n", $result->out);
        self::assertStringContainsString("$this->folder/php.ini and 2 files in $this->folder/conf.d\n", $result->out);
        self::assertSame(['manual' => 2], $this->statusOf([], ['--json'])->json()['folder']['starts']);
    }

    public function testSpoolsAndJson(): void
    {
        $spool = "$this->folder/runs/.xhprof-aggregate.web.spool";
        file_put_contents($spool, str_repeat('x', 2048));
        symlink('/etc/passwd', "$this->folder/runs/.xhprof-aggregate.link.spool");
        $settings = ['start_with_request' => 'yes', 'mode' => 'aggregate', 'sampling_interval' => '10000'];
        $settings['trigger_value'] = 'hush';
        $said = '/^ok  spool of web: 2\.00 KB, written \d{1,2} s ago$/m';
        self::assertMatchesRegularExpression($said, $this->statusOf($settings)->out);
        file_put_contents("$this->folder/runs/.xhprof-aggregate.other.0.60-1000-wall.spool", str_repeat("\0", 64));
        touch("$this->folder/runs/.xhprof-aggregate.other.0.60-1000-wall.spool", time() - 9000);
        self::assertStringContainsString('ok  spool of other: empty, written 2 h ago', $this->statusOf($settings)->out);
        touch($spool, time() - 600);
        $old = $this->statusOf($settings);
        self::assertStringContainsString('--  spool of web: 2.00 KB, written 10 min ago', $old->out);
        self::assertStringContainsString('the next request saves what it holds', $old->out);

        $json = $this->statusOf($settings, ['--json'])->json();
        self::assertTrue($json['right']);
        self::assertSame('aggregate', $json['settings']['xhprof.mode']);
        self::assertSame('yes', $json['settings']['xhprof.start_with_request']);
        self::assertSame('(set)', $json['settings']['xhprof.trigger_value']);
        self::assertSame(["$this->folder/runs", true, 0], [
            $json['folder']['path'],
            $json['folder']['exists'],
            $json['folder']['runs'],
        ]);
        self::assertEqualsCanonicalizing(['web', 'other'], array_column($json['folder']['spools'], 'source'));
    }

    public function testNarrowScreens(): void
    {
        $this->statusOf(['start_with_request' => 'trigger', 'mode' => 'sample']);
        $arguments = ['status', "--ini=$this->folder", '-d', 'xhprof.start_with_request=sampled'];
        $out = $this->xhprof($arguments, '', ['COLUMNS' => '60'])->out;
        self::assertStringContainsString('xhprof.start_with_request=sampled', $out);
        $findings = preg_grep('/^(ok|--|!!|\*|    )/', explode("\n", $out)) ?: [];
        self::assertLessThanOrEqual(60, self::widestLine(str_replace($this->folder, '', implode("\n", $findings))));
    }
}
