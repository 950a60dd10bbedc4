<?php

declare(strict_types=1);

namespace XHProf\Tools\Site;

use League\CommonMark\Extension\CommonMark\Node\Inline\Image;
use League\CommonMark\Extension\CommonMark\Node\Inline\Link;
use League\CommonMark\Node\Block\Document;

/**
 * Links of the repository's files, as links of the site: to pages of the site, to the pictures that are copied, and to the
 * repository for everything else in it. All are relative but those to the repository.
 */
final class Links
{
    /** @var array<string, Page> by file */
    private readonly array $pages;

    /**
     * @param string $root of the project, absolute
     * @param string $repository address of the repository, without a slash at its end
     * @param list<Page> $pages
     */
    public function __construct(private readonly string $root, private readonly string $repository, array $pages)
    {
        $this->pages = array_column($pages, null, 'file');
    }

    /**
     * Rewrites the links of a page.
     *
     * @return list<string> pictures that the page shows, relative to the root
     *
     * @throws SiteException for a link to a file that does not exist
     */
    public function rewrite(Page $page, Document $document): array
    {
        $pictures = [];
        foreach ($document->iterator() as $node) {
            if ($node instanceof Link) {
                $node->setUrl($this->rewritten($page, $node->getUrl()));
            } elseif ($node instanceof Image) {
                $picture = $this->file($page, $node->getUrl());
                if ($picture !== null) {
                    $pictures[] = $picture;
                    [$width, $height] = getimagesize("$this->root/$picture") ?: [0, 0];
                    $loading = count($pictures) > 1 ? 'lazy' : 'eager';
                    $node->data->set('attributes', ['width' => "$width", 'height' => "$height", 'loading' => $loading]);
                }
            }
        }

        return $pictures;
    }

    private function rewritten(Page $page, string $url): string
    {
        $file = $this->file($page, $url);
        if ($file === null) {
            return $url;
        }
        $anchor = (string) strstr($url, '#');
        $of = $this->pages[$file] ?? null;
        if ($of !== null) {
            return $page->root() . $of->target() . $anchor;
        }

        return "$this->repository/" . (is_dir("$this->root/$file") ? 'tree' : 'blob') . "/main/$file$anchor";
    }

    /** @return string|null the file that a link leads to, relative to the root; null: the page itself, or another site */
    private function file(Page $page, string $url): ?string
    {
        $path = rawurldecode(explode('#', $url)[0]);
        if ($path === '' || preg_match('~\A(?:[a-z][a-z0-9+.-]*:|//)~i', $url) === 1) {
            return null;
        }
        $parts = [];
        foreach (explode('/', dirname($page->file) . "/$path") as $part) {
            if ($part === '..') {
                if (array_pop($parts) === null) {
                    throw new SiteException("$page->file: the link $url leads out of the project");
                }
            } elseif ($part !== '.' && $part !== '') {
                $parts[] = $part;
            }
        }
        $file = implode('/', $parts);
        if (!file_exists("$this->root/$file")) {
            throw new SiteException("$page->file: the link $url leads to $file, which does not exist");
        }

        return $file;
    }
}
