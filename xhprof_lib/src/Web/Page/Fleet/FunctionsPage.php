<?php

declare(strict_types=1);

namespace XHProf\Web\Page\Fleet;

use XHProf\Fleet\Question\ReleasePair;
use XHProf\Web\Http\Response;

/** show=functions: which functions take most time per request. */
final class FunctionsPage extends FleetPart
{
    public function respond(): Response
    {
        $which = $this->query->needsService()->selection;
        $pair = ReleasePair::of($this->client, $which);

        return $this->asked->page($this->asked->top('functions', 'Functions'), [
            $this->asked->sortable((new FiguresTable($this->asked))->functions($pair), 'functions'),
        ]);
    }
}
