<?php

declare(strict_types=1);

namespace XHProf\Tools\Site;

use League\CommonMark\Environment\Environment;
use League\CommonMark\Extension\CommonMark\CommonMarkCoreExtension;
use League\CommonMark\Extension\CommonMark\Node\Block\FencedCode;
use League\CommonMark\Extension\CommonMark\Node\Block\Heading;
use League\CommonMark\Extension\CommonMark\Node\Block\HtmlBlock;
use League\CommonMark\Extension\GithubFlavoredMarkdownExtension;
use League\CommonMark\Extension\HeadingPermalink\HeadingPermalink;
use League\CommonMark\Extension\HeadingPermalink\HeadingPermalinkExtension;
use League\CommonMark\Extension\Table\Table;
use League\CommonMark\Node\Block\Document;
use League\CommonMark\Node\Block\Paragraph;
use League\CommonMark\Parser\MarkdownParser;
use League\CommonMark\Renderer\HtmlRenderer;
use XHProf\Tools\Site\Markup\CodeBlock;
use XHProf\Tools\Site\Markup\Permalink;
use XHProf\Tools\Site\Markup\WideTable;

/** Makes articles of Markdown, as GitHub shows it. */
final class Converter
{
    private const LEAD = 200;

    private readonly MarkdownParser $parser;

    private readonly HtmlRenderer $renderer;

    public function __construct()
    {
        $environment = new Environment([
            'html_input' => 'strip',
            'allow_unsafe_links' => false,
            'max_nesting_level' => 50,
            'slug_normalizer' => ['instance' => new Slugs(), 'max_length' => 0],
            'heading_permalink' => [
                'apply_id_to_heading' => true, 'id_prefix' => '', 'fragment_prefix' => '', 'insert' => 'after',
            ],
        ]);
        $environment->addExtension(new CommonMarkCoreExtension());
        $environment->addExtension(new GithubFlavoredMarkdownExtension());
        $environment->addExtension(new HeadingPermalinkExtension());
        $environment->addRenderer(HeadingPermalink::class, new Permalink(), 10);
        $environment->addRenderer(FencedCode::class, new CodeBlock(), 10);
        $environment->addRenderer(Table::class, new WideTable(), 10);
        $this->parser = new MarkdownParser($environment);
        $this->renderer = new HtmlRenderer($environment);
    }

    public function document(string $text): Document
    {
        return $this->parser->parse($text);
    }

    /**
     * @param list<string> $files that the page shows
     *
     * @throws SiteException when the text does not begin with a heading of the first level
     */
    public function article(string $file, Document $document, array $files): Article
    {
        $headings = $sections = [];
        $title = $lead = null;
        $at = -1;
        foreach ($document->children() as $block) {
            if ($block instanceof HtmlBlock) {
                continue;
            }
            if ($block instanceof Heading) {
                $id = (string) $block->data->get('attributes/id', '');
                $headings[] = ['level' => $block->getLevel(), 'id' => $id, 'text' => $text = PlainText::of($block)];
                $sections[++$at] = ['id' => $title === null ? '' : $id, 'title' => $text, 'text' => ''];
                $title ??= $block->getLevel() === 1 ? $text : null;
            }
            if ($title === null) {
                throw new SiteException("$file does not begin with a heading of the first level");
            }
            if (!$block instanceof Heading && isset($sections[$at])) {
                $sections[$at]['text'] = ltrim($sections[$at]['text'] . ' ' . PlainText::of($block));
                $lead ??= $block instanceof Paragraph ? PlainText::of($block) : null;
            }
        }
        $title ??= throw new SiteException("$file has no text");
        $html = $this->renderer->renderDocument($document)->getContent();
        $lead = PlainText::beginning($lead ?? $title, self::LEAD);

        return new Article($title, $lead, $html, $headings, array_values($sections), $files);
    }
}
