<?php

declare(strict_types=1);

namespace XHProf\Source;

/**
 * The closures of a source file: each is the N-th of the function, the method or the closure that it is written in, or of the
 * file's own code. Lines that are added above it do not change that.
 */
final class ClosurePositions
{
    // By id: a piece of text in a string may be "}" too. Characters have their code as id.
    private const COMMA = 0x2C;
    private const COLON = 0x3A;
    private const SEMICOLON = 0x3B;
    private const QUESTION_MARK = 0x3F;
    private const OPEN_BODY = 0x7B;
    private const CLOSE_BODY = 0x7D;
    private const OPENING = [0x28, 0x5B, self::OPEN_BODY, T_CURLY_OPEN, T_DOLLAR_OPEN_CURLY_BRACES, T_ATTRIBUTE];
    private const CLOSING = [0x29, 0x5D, self::CLOSE_BODY];

    private const CLASSES = [T_CLASS, T_TRAIT, T_INTERFACE, T_ENUM];

    /** What follows the "class" of one without a name. */
    private const AFTER_CLASS = ['{', T_EXTENDS, T_IMPLEMENTS];

    private const NAMES = [T_STRING, T_NAME_QUALIFIED, T_NAME_FULLY_QUALIFIED];

    /** @var array<int, list<ClosurePosition>> by the line that they begin in, from left to right */
    private array $found = [];

    /** @var non-empty-list<CodeScope> what the current token is in, the file first */
    private array $scopes;

    /** @var list<int> depths of arguments of the constructors of classes without a name, which follow them */
    private array $arguments = [];

    private string $namespace = '';

    private int $depth = 0;

    /** @param list<\PhpToken> $tokens without spaces and comments */
    private function __construct(private readonly array $tokens)
    {
        $this->scopes = [new CodeScope('file', '', '', false, -1)];
    }

    /**
     * @return array<int, list<ClosurePosition>> by the line that they begin in, from left to right; [] where PHP has no tokenizer
     */
    public static function parse(string $source): array
    {
        if (!class_exists(\PhpToken::class, false)) {
            return [];
        }
        $tokens = array_filter(\PhpToken::tokenize($source), static fn (\PhpToken $token): bool => !$token->isIgnorable());
        $self = new self(array_values($tokens));
        foreach ($self->tokens as $at => $token) {
            $self->read($at, $token);
        }

        return $self->found;
    }

    private function read(int $at, \PhpToken $token): void
    {
        if ($token->is(self::OPENING)) {
            $this->open($token);
        } elseif ($token->is(self::CLOSING)) {
            // Never below that of the file: what closes more than was opened is no source of PHP's.
            $this->depth = max(0, $this->depth - 1);
            $this->close($token);
            if (end($this->arguments) === $this->depth) {
                array_pop($this->arguments);
                $this->enter('class', '', 'class@anonymous', false);
            }
        } elseif ($token->is([self::COMMA, self::SEMICOLON, T_CLOSE_TAG])) {
            $this->end($token);
        } elseif ($token->is([T_DOUBLE_ARROW, self::QUESTION_MARK, self::COLON])) {
            $this->choose($token);
        } elseif ($token->is(T_NAMESPACE)) {
            $name = $this->tokens[$at + 1] ?? null;
            $this->namespace = $name?->is(self::NAMES) === true ? "$name->text\\" : '';
        } elseif ($token->is(self::CLASSES)) {
            $this->enterClass($at, $token);
        } elseif ($token->is([T_FUNCTION, T_FN])) {
            $this->enterFunction($at, $token);
        }
    }

    private function open(\PhpToken $token): void
    {
        $scope = $this->scope();
        if ($token->id === self::OPEN_BODY && $scope->depth === $this->depth && $scope->kind !== 'arrow') {
            $scope->isOpen = true;
        }
        $this->depth++;
    }

    /** A bracket ends arrow functions within it, and the function or class whose body it closes. */
    private function close(\PhpToken $token): void
    {
        while (($scope = $this->scope())->depth > $this->depth) {
            $this->leave();
        }
        if ($token->id === self::CLOSE_BODY && $scope->isOpen && $scope->depth === $this->depth) {
            $this->leave();
        }
    }

