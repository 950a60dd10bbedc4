<?php

declare(strict_types=1);

namespace XHProf\Script;

use XHProf\Cli\CliError;
use XHProf\Cli\PhpProbe;

/**
 * The php that will run the script: the binary that runs us, with the given options. It is queried
 * once, before the script, for its php.ini settings and whether the extension can be loaded, so
 * that no warning about it ends up in the script's output.
 */
final class PhpRuntime
{
    private const EXTENSION = 'xhprof.so';

    private const MALLOC = 'libxhprof_malloc.so';

    private const QUESTION = '"loaded" => extension_loaded("xhprof"),'
        . '"version" => (string) phpversion("xhprof"),'
        . '"saves" => function_exists("xhprof_save") && function_exists("xhprof_call_tree"),'
        . '"alloc" => defined("XHPROF_FLAGS_ALLOC"),'
        . '"timeline" => defined("XHPROF_FLAGS_TIMELINE"),'
        . '"samples" => function_exists("xhprof_sample_enable")'
        . ' && (new ReflectionFunction("xhprof_sample_enable"))->getNumberOfParameters() > 0,'
        . '"directory" => (string) ini_get("xhprof.output_dir"),'
        . '"file" => preg_match("~\\s(/.*/xhprof\\.so)$~m", (string) @file_get_contents("/proc/self/maps"), $m) === 1 ? $m[1] : "",'
        . '"extension_dir" => (string) ini_get("extension_dir"),'
        . '"php" => PHP_VERSION . (PHP_ZTS ? " ZTS" : " NTS") . (PHP_DEBUG ? " debug" : ""),'
        . '"xdebug" => function_exists("xdebug_info") ? implode(",", (array) xdebug_info("mode")) : "",';

    /** @var array<string, mixed> */
    private array $answer = [];

    /** xhprof.so, if php.ini does not load it. */
    private string $extension = '';

    /**
     * @param string       $root    folder of this installation
     * @param list<string> $options for php, in front of the script: -d, memory_limit=1G, -c, FILE...
     */
    public function __construct(private readonly string $root, private readonly array $options)
    {
    }

    /**
     * @return list<string> php and its options, with the extension
     * @throws CliError if the extension cannot be loaded
     */
    public function command(): array
    {
        $this->probe();

        return [PHP_BINARY, ...$this->options, ...$this->extensionOptions()];
    }

    /** The extension if php.ini does not load it, or ''. */
    public function extension(): string
    {
        $this->probe();

        return $this->extension;
    }

    /** @return list<string> options of php */
    private function extensionOptions(): array
    {
        return $this->extension === '' ? [] : ['-d', 'extension=' . self::iniValue($this->extension)];
    }

    /** xhprof.output_dir of php.ini, or ''. */
    public function outputDirectory(): string
    {
        return $this->text('directory');
    }

    /** @param 'alloc'|'timeline'|'samples' $what allocations by call path, timelines, samples by options */
    public function records(string $what): bool
    {
        $this->probe();

        return $this->answer[$what] === true;
    }

    /**
     * The library that, preloaded, reports native mallocs to the extension.
     *
     * @throws CliError if it is not beside any extension
     */
    public function mallocLibrary(): string
    {
        $folders = [...$this->ownFolders(), $this->text('extension_dir')];
        $folders = array_unique($this->text('file') === '' ? $folders : [dirname($this->text('file')), ...$folders]);
        foreach ($folders as $folder) {
            $library = "$folder/" . self::MALLOC;
            if (!self::isTrusted($library)) {
                continue;
            }
            if (strpbrk($library, ' :') !== false) {
                throw new CliError("$library cannot be preloaded: its path has a space or a colon");
            }

            return $library;
        }
        throw new CliError(sprintf(
            '%s is missing in %s; %s',
            self::MALLOC,
            implode(' or ', $folders),
            $this->isBuiltHere() ? $this->remedy() : 'it comes with xhprof.so',
        ));
    }

    /** Modes of Xdebug that slow the script down, or ''. */
    public function xdebugModes(): string
    {
        return $this->text('xdebug');
    }

