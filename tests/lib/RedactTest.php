<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Store\Redact;
use XHProf\Store\RunMeta;
use XHProf\Store\RunStore;
use XHProf\Store\Secret;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/TemporaryFolder.php';
require_once dirname(__DIR__, 2) . '/xhprof_lib/utils/xhprof_runs.php';

/**
 * No secret is in what is saved: the same cases as the extension's.
 */
final class RedactTest extends TestCase
{
    use TemporaryFolder;

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
        $redact = Redact::of(Secret::FRAGMENTS, 'open-sesame');
        if ($kind === 'argv') {
            /** @var list<string> $arguments */
            $arguments = json_decode($input, true, 512, JSON_THROW_ON_ERROR);
            self::assertSame($expected, $redact->command($arguments));
        } else {
            self::assertSame($expected, $redact->url($input));
        }
    }

    public function testTheDefaultNamesAreTheExtensions(): void
    {
        $settings = (string) file_get_contents(dirname(__DIR__, 2) . '/extension/settings.c');
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
        $meta = fn (?string $id): RunMeta
            => RunMeta::fromJson((string) file_get_contents("$this->folder/$id.classic.meta.json"), 'meta');
        self::assertSame('/a?password=REDACTED&b=c', $meta($web)->url);
        self::assertSame('php a.php --password REDACTED', $meta($command)->command);
        foreach (glob("$this->folder/*") ?: [] as $file) {
            self::assertStringNotContainsString('hunter2', (string) file_get_contents($file));
        }
    }

    /** 16 KB of what takes longest, in bytes looked at and not in seconds: PCRE's own limit is not reached. */
    public function testLargeTextsAreJudged(): void
    {
        $redact = Redact::of(Secret::FRAGMENTS, 'open-sesame');
        foreach (['="', 'a://', '//u:', '@:', 'a:b@', '4111 ', 'eyJ.', 'Bearer ', '%25', 'token', 'u:1'] as $part) {
            $text = str_repeat($part, intdiv(16000, strlen($part)));
            self::assertStringNotContainsString('HIDE', $redact->url("/x?a=$text&pass=HIDE"));
            self::assertSame(PREG_NO_ERROR, preg_last_error());
        }
    }
}
