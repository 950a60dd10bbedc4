<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Web\Http\Request;

/** A page: the parameters that lead to it, the class that answers, its tab, and what the documentation says. */
final class PageDefinition
{
    /**
     * @param string|null $view value of the parameter `view`; '' for the page that a subject has without one, null for any
     * @param class-string<StorePage> $page answers GET
     * @param string $text the address in the documentation: "index.php?run=ID&source=S"; "…" stands for the one before
     * @param string $about what the page shows, with its parameters, in Markdown
     * @param list<string> $with one of these parameters is there too
     * @param bool $several whether `run` names several runs
     * @param string $tab label of its tab; '' for none
     * @param string $key that opens the tab
     * @param list<string> $needs parts of a run, of which one must be there for the tab: see ShownRun::shows()
     * @param bool $ownOrder whether its tables have orders of their own, which other views do not keep
     * @param class-string<StorePage>|null $form answers POST
     */
    public function __construct(
        public readonly Subject $subject,
        public readonly ?string $view,
        public readonly string $page,
        public readonly string $text,
        public readonly string $about,
        public readonly array $with = [],
        public readonly bool $several = false,
        public readonly string $tab = '',
        public readonly string $key = '',
        public readonly array $needs = [],
        public readonly bool $ownOrder = false,
        public readonly ?string $form = null,
    ) {
    }

    /** Whether a request leads here, apart from pages that stand before this one. */
    public function matches(Request $request): bool
    {
        return ($this->view === null || $this->view === $request->text('view'))
            && ($this->with === [] || array_filter($this->with, $request->has(...)) !== [])
            && (!$this->several || str_contains($request->text('run'), ','));
    }

    /** Whether a run, or both sides of a comparison, have what the page shows. */
    public function isOf(ShownRun ...$runs): bool
    {
        foreach ($runs as $run) {
            $has = $this->subject === Subject::Comparison ? $run->eachShows(...) : $run->shows(...);
            if ($this->needs !== [] && array_filter($this->needs, $has) === []) {
                return false;
            }
        }

        return true;
    }
}
