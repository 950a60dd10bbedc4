<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Functions\FlatReport;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\ShownMetric;

/**
 * State that the views of a run share and keep in the URL: the metric, the selected function (`sel`, or `sel_hash` for a long
 * name), the text searched for (`q`), the finding whose calls pictures show (`lit`), the order of the table of functions. The
 * scripts have the same in
 * assets/js/core/state.js.
 *
 * @see FlatReport whose columns `sort` names
 */
final class ViewState
{
    /**
     * @param list<string> $metrics base keys that `sort` may name, without "ct"
     * @return array<string, ?string> parameters for the links to the other views
     */
    public static function parameters(Request $request, array $metrics = []): array
    {
        $metric = $request->text('metric');
        $selected = $request->text('sel');
        $lit = $request->text(RunFindings::LIT);
        $state = ['metric' => preg_match('/\A[A-Za-z][A-Za-z0-9_.]{0,31}\z/', $metric) === 1 ? $metric : null]
            + ($selected === '' ? ['sel_hash' => $request->text('sel_hash')] : Url::symbolParameter($selected, 'sel'))
            + ['q' => $request->text('q')]
            + [RunFindings::LIT => preg_match('/\A[a-z-]{1,40}-[0-9a-f]{8}\z/', $lit) === 1 ? $lit : null];
        $sort = $request->text('sort');
        if (in_array(ShownMetric::of($sort)->base, $metrics, true) || in_array($sort, ['fn', 'ct'], true)) {
            $state['sort'] = $sort;
            $unusual = $sort === 'fn' ? 'desc' : 'asc';
            $state['dir'] = $request->text('dir') === $unusual ? $unusual : null;
        }

        return $state;
    }

    /**
     * Returns the parameters as a form's hidden fields: see Url::symbolField().
     *
     * @param array<string, ?string> $state
     * @return array<string, ?string>
     */
    public static function fields(array $state): array
    {
        return isset($state['sel']) ? Url::symbolField($state['sel'], 'sel') + array_diff_key($state, ['sel' => true]) : $state;
    }

    /**
     * The metric of all views: `metric`, else the table's sort column, else wall time, else the first one.
     *
     * @param list<string> $metrics base keys there are
     */
    public static function metric(Request $request, array $metrics): string
    {
        $sort = ShownMetric::of($request->text('sort'))->base;
        foreach ([$request->text('metric'), $sort, 'wt'] as $wanted) {
            if (in_array($wanted, $metrics, true)) {
                return $wanted;
            }
        }

        return $metrics[0] ?? 'ct';
    }
}
