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
        $folders = [$this->root . '/extension/modules', $this->text('extension_dir')];
        $folders = array_unique($this->text('file') === '' ? $folders : [dirname($this->text('file')), ...$folders]);
        foreach ($folders as $folder) {
            $library = "$folder/" . self::MALLOC;
            if (!is_file($library)) {
                continue;
            }
            if (strpbrk($library, ' :') !== false) {
                throw new CliError("$library cannot be preloaded: its path has a space or a colon");
            }

            return $library;
        }
        throw new CliError(sprintf('%s is missing in %s; run `make build`', self::MALLOC, implode(' or ', $folders)));
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
        $built = $this->root . '/extension/modules/xhprof.so';
        if (is_file($built)) {
            $this->extension = $built;
        }
        [$this->answer, $printed] = $this->ask();
        if (str_contains($printed, 'already loaded')) {
            // php.ini loads it: the user's choice stands
            $this->extension = '';
        }
        if ($this->answer['loaded'] !== true && $this->extension === '') {
            $installed = $this->text('extension_dir') . '/xhprof.so';
            if (is_file($installed)) {
                $this->extension = $installed;
                [$this->answer, $printed] = $this->ask();
            }
        }
        if ($this->answer['loaded'] !== true) {
            throw new CliError($this->extension === ''
                ? "the extension is not built; run `make build` in {$this->root}"
                : sprintf(
                    '%s cannot be loaded into PHP %s (%s); run `make build` in %s',
                    $built,
                    $this->text('php'),
                    PhpProbe::firstLine($printed) ?: 'it printed no message',
                    $this->root,
                ));
        }
        if ($this->answer['saves'] !== true) {
            throw new CliError(sprintf(
                'php.ini loads another xhprof (%s) without xhprof_save(); remove it, or add --php-option=-n',
                $this->text('version') === '' ? 'no version' : $this->text('version'),
            ));
        }
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