    /** A value for `php -d name=...`, safe from the syntax of ini files. */
    public static function iniValue(string $value): string
    {
        return str_contains($value, "'") ? '"' . addcslashes($value, '"\\') . '"' : "'$value'";
    }

    private function probe(): void
    {
        if ($this->answer !== []) {
            return;
        }
        foreach ($this->ownFolders() as $folder) {
            if ($this->extension === '' && self::isTrusted("$folder/" . self::EXTENSION)) {
                $this->extension = "$folder/" . self::EXTENSION;
            }
        }
        [$this->answer, $printed] = $this->ask();
        if (str_contains($printed, 'already loaded')) {
            // php.ini loads it: the user's choice stands
            $this->extension = '';
        }
        if ($this->answer['loaded'] !== true && $this->extension === '') {
            $installed = $this->text('extension_dir') . '/' . self::EXTENSION;
            if (is_file($installed)) {
                $this->extension = $installed;
                [$this->answer, $printed] = $this->ask();
            }
        }
        if ($this->answer['loaded'] !== true) {
            $why = $this->extension === '' ? '' : sprintf(
                '%s cannot be loaded into PHP %s (%s)',
                $this->extension,
                $this->text('php'),
                PhpProbe::firstLine($printed) ?: 'it printed no message',
            );
            throw new CliError(match (true) {
                $this->isBuiltHere() => ($why ?: 'the extension is not built') . '; ' . $this->remedy() . " in $this->root",
                $why !== '' => "$why; " . $this->remedy(),
                default => sprintf(
                    'PHP %s has no extension xhprof, which records runs; %s. Saved runs can be read without it',
                    $this->text('php'),
                    $this->remedy(),
                ),
            });
        }
        if ($this->answer['saves'] !== true) {
            throw new CliError(sprintf(
                'php.ini loads another xhprof (%s) without xhprof_save(); remove it, or add --php-option=-n',
                $this->text('version') === '' ? 'no version' : $this->text('version'),
            ));
        }
    }

    /** @return list<string> folders that may have the extension beside PHP's own: of a checkout, and of a program in one file */
    private function ownFolders(): array
    {
        $file = class_exists(\Phar::class, false) ? \Phar::running(false) : '';

        return ["$this->root/extension/modules", ...($file === '' ? [] : [dirname($file)])];
    }

    /**
     * Whether there is such a file, and nobody has put it there who could not have changed this program: a program in one file may
     * be in a folder that others write to, like /tmp.
     */
    private static function isTrusted(string $library): bool
    {
        $file = class_exists(\Phar::class, false) ? \Phar::running(false) : '';
        if (!is_file($library) || $file === '' || dirname($library) !== dirname($file)) {
            return is_file($library);
        }

        $user = function_exists('posix_geteuid') ? posix_geteuid() : 0;

        return in_array(lstat($library)['uid'] ?? null, [0, $user, fileowner($file)], true);
    }

    /** Whether the sources of the extension are here, as in a checkout. */
    private function isBuiltHere(): bool
    {
        return is_file("$this->root/extension/config.m4");
    }

    /** remedy() where no extension can be loaded, else "". */
    public function missing(): string
    {
        try {
            $this->command();
        } catch (CliError) {
            return $this->answer['loaded'] ?? false ? '' : $this->remedy();
        }

        return '';
    }

    /** What its user does to get an extension that fits, or a newer one. */
    public function remedy(): string
    {
        if ($this->isBuiltHere()) {
            return 'run `make build`';
        }
        $version = PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION;
        $folders = implode(' or ', [...array_slice($this->ownFolders(), 1), $this->text('extension_dir')]);

        return "install the package php$version-xhprof, or put the xhprof.so of the release for PHP {$this->text('php')}"
            . " into $folders";
    }

    /** @return array{array<string, mixed>, string} the answers, and whatever else php printed */
    private function ask(): array
    {
        return PhpProbe::answer([...$this->options, ...$this->extensionOptions()], self::QUESTION, '', getenv());
    }

    private function text(string $key): string
    {
        $this->probe();

        return is_string($this->answer[$key] ?? null) ? $this->answer[$key] : '';
    }
}
