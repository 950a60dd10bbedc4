<?php

declare(strict_types=1);

namespace XHProf\Heap\Web;

use XHProf\Heap\HeapIndex;
use XHProf\Heap\HeapNode;
use XHProf\Heap\SnapshotHead;
use XHProf\Heap\SnapshotInfo;
use XHProf\Heap\Snapshots;
use XHProf\Report\Order;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\Paging;
use XHProf\Web\Table\ReportTable;
use XHProf\Web\Table\TimeLabel;
use XHProf\Web\Templates;

/** A page of one snapshot: below its name, the process, the views. */
abstract class HeapSnapshotPage
{
    /** show => [label, key, title] */
    public const VIEWS = [
        '' => ['Overview', '', ''],
        'classes' => ['Classes', 'c', ''],
        'largest' => ['Strings and arrays', 's', ''],
        'strings' => ['Duplicate strings', 'd', 'Contents that are in memory several times'],
        'tree' => ['Retained tree', 't', 'Values below what retains them (dominator tree)'],
        'leaks' => ['Leak candidates', 'l', ''],
    ];

    protected readonly HeapCells $cells;

    final public function __construct(
        protected readonly Snapshots $snapshots,
        protected readonly Templates $view,
        protected readonly HeapIndex $index,
        protected readonly string $name,
        protected readonly SnapshotHead $head,
    ) {
        $this->cells = new HeapCells($index, $name);
    }

    /** @throws HttpError */
    abstract public function respond(Request $request): Response;

    /**
     * @param array<string, mixed> $variables of the template
     * @param string|null $current one of VIEWS, or null for a page below them
     */
    protected function page(string $template, array $variables, ?string $current = null): Response
    {
        $tabs = [];
        foreach (self::VIEWS as $show => [$label, $key, $title]) {
            $tabs[] = [
                'label' => $label,
                'url' => $this->cells->url->page(['show' => $show]),
                'current' => $show === $current,
                'hotkey' => $key,
                'title' => $title,
            ];
        }

        return $this->view->page($template, $variables + [
            'heap' => $this->about(),
            'share' => ['html' => Url::api('export', ['format' => 'html', 'heap' => $this->name])],
            'tabs' => $tabs,
        ]);
    }

    /** @return array<string, mixed> what stands above each page of the snapshot */
    public function about(): array
    {
        return [
            'name' => $this->name,
            'title' => $this->head->title($this->name),
            'time' => TimeLabel::of($this->head->time()),
            'facts' => $this->facts(),
            'url' => $this->cells->url->page(),
            'list_url' => HeapUrl::list(),
            'notes' => $this->index->notes(),
        ];
    }

    /**
     * A table that has the rows of one page.
     *
     * @param array<string, string> $state parameters of this page
     * @param string $parameter that names the page
     * @return array<string, mixed> for the template
     */
    protected function paged(ReportTable $table, Paging $paging, array $state, string $parameter = 'page'): array
    {
        return $table->paged($paging, true, new Order('retained'), [], fn (array $sort): string
            => $this->cells->url->page($state + [$parameter => $sort['page'] ?? null]))->toArray();
    }

    /**
     * The node that a URL names by its address: node=0x7f12a4c01e00.
     *
     * @throws HttpError 400 for an invalid address, 404 if the snapshot has no node there
     */
    protected function node(Request $request): HeapNode
    {
        $text = $request->text('node');
        $address = self::address($text) ?? throw new HttpError(400, 'This is not an address (node) such as 0x7f12a4c01e00.');

        return $this->index->node($address) ?? throw new HttpError(404, "There is nothing at $text in this snapshot.");
    }

    /** @return int|null null for what is no address */
    protected static function address(string $text): ?int
    {
        return preg_match('/\A0x[0-9a-f]{1,15}\z/i', $text) === 1 ? (int) hexdec($text) : null;
    }

    /** @return list<string> short words on the process */
    private function facts(): array
    {
        $head = $this->head;
        $facts = [];
        foreach (['php' => 'PHP %s', 'sapi' => '%s', 'pid' => 'process %s', 'host' => '%s'] as $key => $words) {
            if ($head->text($key) !== '') {
                $facts[] = sprintf($words, $head->text($key));
            }
        }
        $why = SnapshotInfo::why($head->header);
        $facts[] = match ($head->text('reader')) {
            'inside' => 'taken by the process itself' . ($why === '' ? '' : ": $why"),
            'outside' => ($head->header['stopped'] ?? true) === true ? 'read from outside' : 'read from outside while it ran',
            'image' => 'read from an image of its memory',
            'core' => 'read from a core file',
            default => '',
        };
        if (($head->header['redacted'] ?? false) === true) {
            $facts[] = 'without string contents';
        }

        return array_values(array_filter($facts, static fn (string $fact): bool => $fact !== ''));
    }
}
