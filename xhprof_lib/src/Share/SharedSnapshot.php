<?php

declare(strict_types=1);

namespace XHProf\Share;

use XHProf\Exception\CannotExport;
use XHProf\Exception\ExportTooLarge;
use XHProf\File\OpenFile;
use XHProf\Format\Units;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\SnapshotHead;
use XHProf\Heap\Snapshots;
use XHProf\Heap\Web\HeapClassesPage;
use XHProf\Heap\Web\HeapLargestPage;
use XHProf\Heap\Web\HeapLeaksPage;
use XHProf\Heap\Web\HeapMapData;
use XHProf\Heap\Web\HeapSnapshotPage;
use XHProf\Heap\Web\HeapStringsPage;
use XHProf\Heap\Web\HeapSummaryPage;
use XHProf\Heap\Web\HeapTreePage;
use XHProf\Store\RunFolder;
use XHProf\Store\SnapshotName;
use XHProf\Web\Http\Request;
use XHProf\Web\Templates;

/** A heap snapshot as one HTML file to send: what its pages show, with the treemap as far as it is likely to be opened. */
final class SharedSnapshot
{
    public const OPENS = 'any browser, without a server: overview, treemap, classes, largest values, leak candidates in one file';

    /** Pages by the value of `show`. */
    private const PAGES = [
        '' => HeapSummaryPage::class, 'classes' => HeapClassesPage::class, 'largest' => HeapLargestPage::class,
        'strings' => HeapStringsPage::class, 'tree' => HeapTreePage::class, 'leaks' => HeapLeaksPage::class,
    ];

    /** Name of the page without `show`. */
    private const FIRST = 'overview';

    /** Numbers of values that the treemap can be opened at, the largest ones; fewer where the file would be too large. */
    private const OPENED = [80, 20, 0];

    /** Least part of the heap that such a value holds. */
    private const LEAST = 0.002;

    private const STYLES = ['flame.css', 'heap.css'];

    private readonly string $root;
    private readonly Templates $view;

    public function __construct(
        private readonly Snapshots $snapshots,
        private readonly HeapIndex $index,
        private readonly string $name,
        private readonly SnapshotHead $head,
    ) {
        $this->root = dirname(__DIR__, 3) . '/xhprof_html';
        $this->view = new Templates($this->root, true);
    }

    /** The snapshot in a file, wherever it is and whatever its name. */
    public static function ofFile(string $path, HeapIndex $index): self
    {
        $name = SnapshotName::ofFile(basename($path)) ?? 'snapshot';

        return new self(new Snapshots(new RunFolder(dirname($path))), $index, $name, SnapshotHead::read(OpenFile::named($path)));
    }

    /** @throws ExportTooLarge|CannotExport */
    public function file(int $most = SizedFile::USUAL): SizedFile
    {
        if (!class_exists(\Twig\Environment::class)) {
            throw new CannotExport('a file of HTML is made of the pages, which need Twig: run `composer install`');
        }
        $panes = $this->panes();
        $size = 0;
        foreach (self::OPENED as $opened) {
            $file = SizedFile::of($this->document($panes, $opened), new HtmlFile($this->root, $this->view));
            $size = strlen($file->html);
            if ($size <= $most) {
                return $file;
            }
        }
        throw new ExportTooLarge('this file would have at least ' . Units::bytes($size) . ', more than ' . Units::bytes($most));
    }

    /** @param list<Pane> $panes */
    private function document(array $panes, int $opened): Document
    {
        $head = $this->view->render('heap_head.html.twig', ['heap' => $this->page(HeapSummaryPage::class)->about()]);

        return new Document(
            'Heap: ' . $this->head->title($this->name),
            'snapshot',
            'pages/standalone-heap.js',
            self::STYLES,
            $this->links()->rewritten($head),
            $panes,
            $this->maps($opened),
            array_values(array_filter([
                ($this->head->header['redacted'] ?? false) === true
                    ? ''
                    : 'This file has the beginnings of strings of the process: see what they are before you send it to others.',
                'Of the values of the heap the largest are in this file; the pages of a server show each of them.',
            ])),
        );
    }

    /** @return list<Pane> */
    private function panes(): array
    {
        $panes = [];
        foreach (HeapSnapshotPage::VIEWS as $show => [$label, $key]) {
            $request = new Request('GET', ['view' => 'heap', 'heap' => $this->name, 'show' => $show]);
            $html = $this->page(self::PAGES[$show])->respond($request)->content();
            $panes[] = new Pane($show === '' ? self::FIRST : $show, $label, $key, $this->links()->rewritten($html));
        }

        return $panes;
    }

    private function links(): FileLinks
    {
        $views = array_map(static fn (string $show): string => $show === '' ? self::FIRST : $show, array_keys(self::PAGES));

        return new FileLinks($views, 'heap', 'show');
    }

    /**
     * @template T of HeapSnapshotPage
     * @param class-string<T> $page
     * @return T
     */
    private function page(string $page): HeapSnapshotPage
    {
        return new $page($this->snapshots, $this->view, $this->index, $this->name, $this->head);
    }

    /** @return list<Answer> the treemap, and those at its largest values */
    private function maps(int $opened): array
    {
        [$usage, $nodes] = [$this->index->summary()['usage'], ['']];
        $answers = [];
        while ($nodes !== [] && count($answers) <= $opened) {
            $node = array_shift($nodes);
            $request = new Request('GET', ['node' => $node]);
            $map = json_decode($this->page(HeapMapData::class)->respond($request)->content(), true, 512, JSON_THROW_ON_ERROR);
            $address = $this->page(HeapSummaryPage::class)->mapUrl();
            $found = [];
            self::withoutLinks($map['top'], $found);
            $answers[] = new Answer($address . ($node === '' ? '' : '&node=' . $node), true, json_encode(
                ['tree' => ''] + $map,
                JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR,
            ));
            arsort($found);
            foreach ($found as $at => $bytes) {
                if ($bytes >= self::LEAST * $usage && !in_array($at, $nodes, true) && $at !== $node) {
                    $nodes[] = (string) $at;
                }
            }
        }

        return $answers;
    }

    /**
     * @param array<string, mixed> $branch loses its addresses of pages
     * @param array<mixed>         $found  gets bytes by the address of a value
     */
    private static function withoutLinks(array &$branch, array &$found): void
    {
        $branch['url'] = '';
        if ($branch['at'] !== '' && $branch['count'] > 0) {
            $found[$branch['at']] = $branch['retained'];
        }
        foreach ($branch['children'] as &$child) {
            self::withoutLinks($child, $found);
        }
    }
}
