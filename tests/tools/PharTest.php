<?php

declare(strict_types=1);

namespace XHProf\Tests\Tools;

use PHPUnit\Framework\TestCase;
use XHProf\Tests\Lib\Support\TemporaryFolder;
use XHProf\Tools\Phar\Packer;

require_once __DIR__ . '/../../tools/phar/Packer.php';
require_once __DIR__ . '/../lib/Support/TemporaryFolder.php';

/** tools/phar: how files become one, with a small program. tests/bin runs the whole one: see tools/phar.sh. */
final class PharTest extends TestCase
{
    use TemporaryFolder;

    private const ROOT = __DIR__ . '/../..';
    private const TIME = 1700000000;
    private const FILES = [
        'LICENSE' => "Mine.\n",
        'bin/xhprof' => "#!/usr/bin/env php\n<?php\n// Comment.\necho json_encode([__LINE__, array_slice(\$argv, 1), __FILE__]);\n",
        'bin/xhprof-inspect' => "#!/bin/sh\n",
        'composer.json' => '{}',
        'xhprof_html/assets/a.js' => "// Kept as it is.\nlet a;\n",
        'xhprof_lib/compiled/a.php' => "<?php\n",
        'xhprof_lib/src/Web/Templates.php' => "<?php\n// Its text counts.\n",
        'vendor/composer/installed.json' => '{"path": "/home/me"}',
        'vendor/twig/twig/LICENSE' => "Theirs.\n",
        'vendor/twig/twig/README.rst' => "Read me.\n",
    ];

    public function testTheSameFilesMakeTheSameBytes(): void
    {
        $first = $this->packed('first', self::FILES, 0o022);
        // In another order, elsewhere, later, by a user with other habits, with what is there for Composer alone.
        $others = ['vendor/composer/installed.json' => '{"path": "/srv"}'] + self::FILES;
        $second = $this->packed('a folder/second', array_reverse($others), 0o077);
        self::assertSame($first, $second);
        self::assertNotSame($first, $this->packed('third', ['LICENSE' => "Yours.\n"] + self::FILES, 0o022));
        self::assertNotSame($first, $this->packed('fourth', self::FILES, 0o022, self::TIME + 1));
    }

    public function testWhatIsInIt(): void
    {
        $this->packed('it', self::FILES, 0o077);
        $file = "$this->folder/it.phar";
        $phar = new \Phar($file);
        self::assertSame('SHA-512', $phar->getSignature()['hash_type']);
        self::assertSame(0o755, fileperms($file) & 0o7777);
        $found = [];
        foreach (new \RecursiveIteratorIterator($phar) as $path => $entry) {
            self::assertInstanceOf(\PharFileInfo::class, $entry);
            self::assertSame([self::TIME, 0], [$entry->getMTime(), $entry->getPerms() & 0o022], (string) $path);
            $found[] = substr((string) $path, strlen("phar://$file/"));
        }
        sort($found);
        $left = ['LICENSE', 'bin/xhprof', 'vendor/twig/twig/LICENSE', 'xhprof_html/assets/a.js', 'xhprof_lib/compiled/a.php'];
        self::assertSame([...$left, 'xhprof_lib/requirements.php', 'xhprof_lib/src/Web/Templates.php'], $found);
        self::assertSame(0o40000, fileperms("phar://$file/xhprof_lib/compiled") & 0o170022);
        foreach (['xhprof_html/assets/a.js', 'xhprof_lib/src/Web/Templates.php'] as $whole) {
            self::assertSame(self::FILES[$whole], file_get_contents("phar://$file/$whole"));
        }
    }

    public function testItRunsByAnyName(): void
    {
        $this->packed('it', self::FILES, 0o022);
        mkdir("$this->folder/a b");
        rename("$this->folder/it.phar", "$this->folder/a b/renamed");
        symlink("$this->folder/a b/renamed", "$this->folder/link");
        foreach (['a b/renamed', 'link'] as $name) {
            // The line is that of the source without the first one, which only a shell reads.
            $expected = json_encode([3, ['-x', 'y'], "phar://$this->folder/a b/renamed/bin/xhprof"]);
            self::assertSame([0, $expected, ''], $this->process([PHP_BINARY, "$this->folder/$name", '-x', 'y']));
        }
    }

    public function testWhatItLacksIsSaidInOneSentence(): void
    {
        $this->packed('it', self::FILES, 0o022);
        $file = "$this->folder/it.phar";
        $said = fn(array $result): string => preg_match('/\Axhprof: [^\n]+\n\z/', $result[2]) === 1 && $result[0] === 1
            && $result[1] === '' ? $result[2] : json_encode($result, JSON_THROW_ON_ERROR);
        [, $loaded] = $this->process([PHP_BINARY, '-n', '-r', 'echo extension_loaded("phar") ? "yes" : "no";']);
        if ($loaded === 'no') {
            self::assertStringContainsString('extension phar', $said($this->process([PHP_BINARY, '-n', $file])));
        }
        self::assertStringContainsString('from a pipe', $said($this->process(['sh', '-c', '"$0" < "$1"', PHP_BINARY, $file])));
        foreach (['broken' => 3000, 'renamed' => -100] as $name => $at) {
            $bytes = (string) file_get_contents($file);
            $bytes[$at] = $bytes[$at] === 'x' ? 'y' : 'x';
            file_put_contents("$this->folder/$name", $bytes);
            self::assertStringContainsString('damaged', $said($this->process([PHP_BINARY, "$this->folder/$name"])), $name);
        }
        $missing = ['xhprof_lib/requirements.php' => "<?php\nreturn 'PHP of tomorrow is needed';\n"];
        $this->packed('other', $missing + self::FILES, 0o022);
        $result = $this->process([PHP_BINARY, "$this->folder/other.phar"]);
        self::assertSame([1, '', "xhprof: PHP of tomorrow is needed\n"], $result);
    }

