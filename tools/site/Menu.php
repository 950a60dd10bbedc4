<?php

declare(strict_types=1);

namespace XHProf\Tools\Site;

use League\CommonMark\Extension\CommonMark\Node\Block\Heading;
use League\CommonMark\Extension\CommonMark\Node\Inline\Link;
use League\CommonMark\Extension\Table\Table;
use League\CommonMark\Extension\Table\TableCell;
use League\CommonMark\Extension\Table\TableRow;
use League\CommonMark\Node\Query;

/** Which pages there are, in which order: README.md, and what its table "Documentation" links to. */
final class Menu
{
    private const HEADING = 'Documentation';

    /**
     * @param string $root of the project, absolute
     *
     * @return list<Page> the first is README.md
     *
     * @throws SiteException when there is no such table, or a page of docs/ is not in it
     */
    public static function read(string $root, Converter $converter): array
    {
        $readme = $converter->document((string) file_get_contents("$root/README.md"));
        $table = null;
        $isBelow = false;
        foreach ($readme->children() as $block) {
            if ($block instanceof Heading) {
                $isBelow = PlainText::of($block) === self::HEADING;
            }
            $table ??= $isBelow ? self::tableOf($block) : null;
        }
        if ($table === null) {
            throw new SiteException('README.md has no table below the heading "' . self::HEADING . '": the menu is made of it');
        }
        $pages = [new Page('README.md', 'Overview', '')];
        foreach ((new Query())->where(Query::type(TableRow::class))->findAll($table) as $row) {
            $cells = array_values(array_filter([...$row->children()], static fn ($cell): bool => $cell instanceof TableCell));
            $group = PlainText::of($cells[0] ?? $row);
            foreach ((new Query())->where(Query::type(Link::class))->findAll($row) as $link) {
                if ($link instanceof Link && Page::isPage($file = explode('#', $link->getUrl())[0])) {
                    if (!is_file("$root/$file")) {
                        throw new SiteException("README.md links to $file, which does not exist");
                    }
                    $pages[] = new Page($file, ucfirst(PlainText::of($link)), $group);
                }
            }
        }
        foreach (glob("$root/docs/*.md") ?: [] as $path) {
            $file = 'docs/' . basename($path);
            if (!in_array($file, array_column($pages, 'file'), true)) {
                throw new SiteException("$file is not in README.md's table \"" . self::HEADING . '": add it to a row');
            }
        }

        return $pages;
    }

    private static function tableOf(\League\CommonMark\Node\Node $block): ?Table
    {
        return $block instanceof Table ? $block : null;
    }
}
