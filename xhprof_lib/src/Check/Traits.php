<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Format\Text;
use XHProf\Run\RunMeta;

/** What a selector can ask of a run. */
final class Traits
{
    /** Key of a run's metadata with the name of the test that made it: see Testing\ProfilesCode. */
    public const TEST = 'test';

    /**
     * @param string       $route '' for the run's own
     * @param list<string> $tags
     */
    public function __construct(
        private readonly RunMeta $meta,
        private readonly string $route = '',
        private readonly array $tags = [],
    ) {
    }

    /** What was profiled, the same for all runs of it: the test, the route or job, the path, the command, else the source. */
    public static function subject(RunMeta $meta): string
    {
        $test = self::text($meta->meta[self::TEST] ?? null);
        $origin = $meta->origin;
        $path = $origin->url === null ? '' : trim("$origin->method " . self::path($origin->url));
        foreach ([$test, $origin->name, $origin->route, $path, $origin->command, $meta->source] as $subject) {
            if (($subject ?? '') !== '') {
                return Text::utf8((string) $subject);
            }
        }

        return 'run';
    }

    /** @return list<string> the values of a key of Selector, or of "meta.KEY"; [] where it has none */
    public function of(string $key): array
    {
        $origin = $this->meta->origin;
        $values = match ($key) {
            Selector::ROUTE => $this->route !== '' ? [$this->route] : [
                $origin->name,
                $origin->route,
                $origin->url === null ? null : trim("$origin->method " . self::path($origin->url)),
            ],
            Selector::COMMAND => [$origin->command],
            Selector::URL => $origin->url === null ? [] : [$origin->url, self::path($origin->url)],
            Selector::TEST => [self::text($this->meta->meta[self::TEST] ?? null)],
            Selector::SOURCE => [$this->meta->source],
            Selector::RELEASE => [$origin->release],
            Selector::TAG => $this->tags,
            default => [self::text($this->meta->meta[substr($key, 5)] ?? null)],
        };

        return array_values(array_filter(array_map(strval(...), $values), static fn (string $value): bool => $value !== ''));
    }

    private static function path(string $url): string
    {
        return (string) strstr("$url?", '?', true);
    }

    private static function text(mixed $value): string
    {
        return is_scalar($value) && !is_bool($value) ? (string) $value : '';
    }
}
