<?php

declare(strict_types=1);

namespace XHProf\Tests\Site;

use PHPUnit\Framework\TestCase;
use XHProf\Tests\Docs\Markdown;
use XHProf\Tools\Site\Changelog;
use XHProf\Tools\Site\Converter;
use XHProf\Tools\Site\Folder;
use XHProf\Tools\Site\Links;
use XHProf\Tools\Site\Menu;
use XHProf\Tools\Site\Page;
use XHProf\Tools\Site\Site;
use XHProf\Tools\Site\SiteException;

require_once __DIR__ . '/../../tools/site/autoload.php';
require_once __DIR__ . '/../docs/Markdown.php';

/** The site that make site makes of the documentation: each link of each page leads to a file and a heading that are there. */
final class SiteTest extends TestCase
{
    private const ROOT = __DIR__ . '/../..';
    private const REPOSITORY = 'https://code.example/us/xhprof';
    private const ADDRESS = 'https://docs.example/below/';

    private static string $site;

    private string $folder;

    public static function setUpBeforeClass(): void
    {
        self::$site = self::temporary() . '/site';
        self::site(self::ROOT)->write(self::$site);
    }

    public static function tearDownAfterClass(): void
    {
        Folder::remove(dirname(self::$site));
    }

    protected function setUp(): void
    {
        $this->folder = self::temporary();
    }

    protected function tearDown(): void
    {
        Folder::remove($this->folder);
    }

    public function testEveryLinkLeadsToAFileAndAHeadingThatAreThere(): void
    {
        $broken = [];
        $count = 0;
        foreach (self::pages() as $file => $page) {
            foreach (self::values($page, '//@href | //@src') as $url) {
                $count++;
                $problem = self::problem($file, $url);
                if ($problem !== null) {
                    $broken[] = "$file: $url: $problem";
                }
            }
        }
        self::assertSame([], $broken);
        self::assertGreaterThan(1000, $count);
    }

    /** The check above finds what is broken. */
    public function testALinkToNothingIsFound(): void
    {
        self::assertSame('there is no such file', self::problem('docs/install.html', 'none.html'));
        self::assertSame('there is no such heading', self::problem('docs/install.html', 'memory.html#none'));
        self::assertSame('there is no such heading', self::problem('docs/install.html', '#none'));
        self::assertSame('leads out of the site', self::problem('docs/install.html', '../../none.html'));
        self::assertSame('begins at the root of the server', self::problem('docs/install.html', '/docs/install.html'));
        self::assertNull(self::problem('docs/install.html', '../index.html#install'));
    }

    public function testPagesOfTheRepositoryAreLinkedAsPagesAndOtherFilesInTheRepository(): void
    {
        $links = self::values(self::pages()['docs/tour.html'], '//article//@href');
        self::assertSame([], preg_grep('~\.md\b~', preg_grep('~^(?!https://)~', $links) ?: []));
        $links = self::values(self::pages()['index.html'], '//article//@href');
        self::assertContains('docs/install.html#requirements', $links);
        self::assertContains('CHANGELOG.html', $links);
        self::assertContains(self::REPOSITORY . '/blob/main/LICENSE', $links);
    }

    /** Links from elsewhere, and those of the repository, lead to the same headings here. */
    public function testHeadingsHaveTheAnchorsThatTheyHaveInTheRepository(): void
    {
        $count = 0;
        foreach (Menu::read(self::ROOT, new Converter()) as $page) {
            if ($page->file === 'CHANGELOG') {
                continue;
            }
            $expected = (new Markdown((string) file_get_contents(self::ROOT . "/$page->file")))->anchors();
            $ids = self::values(self::pages()[$page->target()], '//article//*[self::h1 or self::h2 or self::h3 or self::h4]/@id');
            self::assertSame($expected, $ids, $page->file);
            $count += count($ids);
        }
        self::assertGreaterThan(250, $count);
    }

