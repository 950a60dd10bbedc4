<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Import\Importer;
use XHProf\Import\InputFile;
use XHProf\Import\Readers;
use XHProf\Profile\CallTree;
use XHProf\Run\MadeRun;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;
use XHProf\Secret\Redact;
use XHProf\Secret\Secret;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\ExportRuns;
use XHProf\Tests\Lib\Support\ImportFixtures;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/ExportRuns.php';
require_once __DIR__ . '/Support/ImportFixtures.php';
require_once __DIR__ . '/Support/RunFiles.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';
require_once dirname(__DIR__, 2) . '/xhprof_lib/utils/xhprof_runs.php';

/**
 * Runs are saved without secrets, by importers and programs too: the same cases as the extension's.
 */
final class RedactTest extends TestCase
{
    use TemporaryFolder;

    /** Prints the id of a run with metadata of this process. */
    private const SAVE = 'require LIB . "/autoload.php"; $edges = ["main()" => ["ct" => 1, "wt" => 1]];
        echo (new XHProf\Store\RunFolder(FOLDER))->save($edges, "lib", null, XHProf\Run\RunMeta::here())->id;';

    /** @return iterable<string, array{string, string, string}> */
    public static function cases(): iterable
    {
        $lines = file(dirname(__DIR__, 2) . '/extension/tests/redaction.tsv', FILE_IGNORE_NEW_LINES);
        foreach ($lines ?: [] as $line) {
            [$kind, $input, $expected] = explode("\t", $line);
            if ($kind !== 'route') {
                yield "$kind $input" => [$kind, $input, $expected];
            }
        }
    }

    #[DataProvider('cases')]
    public function testOneRuleForAll(string $kind, string $input, string $expected): void
    {
        $redact = Redact::withRules(Secret::FRAGMENTS, 'open-sesame');
        if ($kind === 'argv') {
            /** @var list<string> $arguments */
            $arguments = json_decode($input, true, 512, JSON_THROW_ON_ERROR);
            self::assertSame($expected, $redact->command($arguments));
        } else {
            self::assertSame($expected, $redact->url($input));
        }
    }

    /** Redacted text may be redacted again: for a run that is imported, exported and imported. */
    #[DataProvider('cases')]
    public function testWhatIsRedactedStays(string $kind, string $input, string $expected): void
    {
        $redact = Redact::withRules(Secret::FRAGMENTS, 'open-sesame');
        self::assertSame($expected, $kind === 'argv' ? $redact->commandLine($expected) : $redact->url($expected));
    }

