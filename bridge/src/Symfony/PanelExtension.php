<?php

declare(strict_types=1);

namespace XHProf\Bridge\Symfony;

use Symfony\Component\Routing\Exception\ExceptionInterface;
use Symfony\Component\Routing\Generator\UrlGeneratorInterface;
use Twig\Extension\AbstractExtension;
use Twig\TwigFunction;
use XHProf\Bridge\NextRequest;
use XHProf\Bridge\RunSummary;
use XHProf\Bridge\SummaryHtml;

/** What the panel and the toolbar call: the run is read then, and no sooner. */
final class PanelExtension extends AbstractExtension
{
    /** Name of the route of the pages: see config/routes.php. */
    public const ROUTE = 'xhprof_pages';

    /** In place of a run that settings record. */
    private const NOT_YET = 'Settings of php.ini record this request. Its run is saved when the request has ended, if they keep it:'
        . ' reload this page. A run that was there has been deleted.';

    public function __construct(
        private readonly ?string $folder,
        private readonly NextRequest $next,
        private readonly ?UrlGeneratorInterface $router,
        private readonly PagesAccess $access,
    ) {
    }

    public function getFunctions(): array
    {
        $isHtml = ['is_safe' => ['html']];

        return [
            new TwigFunction('xhprof_pages', $this->pages(...)),
            new TwigFunction('xhprof_summary', $this->summary(...), $isHtml),
            new TwigFunction('xhprof_run', $this->run(...)),
            new TwigFunction('xhprof_is_asked', $this->next->isAsked(...)),
            new TwigFunction('xhprof_next', $this->nextForm(...), $isHtml),
            new TwigFunction('xhprof_css', SummaryHtml::css(...), ['is_safe' => ['all']]),
        ];
    }

    /** @return string where the pages are, with a slash at its end; '' where their routes are not imported */
    public function pages(): string
    {
        try {
            $url = $this->router?->generate(self::ROUTE) ?? '';
        } catch (ExceptionInterface) {
            return '';
        }

        return $url === '' ? '' : rtrim($url, '/') . '/';
    }

    public function summary(RunSummary $run): string
    {
        return SummaryHtml::of($run, $this->pages());
    }

    public function run(XHProfDataCollector $collector): RunSummary
    {
        $run = RunSummary::read($collector->getRun(), $collector->getSource(), $this->folder);

        return $run->isMissing && $collector->isBySettings() ? RunSummary::none(self::NOT_YET) : $run;
    }

    /** @return string '' where the visitor may not ask for it, or nothing can be recorded */
    public function nextForm(string $back, string $label): string
    {
        $base = $this->pages();

        return $base === '' || !$this->next->isPossible() || !$this->access->isGranted()
            ? ''
            : SummaryHtml::nextForm($this->next, $base, $back, $label);
    }
}
