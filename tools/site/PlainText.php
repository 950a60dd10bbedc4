<?php

declare(strict_types=1);

namespace XHProf\Tools\Site;

use League\CommonMark\Extension\HeadingPermalink\HeadingPermalink;
use League\CommonMark\Extension\CommonMark\Node\Block\HtmlBlock;
use League\CommonMark\Extension\CommonMark\Node\Inline\HtmlInline;
use League\CommonMark\Node\Block\AbstractBlock;
use League\CommonMark\Node\Inline\Newline;
use League\CommonMark\Node\Node;
use League\CommonMark\Node\StringContainerInterface;

/** The letters of a part of a page, without its markup. */
final class PlainText
{
    public static function of(Node $node): string
    {
        $text = '';
        $walker = $node->walker();
        while (($event = $walker->next()) !== null) {
            $at = $event->getNode();
            if ($at instanceof HtmlBlock || $at instanceof HtmlInline || $at instanceof HeadingPermalink) {
                continue;
            }
            if (!$event->isEntering()) {
                $text .= $at instanceof AbstractBlock ? ' ' : '';
            } elseif ($at instanceof Newline) {
                $text .= ' ';
            } elseif ($at instanceof StringContainerInterface) {
                $text .= $at->getLiteral();
            }
        }

        return trim((string) preg_replace('~\s+~u', ' ', $text));
    }

    /** The beginning of a text: whole sentences where one ends, else whole words. */
    public static function beginning(string $text, int $most): string
    {
        if (mb_strlen($text) <= $most) {
            return rtrim($text, ':');
        }
        $cut = mb_substr($text, 0, $most);
        if (preg_match('~\A.{40,}[.:!?](?=\s)~su', $cut, $match) === 1) {
            return rtrim($match[0], ':');
        }

        return preg_replace('~\s+\S*\z~u', '', $cut) . ' …';
    }
}
