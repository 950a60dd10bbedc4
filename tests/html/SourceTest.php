<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\File\OpenFile;
use XHProf\Profile\CodePlace;
use XHProf\Source\PathMap;
use XHProf\Source\SourceFiles;
use XHProf\Web\Source\EditorLink;

/** What links into the editor are, and which files of the server a run can make a page read. */
final class SourceTest extends TestCase
{
    private string $folder;

    protected function setUp(): void
    {
        $this->folder = realpath(sys_get_temp_dir()) . '/xhprof-source-' . bin2hex(random_bytes(6));
        mkdir("$this->folder/app/sub", 0700, true);
        file_put_contents("$this->folder/app/a.php", "<?php\nfunction a() {}\r\n// end");
        file_put_contents("$this->folder/app/sub/page.phtml", "<h1><?= 1 ?></h1>\n");
        file_put_contents("$this->folder/app/.env", "PASSWORD=secret\n");
        file_put_contents("$this->folder/outside.php", "<?php // not below the root\n");
        symlink('../outside.php', "$this->folder/app/link.php");
        symlink('a.php', "$this->folder/app/inner.php");
        symlink('..', "$this->folder/app/up");
        symlink('sub', "$this->folder/app/linked");
    }

    protected function tearDown(): void
    {
        exec('rm -rf ' . escapeshellarg($this->folder));
    }

    /** @param list<string>|null $roots */
    private function read(string $file, ?array $roots = null, string $map = ''): mixed
    {
        return (new SourceFiles($roots ?? ["$this->folder/app"], PathMap::parse($map)))->read($file)['lines'] ?? null;
    }

    public function testFilesBelowARootAreRead(): void
    {
        self::assertSame(['<?php', 'function a() {}', '// end'], $this->read("$this->folder/app/a.php"));
        self::assertSame('<h1><?= 1 ?></h1>', $this->read("$this->folder/app/sub/page.phtml")[0] ?? null);
        self::assertNotNull($this->read("$this->folder/app/linked/page.phtml"), 'a link that stays below the root');
        self::assertNotNull($this->read("$this->folder/app/inner.php"), 'the same of a file');
        self::assertNotNull($this->read("$this->folder/outside.php", [$this->folder]));
        self::assertNotNull($this->read("$this->folder/app/a.php", ['/']));
        self::assertNotNull($this->read("$this->folder/app/a.php", ["$this->folder/none", "$this->folder/app/up/app/"]));
        self::assertNotNull($this->read('/container/a.php', null, "/container>$this->folder/app"));
    }

    /** @return iterable<string, array{string}> "~" is the folder, "~/app" the only root */
    public static function refused(): iterable
    {
        yield 'not below the root' => ['~/outside.php'];
        yield 'out of it by dots' => ['~/app/../outside.php'];
        yield 'out of it by a link' => ['~/app/link.php'];
        yield 'out of it by a linked folder' => ['~/app/up/outside.php'];
        yield 'a folder' => ['~/app/sub'];
        yield 'the root' => ['~/app'];
        yield 'no code of PHP' => ['~/app/.env'];
        yield 'not there' => ['~/app/none.php'];
        yield 'a sibling that begins like the root' => ['~/app2/a.php'];
        yield 'relative' => ['a.php'];
        yield 'a stream' => ['php://filter/read=convert.base64-encode/resource=~/app/a.php'];
        yield 'a file URL' => ['file://~/app/a.php'];
        yield 'an archive' => ['phar://~/app/a.phar/a.php'];
        yield 'NUL' => ["~/app/a.php\0.txt"];
        yield 'a line break' => ["~/app/a.php\n"];
        yield 'evaluated code' => ["~/app/a.php(3) : eval()'d code"];
        yield 'an extension' => ['ext:standard'];
        yield 'empty' => [''];
        yield 'a device' => ['/dev/zero'];
        yield "the kernel's" => ['/proc/self/environ'];
        yield "the kernel's, by a link" => ['~/app/environ'];
        yield 'a pipe' => ['~/app/pipe.php'];
        yield 'a second name of another file' => ['~/app/second.php'];
        yield 'too large' => ['~/app/large.php'];
        yield 'a dump with a tag in it' => ['~/app/dump.sql'];
        yield 'a log with a tag in it' => ['~/app/log.php.txt'];
        yield 'a dump by a link of another kind' => ['~/app/dump.php'];
        yield 'a key behind a comment of PHP' => ['~/app/key.pem'];
    }

    #[DataProvider('refused')]
    public function testNothingElseIsRead(string $file): void
    {
        mkdir("$this->folder/app2");
        file_put_contents("$this->folder/app2/a.php", '<?php');
        symlink('/proc/self/environ', "$this->folder/app/environ");
        posix_mkfifo("$this->folder/app/pipe.php", 0600);
        link("$this->folder/outside.php", "$this->folder/app/second.php");
        file_put_contents("$this->folder/app/dump.sql", "-- dump\nINSERT ('<?php');\n");
        symlink('dump.sql', "$this->folder/app/dump.php");
        file_put_contents("$this->folder/app/log.php.txt", "GET /?x=<?php\n");
        file_put_contents("$this->folder/app/key.pem", "KEY\n#<?= 1\n");
        file_put_contents("$this->folder/app/large.php", '<?php ' . str_repeat('x', SourceFiles::MAX_BYTES));
        $file = str_replace('~', $this->folder, $file);
        self::assertNull($this->read($file));
        self::assertNull($this->read('/mapped/x', null, "/mapped/>$file&/mapped>" . dirname($file)));
        if (preg_match('~\A/(?:dev|proc)~', $file) === 1) {
            self::assertNull($this->read($file, ['/']), 'not even where everything is allowed');
        }
    }

