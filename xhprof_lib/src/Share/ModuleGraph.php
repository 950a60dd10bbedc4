<?php

declare(strict_types=1);

namespace XHProf\Share;

use LogicException;

/**
 * The ES modules of a page, for a file that has no server to load them from: each after those it imports. In a source,
 * "@@PATH@@" replaces the name of another module; assets/js/standalone/boot.js puts its URL there.
 */
final class ModuleGraph
{
    /** House style keeps an import's source on one line, in single quotes. */
    private const IMPORT = '~(\bfrom\s+|\bimport\s*\(?\s*)\'(\.{1,2}/[^\']+\.js)\'~';

    private const WORKER = '~new Worker\(new URL\(\'(\.{1,2}/[^\']+\.js)\', import\.meta\.url\), \{ type: \'module\' \}\)~';

    /** Comments refer to types of other modules, which no browser needs. */
    private const DOC_COMMENT = '~/\*\*.*?\*/~s';

    /** @var array<string, string> path => source, in order */
    private array $modules = [];

    /** @var array<string, list<string>> path => modules it imports */
    private array $imports = [];

    /** @var list<string> */
    private array $workers = [];

    /** @var array<string, true> */
    private array $open = [];

    /**
     * @param string $root folder of the modules
     */
    private function __construct(private readonly string $root)
    {
    }

    /**
     * @param string $entry relative path of the first module
     *
     * @return array{modules: list<array{string, string}>, workers: array<string, list<string>>, entry: string} path and source
     *     of each; the paths that a worker needs, by its own
     */
    public static function read(string $root, string $entry): array
    {
        $graph = new self($root);
        $graph->add($entry);
        $workers = [];
        while (($worker = array_pop($graph->workers)) !== null) {
            $graph->add($worker);
            $workers[$worker] = array_keys($graph->needs($worker));
        }
        $modules = [];
        foreach ($graph->modules as $path => $source) {
            $modules[] = [$path, $source];
        }

        return ['modules' => $modules, 'workers' => $workers, 'entry' => $entry];
    }

    private function add(string $path): void
    {
        if (isset($this->modules[$path])) {
            return;
        }
        if (isset($this->open[$path])) {
            throw new LogicException("$path imports itself, by others");
        }
        $this->open[$path] = true;
        $this->imports[$path] = [];
        $source = (string) preg_replace(self::DOC_COMMENT, '', $this->source($path));
        $source = (string) preg_replace_callback(self::WORKER, function (array $match) use ($path): string {
            $this->workers[] = $target = self::resolve($path, $match[1]);

            return "new Worker(globalThis.xhprofFile.worker('$target'))";
        }, $source);
        $source = (string) preg_replace_callback(self::IMPORT, function (array $match) use ($path): string {
            $this->imports[$path][] = $target = self::resolve($path, $match[2]);
            $this->add($target);

            return $match[1] . "\"@@$target@@\"";
        }, $source);
        $this->modules[$path] = $source;
        unset($this->open[$path]);
    }

    /**
     * @return array<string, true> the module and all that it imports
     */
    private function needs(string $path): array
    {
        $needs = [$path => true];
        foreach ($this->imports[$path] as $import) {
            $needs += $this->needs($import);
        }

        return $needs;
    }

    private function source(string $path): string
    {
        $file = "$this->root/$path";
        $source = is_file($file) ? file_get_contents($file) : false;

        return $source === false ? throw new LogicException("$path is missing from the installation") : $source;
    }

    /** "pages/flame.js" and "../core/api.js" => "core/api.js". */
    private static function resolve(string $from, string $to): string
    {
        $path = [];
        foreach (explode('/', dirname($from) . '/' . $to) as $part) {
            if ($part === '..') {
                array_pop($path);
            } elseif ($part !== '.') {
                $path[] = $part;
            }
        }

        return implode('/', $path);
    }
}
