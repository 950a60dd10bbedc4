<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use XHProf\Tests\Lib\Support\AutomaticRuns;

require_once __DIR__ . '/PagesTestCase.php';
require_once __DIR__ . '/../lib/Support/AutomaticRuns.php';

/** Pages over a folder of runs that settings started. */
abstract class AutomaticRunsTestCase extends PagesTestCase
{
    protected const REQUESTS = 'index.php?view=requests';

    public static function setUpBeforeClass(): void
    {
        self::$runs = self::folder();
        AutomaticRuns::build(self::$runs);
        self::$server = new PageServer(self::ROOT, self::$runs);
    }

    protected static function runUrl(string $id, string $more = '', string $source = AutomaticRuns::SOURCE): string
    {
        return "index.php?run=$id&source=$source$more";
    }

    /** The cells of a table below a head; the table is an XPath. */
    protected static function below(Page $page, string $table, string $head, string $row = ''): string
    {
        $at = array_search($head, $page->texts("$table/thead/tr/*"), true);
        self::assertIsInt($at, "$table has no column $head");

        return "$table/tbody/tr" . ($row === '' ? '' : "[th[normalize-space()=\"$row\"]]") . '/*[' . ($at + 1) . ']';
    }
}
