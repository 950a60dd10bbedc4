<?php

declare(strict_types=1);

namespace XHProf\Tools\Site;

use League\CommonMark\Normalizer\TextNormalizerInterface;

/** Anchors of headings, as GitHub makes them: links between the files of the repository are right in the site too. */
final class Slugs implements TextNormalizerInterface
{
    public function normalize(string $text, array $context = []): string
    {
        $kept = (string) preg_replace('~[^\p{L}\p{M}\p{N}_ -]~u', '', mb_strtolower(trim($text), 'UTF-8'));

        return str_replace(' ', '-', $kept);
    }
}
