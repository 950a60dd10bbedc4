<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use PhpParser\Node;
use PhpParser\NodeVisitorAbstract;
use XHProf\Source\ClosurePosition;

/** Finds the closures of a syntax tree, and where they are written. */
final class ClosureVisitor extends NodeVisitorAbstract
{
    /** @var list<array{int, string, bool, string}> line, class, whether that is a trait, and position */
    public array $found = [];

    /** @var \PhpToken[] */
    public array $tokens = [];

    private string $namespace = '';

    /** @var non-empty-list<array{node: Node|null, name: string, class: string, isTrait: bool, closures: int}> */
    private array $scopes = [['node' => null, 'name' => '', 'class' => '', 'isTrait' => false, 'closures' => 0]];

    public function enterNode(Node $node)
    {
        $last = count($this->scopes) - 1;
        ['class' => $class, 'isTrait' => $isTrait] = $this->scopes[$last];
        if ($node instanceof Node\Stmt\Namespace_) {
            $this->namespace = $node->name === null ? '' : $node->name->toString() . '\\';
        } elseif ($node instanceof Node\Stmt\ClassLike) {
            $name = $node->name === null ? 'class@anonymous' : $this->namespace . $node->name->name;
            $this->enter($node, '', $name, $node instanceof Node\Stmt\Trait_);
        } elseif ($node instanceof Node\Stmt\ClassMethod) {
            $this->enter($node, $node->name->name, $class, $isTrait);
        } elseif ($node instanceof Node\Stmt\Function_) {
            $this->enter($node, $this->namespace . $node->name->name, '', false);
        } elseif ($node instanceof Node\Expr\Closure || $node instanceof Node\Expr\ArrowFunction) {
            $name = $this->scopes[$last]['name'] . '{closure#' . ++$this->scopes[$last]['closures'] . '}';
            $this->found[] = [$this->line($node), $class, $isTrait, $name];
            $this->enter($node, $name, $class, $isTrait);
        }

        return null;
    }

    public function leaveNode(Node $node)
    {
        if ($this->scopes[count($this->scopes) - 1]['node'] === $node && count($this->scopes) > 1) {
            array_pop($this->scopes);
        }

        return null;
    }

    private function enter(Node $node, string $name, string $class, bool $isTrait): void
    {
        $this->scopes[] = ['node' => $node, 'name' => $name, 'class' => $class, 'isTrait' => $isTrait, 'closures' => 0];
    }

    /** Of "function" or "fn", behind attributes and "static". */
    private function line(Node\Expr\Closure|Node\Expr\ArrowFunction $node): int
    {
        $at = $node->getStartTokenPos();
        foreach ($node->attrGroups as $group) {
            $at = max($at, $group->getEndTokenPos() + 1);
        }
        while (!$this->tokens[$at]->is([T_FUNCTION, T_FN])) {
            $at++;
        }

        return $this->tokens[$at]->line;
    }

    /** @return list<array{int, string, bool, string}> */
    public function sorted(): array
    {
        $rows = $this->found;
        sort($rows);

        return $rows;
    }

    /**
     * @param array<int, list<ClosurePosition>> $positions
     *
     * @return list<array{int, string, bool, string}>
     */
    public static function rows(array $positions): array
    {
        $rows = [];
        foreach ($positions as $line => $list) {
            foreach ($list as $position) {
                $rows[] = [$line, $position->class, $position->isTrait, $position->within];
            }
        }
        sort($rows);

        return $rows;
    }
}
