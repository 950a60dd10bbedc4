<?php

declare(strict_types=1);

namespace XHProf\Findings;

use XHProf\Functions\RunHead;
use XHProf\Report\FindingList;
use XHProf\Report\Report;
use XHProf\Run\Run;

/** What to look at first in a run. */
final class FindingsReport
{
    public static function of(Run $run): Report
    {
        $found = Findings::find(new Evidence($run->profile(), $run->meta(), $run->memory(...), $run->operations(...)));

        return new Report([], [], $run->describe(), [(new RunHead($run))->title()], findings: [self::list($found)]);
    }

    /** @param list<Finding> $found */
    public static function list(array $found): FindingList
    {
        $shown = array_map(static fn (Finding $finding) => $finding->shown(), $found);

        return new FindingList($shown, 'findings', 'Nothing stands out.', 'What to look at');
    }
}
