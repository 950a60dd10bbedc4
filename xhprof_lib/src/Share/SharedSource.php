<?php

declare(strict_types=1);

namespace XHProf\Share;

use XHProf\Functions\FlatReport;
use XHProf\Functions\MetricOrder;
use XHProf\Functions\SymbolReport;
use XHProf\Functions\Web\SymbolSource;
use XHProf\Source\SourceFiles;
use XHProf\Web\Http\Request;
use XHProf\Web\Run\ShownRun;
use XHProf\Web\Templates;

/** Source lines of the heaviest functions of a run, for a file that is sent: only where its reader asks for them. */
final class SharedSource
{
    /** Functions whose source is in the file, and most that are looked at. */
    private const FUNCTIONS = 15;
    private const LOOKED_AT = 200;

    /** @param string $roots folders of which source may be read, as SourceFiles::ROOTS has them */
    public function __construct(private readonly Templates $view, private readonly string $roots)
    {
    }

    /** @return string markup */
    public function of(ShownRun $set): string
    {
        $request = new Request('GET', [], server: [SourceFiles::ROOTS => $this->roots]);
        $report = FlatReport::compute($set->run->profile(), true);
        $found = [];
        foreach (array_keys($report->sorted(MetricOrder::sort(null, $report->metrics()), self::LOOKED_AT)) as $name) {
            $source = new SymbolSource($set, (string) $name, $request);
            if ($source->variables([])['source'] === null) {
                continue;
            }
            $callees = array_keys(SymbolReport::compute($set->run->profile(), (string) $name, true)->children());
            $variables = $source->variables($callees);
            $found[] = ['name' => (string) $name, 'source' => $variables['source'], 'file' => $variables['place']['file'] ?? ''];
            if (count($found) === self::FUNCTIONS) {
                break;
            }
        }

        return $this->view->render('sources.html.twig', ['functions' => $found]);
    }
}
