<?php

declare(strict_types=1);

namespace XHProf\Tools\Site;

/** A page of the site, and the file of the repository that it is made from. */
final class Page
{
    /**
     * @param string $file relative to the root of the project, e.g. "docs/install.md"
     * @param string $label in the menu
     * @param string $group of the menu; '' of the first page
     */
    public function __construct(public readonly string $file, public readonly string $label, public readonly string $group)
    {
    }

    /** Whether a file of the repository can be a page. */
    public static function isPage(string $file): bool
    {
        return str_ends_with($file, '.md') || $file === 'CHANGELOG';
    }

    /** @return string the file of the page, relative to the site; folders are those of the repository, so links stay what they are */
    public function target(): string
    {
        return $this->file === 'README.md' ? 'index.html' : preg_replace('~\.md\z~', '', $this->file) . '.html';
    }

    /** @return string what leads from the page to the site's root: '' or "../" */
    public function root(): string
    {
        return str_repeat('../', substr_count($this->file, '/'));
    }
}