    public function testAnchorsOfHeadingsWithCodeSignsAndTheSameWords(): void
    {
        $text = "# Ein `code()` & mehr\n\n## Über_uns: 50 % + 1\n\n## Same\n\n## Same\n\n### a-b, [c](d) -- e\n";
        $article = $this->article($text);
        $expected = ['ein-code--mehr', 'über_uns-50---1', 'same', 'same-1', 'a-b-c----e'];
        self::assertSame($expected, array_column($article->headings, 'id'));
        self::assertSame((new Markdown($text))->anchors(), array_column($article->headings, 'id'));
    }

    public function testTheMenuIsTheTableOfTheReadmeInItsOrder(): void
    {
        $table = (string) strstr((string) file_get_contents(self::ROOT . '/README.md'), '## Documentation');
        preg_match_all('~\]\((docs/[\w-]+\.md)\)~', $table, $links);
        $menu = self::values(self::pages()['index.html'], '//nav[@id="menu"]//@href');
        $pages = array_map(static fn (string $link): string => str_replace('.md', '.html', $link), $links[1]);
        self::assertSame($pages, array_values(preg_grep('~^docs/~', $menu) ?: []));
        self::assertGreaterThan(15, count($pages));
        $others = ['index.html', 'CHANGELOG.html', 'CONTRIBUTING.html', 'SECURITY.html', 'extension/INTERNALS.html'];
        self::assertSame([], array_diff($others, $menu));
        self::assertSame(count($menu), count(array_unique($menu)));
    }

    /** From the first page, "next" leads through all, and "previous" back. */
    public function testPagesFollowEachOther(): void
    {
        $pages = self::pages();
        $visited = ['index.html'];
        for ($at = 'index.html'; ($next = self::values($pages[$at], '//a[@rel="next"]/@href')) !== []; $at = $to) {
            $to = (string) self::resolved($at, $next[0]);
            self::assertNotContains($to, $visited);
            self::assertSame($at, self::resolved($to, self::values($pages[$to], '//a[@rel="prev"]/@href')[0]));
            $visited[] = $to;
        }
        self::assertEqualsCanonicalizing(array_keys($pages), $visited);
    }

    public function testThePagesLoadNothingFromElsewhereAndRunNoScriptInTheText(): void
    {
        foreach (self::pages() as $file => $page) {
            foreach (self::values($page, '//link[@rel="stylesheet" or @rel="icon"]/@href | //@src') as $url) {
                self::assertDoesNotMatchRegularExpression('~^[a-z]+:|^//~', $url, $file);
            }
            self::assertSame([], self::values($page, '//@style | //style | //script[not(@src)] | //@onclick'), $file);
            [$policy] = self::values($page, '//meta[@http-equiv="Content-Security-Policy"]/@content');
            self::assertStringContainsString("default-src 'none'", $policy);
            self::assertStringNotContainsString('unsafe', $policy);
        }
    }

    public function testThereIsATextBesideEachPageAndAListOfThem(): void
    {
        $list = (string) file_get_contents(self::$site . '/llms.txt');
        preg_match_all('~^- \[[^\]\n]+\]\(' . preg_quote(self::ADDRESS, '~') . '(\S+)\): \S.{10,}$~m', $list, $lines);
        self::assertCount(count(self::pages()), $lines[1]);
        foreach ($lines[1] as $file) {
            self::assertFileEquals(self::ROOT . "/$file", self::$site . "/$file");
        }
        $map = new \DOMDocument();
        self::assertTrue($map->load(self::$site . '/sitemap.xml'));
        $locations = [];
        foreach ($map->getElementsByTagName('loc') as $location) {
            $locations[] = $location->textContent;
        }
        $address = static fn (string $file): string => self::ADDRESS . ($file === 'index.html' ? '' : $file);
        $expected = array_map($address, array_keys(self::pages()));
        self::assertEqualsCanonicalizing($expected, $locations);
    }

    public function testWithoutTheDemoNothingLeadsToIt(): void
    {
        self::assertDirectoryDoesNotExist(self::$site . '/demo');
        foreach (self::pages() as $file => $page) {
            self::assertSame([], preg_grep('~demo/index~', self::values($page, '//@href')), $file);
        }
        self::assertStringNotContainsString('demo/index.html', (string) file_get_contents(self::$site . '/assets/search-index.js'));
    }

