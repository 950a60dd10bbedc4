<?php

declare(strict_types=1);

namespace XHProf\Web;

use XHProf\Profile\Profile;

/** Finds the function that a URL names. */
final class Symbols
{
    /**
     * @param list<Profile> $profiles where a name given by its hash is looked up
     * @param string $parameter its name; with "_hash" it takes the hash
     * @return string the name, which a profile may still not have
     * @throws HttpError 404 when no function has the hash
     */
    public static function wanted(Request $request, array $profiles, string $parameter = 'symbol'): string
    {
        $hash = $request->text("{$parameter}_hash");
        if ($hash === '') {
            return $request->text($parameter);
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
}