    /** "," and ";" end arrow functions, and ";" a method without a body. */
    private function end(\PhpToken $token): void
    {
        while (($scope = $this->scope())->depth === $this->depth) {
            if ($scope->kind !== 'arrow' && ($scope->isOpen || $token->id === self::COMMA)) {
                return;
            }
            $this->leave();
        }
    }

    /** A ":" whose "?" is outside of an arrow function ends it: "$a ? fn () => 1 : fn () => 2". */
    private function choose(\PhpToken $token): void
    {
        while (($scope = $this->scope())->kind === 'arrow' && $scope->depth === $this->depth) {
            if ($token->is(T_DOUBLE_ARROW)) {
                $scope->choices ??= 0;
                return;
            }
            if ($scope->choices === null) {
                return; // of its type
            }
            if ($token->id === self::QUESTION_MARK || $scope->choices > 0) {
                $scope->choices += $token->id === self::QUESTION_MARK ? 1 : -1;
                return;
            }
            $this->leave();
        }
    }

    private function enterClass(int $at, \PhpToken $token): void
    {
        $before = $this->tokens[$at - 1] ?? null;
        $name = $this->tokens[$at + 1] ?? null;
        // "X::class" is a name, "enum" and the others may be names of functions and constants.
        if ($before?->is([T_DOUBLE_COLON, T_OBJECT_OPERATOR, T_NULLSAFE_OBJECT_OPERATOR, T_FUNCTION, T_CONST]) === true) {
            return;
        }
        $isNamed = $name?->is(T_STRING) === true;
        if (!$isNamed && $token->is(T_CLASS) && $name?->text === '(') {
            $this->arguments[] = $this->depth; // they are written around the class
        } elseif ($isNamed || ($token->is(T_CLASS) && $name?->is(self::AFTER_CLASS) === true)) {
            $class = $isNamed ? $this->namespace . $name->text : 'class@anonymous';
            $this->enter('class', '', $class, $token->is(T_TRAIT));
        }
    }

    private function enterFunction(int $at, \PhpToken $token): void
    {
        $before = $this->tokens[$at - 1] ?? null;
        if ($before?->is([T_USE, T_DOUBLE_COLON, T_OBJECT_OPERATOR, T_NULLSAFE_OBJECT_OPERATOR, T_FUNCTION, T_CONST]) === true) {
            return; // "use function f", and names
        }
        $next = $this->tokens[$at + 1] ?? null;
        if ($next !== null && $next->text === '&') {
            $next = $this->tokens[$at + 2] ?? null;
        }
        if ($next?->text === '(') {
            $this->enterClosure($token);
        } elseif ($token->is(T_FUNCTION) && $next !== null && preg_match('/\A\w/', $next->text) === 1) {
            $scope = $this->scope();
            $scope->kind === 'class'
                ? $this->enter('function', $next->text, $scope->class, $scope->isTrait)
                : $this->enter('function', $this->namespace . $next->text, '', false);
        }
    }

    private function enterClosure(\PhpToken $token): void
    {
        $scope = $this->scope();
        $scope->closures++;
        $name = "$scope->name{closure#$scope->closures}";
        $this->found[$token->line][] = new ClosurePosition($scope->class, $scope->isTrait, $name);
        $this->enter($token->is(T_FN) ? 'arrow' : 'function', $name, $scope->class, $scope->isTrait);
    }

    /** @param 'class'|'function'|'arrow' $kind */
    private function enter(string $kind, string $name, string $class, bool $isTrait): void
    {
        $this->scopes[] = new CodeScope($kind, $name, $class, $isTrait, $this->depth);
    }

    /** The innermost one. */
    private function scope(): CodeScope
    {
        return $this->scopes[count($this->scopes) - 1];
    }

    private function leave(): void
    {
        if (count($this->scopes) > 1) {
            array_pop($this->scopes);
        }
    }
}
