<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Exception\InvalidRunId;
use XHProf\Exception\StoreError;
use XHProf\Exception\XHProfException;
use XHProf\Format\ClosestWord;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Store\RunQuery;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;

/** Where a page that is not there leads: to the run that its address names, or to runs of similar names. */
final class NearRuns
{
    /** Most names that are compared: of more only the nearest in the order of names. */
    private const MOST_NAMES = 20000;

    private const SHOWN = 5;

    /** Characters of an id that two have in common from the beginning, at least, and of a long one. */
    private const COMMON = 4;
    private const SHORT = 8;

    /** Parameters that name runs, each with its source. */
    private const NAMED = ['run' => 'source', 'run1' => 'source1', 'run2' => 'source2'];

    /** @return array{runs: array<string, string>, similar: array<string, string>} label => address */
    public static function of(RunFolder $store, Request $request): array
    {
        $runs = $similar = [];
        try {
            foreach (self::NAMED as $parameter => $own) {
                $source = $request->text($own, $request->text('source'));
                foreach (array_slice(explode(',', $request->text($parameter)), 0, self::SHOWN) as $id) {
                    $known = $id === '' ? null : self::named($store, $id, $source);
                    if ($known !== null) {
                        $runs[$store->open($known)->title()] = self::url($known);
                    } elseif ($id !== '') {
                        $similar += self::similar($store, $id, $source);
                    }
                }
            }
        } catch (XHProfException | HttpError) {
            // It only helps: the page says what is wrong.
        }

        return ['runs' => $runs, 'similar' => array_slice($similar, 0, self::SHOWN, true)];
    }

    private static function named(RunFolder $store, string $id, string $source): ?RunId
    {
        try {
            $run = RunId::fromStrings(trim($id), $source === '' ? RunOpener::DEFAULT_SOURCE : $source);
        } catch (InvalidRunId) {
            return null;
        }

        return $store->has($run) ? $run : null;
    }

    /**
     * @return array<string, string> the same id of another source, one with a mistyped letter, and those that begin alike
     *
     * @throws StoreError
     */
    private static function similar(RunFolder $store, string $id, string $source): array
    {
        $catalog = $store->catalog();
        $few = $catalog->find(new RunQuery(), 1)->total <= self::MOST_NAMES;
        try {
            $wanted = RunId::fromStrings($id, $source === '' ? RunOpener::DEFAULT_SOURCE : $source);
            $names = $few ? $catalog->ids(new RunQuery()) : $catalog->alike([$wanted]);
        } catch (InvalidRunId) {
            return [];
        }
        $typed = ClosestWord::of($id, array_values(array_unique(array_map(static fn (RunId $run): string => $run->id, $names))));
        $begin = strlen($id) < self::COMMON ? '' : substr($id, 0, min(self::SHORT, max(self::COMMON, strlen($id) - 2)));
        $found = [];
        foreach ($names as $run) {
            if ($run->id === $id && $run->source === $source) {
                continue;
            }
            $isLike = in_array($run->id, [$id, $typed], true);
            if ($isLike || ($begin !== '' && str_starts_with($run->id, $begin))) {
                $found[(string) $run] = ['like' => $isLike, 'url' => self::url($run)];
            }
        }
        uasort($found, static fn (array $a, array $b): int => $b['like'] <=> $a['like']);

        return array_map(static fn (array $one): string => $one['url'], $found);
    }

    private static function url(RunId $run): string
    {
        return Url::index(Url::runParameters($run));
    }
}