    public function testWhatIsTypedIntoAConsoleIsMarkedWithItsContinuation(): void
    {
        $html = $this->article("# A\n\n```console\n\$ one <a> \\\n    two\nanswer & more\n# three\n```\n")->html;
        self::assertStringContainsString('<kbd>one &lt;a&gt; \</kbd>' . "\n<kbd>    two</kbd>\nanswer &amp; more\n", $html);
        self::assertStringContainsString('<span class="prompt"># </span><kbd>three</kbd>', $html);
    }

    public function testMarkupAndScriptsInATextAreText(): void
    {
        $text = "# A\n\nx <script>alert(1)</script> `<b>` <img src=x onerror=alert(1)>\n\n[a](javascript:alert(1))\n";
        $html = $this->article($text)->html;
        self::assertDoesNotMatchRegularExpression('~<script|<img|href="javascript~', $html);
        self::assertStringContainsString('<code>&lt;b&gt;</code>', $html);
    }

    public function testTheListOfChangesHasReleasesSubjectsAndNames(): void
    {
        $text = "Changelog\n\n3.0.0 (not released)\n\nFirst.\n\nNew\n- xhprof.max_nodes is * and XHPROF_FLAGS_* <b>,\n"
            . "  xhprof_save() too; a_b_c [x](y)\n- --json\n";
        $article = $this->article(Changelog::markdown($text));
        self::assertSame([[1, 'Changelog'], [2, '3.0.0 (not released)'], [3, 'New']], array_map(
            static fn (array $heading): array => [$heading['level'], $heading['text']],
            $article->headings,
        ));
        foreach (['xhprof.max_nodes', 'XHPROF_FLAGS_*', 'xhprof_save()', '--json'] as $name) {
            self::assertStringContainsString("<code>$name</code>", $article->html);
        }
        self::assertStringContainsString('&lt;b&gt;', $article->html);
        self::assertStringContainsString('a_b_c [x](y)', $article->html);
        self::assertSame(2, substr_count($article->html, '<li>'));
    }

    public function testAPageOfDocsThatTheTableDoesNotHaveIsNamed(): void
    {
        $this->project(['docs/lost.md' => "# Lost\n"]);
        $this->expectExceptionMessage('docs/lost.md is not in README.md\'s table "Documentation": add it to a row');
        self::site($this->folder)->write("$this->folder/site");
    }

    public function testALinkToAMissingFileIsNamedAndTheOldSiteStays(): void
    {
        $this->project();
        self::site($this->folder)->write("$this->folder/site");
        $this->project(['docs/one.md' => "# One\n\n[x](two.md)\n"]);
        try {
            self::site($this->folder)->write("$this->folder/site");
            self::fail('no exception');
        } catch (SiteException $e) {
            self::assertSame('docs/one.md: the link two.md leads to docs/two.md, which does not exist', $e->getMessage());
        }
        self::assertStringContainsString('>One', (string) file_get_contents("$this->folder/site/docs/one.html"));
        $kept = ['.', '..', 'README.md', 'docs', 'node_modules', 'package.json', 'site', 'tools', 'xhprof_html'];
        self::assertSame($kept, scandir($this->folder));
    }

    public function testALinkOutOfTheProjectIsNamed(): void
    {
        $this->project(['docs/one.md' => "# One\n\n[x](../../two.md)\n"]);
        $this->expectExceptionMessage('docs/one.md: the link ../../two.md leads out of the project');
        self::site($this->folder)->write("$this->folder/site");
    }

    public function testAFolderWithOtherFilesIsNotReplaced(): void
    {
        $this->project();
        Folder::put("$this->folder/site/own.txt", 'mine');
        try {
            self::site($this->folder)->write("$this->folder/site");
            self::fail('no exception');
        } catch (SiteException $e) {
            self::assertStringContainsString('has other files than a site', $e->getMessage());
        }
        self::assertSame('mine', file_get_contents("$this->folder/site/own.txt"));
    }

