<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use PhpParser\Node;
use PhpParser\NodeVisitorAbstract;

/**
 * Makes code count its work in a Work: the turns of its loops, its calls, and the bytes and entries that functions of PHP read for
 * it, which no statement of its own shows.
 */
final class WorkVisitor extends NodeVisitorAbstract
{
    /** Functions that do not read what they are given, however long it is. */
    private const AT_ONCE = [
        'array_key_exists', 'array_key_first', 'array_key_last', 'array_pop', 'array_push', 'count', 'current', 'end', 'hrtime',
        'inflate_get_read_len', 'inflate_get_status', 'is_array', 'is_bool', 'is_float', 'is_int', 'is_object', 'is_resource',
        'is_scalar', 'is_string', 'key', 'ord', 'reset', 'str_ends_with', 'str_starts_with', 'strlen', 'unpack',
    ];

    /** Functions that read no more than they return. */
    private const AS_MUCH_AS_RESULT = ['array_slice', 'substr'];

    public function leaveNode(Node $node): ?Node
    {
        $step = new Node\Stmt\Expression(new Node\Expr\PreInc(new Node\Expr\StaticPropertyFetch(self::work(), 'steps')));
        if (
            $node instanceof Node\Stmt\Foreach_ || $node instanceof Node\Stmt\For_ || $node instanceof Node\Stmt\While_
            || $node instanceof Node\Stmt\Do_ || $node instanceof Node\Expr\Closure
            || ($node instanceof Node\FunctionLike && property_exists($node, 'stmts') && is_array($node->stmts))
        ) {
            $node->stmts = [$step, ...$node->stmts ?? []];

            return $node;
        }
        if ($node instanceof Node\ArrayItem && $node->unpack) {
            $node->value = self::counted('given', $node->value);
        }

        return $node instanceof Node\Expr\FuncCall && $node->name instanceof Node\Name && !$node->isFirstClassCallable()
            ? self::call($node, $node->name->getLast())
            : null;
    }

    private static function call(Node\Expr\FuncCall $call, string $name): Node
    {
        if (in_array($name, self::AT_ONCE, true) || !function_exists($name)) {
            return $call;
        }
        if (in_array($name, self::AS_MUCH_AS_RESULT, true)) {
            return self::counted('given', $call);
        }
        $parameters = (new \ReflectionFunction($name))->getParameters();
        $result = $call;
        foreach ($call->getArgs() as $i => $argument) {
            if (($parameters[min($i, count($parameters) - 1)] ?? null)?->isPassedByReference() === true) {
                // Its size before the call is about the one after it.
                $null = new Node\Expr\ConstFetch(new Node\Name\FullyQualified('null'));
                $value = new Node\Expr\BinaryOp\Coalesce(clone $argument->value, $null);
                $result = new Node\Expr\StaticCall(self::work(), 'first', [new Node\Arg($result), new Node\Arg($value)]);
            } else {
                $argument->value = self::counted('given', $argument->value);
            }
        }

        return $result;
    }

    private static function counted(string $method, Node\Expr $value): Node\Expr\StaticCall
    {
        return new Node\Expr\StaticCall(self::work(), $method, [new Node\Arg($value)]);
    }

    private static function work(): Node\Name\FullyQualified
    {
        return new Node\Name\FullyQualified(Work::class);
    }
}
