<?php

declare(strict_types=1);

namespace XHProf\Secret;

/**
 * Removes secrets from URLs and command lines, which runs show. Hidden parts read REDACTED. The same rule as the
 * extension's (base/redact.c); extension/tests/redaction.tsv has the cases that both pass. Redacted text stays as it is. Where the
 * extension is loaded, its own function hides URLs and arguments of this process: it alone knows xhprof.trigger_value.
 *
 * @internal
 */
final class Redact
{
    public const MARK = 'REDACTED';

    /** Longest URL or command line in bytes; the rest is cut off. */
    private const LONGEST = 16384;

    /** Bytes after that which are still read: they may show that the text before them is secret. */
    private const AHEAD = 4096;

    /** A user name without a password counts as a token from this length on. */
    private const LONG_USER = 16;

    /** @param bool $isNative whether the extension's rules of this process are these */
    private function __construct(private readonly Secret $secret, private readonly bool $isNative = false)
    {
    }

    /** The rules of this process, and the value by which its request asked for a profile. */
    public static function here(): self
    {
        $fragments = ini_get('xhprof.redact');
        $asked = $_GET['XHPROF_TRIGGER'] ?? $_POST['XHPROF_TRIGGER'] ?? $_COOKIE['XHPROF_TRIGGER'] ?? '';

        return new self(
            new Secret(is_string($fragments) ? $fragments : Secret::FRAGMENTS, is_string($asked) ? $asked : ''),
            function_exists('xhprof_redact'),
        );
    }

    /**
     * @param string $fragments as in xhprof.redact
     * @param string $known     a secret that is hidden wherever it is a value
     */
    public static function withRules(string $fragments, string $known): self
    {
        return new self(new Secret($fragments, $known));
    }

    /**
     * @param array<array-key, mixed> $meta in the shape of RunMeta::fromArray()
     *
     * @return array<array-key, mixed> the same without secrets in URL and command
     */
    public function meta(array $meta): array
    {
        $rules = ['url' => $this->url(...), 'route' => $this->route(...), 'command' => $this->commandLine(...)];
        foreach ($rules as $key => $redact) {
            if (is_string($meta[$key] ?? null)) {
                $meta[$key] = $redact($meta[$key]);
            }
        }

        return $meta;
    }

    public function url(string $url): string
    {
        $url = $this->isNative ? xhprof_redact($url) : $url;

        return self::cut($this->address(self::readable($url), '/', false));
    }

    /** "GET /in/{id}" of "GET /in/token=abc". */
    public function route(string $route): string
    {
        preg_match('~\A(?:[A-Z-]+ )?~', $route, $method);
        $url = $this->url(substr($route, strlen($method[0] ?? '')));

        return ($method[0] ?? '') . preg_replace('~[^/]*' . self::MARK . '[^/]*~', '{id}', $url);
    }

    /**
     * @param list<string> $arguments the program first
     *
     * @return string as it could be typed again
     */
    public function command(array $arguments): string
    {
        if ($this->isNative) {
            return $this->commandLine(xhprof_redact($arguments));
        }
        $words = array_map(static fn (string $argument): array => [' ', $argument, null], $arguments);

        return $this->words('php', $words);
    }

    /**
     * @param string $line as it could be typed; or any text: it is split as a shell would, and the rest stays as it is
     */
    public function commandLine(string $line): string
    {
        $word = <<<'REGEX'
            (?:[^\s'"\\]++|'[^']*+(?:'|\z)|"(?:[^"\\]|\\.)*+(?:"|\z)|\\.|['"\\])
            REGEX;
        preg_match_all("~(\\s*+)($word*+)~s", self::readable($line), $found, PREG_SET_ORDER);
        $words = [];
        foreach ($found as [, $space, $raw]) {
            $words[] = [$space, preg_replace_callback("~$word~s", static fn (array $piece): string => match (true) {
                strlen($piece[0]) < 2 => $piece[0],
                // An unclosed quote reaches to the end: the line was cut.
                $piece[0][0] === "'" => substr($piece[0], 1, str_ends_with($piece[0], "'") ? -1 : null),
                $piece[0][0] === '"' => stripslashes(substr($piece[0], 1, str_ends_with($piece[0], '"') ? -1 : null)),
                $piece[0][0] === '\\' => $piece[0][1],
                default => $piece[0],
            }, $raw) ?? $raw, $raw];
        }
        $isPhp = preg_match('~\A(?:.*/)?php[0-9.]*\z~s', $words[0][1] ?? '') === 1;
        $php = $isPhp ? array_shift($words) : null;

