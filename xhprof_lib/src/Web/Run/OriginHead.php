<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Exception\InvalidRunId;
use XHProf\Exception\StoreError;
use XHProf\Run\Exemplars;
use XHProf\Run\OriginText;
use XHProf\Run\RunId;
use XHProf\Run\RunRecording;
use XHProf\Store\RunEntry;
use XHProf\Store\RunFolder;
use XHProf\Store\RunQuery;
use XHProf\Web\Http\Url;

/** Origin of a run, for the head of its page. */
final class OriginHead
{
    /** Runs searched for a window of the same host. */
    private const NEAR = 20;

    /**
     * @return array{mode: array{text: string, title: string}|null,
     *     badge: array{text: string, title: string}|null, status: array{text: string, tone: string, title: string}|null,
     *     job: ?string, part: ?string, mixed: ?string, suspended: ?string, parent: array{text: string, url: ?string}|null,
     *     previous_url: ?string, next_url: ?string,
     *     all: array{route: string, url: string}|null, saved_if: ?string, beside: list<array{text: string, url: string}>}
     */
    public static function describe(RunOpener $runs, ShownRun $set): array
    {
        $meta = $set->run->meta();
        $beside = self::beside($runs->store, $set->ids[0], $meta->origin->route ?? '');
        // The windows of this host before and after this one.
        $isWindow = $meta->window !== null && $meta->window->windows === 0 && $meta->isWindow();

        return [
            'mode' => $set->isMean() ? null : OriginText::mode($meta->recording->kind()),
            // Windows show it once.
            'badge' => $meta->isWindow() ? null
                : OriginText::start($meta->recording->start ?? '', $meta->recording->sampleRate),
            'status' => self::status($meta->origin->status),
            'job' => ($meta->origin->name ?? '') === '' ? null : $meta->origin->command ?? $meta->origin->url,
            'part' => OriginText::end($meta),
            'mixed' => OriginText::mixed($meta),
            'suspended' => OriginText::suspended($meta),
            'parent' => $beside === [] ? self::parent($runs, $set) : null,
            'previous_url' => $isWindow ? self::window($runs, $set, false) : null,
            'next_url' => $isWindow ? self::window($runs, $set, true) : null,
            'all' => self::all($runs, $set),
            'saved_if' => $meta->recording->savedIf,
            'beside' => $beside,
        ];
    }

    /** @return array{text: string, tone: string, title: string}|null */
    public static function status(?int $status): ?array
    {
        if ($status === null) {
            return null;
        }
        $tone = $status >= 500 ? 'bad' : ($status >= 400 ? 'odd' : 'fine');

        return ['text' => (string) $status, 'tone' => $tone, 'title' => "Answered with status $status"];
    }

    /** @return array{text: string, url: ?string}|null */
    private static function parent(RunOpener $runs, ShownRun $set): ?array
    {
        if ($set->run->meta()->origin->parent === null) {
            return null;
        }
        try {
            $parent = RunId::fromStrings($set->run->meta()->origin->parent, $set->source());
        } catch (InvalidRunId) {
            return null;
        }

        return [
            'text' => substr($parent->id, 0, 12),
            'url' => $runs->store->has($parent) ? Url::index(Url::runParameters($parent)) : null,
        ];
    }

    /** @return string|null URL of the window of the same source and host before or after this one */
    private static function window(RunOpener $runs, ShownRun $set, bool $after): ?string
    {
        $from = $set->run->meta()->ts;
        if ($from === null) {
            return null;
        }
        $query = new RunQuery(
            source: $set->source(),
            host: $set->run->meta()->origin->host ?? '',
            from: $after ? floor($from) + 1 : null,
            until: $after ? null : floor($from),
            start: RunRecording::WINDOW,
            descending: !$after,
        );
        try {
            $found = $runs->store->catalog()->find($query, self::NEAR)->runs;
        } catch (StoreError) {
            return null;
        }
        $found = array_values(array_filter($found, static fn (RunEntry $run): bool => $run->error === null));

        return $found === [] ? null : Url::index(Url::runParameters($found[0]->id));
    }

    /**
     * Of a request that a window has kept: its window, and the others of its route.
     *
     * @return list<array{text: string, url: string}>
     */
    private static function beside(RunFolder $store, RunId $id, string $route): array
    {
        $window = $store->isExemplar($id) ? Exemplars::windowOf($id) : null;
        if ($window === null) {
            return [];
        }
        $links = [['text' => 'Its window', 'url' => Url::index(Url::runParameters($window))]];
        $flame = ['view' => 'flame'];
        $usual = Exemplars::id($window, Exemplars::USUAL, $route);
        $kinds = [Exemplars::USUAL => 'Mean of all', Exemplars::SLOWEST => 'Slowest', Exemplars::RANDOM => 'One by chance'];
        foreach ($kinds as $kind => $text) {
            $other = Exemplars::id($window, $kind, $route);
            if ($other !== null && !$other->equals($id) && $store->isExemplar($other)) {
                $links[] = ['text' => $text, 'url' => Url::index(Url::runParameters($other) + $flame)];
            }
        }
        if ($usual !== null && !$usual->equals($id)) {
            $links[] = ['text' => 'Difference from the mean', 'url' => Url::index(Url::diffParameters($usual, $id) + $flame)];
        }

        return $links;
    }

    /** @return array{route: string, url: string}|null the route of a request or job in the windows of its source */
    private static function all(RunOpener $runs, ShownRun $set): ?array
    {
        $route = in_array($set->run->meta()->recording->start, RunRecording::BY_ITSELF, true) ? $set->run->meta()->group() : '';
        $url = $route === '' ? null : Url::trendOfRoute($set->source(), $route);
        if ($url === null) {
            return null;
        }
        try {
            $windows = $runs->store->catalog()->find(new RunQuery(source: $set->source(), start: RunRecording::WINDOW), 1);
        } catch (StoreError) {
            return null;
        }

        return $windows->matches === 0 ? null : ['route' => $route, 'url' => $url];
    }
}
