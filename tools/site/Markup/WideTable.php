<?php

declare(strict_types=1);

namespace XHProf\Tools\Site\Markup;

use League\CommonMark\Extension\Table\Table;
use League\CommonMark\Extension\Table\TableRenderer;
use League\CommonMark\Node\Node;
use League\CommonMark\Renderer\ChildNodeRendererInterface;
use League\CommonMark\Renderer\NodeRendererInterface;
use League\CommonMark\Util\HtmlElement;

/** A table that scrolls by itself where it is wider than the page. A head without words is left out. */
final class WideTable implements NodeRendererInterface
{
    /** @param Table $node */
    public function render(Node $node, ChildNodeRendererInterface $childRenderer): HtmlElement
    {
        Table::assertInstanceOf($node);
        $table = (string) (new TableRenderer())->render($node, $childRenderer);
        $table = (string) preg_replace('~<thead>\s*<tr>(?:\s*<th[^>]*></th>)+\s*</tr>\s*</thead>~', '', $table);

        return new HtmlElement('div', ['class' => 'wide'], $table);
    }
}
