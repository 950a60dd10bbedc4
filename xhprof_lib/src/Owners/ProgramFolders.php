<?php

declare(strict_types=1);

namespace XHProf\Owners;

/**
 * Which folders of a program are what: its root, those of Composer's packages, WordPress, Drupal. The files of its functions show
 * it: the program itself may be on another machine, or in a container.
 */
final class ProgramFolders
{
    /** Files that Composer writes into each of its folders: what it is called does not matter. */
    private const COMPOSER = '#\A(?<folder>.*)/composer/(?:ClassLoader|InstalledVersions|platform_check|autoload_[a-z]+)\.php\z#';
    private const WORDPRESS = '#\A(?<folder>.*?)/(?:wp-includes|wp-admin)/#';

    /** Where a run has no function of the core. */
    private const WORDPRESS_PARTS = '#\A(?<folder>.*?)/wp-content/(?:plugins|mu-plugins|themes)/#';
    private const DRUPAL = '#\A(?<folder>.*?)/(?:core/(?:lib/Drupal|includes|modules|themes|profiles)/|includes/bootstrap\.inc'
        . '\z)#';
    private const DRUPAL_PROOF = '#/core/lib/Drupal(?:/|\.php)|/includes/bootstrap\.inc\z#';

    /** Folders of sources in a root that has no vendor folder; "/app" and "/srv/app" are roots themselves. */
    private const SOURCES = '#\A(?<folder>(?:[A-Za-z]:)?(?:/[^/]+){2,})/(?:app|src|lib|public|web|bin|config)(?:/|\z)#';
    private const SOURCES_OF_TOP = '#\A(?<folder>(?:[A-Za-z]:)?/[^/]+)/(?:src|lib|public|web|bin|config)(?:/|\z)#';

    /** @var list<string> Composer's, the deepest first */
    public readonly array $vendors;
    public readonly ?string $wordpress;
    public readonly ?string $drupal;

    /** @var list<string> of the application, the deepest first */
    public readonly array $roots;

    /**
     * @param list<string> $files of FilePath::normal()
     * @param list<string> $roots that are known
     */
    public function __construct(array $files, array $roots = [])
    {
        $vendors = [];
        foreach ($files as $file) {
            if (preg_match(self::COMPOSER, $file, $match) === 1) {
                $vendors[$match['folder']] = true;
            }
            $at = -1;
            while (($at = strpos($file, '/vendor/', $at + 1)) !== false) {
                $vendors[substr($file, 0, $at + 7)] = true;
            }
        }
        $this->vendors = self::deepest(array_map(strval(...), array_keys($vendors)));
        $this->wordpress = self::first($files, self::WORDPRESS) ?? self::first($files, self::WORDPRESS_PARTS);
        $isDrupal = preg_grep(self::DRUPAL_PROOF, $files) !== [];
        $this->drupal = $isDrupal ? self::first($files, self::DRUPAL) : null;
        $found = $roots === [] ? $this->root($files) : null;
        $this->roots = $found === null ? self::deepest($roots) : [$found];
    }

    /** @return string|null the path below the root; null for a file elsewhere */
    public function relative(string $file): ?string
    {
        foreach ($this->roots as $root) {
            $below = FilePath::below($file, $root);
            if ($below !== null) {
                return $below;
            }
        }

        return FilePath::isAbsolute($file) ? null : $file;
    }

    /** @param list<string> $files */
    private function root(array $files): ?string
    {
        // A plug-in or a package may have packages of its own: the outermost folder is the program's.
        $outermost = $this->vendors === [] ? null : dirname($this->vendors[count($this->vendors) - 1]);
        $web = $this->wordpress ?? $this->drupal;
        if ($web !== null && ($outermost === null || str_starts_with("$outermost/", "$web/"))) {
            return $web;
        }
        if ($outermost !== null) {
            return $outermost;
        }
        $common = FilePath::common($files);
        foreach ([self::SOURCES, self::SOURCES_OF_TOP] as $pattern) {
            if ($common !== null && preg_match($pattern, $common, $match) === 1) {
                return $match['folder'];
            }
        }

        return $common;
    }

    /** @param list<string> $files */
    private static function first(array $files, string $pattern): ?string
    {
        $found = null;
        foreach (preg_grep($pattern, $files) ?: [] as $file) {
            preg_match($pattern, $file, $match);
            $folder = $match['folder'] ?? '';
            $found = $found === null || strlen($folder) < strlen($found) ? $folder : $found;
        }

        return $found;
    }

    /**
     * @param list<string> $folders
     *
     * @return list<string>
     */
    private static function deepest(array $folders): array
    {
        usort($folders, static fn (string $a, string $b): int => [strlen($b), $a] <=> [strlen($a), $b]);

        return $folders;
    }
}
