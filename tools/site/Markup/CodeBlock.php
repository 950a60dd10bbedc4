<?php

declare(strict_types=1);

namespace XHProf\Tools\Site\Markup;

use League\CommonMark\Extension\CommonMark\Node\Block\FencedCode;
use League\CommonMark\Node\Node;
use League\CommonMark\Renderer\ChildNodeRendererInterface;
use League\CommonMark\Renderer\NodeRendererInterface;
use League\CommonMark\Util\HtmlElement;
use League\CommonMark\Util\Xml;

/** A block of code. In one of a console, what is typed is marked: it is what the button copies. */
final class CodeBlock implements NodeRendererInterface
{
    /** @param FencedCode $node */
    public function render(Node $node, ChildNodeRendererInterface $childRenderer): HtmlElement
    {
        FencedCode::assertInstanceOf($node);
        $language = $node->getInfoWords()[0] ?? '';
        $text = $node->getLiteral();
        $html = $language === 'console' ? self::console($text) : Xml::escape($text);
        $code = new HtmlElement('code', $language === '' ? [] : ['class' => 'language-' . Xml::escape($language)], $html);

        return new HtmlElement('div', ['class' => 'code'], new HtmlElement('pre', [], $code));
    }

    private static function console(string $text): string
    {
        $html = '';
        $isContinued = false;
        foreach (explode("\n", rtrim($text, "\n")) as $line) {
            if ($isContinued) {
                $html .= '<kbd>' . Xml::escape($line) . "</kbd>\n";
            } elseif (preg_match('~\A([$#] )(.*)\z~s', $line, $match) === 1) {
                $html .= "<span class=\"prompt\">$match[1]</span><kbd>" . Xml::escape($match[2]) . "</kbd>\n";
            } else {
                $html .= Xml::escape($line) . "\n";

                continue;
            }
            $isContinued = str_ends_with($line, '\\');
        }

        return $html;
    }
}
