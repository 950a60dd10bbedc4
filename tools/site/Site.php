<?php

declare(strict_types=1);

namespace XHProf\Tools\Site;

use Twig\Environment;
use Twig\Loader\FilesystemLoader;

/** Makes the site: the pages of Menu, the demo, the search, in a folder that a browser opens from a disk or a server. */
final class Site
{
    /** Scripts and styles that are made for the site, and the colours and the sign of the profiler's own pages. */
    private const ASSETS = [
        'tools/site/assets/site.css', 'tools/site/assets/search.css', 'tools/site/assets/site.js', 'tools/site/assets/search.js',
        'xhprof_html/assets/theme.css', 'xhprof_html/assets/icon.svg',
    ];
    private const LIBRARY = 'node_modules/minisearch';
    /** Of the menu and of the search. */
    public const DEMO = 'Live demo';

    private readonly Converter $converter;

    private readonly Environment $view;

    /**
     * @param string $root of the project, absolute
     * @param string $repository address of the repository, without a slash at its end
     * @param string $address of the site, with a slash at its end
     * @param string|null $runs folder with the runs of the shop; null: without the live demo
     */
    public function __construct(
        private readonly string $root,
        private readonly string $repository,
        private readonly string $address,
        private readonly ?string $runs,
    ) {
        $this->converter = new Converter();
        $this->view = new Environment(new FilesystemLoader(__DIR__ . '/templates'), ['strict_variables' => true]);
    }

    /**
     * Makes the site in a new folder, which then takes the place of the old one as a whole.
     *
     * @return array{pages: int, demo: int, bytes: int}
     *
     * @throws SiteException
     */
    public function write(string $folder): array
    {
        if (is_dir($folder) && !is_file("$folder/index.html") && (scandir($folder) ?: []) !== ['.', '..']) {
            throw new SiteException("$folder has other files than a site: name an empty folder, or a new one");
        }
        $new = "$folder.new-" . getmypid();
        try {
            $counts = $this->fill($new);
            Folder::remove($folder);
            if (!rename($new, $folder)) {
                throw new SiteException("$folder cannot be written");
            }
        } finally {
            Folder::remove($new);
        }

        return $counts;
    }

    /** @return array{pages: int, demo: int, bytes: int} */
    private function fill(string $folder): array
    {
        $pages = Menu::read($this->root, $this->converter);
        $links = new Links($this->root, $this->repository, $pages);
        $articles = [];
        foreach ($pages as $page) {
            $articles[] = $this->article($page, $links);
        }
        $this->assets($folder);
        $demo = null;
        if ($this->runs !== null) {
            Folder::make("$folder/demo");
            $demo = (new Demo($this->root, $this->runs))->write("$folder/demo");
        }
        $shared = [
            'menu' => self::menu($pages, $articles), 'repository' => $this->repository, 'address' => $this->address,
            'has_demo' => $demo !== null,
        ];
        foreach ($pages as $index => $page) {
            $this->page($folder, $page, $articles[$index], $shared + [
                'before' => $pages[$index - 1] ?? null, 'after' => $pages[$index + 1] ?? null,
            ]);
        }
        $targets = array_map(static fn (Page $page): string => $page->target(), $pages);
        if ($demo !== null) {
            $targets[] = $target = 'demo/index.html';
            Folder::put("$folder/$target", $this->view->render('demo.html.twig', $shared + [
                'root' => '../', 'target' => $target, 'source' => null, 'title' => self::DEMO, 'lead' => Demo::LEAD,
                'shown' => $demo,
            ]));
        }
        Folder::put("$folder/assets/search-index.js", SearchIndex::script($pages, $articles, $demo));
        Folder::put("$folder/llms.txt", $this->view->render('llms.txt.twig', $shared + ['lead' => $articles[0]->lead]));
        Folder::put("$folder/sitemap.xml", $this->view->render('sitemap.xml.twig', $shared + ['targets' => $targets]));

        return ['pages' => count($pages), 'demo' => count($demo ?? []), 'bytes' => Folder::bytes($folder)];
    }

    /**
     * @param list<Page> $pages
     * @param list<Article> $articles of the pages
     *
     * @return array<string, list<array{target: string, label: string, title: string, lead: string, file: string}>> by group
     */
    private static function menu(array $pages, array $articles): array
    {
        $menu = [];
        foreach ($pages as $index => $page) {
            $menu[$page->group][] = [
                'target' => $page->target(), 'label' => $page->label, 'file' => $page->file, 'title' => $articles[$index]->title,
                'lead' => $articles[$index]->lead,
            ];
        }

        return $menu;
    }

    private function article(Page $page, Links $links): Article
    {
        $text = (string) file_get_contents("$this->root/$page->file");
        $document = $this->converter->document($page->file === 'CHANGELOG' ? Changelog::markdown($text) : $text);

        return $this->converter->article($page->file, $document, $links->rewrite($page, $document));
    }

    /** @param array<string, mixed> $shared what templates of all pages need, and the page's neighbours */
    private function page(string $folder, Page $page, Article $article, array $shared): void
    {
        $isInContents = static fn (array $heading): bool => in_array($heading['level'], [2, 3], true);
        Folder::put("$folder/{$page->target()}", $this->view->render('page.html.twig', $shared + [
            'root' => $page->root(), 'target' => $page->target(), 'source' => $page->file, 'title' => $article->title,
            'lead' => $article->lead, 'html' => $article->html,
            'contents' => array_values(array_filter($article->headings, $isInContents)),
        ]));
        foreach ([$page->file, ...$article->files] as $file) {
            Folder::copy("$this->root/$file", "$folder/$file");
        }
    }

    private function assets(string $folder): void
    {
        foreach (self::ASSETS as $file) {
            Folder::copy("$this->root/$file", "$folder/assets/" . basename($file));
        }
        $json = static fn (string $file): array => (array) json_decode((string) @file_get_contents($file), true);
        $wanted = $json("$this->root/package.json")['devDependencies']['minisearch'] ?? 'none';
        $there = $json("$this->root/" . self::LIBRARY . '/package.json')['version'] ?? 'none';
        if ($there !== $wanted) {
            throw new SiteException(self::LIBRARY . " is version $there instead of $wanted: run npm ci");
        }
        $library = "$this->root/" . self::LIBRARY;
        // Without the name of a file that is not here.
        $script = preg_replace('~^//# sourceMappingURL=.*\n?~m', '', (string) file_get_contents("$library/dist/umd/index.js"));
        Folder::put("$folder/assets/minisearch/minisearch.js", (string) $script);
        Folder::copy("$library/LICENSE.txt", "$folder/assets/minisearch/LICENSE.txt");
    }
}
