<?php

declare(strict_types=1);

namespace XHProf\Owners;

use XHProf\Profile\CodePlaces;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\InternalFunctions;
use XHProf\Profile\StableNames;

/**
 * The group of each function of a run, by its file, or by its name where the file is not known. PHP's own functions have none: what
 * they take belongs to whoever calls them.
 */
final class FunctionGroups
{
    /** What neither a file nor a namespace places. */
    public const UNKNOWN = '(unknown)';

    /** Functions without a namespace. */
    public const GLOBAL = '(global)';

    /** PHP's own functions that nothing of the program calls. */
    public const PHP = '(PHP)';

    private const MAIN = 'main()';

    /** Nodes that stand for calls which were not kept apart: they belong to their caller. */
    private const REST = '/\A\((?:truncated|deeper)\)\z/';

    /** The scope of "App\Cart::{closure:/srv/app/Cart.php:3}", and of PHP's own "{closure:App\Cart::add():3}". */
    private const NAMESPACED = '/\A(?:\{closure:)*(?<namespace>(?:[A-Za-z_\x80-\xff][\w\x80-\xff]*\\\\)+)[A-Za-z_\x80-\xff{]/';

    /** Vendors of which a package is one level deeper. */
    private const DEEPER = '/\A(?:Symfony\\\\(?:Component|Bundle|Bridge|Contracts)|Drupal\\\\Core|Magento\\\\Framework)\\\\/';

    private readonly ProgramFolders $folders;
    private readonly FileGroups $files;

    /** @var array<string, string|null> beginning of a namespace => the group of all that are known in it; null: of several */
    private array $learned = [];

    /** @var array<string, string> file => the namespace of its functions */
    private array $spaces = [];

    /** @var array<string, string> by file, marked by a NUL */
    private array $known = [];

    /** @var list<string|null> see of() */
    private array $groups = [];

    /**
     * @param list<string> $names of functions
     * @param CodePlaces $places of these
     * @param OwnerTable|null $owners null unless owners are wanted
     */
    public function __construct(
        private readonly GroupBy $by,
        private readonly array $names,
        private readonly CodePlaces $places,
        private readonly ?OwnerTable $owners,
    ) {
        $paths = [];
        foreach ($names as $name => $_) {
            $path = $this->path($name);
            $paths[] = $path ?? '';
        }
        $this->folders = new ProgramFolders(array_values(array_unique(array_filter($paths))), $owners->roots ?? []);
        $this->files = new FileGroups($this->folders);
        $this->learn($paths);
        foreach ($names as $at => $name) {
            $this->groups[] = $this->group($name, $paths[$at], $places->at($at)?->extension() !== null);
        }
    }

    /** @return list<string|null> per name; null: that of its caller */
    public function groups(): array
    {
        return $this->groups;
    }

    /** The group of the root of a run, where it has none of its own: of a window it is no file. */
    public function root(): string
    {
        return match ($this->by) {
            GroupBy::Plugin => $this->folders->wordpress !== null ? FileGroups::WORDPRESS
                : ($this->folders->drupal !== null ? FileGroups::DRUPAL : FileGroups::APPLICATION),
            GroupBy::Package => FileGroups::APPLICATION,
            GroupBy::Namespace => self::GLOBAL,
            default => self::UNKNOWN,
        };
    }

    private function path(int $name): ?string
    {
        $place = $this->places->at($name);

        return $place === null || $place->extension() !== null ? null : FilePath::normal($place->file);
    }

    private function group(string $name, string $path, bool $isInternal): ?string
    {
        if ($isInternal || preg_match(self::REST, $name) === 1) {
            return null;
        }
        if ($path !== '') {
            return $this->ofFile($name, $path);
        }
        // Other tools do not record which functions are PHP's own.
        if ($name === self::MAIN || InternalFunctions::has($name)) {
            return null;
        }

        return $this->ofName($name);
    }

    private function ofFile(string $name, string $path): string
    {
        return match ($this->by) {
            GroupBy::Package => $this->known["\0$path"] ??= self::shown($this->files->package($path)),
            GroupBy::Plugin => $this->known["\0$path"] ??= self::shown($this->files->plugin($path)),
            GroupBy::Folder => $this->known["\0$path"] ??= self::shown($this->files->folder($path)),
            GroupBy::Namespace => self::space(self::namespaceOf($name) ?? $this->spaces["\0$path"] ?? ''),
            GroupBy::Owner => $this->ownerOf($name, $path),
        };
    }

    private function ofName(string $name): string
    {
        $space = self::namespaceOf($name);
        if ($this->by === GroupBy::Namespace) {
            return $space === null && StableNames::file($name) !== '' ? self::UNKNOWN : self::space($space ?? '');
        }
        if ($this->by === GroupBy::Owner) {
            return $this->ownerOf($name, null);
        }
        for ($part = $space ?? ''; $part !== ''; $part = substr($part, 0, (int) strrpos(rtrim($part, '\\'), '\\') + 1)) {
            if (isset($this->learned[$part])) {
                return $this->learned[$part];
            }
            if (substr_count($part, '\\') < 2) {
                break;
            }
        }

        return self::UNKNOWN;
    }

    private function ownerOf(string $name, ?string $path): string
    {
        $relative = $path === null ? null : $this->folders->relative($path);

        return self::shown($this->owners?->owner($name, $path, $relative) ?? OwnerTable::NOBODY);
    }

    /**
     * Learns from functions whose files are known: the namespace of a file, and the group of a namespace, as PSR-4 has it.
     *
     * @param list<string> $paths per name
     */
    private function learn(array $paths): void
    {
        foreach ($this->names as $at => $name) {
            $space = $paths[$at] === '' ? null : self::namespaceOf($name);
            if ($space === null) {
                continue;
            }
            $this->spaces["\0$paths[$at]"] ??= $space;
            if (in_array($this->by, [GroupBy::Namespace, GroupBy::Owner], true)) {
                continue;
            }
            $group = $this->ofFile($name, $paths[$at]);
            for ($part = $space; $part !== ''; $part = substr($part, 0, (int) strrpos(rtrim($part, '\\'), '\\') + 1)) {
                $isOne = !array_key_exists($part, $this->learned) || $this->learned[$part] === $group;
                $this->learned[$part] = $isOne ? $group : null;
                if (!str_contains(rtrim($part, '\\'), '\\')) {
                    break;
                }
            }
        }
    }

    /** @return string|null "App\Cart\" of "App\Cart\Item::price"; null without a namespace */
    private static function namespaceOf(string $name): ?string
    {
        return preg_match(self::NAMESPACED, $name, $match) === 1 ? $match['namespace'] : null;
    }

    private static function space(string $namespace): string
    {
        if ($namespace === '') {
            return self::GLOBAL;
        }
        $depth = preg_match(self::DEEPER, $namespace) === 1 ? 3 : 2;

        return implode('\\', array_slice(explode('\\', rtrim($namespace, '\\')), 0, $depth));
    }

    /** A name that a function can have too: see EdgeKey::isName(). */
    private static function shown(string $group): string
    {
        return EdgeKey::isName($group) ? $group : "$group/";
    }
}
