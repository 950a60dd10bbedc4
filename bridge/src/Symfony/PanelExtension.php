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

    public function summary(string $run, string $source): string
    {
        return SummaryHtml::of(RunSummary::read($run, $source, $this->folder), $this->pages());
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