    public function testAReadmeWithoutTheTableIsNamed(): void
    {
        $this->project(['README.md' => "# A\n\n## Documentation\n\nnone\n"]);
        $this->expectExceptionMessage('README.md has no table below the heading "Documentation"');
        self::site($this->folder)->write("$this->folder/site");
    }

    /**
     * Makes a small project.
     *
     * @param array<string, string> $files
     */
    private function project(array $files = []): void
    {
        $files += [
            'README.md' => "# A\n\n## Documentation\n\n| | |\n|---|---|\n| Begin | [one](docs/one.md) |\n",
            'docs/one.md' => "# One\n\nA page.\n",
        ];
        foreach ($files as $file => $text) {
            Folder::put("$this->folder/$file", $text);
        }
        foreach (['tools/site/assets', 'node_modules/minisearch', 'xhprof_html/assets', 'package.json'] as $path) {
            if (!file_exists("$this->folder/$path")) {
                Folder::make(dirname("$this->folder/$path"));
                symlink((string) realpath(self::ROOT . "/$path"), "$this->folder/$path");
            }
        }
    }

    private function article(string $text): \XHProf\Tools\Site\Article
    {
        $converter = new Converter();
        $page = new Page('x.md', 'x', '');
        Folder::put("$this->folder/d", '');
        $document = $converter->document($text);
        (new Links($this->folder, self::REPOSITORY, []))->rewrite($page, $document);

        return $converter->article('x.md', $document, []);
    }

    private static function site(string $root): Site
    {
        return new Site((string) realpath($root), self::REPOSITORY, self::ADDRESS, null);
    }

    private static function temporary(): string
    {
        $folder = sys_get_temp_dir() . '/xhprof-site-' . bin2hex(random_bytes(8));
        Folder::make($folder);

        return $folder;
    }

    /** @return array<string, \DOMXPath> by file, relative to the site */
    private static function pages(): array
    {
        static $pages = [];
        if ($pages === []) {
            $files = new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator(self::$site, \FilesystemIterator::SKIP_DOTS));
            foreach ($files as $path => $file) {
                if (str_ends_with($path, '.html')) {
                    $document = new \DOMDocument();
                    $document->loadHTML((string) file_get_contents($path), LIBXML_NOERROR);
                    $pages[substr($path, strlen(self::$site) + 1)] = new \DOMXPath($document);
                }
            }
        }

        return $pages;
    }

    /** @return list<string> */
    private static function values(\DOMXPath $page, string $path): array
    {
        $values = [];
        foreach ($page->query($path) ?: [] as $node) {
            $values[] = (string) $node->nodeValue;
        }

        return $values;
    }

    /** @return string|null the file that a relative address leads to; null: out of the site */
    private static function resolved(string $file, string $url): ?string
    {
        $parts = [];
        foreach (explode('/', dirname($file) . '/' . explode('#', $url)[0]) as $part) {
            if ($part === '..') {
                if (array_pop($parts) === null) {
                    return null;
                }
            } elseif ($part !== '.' && $part !== '') {
                $parts[] = $part;
            }
        }

        return implode('/', $parts);
    }

    /** @return string|null why a link leads nowhere */
    private static function problem(string $file, string $url): ?string
    {
        if (preg_match('~^(?:https?|mailto):~', $url) === 1) {
            $below = self::REPOSITORY . '/(?:blob|tree)/main/';
            if (preg_match("~^$below([^#]+)~", $url, $match) === 1 && !file_exists(self::ROOT . "/$match[1]")) {
                return 'there is no such file in the repository';
            }

            return null;
        }
        if (str_starts_with($url, '/')) {
            return 'begins at the root of the server';
        }
        $path = explode('#', $url)[0];
        $target = $path === '' ? $file : self::resolved($file, $path);
        if ($target === null) {
            return 'leads out of the site';
        }
        if (!is_file(self::$site . "/$target")) {
            return 'there is no such file';
        }
        $anchor = rawurldecode(explode('#', $url)[1] ?? '');
        if ($anchor !== '' && !in_array($anchor, self::values(self::pages()[$target], '//@id'), true)) {
            return 'there is no such heading';
        }

        return null;
    }
}
