<?php

declare(strict_types=1);

namespace XHProf\Web\Table;

use XHProf\Report\Counted;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;

/**
 * The tables of callers and callees of one function, in a run or a comparison, apart from their cells: order and links.
 *
 * Parameters: sort, dir.
 */
final class NeighbourTables
{
    public readonly Sorting $sorting;

    /** @var array<string, ?string> parameters that name the page, and its order */
    private readonly array $state;

    /**
     * @param list<string> $metrics base keys, without "ct"
     * @param array<string, ?string> $parameters name the run or the comparison
     * @param Counted $counted samples are of one function: what it calls another for is not counted
     */
    public function __construct(
        Request $request,
        private readonly array $metrics,
        private readonly array $parameters,
        private readonly string $symbol,
        private readonly Counted $counted = Counted::Calls,
    ) {
        // The tables hold inclusive figures only: "excl_wt", kept from the functions' table, means "wt" here.
        $sort = Metric::of($request->text('sort', 'wt'))->base;
        // Samples by the CPU clock have no wall times.
        $usual = in_array('wt', $metrics, true) ? 'wt' : $metrics[0] ?? 'ct';
        $this->sorting = Sorting::from($request->with('sort', $sort), Columns::keys($metrics, false), $usual, [Sorting::BY_NAME]);
        $this->state = $parameters + Url::symbolParameter($symbol) + $this->order();
    }

    /** @return array<string, ?string> parameters that keep the order */
    public function order(): array
    {
        return ['sort' => $this->sorting->key, 'dir' => $this->sorting->direction($this->sorting->key === Sorting::BY_NAME)];
    }

    /** @return array<string, ?string> parameters that name the page, and its order */
    public function state(): array
    {
        return $this->state;
    }

    /** @return array<string, mixed> for the templates of the head and the choice of the order */
    public function variables(): array
    {
        $link = fn (array $sort): string => Url::index(array_replace($this->state, $sort));
        $head = Columns::head($this->metrics, $this->sorting, $link, false);
        if (!$this->counted->isCalls()) {
            $head = array_values(array_filter($head, static fn (array $group): bool => $group['base'] !== 'ct'));
        }

        return [
            'symbol' => $this->symbol,
            'head' => $head,
            'choices' => Columns::choices($head),
            'sort_key' => $this->sorting->key,
            'main_base' => Columns::mainBase($this->sorting, $this->metrics),
            'hidden' => $this->parameters + Url::symbolField($this->symbol),
        ];
    }
}
