<?php

declare(strict_types=1);

namespace XHProf\Owners;

/** The package, the plug-in and the folder that a file of a program belongs to, by its path. */
final class FileGroups
{
    public const APPLICATION = '(application)';
    public const WORDPRESS = 'WordPress';
    public const DRUPAL = 'Drupal core';

    /** Files of Composer itself: its autoloader, the programs in bin. */
    public const COMPOSER = '(Composer)';

    /** Directly in the root. */
    public const TOP = '(top folder)';

    /** A name that Composer takes. */
    private const NAME = '[A-Za-z0-9](?:[_.-]{0,2}[A-Za-z0-9]+)*';

    /** Folders of which a group is one level deeper. */
    private const DEEPER = '#\A(?:(?:wp-content|app)/(?:plugins|mu-plugins|themes)|(?:modules|themes|profiles)/(?:contrib|custom)'
        . '|core/modules|app/code)/[^/]+/#';

    private const DROP_INS = ['advanced-cache.php', 'db.php', 'object-cache.php', 'sunrise.php', 'db-error.php', 'maintenance.php'];

    /** Module of Drupal: where it may be, and what it is. */
    private const DRUPAL_PARTS = '(?<kind>modules|themes|profiles)/(?:(?:contrib|custom)/)?(?<name>[^/]+)/';

    public function __construct(private readonly ProgramFolders $folders)
    {
    }

    /** The innermost package; a file that is in none belongs to its plug-in. */
    public function package(string $file): string
    {
        return $this->composer($file) ?? $this->part($file) ?? self::APPLICATION;
    }

    /** The outermost plug-in, with the packages in it; a file that is in none belongs to its package. */
    public function plugin(string $file): string
    {
        return $this->part($file) ?? $this->composer($file) ?? self::APPLICATION;
    }

    public function folder(string $file): string
    {
        $below = $this->folders->relative($file);
        if ($below === null) {
            return implode('/', array_slice(explode('/', dirname($file)), 0, 4));
        }
        $depth = preg_match(self::DEEPER, $below) === 1 || str_starts_with($below, 'vendor/') ? 3 : 2;
        $folder = dirname($below);

        return $folder === '.' ? self::TOP : implode('/', array_slice(explode('/', $folder), 0, $depth));
    }

    private function composer(string $file): ?string
    {
        foreach ($this->folders->vendors as $vendor) {
            $below = FilePath::below($file, $vendor);
            if ($below !== null) {
                $isPackage = preg_match('#\A(' . self::NAME . '/' . self::NAME . ')/.#', $below, $match) === 1;

                return $isPackage && !preg_match('#\A(?:composer/[^/]+\.php\z|bin/)#', $below)
                    ? strtolower($match[1])
                    : self::COMPOSER;
            }
        }

        return null;
    }

    /** A plug-in, a theme, a module, or the core of what has them. */
    private function part(string $file): ?string
    {
        return self::ofWordPress($file) ?? $this->ofDrupal($file) ?? $this->ofWordPressCore($file) ?? self::ofMagento($file)
            ?? self::ofSymfony($file);
    }

    private static function ofWordPress(string $file): ?string
    {
        // "app" stands for wp-content in Bedrock.
        $content = '#/(?:wp-content|web/app)/';
        if (preg_match($content . '(?<kind>plugins|mu-plugins|themes)/(?<name>[^/]+)(?<rest>/|\z)#', $file, $match) === 1) {
            // A plug-in may be one file; so may be what loads those that must be used.
            $name = $match['rest'] === '' ? preg_replace('/\.php\z/', '', $match['name']) : $match['name'];

            return $name . match ($match['kind']) {
                'mu-plugins' => ' (must-use)',
                'themes' => ' (theme)',
                default => '',
            };
        }
        if (preg_match($content . '(?<name>[^/]+)\z#', $file, $match) === 1 && in_array($match['name'], self::DROP_INS, true)) {
            return "$match[name] (drop-in)";
        }

        return null;
    }

    private function ofWordPressCore(string $file): ?string
    {
        $below = $this->folders->wordpress === null ? null : FilePath::below($file, $this->folders->wordpress);
        $isCore = $below !== null && preg_match('#\A(?:wp-includes/|wp-admin/|(?:index|xmlrpc|wp-[a-z-]+)\.php\z)#', $below) === 1;

        return $isCore ? self::WORDPRESS : null;
    }

    private function ofDrupal(string $file): ?string
    {
        if (preg_match('#/(?<kind>modules|themes|profiles)/(?:contrib|custom)/(?<name>[^/]+)/#', $file, $match) === 1) {
            return self::ofKind($match['kind'], $match['name']);
        }
        $below = $this->folders->drupal === null ? null : FilePath::below($file, $this->folders->drupal);
        if ($below === null) {
            return null;
        }
        if (preg_match('#\A(?:core/|sites/[^/]+/)?' . self::DRUPAL_PARTS . '#', $below, $match) === 1) {
            return self::ofKind($match['kind'], $match['name']);
        }
        $isCore = preg_match('#\A(?:core/|includes/|misc/|(?:index|update|cron|install|xmlrpc)\.php\z)#', $below) === 1;

        return $isCore ? self::DRUPAL : null;
    }

    private static function ofKind(string $kind, string $name): string
    {
        return $name . match ($kind) {
            'themes' => ' (theme)',
            'profiles' => ' (profile)',
            default => '',
        };
    }

    private static function ofMagento(string $file): ?string
    {
        if (preg_match('#/(?:app|generated)/code/(?<vendor>[A-Z][A-Za-z0-9]*)/(?<name>[A-Z][A-Za-z0-9]*)/#', $file, $match) === 1) {
            return "$match[vendor]_$match[name]";
        }
        if (preg_match('#/vendor/magento/module-(?<name>[a-z0-9-]+)/#', $file, $match) === 1) {
            return 'Magento_' . str_replace(' ', '', ucwords(strtr($match['name'], '-', ' ')));
        }
        $isTheme = preg_match('#/app/design/(?:frontend|adminhtml)/(?<name>[^/]+/[^/]+)/#', $file, $match) === 1;

        return $isTheme ? "$match[name] (theme)" : null;
    }

    private static function ofSymfony(string $file): ?string
    {
        $isBundle = !str_contains($file, '/vendor/')
            && preg_match('#/(?:src|bundles|lib)/(?:[^/]+/)*?(?<name>[A-Z][A-Za-z0-9]*Bundle)/#', $file, $match) === 1;

        return $isBundle ? $match['name'] : null;
    }
}