    /** What runs before the version of PHP is known: any PHP has to parse it. */
    public function testTheFirstLinesAreForAnyPhp(): void
    {
        $newer = [
            T_COALESCE, T_COALESCE_EQUAL, T_SPACESHIP, T_FN, T_MATCH, T_ELLIPSIS, T_POW, T_YIELD, T_FINALLY, T_TRAIT, T_USE,
            T_NULLSAFE_OBJECT_OPERATOR, T_ATTRIBUTE, T_DECLARE, T_READONLY, T_ENUM, T_FUNCTION, T_CLASS, T_NAMESPACE,
            ord('['), ord('&'), ord('|'),
        ];
        foreach (['tools/phar/stub.php', 'xhprof_lib/requirements.php'] as $file) {
            foreach (\PhpToken::tokenize((string) file_get_contents(self::ROOT . "/$file")) as $token) {
                self::assertNotContains($token->id, $newer, "$file: $token->text on line $token->line");
                self::assertDoesNotMatchRegularExpression('/\A[0-9]+_|\A0[oO]/', $token->text, $file);
            }
        }
    }

    public function testCodeKeepsItsLines(): void
    {
        foreach (['src/App/Application.php', 'src/Serve/WebServer.php', 'utils/raw_profiles.php'] as $file) {
            $code = (string) file_get_contents(self::ROOT . "/xhprof_lib/$file");
            $packed = Packer::withoutComments($code);
            self::assertLessThan(strlen($code), strlen($packed));
            self::assertSame(self::words($code), self::words($packed), $file);
        }
        $hard = "<?php\n\$a = <<<'A'\n  # text\n  A;\n# gone\n/* a\n b */ echo 1 /**/. 2; // c\n#[X]\n"
            . "function f() {} ?>\n <!-- // -->\n";
        self::assertSame(self::words($hard), self::words(Packer::withoutComments($hard)));
        self::assertStringNotContainsString('gone', Packer::withoutComments($hard));
    }

    /** What releases bring is what the tests are run with, and what the Composer package allows. */
    public function testTheVersionsOfAReleaseAreThoseThatAreTested(): void
    {
        $read = static fn(string $file): array => json_decode((string) file_get_contents(self::ROOT . "/$file"), true);
        $release = $read('tools/composer/release.json')['require'];
        $tested = $read('composer.json')['require-dev'];
        foreach (array_diff_key($read('tools/composer/composer.json')['require'], ['php' => 1]) as $name => $range) {
            self::assertSame($tested[$name], $release[$name] ?? null, "$name $range");
        }
        $packages = $read('vendor/composer/installed.json')['packages'];
        $needed = ['symfony/console', 'twig/twig'];
        for ($i = 0; $i < count($needed); $i++) {
            [$package] = array_values(array_filter($packages, static fn(array $one): bool => $one['name'] === $needed[$i]));
            $more = preg_grep('~/~', array_keys($package['require'] ?? [])) ?: [];
            $needed = [...$needed, ...array_diff($more, $needed)];
        }
        sort($needed);
        self::assertSame($needed, array_keys(array_diff_key($release, ['php' => 1])));
    }

    /** @return list<array{int, string}> line and text of each token that does something */
    private static function words(string $code): array
    {
        $words = [];
        foreach (\PhpToken::tokenize($code) as $token) {
            if (!$token->isIgnorable()) {
                $words[] = [$token->line, $token->text];
            }
        }
        return $words;
    }

    /**
     * @param array<string, string> $files by name
     *
     * @return string the bytes of NAME.phar, which it makes
     */
    private function packed(string $name, array $files, int $umask, int $time = self::TIME): string
    {
        $before = umask($umask);
        $files += ['xhprof_lib/requirements.php' => "<?php\nreturn null;\n"];
        foreach ($files as $path => $text) {
            is_dir(dirname("$this->folder/$name/$path")) || mkdir(dirname("$this->folder/$name/$path"), recursive: true);
            file_put_contents("$this->folder/$name/$path", $text);
            touch("$this->folder/$name/$path", self::TIME + strlen($name));
        }
        $pack = [PHP_BINARY, '-d', 'phar.readonly=0', self::ROOT . '/tools/phar/pack.php'];
        $result = $this->process([...$pack, "$this->folder/$name", "$this->folder/$name.phar", (string) $time]);
        umask($before);
        self::assertSame([0, '', ''], $result);
        return (string) file_get_contents("$this->folder/$name.phar");
    }

    /**
     * @param list<string> $command
     *
     * @return array{int, string, string} exit code, output, errors
     */
    private function process(array $command): array
    {
        $to = static fn(string $file): array => ['file', $file, 'w'];
        $streams = [['file', '/dev/null', 'r'], $to("$this->folder/.out"), $to("$this->folder/.err")];
        $process = proc_open($command, $streams, $pipes);
        self::assertIsResource($process);
        $code = proc_close($process);
        return [$code, (string) file_get_contents("$this->folder/.out"), (string) file_get_contents("$this->folder/.err")];
    }
}
