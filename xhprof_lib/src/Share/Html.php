<?php

declare(strict_types=1);

namespace XHProf\Share;

use XHProf\Exception\CannotExport;
use XHProf\Export\Format;
use XHProf\File\Sink;
use XHProf\Run\Run;
use XHProf\Store\RunFolder;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Run\PageTable;
use XHProf\Web\Templates;

/** One file to send: a run, the mean of several or a comparison in any browser, without a server or network. */
final class Html implements Format
{
    public const NAME = 'html';
    public const EXTENSION = 'html';
    public const MIME_TYPE = 'text/html';
    public const LABEL = 'HTML file';
    public const OPENS = 'any browser, without a server or network: findings, functions, call tree, flame graph, timeline,'
        . ' operations in one file';

    private readonly string $root;

    /**
     * @param int        $most  bytes of a file
     * @param float|null $least share of the run's time below which call paths are left out
     * @param string|null $roots folders, as SourceFiles::ROOTS has them, of which source lines go into the file; null for none
     */
    public function __construct(
        private readonly PageTable $pages,
        private readonly int $most = SizedFile::USUAL,
        private readonly ?float $least = null,
        private readonly ?string $roots = null,
    ) {
        $this->root = dirname(__DIR__, 3) . '/xhprof_html';
    }

    public function write(Run $run, Sink $out, ?string $metric = null): void
    {
        $out->write($this->file($run, null, $metric)->html);
    }

    /**
     * @param Run|null $other the run after, of a comparison
     *
     * @throws CannotExport
     */
    public function file(Run $run, ?Run $other = null, ?string $metric = null): SizedFile
    {
        if (!class_exists(\Twig\Environment::class)) {
            throw new CannotExport('a file of HTML is made of the pages, which need Twig: run `composer install`');
        }
        $given = new GivenRuns();
        $parameters = $other === null ? $given->add($run) : $given->add($run, '1') + $given->add($other, '2');
        $parameters += $metric === null ? [] : ['metric' => $metric];
        $view = new Templates($this->root, true);
        $store = new RunFolder($run->id === null || !is_file($run->path) ? null : dirname($run->path));
        $views = new SharedViews($store, $this->pages, $view, $given, $parameters, $this->roots);
        try {
            return SizedFile::ofViews($views, new HtmlFile($this->root, $view), $this->most, $this->least);
        } catch (HttpError $e) {
            throw new CannotExport(lcfirst(rtrim($e->getMessage(), '.')), 0, $e);
        }
    }
}