    public function testCodeIsKnownByItsBeginningWhateverItIsCalled(): void
    {
        foreach (["#!/usr/bin/env php\n<?php\n1;", "\xEF\xBB\xBF<?php", "\n <?= 1 ?>", "<?PHP\n"] as $text) {
            file_put_contents("$this->folder/app/console", $text);
            self::assertNotNull($this->read("$this->folder/app/console"), $text);
        }
        file_put_contents("$this->folder/app/view.ctp", "<p>\n<?php echo 1 ?>");
        self::assertNotNull($this->read("$this->folder/app/view.ctp"));
    }

    /** A folder of the path becomes a link out of the root: PHP still has the real path from before. */
    public function testAFolderThatBecameALinkIsNotFollowed(): void
    {
        mkdir("$this->folder/outside");
        file_put_contents("$this->folder/outside/page.phtml", '<?= "secret" ?>');
        $files = new SourceFiles(["$this->folder/app"], PathMap::parse(''));
        self::assertNotNull($files->read("$this->folder/app/sub/page.phtml"));
        exec('cd ' . escapeshellarg("$this->folder/app") . ' && mv sub sub_ && ln -s ../outside sub');
        self::assertNotSame(0, realpath_cache_size(), 'PHP keeps paths, or this test shows nothing');
        self::assertSame("$this->folder/app/sub/page.phtml", realpath("$this->folder/app/sub/page.phtml"), 'PHP keeps this one');
        self::assertNull($files->read("$this->folder/app/sub/page.phtml"));
    }

    /** The same between the check and the opening: what is open is judged, not its name. */
    public function testAnOpenFileIsWhereTheKernelHasIt(): void
    {
        if (!is_dir('/proc/self/fd')) {
            self::markTestSkipped('no /proc/self/fd');
        }
        $open = OpenFile::only("$this->folder/app/linked/page.phtml");
        self::assertSame(["$this->folder/app/sub/page.phtml"], $open?->places());
        rename("$this->folder/app/sub", "$this->folder/moved");
        self::assertSame(["$this->folder/moved/page.phtml"], $open->places());
        fclose($open->stream);
    }

    public function testWithoutRootsNothingIsRead(): void
    {
        self::assertFalse((new SourceFiles([], PathMap::parse('')))->isAllowed());
        self::assertFalse((new SourceFiles(['', 'relative', "$this->folder/none"], PathMap::parse('')))->isAllowed());
        self::assertNull($this->read("$this->folder/app/a.php", []));
    }

    /** @return iterable<string, array{string, string, string, string|null}> editor, map, file, URL of line 7 */
    public static function links(): iterable
    {
        yield 'a name' => ['phpstorm', '', '/app/a.php', 'phpstorm://open?file=/app/a.php&line=7'];
        yield 'its case' => ['VSCode', '', '/app/a.php', 'vscode://file//app/a.php:7'];
        yield 'as Xdebug has it' => ['subl://open?url=file://%f&line=%l', '', '/a.php', 'subl://open?url=file:///a.php&line=7'];
        yield 'mapped' => ['phpstorm', '/app>/home/me/shop', '/app/a.php', 'phpstorm://open?file=/home/me/shop/a.php&line=7'];
        yield 'mapped as Symfony does' => [
            'phpstorm&/app/>/home/me/shop/&/lib>/home/me/lib', '',
            '/lib/a.php', 'phpstorm://open?file=/home/me/lib/a.php&line=7',
        ];
        yield 'the longest fits' => ['phpstorm', '/app>/x,/app/lib>/y', '/app/lib/a.php', 'phpstorm://open?file=/y/a.php&line=7'];
        yield 'not the same folder' => ['phpstorm', '/app>/x', '/apples/a.php', 'phpstorm://open?file=/apples/a.php&line=7'];
        yield 'Windows' => ['phpstorm', '', 'C:\\app\\a.php', 'phpstorm://open?file=C:%5Capp%5Ca.php&line=7'];
        yield 'what a path cannot add' => [
            'phpstorm', '', '/a&line=1#%l"><script>.php', 'phpstorm://open?file=/a%26line%3D1%23%25l%22%3E%3Cscript%3E.php&line=7',
        ];
        yield 'a URL of the web' => ['https://code.example/%f#L%l', '', '/a.php', 'https://code.example//a.php#L7'];
        yield 'none' => ['', '', '/app/a.php', null];
        yield 'an unknown name' => ['edlin', '', '/app/a.php', null];
        yield 'a script' => ['javascript:alert("%f")', '', '/app/a.php', null];
        yield 'a script in capitals' => ['JavaScript:alert(%f)', '', '/app/a.php', null];
        yield 'no place for the file' => ['phpstorm://open', '', '/app/a.php', null];
        yield 'an extension' => ['phpstorm', '', 'ext:standard', null];
        yield 'evaluated code' => ['phpstorm', '', "/app/a.php(3) : eval()'d code", null];
        yield 'a stream' => ['phpstorm', '', 'php://stdin', null];
        yield 'dots' => ['phpstorm', '', '/app/../etc/passwd', null];
        yield 'standard input' => ['phpstorm', '', 'Standard input code', null];
    }

    #[DataProvider('links')]
    public function testLinksIntoTheEditor(string $editor, string $map, string $file, ?string $url): void
    {
        $inEditor = preg_match('~&(/.*)\z~s', $editor, $match) === 1 ? $match[1] : '';
        $link = new EditorLink($editor, PathMap::parse("$map&$inEditor"));
        self::assertSame($url, $link->url(new CodePlace($file, 7)));
        self::assertSame($url === null, $link->url(new CodePlace($file)) === null);
    }
}
