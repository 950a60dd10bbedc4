<?php

declare(strict_types=1);

namespace XHProf\Tools\Site\Markup;

use League\CommonMark\Extension\HeadingPermalink\HeadingPermalink;
use League\CommonMark\Node\Node;
use League\CommonMark\Renderer\ChildNodeRendererInterface;
use League\CommonMark\Renderer\NodeRendererInterface;
use League\CommonMark\Util\HtmlElement;
use XHProf\Tools\Site\PlainText;

/** The link of a heading to itself, with a name of its own for screen readers. */
final class Permalink implements NodeRendererInterface
{
    /** @param HeadingPermalink $node */
    public function render(Node $node, ChildNodeRendererInterface $childRenderer): HtmlElement
    {
        HeadingPermalink::assertInstanceOf($node);
        $heading = $node->parent();
        $text = $heading === null ? '' : PlainText::of($heading);

        return new HtmlElement('a', [
            'class' => 'anchor', 'href' => '#' . rawurlencode($node->getSlug()), 'aria-label' => "Link to “{$text}”",
        ], '#');
    }
}
