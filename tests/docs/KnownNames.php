<?php

declare(strict_types=1);

namespace XHProf\Tests\Docs;

use XHProf\Tools\Docs\Settings;
use XHProf\Tools\Docs\Stubs;

/** Existing names that the documentation may use: settings, functions, targets of make, words of the sources. */
final class KnownNames
{
    /** @var array<string, true> */
    private readonly array $settings;

    /** @var array<string, true> functions of PHP programs: the extension's and the classic library's */
    private readonly array $functions;

    /** @var array<string, true> */
    private readonly array $targets;

    /** @var array<string, true> identifiers of all sources */
    private readonly array $words;

    /** @var array<string, true> names of the sources: alone, relative to the root, and to extension/ */
    private readonly array $files;

    public function __construct(string $root)
    {
        $classic = '';
        foreach (glob("$root/xhprof_lib/{utils,display}/*.php", GLOB_BRACE) ?: [] as $file) {
            $classic .= file_get_contents($file);
        }
        preg_match_all('~^\s*function (\w+)\(~m', $classic, $ofLibrary);
        preg_match_all('~^([a-z0-9.-]+):~m', (string) file_get_contents("$root/Makefile"), $targets);
        $this->settings = array_fill_keys(array_keys((new Settings("$root/extension"))->all()), true);
        $functions = array_keys((new Stubs("$root/extension"))->functions());
        $this->functions = array_fill_keys([...$functions, ...$ofLibrary[1]], true);
        $this->targets = array_fill_keys($targets[1], true);
        [$this->words, $this->files] = self::sources($root);
    }

    public function isSetting(string $name): bool
    {
        return isset($this->settings[$name]);
    }

    public function isFunction(string $name): bool
    {
        return isset($this->functions[$name]);
    }

    public function isTarget(string $name): bool
    {
        return isset($this->targets[$name]);
    }

    /** Whether any source has this identifier, or one that begins with it where it ends in "_". */
    public function isWord(string $name): bool
    {
        if (!str_ends_with($name, '_')) {
            return isset($this->words[$name]);
        }
        foreach ($this->words as $word => $_) {
            if (str_starts_with((string) $word, $name)) {
                return true;
            }
        }

        return false;
    }

    public function isSource(string $file): bool
    {
        return isset($this->files[$file]);
    }

    /**
     * @return array{array<string, true>, array<string, true>}
     */
    private static function sources(string $root): array
    {
        $words = [];
        $files = [];
        exec('git -C ' . escapeshellarg($root) . ' ls-files', $listed);
        foreach ($listed as $name) {
            $isSource = preg_match('~\.(?:c|h|php|phpt|inc|sh|mjs|js|m4|frag|service)\z|\A(?:bin/|Makefile)~', $name) === 1;
            if (!$isSource || str_starts_with($name, 'tests/docs/') || !is_file("$root/$name")) {
                continue;
            }
            preg_match_all('~\b(?:xhprof|memprof|XHPROF|MEMPROF)_\w+~', (string) file_get_contents("$root/$name"), $found);
            $words += array_fill_keys($found[0], true);
            $files[basename($name)] = true;
            $files[$name] = true;
            $files[preg_replace('~\Aextension/~', '', $name)] = true;
        }

        return [$words, $files];
    }
}
