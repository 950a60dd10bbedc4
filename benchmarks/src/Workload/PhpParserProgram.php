<?php

declare(strict_types=1);

namespace XHProf\Bench\Workload;

use PhpParser\NodeTraverser;
use PhpParser\NodeVisitor\NameResolver;
use PhpParser\Parser;
use PhpParser\ParserFactory;

/** nikic/php-parser reads some of its own sources and resolves their names. */
final class PhpParserProgram implements Workload
{
    private const ROOT = __DIR__ . '/../../../vendor';
    /** Files of the package to parse; the versions are pinned in composer.json. */
    private const FILES = self::ROOT . '/nikic/php-parser/lib/PhpParser/Node/{Expr,Stmt}/*.php';

    private readonly Parser $parser;

    /** @var list<string> */
    private readonly array $sources;

    public function __construct()
    {
        require_once self::ROOT . '/autoload.php';
        $this->parser = (new ParserFactory())->createForNewestSupportedVersion();
        $this->sources = array_values(array_filter(array_map(file_get_contents(...), glob(self::FILES, GLOB_BRACE) ?: [])));
    }

    public function run(int $units): int
    {
        $traverser = new NodeTraverser(new NameResolver());
        foreach (array_slice($this->sources, 0, $units) as $source) {
            $traverser->traverse($this->parser->parse($source) ?? []);
        }

        return 0;
    }
}