    /** The extension's function, which the classic library asks where it is loaded. */
    public function testTheExtensionHidesTheSame(): void
    {
        $cases = array_values(iterator_to_array(self::cases()));
        $given = array_map(static fn (array $case): array => [$case[0], $case[1]], $cases);
        file_put_contents("$this->folder/cases.json", json_encode($given, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE));
        $shown = $this->withExtension('open-sesame', '$cases = json_decode(file_get_contents(FOLDER . "/cases.json"), true);
            foreach ($cases as [$kind, $text]) { $shown[] = xhprof_redact($kind === "argv" ? json_decode($text, true) : $text);
        } echo json_encode($shown);');
        self::assertSame(array_column($cases, 2), json_decode($shown, true));
    }

    /** It is hidden from PHP, so that the library alone cannot know it. */
    public function testTheTriggersValueIsNotSavedByTheLibraryEither(): void
    {
        $urls = ['/a.php/s3cr3t-value?x=1', '/a.php?XHPROF_PROFILE=s3cr3t-value', '/?q=s3cr3t-value', '/?q=s3cr3t%2Dvalue'];
        foreach ($urls as $url) {
            $id = $this->withExtension('s3cr3t-value', '$_SERVER["REQUEST_URI"] = ' . var_export($url, true) . ';
                ' . self::SAVE);
            $meta = json_encode(RunFiles::document($this->folder, "$id.lib", 'meta'), JSON_THROW_ON_ERROR);
            self::assertStringContainsString('REDACTED', $meta);
            self::assertStringNotContainsString('s3cr3t', $meta, $url);
        }
        $id = $this->withExtension('s3cr3t-value', '$_SERVER["argv"] = ["a.php", "s3cr3t-value"];
            ' . self::SAVE);
        $meta = RunMeta::fromArray(RunFiles::document($this->folder, "$id.lib", 'meta') ?? []);
        self::assertSame('php a.php REDACTED', $meta->origin->command);
    }

    private function withExtension(string $trigger, string $code): string
    {
        $root = dirname(__DIR__, 2);
        if (!is_file("$root/extension/modules/xhprof.so")) {
            self::markTestSkipped('extension/modules/xhprof.so is not built (make build)');
        }
        $code = 'define("FOLDER", ' . var_export($this->folder, true) . '); define("LIB", ' . var_export("$root/xhprof_lib", true)
            . "); $code";
        $load = extension_loaded('xhprof') ? [] : ['-d', "extension=$root/extension/modules/xhprof.so"];
        $command = [PHP_BINARY, ...$load, '-d', "xhprof.trigger_value=$trigger", '-r', $code];

        return (string) shell_exec(implode(' ', array_map(escapeshellarg(...), $command)));
    }

    /** @return iterable<string, array{string, string}> */
    public static function lines(): iterable
    {
        foreach (
            [
                '' => '',
                "php  a\tb.php 'x y'" => "php  a\tb.php 'x y'",
                "php import.php --by=O'Hare" => "php import.php --by=O'Hare",
                'php "a\\"b" --tok"en"=HIDE' => 'php "a\\"b" --token=REDACTED',
                '/usr/bin/php8.2 artisan secrets:set \'token=HIDE\'' => '/usr/bin/php8.2 artisan secrets:set token=REDACTED',
                "php a.php --password 'HIDE HIDE' x" => "php a.php --password 'REDACTED' x",
                'mysqldump -u root:HIDE db' => 'mysqldump -u root:REDACTED db',
                'Orders of token: HIDE' => 'Orders of token: REDACTED',
                "php x --by=O'Hare --password=HIDE --to=O'Neil" => "php x '--by=OHare --password=REDACTED'",
                'php x --password="HIDE HIDE' => "php x '--password=REDACTED'", // cut off
                'php a\\' => 'php a\\',
            ] as $line => $shown
        ) {
            yield $line => [$line, $shown];
        }
    }

    #[DataProvider('lines')]
    public function testCommandsAsTheyWereTyped(string $line, string $shown): void
    {
        self::assertSame($shown, Redact::withRules(Secret::FRAGMENTS, '')->commandLine($line));
    }

    public function testNamesMayStandInLinesOfTheirOwn(): void
    {
        $redact = Redact::withRules("foo,\n bar\r\n", '');
        self::assertSame('/x?foo=REDACTED&bar=REDACTED&baz=3', $redact->url('/x?foo=1&bar=2&baz=3'));
    }

    public function testRoutes(): void
    {
        $redact = Redact::withRules(Secret::FRAGMENTS, 'open-sesame');
        self::assertSame('GET /in/{id}/x.json', $redact->route('GET /in/token=HIDE/x.json'));
        self::assertSame('GET /a/{id}', $redact->route('GET /a/{id}'));
        self::assertSame('/a', $redact->route('/a'));
    }

    /** @return array<string, string> a file of each format, with secrets in each text about the profiled program */
    private static function secretive(): array
    {
        $command = "php a.php --password HIDE 'https://u:HIDE@h/?token=HIDE'";
        $meta = ['command' => $command, 'url' => '/a;sid=HIDE/b?token=HIDE', 'route' => 'GET /a/token=HIDE'];
        $json = ['v' => 1, 'kind' => 'xhprof-run', 'meta' => $meta, 'names' => ['main()'],
            'edges' => ['p' => [-1], 'c' => [0], 'm' => ['ct' => [1], 'wt' => [5]]]];
        $profile = ['type' => 'sampled', 'name' => $command, 'unit' => 'seconds', 'startValue' => 0, 'endValue' => 1,
            'samples' => [[0]], 'weights' => [1]];
        $speedscope = ['$schema' => 'https://www.speedscope.app/file-format-schema.json', 'profiles' => [$profile],
            'shared' => ['frames' => [['name' => 'f']]]];
        $edges = ['main()' => ['ct' => 1, 'wt' => 1]];
        $small = ExportRuns::small();
        $secretive = new MadeRun($small->id, $command, RunMeta::fromArray(['command' => $command]), $small->tree());

        return array_map(static fn (string|array $file): string => is_string($file) ? $file : (string) json_encode($file), [
            'xhprof' => serialize($edges),
            'json' => $json,
            'speedscope' => $speedscope,
            'spx' => "[events]\n0 1 5 5\ntoken=HIDE\n0 0 7 5\n[functions]\nf\n",
            'memprof' => ['memory_size' => 5, 'called_functions' => []],
            'memprof-pprof' => ImportFixtures::memprofPprof(),
            'xdebug-trace' => "Version: 3.2.0\nFile format: 4\nTRACE START [2026-11-28 20:35:56.804273]\n"
                . "1\t0\t0\t0.001\t40\t{main}\t1\t\t/a.php\t0\t0\n"
                . "2\t1\t0\t0.002\t48\tlogin\t1\t\t/a.php\t5\t2\t'HIDE'\t'HIDE'\n2\t1\tR\t\t\t'HIDE'\n"
                . "token=HIDE\n1\t0\t1\t0.003\t40\n",
            'blackfire' => "file-format: BlackfireProbe\ncost-dimensions: wt\nrequest-url: /a?token=HIDE\n\n"
                . "main()//1 5\ntoken=HIDE\n",
            'pprof' => ExportRuns::written('pprof', $secretive),
            'xhgui' => [
                'profile' => $edges,
                'tags' => ['url' => '/a;sid=HIDE/b?token=HIDE', 'about' => $command],
                'meta' => ['SERVER' => ['REQUEST_URI' => '/a;sid=HIDE/b?token=HIDE'], 'tags' => ['about' => $command]],
            ],
            'callgrind' => "# callgrind format\ncmd: $command\ndesc: $command\nevents: Ir\nfn=f\n1 2\ntoken=HIDE\n",
            'folded' => "main();f 5\n$command\n/a?token=HIDE\n",
        ]);
    }

    /** No importer of other tools' files keeps a secret. */
    public function testImportersBringNoSecret(): void
    {
        $files = self::secretive();
        self::assertSame(array_keys(Readers::all()), array_keys($files), 'a new importer has a file here');
        $store = new RunFolder($this->folder);
        foreach ($files as $format => $bytes) {
            file_put_contents("$this->folder/input", $bytes);
            $file = InputFile::at("$this->folder/input");
            foreach ((new Importer($store))->import($file, Readers::for($file, $format)) as $outcome) {
                self::assertNotNull($outcome->id, "$format: $outcome->error");
                self::assertStringContainsString('"imported from"', $this->saved($outcome->id));
                self::assertStringNotContainsString('HIDE', $this->saved($outcome->id), $format);
            }
        }
    }

    public function testTheStoreTakesNoSecret(): void
    {
        $store = new RunFolder($this->folder);
        $meta = ['command' => 'php a.php --password HIDE', 'url' => '/a?token=HIDE', 'route' => 'GET /a/token=HIDE'];
        $tree = ['names' => ['main()'], 'fn' => [0], 'depth' => [0], 'ct' => [1], 'self' => ['wt' => [1]]];
        foreach (
            [
                $store->save(['main()' => ['ct' => 1, 'wt' => 1]], 'a', null, $meta),
                $store->save(CallTree::fromArray($tree)->toEdges(), 'a', null, $meta, CallTree::fromArray($tree)),
            ] as $id
        ) {
            self::assertStringContainsString('REDACTED', $this->saved($id));
            self::assertStringNotContainsString('HIDE', $this->saved($id));
        }
    }

    private function saved(RunId $id): string
    {
        return implode('', array_map(static fn (string $file): string
            => (string) file_get_contents($file), glob("$this->folder/$id->id.*") ?: []));
    }

    public function testTheDefaultNamesAreTheExtensions(): void
    {
        $settings = (string) file_get_contents(dirname(__DIR__, 2) . '/extension/base/redact.h');
        preg_match('/#define XHPROF_REDACT_NAMES((?:[ \t\\\\\n]*"[^"]*")+)/', $settings, $found);
        self::assertSame(Secret::FRAGMENTS, preg_replace('/["\s\\\\]/', '', $found[1] ?? ''));
    }

    public function testTheClassicStoreSavesNoSecret(): void
    {
        $server = $_SERVER;
        try {
            $_SERVER['REQUEST_URI'] = '/a?password=hunter2&b=c';
            $runs = new \XHProfRuns_Default($this->folder);
            $web = $runs->save_run(['main()' => ['ct' => 1, 'wt' => 1]], 'classic');
            unset($_SERVER['REQUEST_URI']);
            $_SERVER['argv'] = ['a.php', '--password', 'hunter2'];
            $command = $runs->save_run(['main()' => ['ct' => 1, 'wt' => 1]], 'classic');
        } finally {
            $_SERVER = $server;
        }
        $files = glob("$this->folder/*") ?: [];
        $names = array_map(static fn (?string $id): string => RunFiles::classicFile("$id.classic"), [$web, $command]);
        self::assertEqualsCanonicalizing($names, array_map(basename(...), $files));
        foreach ($files as $file) {
            self::assertStringNotContainsString('hunter2', (string) file_get_contents($file));
        }
    }

    /** 16 KB of the slowest input, measured in bytes visited, not in seconds: PCRE's own limit is not reached. */
    public function testLargeTextsAreJudged(): void
    {
        $redact = Redact::withRules(Secret::FRAGMENTS, 'open-sesame');
        foreach (['="', 'a://', '//u:', '@:', 'a:b@', '4111 ', 'eyJ.', 'Bearer ', '%25', 'token', 'u:1'] as $part) {
            $text = str_repeat($part, intdiv(16000, strlen($part)));
            self::assertStringNotContainsString('HIDE', $redact->url("/x?a=$text&pass=HIDE"));
            self::assertSame(PREG_NO_ERROR, preg_last_error());
            self::assertStringNotContainsString('HIDE', $redact->commandLine("php x a=$text pass=HIDE"));
            self::assertSame(PREG_NO_ERROR, preg_last_error());
        }
    }

    /** An imported file may have a text of any length: only as much is read as may be saved. */
    public function testMemoryIsBounded(): void
    {
        $redact = Redact::withRules(Secret::FRAGMENTS, '');
        $memory = memory_get_usage();
        foreach (['a=&', "'\"", 'a ', '/'] as $part) {
            $text = str_repeat($part, intdiv(8 << 20, strlen($part)));
            memory_reset_peak_usage();
            $shown = [$redact->url($text), $redact->command([$text, $text]), $redact->commandLine($text)];
            self::assertLessThanOrEqual(16384, max(array_map(strlen(...), $shown)));
            self::assertLessThan($memory + (48 << 20), memory_get_peak_usage());
        }
    }
}
