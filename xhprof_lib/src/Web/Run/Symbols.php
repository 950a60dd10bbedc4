<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Exception\UnknownSymbol;
use XHProf\Format\VisibleName;
use XHProf\Functions\SymbolReport;
use XHProf\Profile\Profile;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Templates;

/** Finds the function that a URL names. */
final class Symbols
{
    /**
     * @param list<Profile> $profiles where a name given by its hash is looked up
     * @param string $parameter its name; with "_hash" it takes the hash
     * @return string the name, which a profile may still not have
     * @throws HttpError 404 if no function has the hash
     */
    public static function fromRequest(Request $request, array $profiles, string $parameter = 'symbol'): string
    {
        $hash = $request->text("{$parameter}_hash");
        if ($hash === '') {
            return self::resolve($request->text($parameter), $profiles);
        }
        foreach ($profiles as $profile) {
            foreach ($profile->symbols() as $symbol) {
                if (hash('sha256', $symbol) === $hash) {
                    return $symbol;
                }
            }
        }

        throw new HttpError(404, "There is no function with this {$parameter}_hash here.");
    }

    /**
     * The values of the function that the parameter `symbol` names, its levels of recursion folded unless the set shows them.
     *
     * @return array{string, SymbolReport} its name first
     * @throws HttpError 404 if the run has no such function
     */
    public static function report(Request $request, ShownRun $set): array
    {
        $symbol = self::fromRequest($request, [$set->run->profile()]);
        try {
            return [$symbol, SymbolReport::compute($set->run->profile(), $symbol, !$set->levels)];
        } catch (UnknownSymbol $e) {
            $what = $set->range === null ? 'This run' : 'This range of time';
            throw new HttpError(404, "$what has no function " . VisibleName::text($symbol, Templates::NAME_LIMIT) . '.', $e);
        }
    }

    /**
     * Finds the run's name for one from the scripts, in which bytes that are not UTF-8 have become U+FFFD.
     *
     * @param list<Profile> $profiles
     */
    private static function resolve(string $name, array $profiles): string
    {
        if (!str_contains($name, "\u{FFFD}")) {
            return $name;
        }
        $asJson = json_encode($name, JSON_INVALID_UTF8_SUBSTITUTE);
        foreach ($profiles as $profile) {
            foreach ($profile->hasSymbol($name) ? [] : $profile->symbols() as $symbol) {
                if (preg_match('//u', $symbol) !== 1 && json_encode($symbol, JSON_INVALID_UTF8_SUBSTITUTE) === $asJson) {
                    return $symbol;
                }
            }
        }

        return $name;
    }
}
