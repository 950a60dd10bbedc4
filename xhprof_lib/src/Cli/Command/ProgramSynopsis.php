<?php

declare(strict_types=1);

namespace XHProf\Cli\Command;

/** Usage lines as users type them: "xhprof heap summary [options] ...". */
trait ProgramSynopsis
{
    public function getSynopsis(bool $short = false): string
    {
        return 'xhprof ' . preg_replace('/\A(\w+):/', '$1 ', parent::getSynopsis($short));
    }
}