        return $this->words($php === null ? '' : $php[0] . $php[2], $words);
    }

    private static function readable(string $text): string
    {
        return substr($text, 0, self::LONGEST + self::AHEAD);
    }

    private static function cut(string $text): string
    {
        return substr($text, 0, self::LONGEST);
    }

    /**
     * @param list<array{string, string, string|null}> $words the text before it; the argument; its typed form, if it was typed
     */
    private function words(string $line, array $words): string
    {
        $hasTask = false;
        $before = '';
        foreach ($words as $i => [$space, $argument, $typed]) {
            $argument = self::readable($argument);
            $mayBeTask = $i > 0 && !$hasTask && !str_starts_with($argument, '-');
            $hasTask = $hasTask || $mayBeTask;
            $isTask = $mayBeTask && strspn($argument, 'abcdefghijklmnopqrstuvwxyz:_-') === strlen($argument);
            $shown = $this->argument($argument, $before, $isTask);
            $line .= $space . ($typed !== null && $shown === $argument ? $typed : self::typed($argument, $shown));
            $before = $argument;
            if (strlen($line) >= self::LONGEST) {
                break;
            }
        }

        return self::cut($line);
    }

    private static function typed(string $argument, string $shown): string
    {
        $isPlain = preg_match('~\A[A-Za-z0-9_+=./:,@%^\~-]+\z~D', $argument) === 1;
        $shown = str_replace("'", "'\\''", $shown);

        return $isPlain ? $shown : "'$shown'";
    }

    /** Hides name=value, or a value. Returns true if its name is the reason. */
    private function part(string $part, string &$shown): bool
    {
        $equal = strpos($part, '=');
        $name = $equal === false ? '' : substr($part, 0, $equal + 1);
        $value = substr($part, strlen($name));
        $byName = $equal !== false && $this->secret->hasName(substr($name, 0, -1));
        $shown .= $name . ($value !== '' && ($byName || $this->secret->isIn($value)) ? self::MARK : $value);

        return $byName;
    }

    /**
     * @param string $separators for a character class
     * @param bool   $isHidden   set to whether the last part is hidden for its name
     */
    private function parts(string $text, string $separators, bool $isCommand, bool &$isHidden = false): string
    {
        $isHidden = false;
        $shown = '';
        preg_match_all("~([^$separators]*+)([$separators]|\\z)~", $text, $parts, PREG_SET_ORDER);
        foreach ($parts as [, $part, $separator]) {
            if ($part === '' && $separator === '') {
                break;
            }
            if ($isCommand && $isHidden && !str_contains($part, '=')) {
                continue;
            }
            $isHidden = $this->part($part, $shown);
            $shown .= $separator;
        }

        return $shown;
    }

    /**
     * Cuts the prefix that is the password of a URL off the text. It ends at the last "@" of all.
     *
     * @return string|null without the password; null if there is none
     */
    private function password(string &$text, string $separators, bool $isCommand): ?string
    {
        $slashes = strpos(substr($text, 0, strcspn($text, '?#')), '//');
        if ($slashes === false) {
            return null;
        }
        $start = $slashes + 2;
        $authority = substr($text, $start, strcspn($text, '/?# ', $start));
        $at = strrpos($authority, '@');
        $colon = strpos($at === false ? $authority : substr($authority, 0, $at), ':');
        if ($at !== false && $colon === false) {
            [$from, $to] = [$start, $at >= self::LONG_USER ? $start + $at : false];
        } elseif ($colon === false || ($at === false && preg_match('~\A[0-9]*\z~D', substr($authority, $colon + 1)))) {
            return null;
        } else {
            [$from, $to] = [$start + $colon + 1, strrpos($text, '@', $start + $colon)];
        }
        if ($to === false) {
            return null;
        }
        $shown = $this->parts(substr($text, 0, $slashes), $separators, $isCommand);
        $shown .= substr($text, $slashes, $from - $slashes) . ($from < $to ? self::MARK : '');
        $text = substr($text, $to);

        return $shown;
    }

    private function address(string $text, string $separators, bool $isCommand): string
    {
        $password = $this->password($text, $separators, $isCommand);
        $query = strcspn($text, '?#');
        $isHidden = false;
        $path = $this->parts(substr($text, 0, $query), $separators, $isCommand, $isHidden);
        if ($isHidden && $password === null && $isCommand) {
            return $path;
        }

        return $password . $path . substr($text, $query, 1) . $this->parts(substr($text, $query + 1), '&#', $isCommand);
    }

    /** "--password", "Authorization:", "Bearer": the next argument is secret. */
    private function hidesNext(string $before): bool
    {
        return $before === 'Bearer'
            || (preg_match('~\A(?:-[^=:]*|[^=:]*:)\z~D', $before) && $this->secret->hasName($before));
    }

    private function argument(string $argument, string $before, bool $isTask): string
    {
        $isOption = preg_match('~\A(?:-.?|--(?:[a-z0-9-]*|[a-z0-9-]+=.*))\z~Ds', $argument) === 1;
        if (
            $argument !== '' && (
            (!$isOption && $this->hidesNext($before))
            || $this->secret->isKnown($argument)
            || (strspn($argument, '{[') > 0 && $this->secret->isIn($argument))
            )
        ) {
            return self::MARK;
        }
        $shown = min($this->hiddenValue($argument, $isTask), self::loginPassword($argument, $before));
        if ($shown < strlen($argument)) {
            return substr($argument, 0, $shown) . self::MARK;
        }
        // address() would check its parts one by one.
        $isMany = strpbrk($argument, " \n") !== false;

        return $isMany && Secret::showsIn($argument) ? self::MARK : $this->address($argument, '; ', true);
    }

    /** Offset of the password of "root:x" after "-u", of "--user=root:x" and "-uroot:x", or the end. */
    private static function loginPassword(string $argument, string $before): int
    {
        $options = ['-u', '-U', '--user', '--proxy-user', '--userpwd'];
        $colon = strpos($argument, ':');
        $isLogin = in_array($before, $options, true)
            || in_array(strstr("$argument=", '=', true), $options, true)
            || preg_match('~\A-u[^=/:]*:~', $argument) === 1;

        return $isLogin && $colon !== false ? $colon + 1 : strlen($argument);
    }

    /** Offset of the value that is hidden as a whole because of its name, or the end. "--header=Name: x" has two names. */
    private function hiddenValue(string $argument, bool $isTask): int
    {
        $length = strlen($argument);
        for ($start = 0;;) {
            $end = $start + strcspn($argument, '=?:{[', $start);
            $byte = $argument[$end] ?? '';
            if ($byte !== '=' && $byte !== ':') {
                return $length;
            }
            $name = substr($argument, $start, $end - $start);
            $next = $argument[$end + 1] ?? '';
            $isHeader = !$isTask && $next !== ':' && ($next === ' ' || preg_match('~\A[A-Za-z0-9_-]*\z~D', $name));
            if (($byte === '=' || $isHeader) && $this->secret->hasName($name)) {
                return min($length, $end + 1 + ($byte === ':' && $next === ' ' ? 1 : 0));
            }
            if ($byte === ':') {
                return $length;
            }
            $start = $end + 1;
        }
    }
}
