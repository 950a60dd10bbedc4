<?php

declare(strict_types=1);

namespace XHProf\Tests\Tools;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Tests\Lib\Support\TemporaryFolder;
use XHProf\Tools\Names\Places;
use XHProf\Tools\Names\Project;

require_once __DIR__ . '/../../tools/names/Places.php';
require_once __DIR__ . '/../../tools/names/Project.php';
require_once __DIR__ . '/../lib/Support/TemporaryFolder.php';

/** tools/names.php: the owner of the project is named in one file, and written into those that contain the name. */
final class NamesTest extends TestCase
{
    use TemporaryFolder;

    private const ROOT = __DIR__ . '/../..';
    private const OTHER = [
        'repository' => 'https://git.example.net/acme-labs/profiler',
        'site' => 'https://profiler.example.net/docs/',
        'author' => "Jo D'Arc",
        'email' => 'jo+php@example.net',
    ];

    protected function setUp(): void
    {
        foreach ([...$this->places(), 'tools/env.sh', 'tools/project.json'] as $file) {
            $folder = dirname("$this->folder/$file");
            is_dir($folder) || mkdir($folder, 0700, true);
            copy(self::ROOT . "/$file", "$this->folder/$file");
        }
    }

    public function testAnotherOwnerIsWrittenEverywhere(): void
    {
        $old = json_decode((string) file_get_contents(self::ROOT . '/tools/project.json'), true);
        $this->write('tools/project.json', (string) json_encode(self::OTHER));
        [$code, $lines] = $this->names('--check');
        self::assertSame(1, $code);
        foreach ($this->places() as $file) {
            $pattern = '~^' . preg_quote($file, '~') . ':\d+: ".*" is to be ".*": make names$~';
            self::assertNotEmpty(preg_grep($pattern, $lines), $file);
        }
        self::assertSame([0, array_map(static fn(string $file): string => "Wrote $file", $this->places())], $this->names());
        self::assertSame([0, []], $this->names('--check'));
        self::assertSame([0, []], $this->names());
        foreach ($this->places() as $file) {
            $text = (string) file_get_contents("$this->folder/$file");
            foreach ([...$old, substr($old['repository'], strlen('https://github.com/'))] as $name) {
                self::assertStringNotContainsString($name, $text, $file);
            }
        }
        $package = json_decode((string) file_get_contents("$this->folder/composer.json"), true);
        self::assertSame([['name' => "Jo D'Arc", 'email' => 'jo+php@example.net']], $package['authors']);
        self::assertSame('https://git.example.net/acme-labs/profiler/issues', $package['support']['issues']);
        // The packages keep their own names: they are no owner's.
        self::assertSame('xhprof/xhprof', $package['name']);
        self::assertStringContainsString('uses: acme-labs/profiler/.github/actions/check@', $this->read('docs/ci.md'));
        self::assertMatchesRegularExpression("~^ -- Jo D'Arc <jo\\+php@example.net>  ~m", $this->read('debian/changelog'));
    }

    public function testAPlaceThatDiffersIsNamedWithItsLine(): void
    {
        $text = $this->read('debian/control.in');
        $this->write('debian/control.in', (string) preg_replace('~^Maintainer: .*$~m', 'Maintainer: Me <me@localhost>', $text));
        [$code, $lines] = $this->names('--check');
        self::assertSame(1, $code);
        self::assertCount(1, $lines);
        $pattern = '~^debian/control.in:4: "Me <me@localhost>" is to be ".* <.*>": make names$~';
        self::assertMatchesRegularExpression($pattern, $lines[0]);
    }

    public function testANameElsewhereIsFound(): void
    {
        $this->write('tools/project.json', (string) json_encode(self::OTHER));
        $this->names();
        $text = "Write to jo+php@example.net or see acme-labs/profiler/README.md.\nnot-acme-labs/profiler is another.\n";
        $this->write('docs/new.md', "# A page\n\n$text");
        [$code, $lines] = $this->names('--check');
        self::assertSame(1, $code);
        self::assertCount(2, $lines);
        self::assertStringStartsWith('docs/new.md:3: "jo+php@example.net" is at no place', $lines[0]);
        self::assertStringStartsWith('docs/new.md:3: "acme-labs/profiler" is at no place', $lines[1]);
    }

    public function testAPlaceThatIsGoneIsAnError(): void
    {
        $this->write('docs/ci.md', "# CI\n");
        self::assertSame(1, $this->names('--check')[0]);
        unlink("$this->folder/docs/ci.md");
        self::assertSame(1, $this->names()[0]);
    }

    /** @return iterable<string, array{string, string}> JSON, and what is said */
    public static function wrong(): iterable
    {
        yield 'no JSON' => ['{', 'Syntax error'];
        yield 'a list' => ['[]', '"repository" is to be https://HOST/OWNER/NAME'];
        $with = static fn(string $key, mixed $value): string => (string) json_encode([$key => $value] + self::OTHER);
        yield 'no repository' => [$with('repository', null), '"repository" is to be https://HOST/OWNER/NAME'];
        yield 'only a host' => [$with('repository', 'https://github.com/'), '"repository" is to be'];
        yield 'a slash at its end' => [$with('repository', 'https://github.com/a/b/'), '"repository" is to be'];
        yield 'a site without it' => [$with('site', 'https://a.example/x'), '"site" is to be'];
        yield 'a name that would end a field' => [$with('author', 'A <b@c.example>'), '"author" is to be a name'];
        yield 'two lines' => [$with('email', "a@b.example\nc"), '"email" is to be NAME@HOST'];
        yield 'a key too many' => [$with('owner', 'acme'), '"owner" is none of repository, site, author, email'];
    }

    #[DataProvider('wrong')]
    public function testWhatCannotBeANameIsRefused(string $json, string $said): void
    {
        $before = $this->read('composer.json');
        $this->write('tools/project.json', $json);
        [$code, $lines] = $this->names();
        self::assertSame(1, $code);
        self::assertStringContainsString($said, implode("\n", $lines));
        self::assertSame($before, $this->read('composer.json'));
    }

    /** @return list<string> */
    private function places(): array
    {
        return (new Places(self::ROOT, Project::read(self::ROOT . '/tools/project.json')))->files();
    }

    /** @return array{int, list<string>} code, and lines of both streams */
    private function names(string ...$options): array
    {
        $command = [PHP_BINARY, self::ROOT . '/tools/names.php', ...$options, $this->folder];
        exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $out, $code);
        return [$code, $out];
    }

    private function read(string $file): string
    {
        return (string) file_get_contents("$this->folder/$file");
    }

    private function write(string $file, string $text): void
    {
        file_put_contents("$this->folder/$file", $text);
    }
}
