<?php

declare(strict_types=1);

namespace XHProf\Functions\Web;

use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;
use XHProf\Web\Run\StorePage;

/**
 * typeahead.php: the names of functions that contain `q`, one per line, as plain text.
 *
 * Parameters: q, run or run1 and run2, source, source1, source2.
 */
final class Typeahead extends StorePage
{
    public function respond(Request $request): Response
    {
        $source = $request->text('source');
        $symbols = [];
        foreach (['run' => 'source', 'run1' => 'source1', 'run2' => 'source2'] as $run => $ownSource) {
            if ($request->has($run)) {
                $set = $this->runs->open($request->text($run), $request->text($ownSource, $source));
                $symbols += array_flip($set->run->profile()->symbols());
            }
        }
        if ($symbols === []) {
            throw new HttpError(400, 'Say which run: typeahead.php?q=TEXT&run=ID&source=SOURCE.');
        }
        $query = $request->text('q');
        ksort($symbols, SORT_STRING);
        $lines = '';
        foreach (array_keys($symbols) as $symbol) {
            if (stripos($symbol, $query) !== false) {
                // A name with a line break would read as two functions.
                $lines .= strtr($symbol, ["\r" => '\x0D', "\n" => '\x0A']) . "\n";
            }
        }

        return Response::text($lines);
    }
}
