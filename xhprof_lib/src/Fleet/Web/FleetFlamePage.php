<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\Question\Flame;
use XHProf\Fleet\Question\FlameRun;
use XHProf\Fleet\Question\Functions;
use XHProf\Fleet\Question\RowValues;
use XHProf\Fleet\Question\Selection;
use XHProf\Format\Units;
use XHProf\Functions\CountKind;
use XHProf\Web\Http\Response;
use XHProf\Web\Table\TopPaths;
use XHProf\Web\Table\TreeMetric;
use XHProf\Web\Templates;

/**
 * show=flame: the call paths of a selection, drawn by the scripts of runs' flame graphs from api.php?get=fleet-tree; beside those
 * of another selection (base_release, base_host... see FleetQuery) as the picture of the difference, per request.
 */
final class FleetFlamePage extends FleetPart
{
    public function respond(bool $isWritable): Response
    {
        $query = $this->query->needsService();
        if ($query->base !== null) {
            return $this->difference($query->base);
        }
        $flame = FlameRun::read($this->client, $query->selection, $query->clock);
        $top = $this->asked->top('flame', $query->selection->route === '' ? $query->selection->service : $query->selection->route);
        $tree = $flame?->run->tree();
        if ($tree === null) {
            return $this->asked->page($top, [$this->asked->nothing('flame', 'samples')]);
        }
        $metric = TreeMetric::of(TreeMetric::keys($tree)[0]);

        return $this->asked->template('fleet_flame.html.twig', $top, [
            'counted' => CountKind::Samples,
            'time' => null,
            'facts' => [
                Units::count($flame->requests) . ' requests',
                Units::count(array_sum($tree->ct)) . ' samples',
                ...($flame->damaged === 0 ? [] : [Units::count($flame->damaged) . ' damaged rows of the store are left out']),
            ],
            'tree' => $query->treeUrl(),
            'function_url' => $query->url('functions'),
            'merged' => true,
            'form' => ['writable' => $isWritable, 'url' => $query->url('flame'), 'label' => 'Save as a run'],
            'paths' => (new TopPaths($tree, $metric, $query->parameters('functions')))->root(),
            'metric' => $metric,
            'top_paths' => Templates::TOP,
            'paths_url' => '',
            'base' => $query->typedBase,
            'parameters' => $query->parameters('flame'),
        ]);
    }

    private function difference(Selection $base): Response
    {
        $query = $this->query;
        $sides = [];
        $without = [];
        // The scripts ask for the trees.
        $flame = new Flame($this->client);
        $requests = new Functions($this->client);
        foreach (['before' => [$base, $query->selection], 'after' => [$query->selection, $base]] as $side => [$which, $other]) {
            $time = $flame->time($which);
            $count = $time === null ? 0 : RowValues::sum($requests->requests($which));
            $sides[] = [
                'label' => ($side === 'before' ? 'A ' : 'B ') . $side,
                'what' => self::words($which, $other),
                'requests' => $count,
                'per_request' => $count === 0 ? '-' : Units::us($time / 1000 / $count),
            ];
            $count === 0 && $without[] = $side;
        }

        return $this->asked->template(
            'fleet_diff.html.twig',
            ['keep' => $query->baseParameters()] + $this->asked->top('flame', 'Comparison', 'Comparison'),
            [
                'counted' => CountKind::Samples,
                'sides' => $sides,
                'without' => $without,
                'trees' => [$query->treeUrl(true), $query->treeUrl()],
                'function_url' => $query->url('functions', ['release' => null, 'host' => null]),
                'swap_url' => $this->swapped($base),
                'base' => $query->typedBase,
                'parameters' => $query->parameters('flame'),
            ],
        );
    }

    /** What a side is of that the other is not. */
    private static function words(Selection $which, Selection $other): string
    {
        $words = [];
        foreach (FleetQuery::FIELDS as $field => $label) {
            if ($which->$field !== $other->$field) {
                $words[] = $which->$field === '' ? "all {$label}s" : "$label {$which->$field}";
            }
        }
        if ($which->labels !== $other->labels) {
            $words[] = $which->labels === [] ? 'all labels' : 'label ' . implode(', ', array_map(
                static fn (int|string $name, string $value): string => "$name=$value",
                array_keys($which->labels),
                $which->labels,
            ));
        }
        if ($which->from !== $other->from || $which->to !== $other->to) {
            $time = static fn (?int $at): string => $at === null ? '' : date('Y-m-d H:i', $at);
            $words[] = 'from ' . $time($which->from) . ($which->to === null ? '' : ' to ' . $time($which->to));
        }

        return $words === [] ? 'the same' : implode(', ', $words);
    }

    private function swapped(Selection $base): string
    {
        $own = $other = [];
        foreach (array_keys(FleetQuery::FIELDS) as $field) {
            if ($this->query->typedBase[$field] !== '') {
                $own[$field] = $base->$field;
                $other[$field] = $this->query->selection->$field === '' ? $this->query::ALL : $this->query->selection->$field;
            }
        }
        foreach (['from', 'to', 'label', 'label2'] as $field) {
            if ($this->query->typedBase[$field] !== '') {
                $own[$field] = $this->query->typedBase[$field] === $this->query::ALL ? '' : $this->query->typedBase[$field];
                $other[$field] = $this->query->typed[$field] === '' ? $this->query::ALL : $this->query->typed[$field];
            }
        }

        return $this->query->differenceUrl($other, $own);
    }
}
