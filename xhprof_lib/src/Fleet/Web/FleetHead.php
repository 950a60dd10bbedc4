<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Question\Requests;
use XHProf\Fleet\Question\Selection;

/** The top of every page of the fleet: where it is, its tabs, and the form that changes what it is about. */
final class FleetHead
{
    /** Value of `show` => label, key that opens it, whether it is about one service. */
    private const TABS = [
        '' => ['Overview', '1', false],
        'routes' => ['Routes', '2', true],
        'functions' => ['Functions', '3', true],
        'flame' => ['Flame graph', '4', true],
        'regressions' => ['Regressions', '5', true],
        'hosts' => ['Hosts', '6', true],
        'releases' => ['Releases', '7', true],
        'requests' => ['Requests', '8', true],
        'data' => ['Data', '9', false],
    ];

    private const NOTHING = ['service' => null, 'route' => null, 'release' => null, 'host' => null];

    /** Choices of a list; more are typed. */
    private const MOST = 200;

    public function __construct(private readonly Client $client, private readonly FleetQuery $query)
    {
    }

    /**
     * @param string $show  value of the parameter
     * @param string $title of the page
     * @param string $detail of one thing in the tab, for the crumbs; '' for none
     *
     * @return array<string, mixed> for fleet_top.html.twig
     */
    public function variables(string $show, string $title, string $detail = ''): array
    {
        $query = $this->query;
        $service = $query->selection->service;
        $tabs = [];
        foreach (self::TABS as $name => [$label, $key, $isOfService]) {
            if (!$isOfService || $service !== '') {
                // The overview is that of all services.
                $url = $query->url($name, $name === '' ? self::NOTHING : []);
                $tabs[] = ['label' => $label, 'url' => $url, 'current' => $name === $show, 'key' => $key];
            }
        }

        return [
            'title' => $title,
            'show' => $show,
            'detail' => $detail,
            'crumbs' => $this->crumbs($show, $detail),
            'tabs' => $tabs,
            'chips' => $this->chips($show, $title),
            'period' => $query->period(),
            'typed' => $query->typed,
            'mistakes' => $query->mistakes,
            'periods' => FleetQuery::periods(),
            'choices' => $this->choices(),
        ];
    }

    /** @return list<array{label: string, url: ?string}> */
    private function crumbs(string $show, string $detail): array
    {
        $query = $this->query;
        $crumbs = [['label' => 'Fleet', 'url' => $query->url('', self::NOTHING)]];
        if ($query->selection->service !== '') {
            $crumbs[] = ['label' => $query->selection->service, 'url' => $query->url('routes', ['route' => null])];
        }
        if ($show !== '' && !($show === 'routes' && $detail === '')) {
            $route = $show === 'routes' ? null : $query->typed['route'];
            $crumbs[] = ['label' => self::TABS[$show][0], 'url' => $query->url($show, ['route' => $route])];
        }
        if ($detail !== '') {
            $crumbs[] = ['label' => $detail, 'url' => null];
        }
        $last = array_pop($crumbs);

        return [...$crumbs, ['label' => $last['label'], 'url' => null]];
    }

    /** @return list<array{label: string, value: string, url: string}> what is selected, with the address without it */
    private function chips(string $show, string $title): array
    {
        $chips = [];
        $labels = array_diff_key(FleetQuery::FIELDS, ['service' => '']) + ['label' => 'label', 'label2' => 'label'];
        foreach ($labels as $field => $label) {
            $value = $this->query->typed[$field];
            if ($value !== '' && $value !== $title) {
                $chips[] = ['label' => $label, 'value' => $value, 'url' => $this->query->url($show, [$field => null])];
            }
        }

        return $chips;
    }

    /** @return array{services: list<string>, envs: list<string>, releases: list<string>} */
    private function choices(): array
    {
        $which = $this->query->selection;
        $requests = new Requests($this->client);
        $places = $requests->places();
        $releases = $which->service === '' ? [] : $requests->releases(new Selection($which->service, $which->env));
        $distinct = static fn (array $rows, string $key): array
            => array_slice(array_values(array_unique(array_map(strval(...), array_column($rows, $key)))), 0, self::MOST);

        return [
            'services' => $distinct($places, 'service'),
            'envs' => $distinct($places, 'env'),
            'releases' => $distinct($releases, 'release'),
        ];
    }
}
