<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\TestCase;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/../lib/Support/TemporaryFolder.php';

/** Which templates are taken as they were compiled before, and which are compiled in the request. */
final class CompiledTemplatesTest extends TestCase
{
    use TemporaryFolder;

    protected function setUp(): void
    {
        mkdir("$this->folder/xhprof_html/templates", 0700, true);
        mkdir("$this->folder/xhprof_lib");
        $this->write('base', '<b>{% block body %}{% endblock %}</b>');
        $this->write('page', "{% extends 'base.html.twig' %}{% block body %}{{ name|visible }}{% endblock %}");
    }

    public function testACompiledTemplateIsTakenAndAChangedOneIsCompiledAnew(): void
    {
        self::assertSame('<b>&lt;x&gt;</b>', $this->page());
        $this->compile();
        self::assertSame('<b>&lt;x&gt;</b>', $this->page());
        $this->mark();
        self::assertSame('<marked>&lt;x&gt;</b>', $this->page());
        // Within the same second.
        $this->write('base', '<i>{% block body %}{% endblock %}</i>');
        self::assertSame('<i>&lt;x&gt;</i>', $this->page());
        $this->compile();
        self::assertSame('<i>&lt;x&gt;</i>', $this->page());
    }

    public function testTheyAreFoundInAnotherPlace(): void
    {
        $this->compile();
        $this->mark();
        $moved = "$this->folder-moved";
        rename($this->folder, $moved);
        $this->folder = $moved;
        self::assertSame('<marked>&lt;x&gt;</b>', $this->page());
    }

    /** What others could have written is not run. */
    /** A package has the same bytes wherever it is made, and no path of the one who made it. */
    public function testTheyAreTheSameWhereverTheyAreCompiled(): void
    {
        $this->compile();
        $files = glob("$this->folder/xhprof_lib/compiled/*.php") ?: [];
        self::assertNotSame([], $files);
        foreach ($files as $file) {
            self::assertStringNotContainsString($this->folder, (string) file_get_contents($file));
        }
    }

    public function testAFolderThatOthersMayWriteToIsNotRead(): void
    {
        $compiled = "$this->folder/xhprof_lib/compiled";
        $this->compile();
        $this->mark();
        foreach ([0775, 0757, 0777] as $mode) {
            chmod($compiled, $mode);
            self::assertSame('<b>&lt;x&gt;</b>', $this->page(), decoct($mode));
        }
        chmod($compiled, 0755);
        self::assertSame('<marked>&lt;x&gt;</b>', $this->page());
        if (posix_geteuid() === 0) {
            chown($compiled, 65534);
            self::assertSame('<b>&lt;x&gt;</b>', $this->page());
            chown($compiled, 0);
        }
        rename($compiled, "$this->folder/elsewhere");
        symlink("$this->folder/elsewhere", $compiled);
        self::assertSame('<b>&lt;x&gt;</b>', $this->page());
    }

    /** Where a web server has the whole project in its root. */
    public function testOneIsNoPage(): void
    {
        $this->compile();
        foreach (glob("$this->folder/xhprof_lib/compiled/*.php") ?: [] as $file) {
            exec(escapeshellarg(PHP_BINARY) . ' -n ' . escapeshellarg($file) . ' 2>&1', $out, $code);
            self::assertSame([0, []], [$code, $out]);
        }
    }

    public function testARequestWritesNothing(): void
    {
        $this->page();
        $this->compile();
        $before = glob("$this->folder/xhprof_lib/compiled/*");
        self::assertCount(2, $before ?: []);
        $this->write('base', '<u>{% block body %}{% endblock %}</u>');
        $this->page();
        self::assertSame($before, glob("$this->folder/xhprof_lib/compiled/*"));
        $this->compile();
        self::assertCount(2, glob("$this->folder/xhprof_lib/compiled/*") ?: []);
        self::assertSame(["$this->folder/xhprof_lib/compiled"], glob("$this->folder/xhprof_lib/*"));
    }

    private function write(string $name, string $template): void
    {
        file_put_contents("$this->folder/xhprof_html/templates/$name.html.twig", $template);
    }

    /** So that it shows whether what was compiled is taken. */
    private function mark(): void
    {
        foreach (glob("$this->folder/xhprof_lib/compiled/*.php") ?: [] as $file) {
            file_put_contents($file, str_replace('<b>', '<marked>', (string) file_get_contents($file)));
        }
    }

    private function compile(): void
    {
        $this->php([dirname(__DIR__, 2) . '/tools/templates.php', $this->autoload(), "$this->folder/xhprof_html"]);
    }

    private function page(): string
    {
        $code = 'require $argv[1]; echo (new XHProf\Web\Templates($argv[2]))->page("page.html.twig", ["name" => "<x>"])->body;';

        return $this->php(['-r', $code, '--', $this->autoload(), "$this->folder/xhprof_html"]);
    }

    private function autoload(): string
    {
        return dirname(__DIR__, 2) . '/vendor/autoload.php';
    }

    /** @param list<string> $arguments */
    private function php(array $arguments): string
    {
        exec(implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, ...$arguments])) . ' 2>&1', $out, $code);
        self::assertSame(0, $code, implode("\n", $out));

        return implode("\n", $out);
    }
}
