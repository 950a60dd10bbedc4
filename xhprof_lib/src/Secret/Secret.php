<?php

declare(strict_types=1);

namespace XHProf\Secret;

/**
 * Recognizes secrets: a value by its name, by its looks, or as the known one. The same rule as the extension's
 * (base/secret.c); extension/tests/redaction.tsv has the cases that both pass.
 *
 * @internal
 */
final class Secret
{
    /** The default of xhprof.redact. */
    public const FRAGMENTS = 'pass,pwd,secret,token,key,auth,sess,sid,sig,cred,code,jwt,csrf,xsrf,saml,bearer,hmac,nonce,cvv,'
        . 'email,phone,=pw,=pin,=otp,=totp,=ticket,=hash,=state,=pat,=cvc,=card,=ssn,=iban';

    private const LEVELS = 3;
    private const NAME_LEVELS = 2;
    private const LONG_SECRET = 8;
    private const LONGEST_NAME = 256;

    /** Beginnings of tokens, "." for any byte, with the least length to the end of the word and whether a dot is required. */
    private const SHOWN = [
        ['eyJ', 20, true], ['gh._', 20, false], ['github_pat_', 20, false], ['glpat-', 20, false], ['AKIA', 20, false],
        ['ASIA', 20, false], ['xox.-', 15, false], ['sk_live_', 16, false], ['sk_test_', 16, false], ['rk_live_', 16, false],
        ['whsec_', 16, false], ['AIza', 35, false], ['-----BEGIN', 10, false],
    ];

    private readonly string $names;

    /**
     * @param string $fragments as in xhprof.redact
     * @param string $known     secret wherever it is a value
     */
    public function __construct(string $fragments, private readonly string $known)
    {
        $patterns = [];
        foreach (preg_split('/[, \t\r\n]+/', $fragments, -1, PREG_SPLIT_NO_EMPTY) ?: [] as $fragment) {
            $isWord = strlen($fragment) > 1 && $fragment[0] === '=';
            $quoted = '(?i:' . preg_quote($isWord ? substr($fragment, 1) : $fragment, '/') . ')';
            // Edge of a word: not between two letters, except between a small one and a capital.
            $edge = '(?:(?<![A-Za-z])|(?![A-Za-z])|(?<=[a-z])(?=[A-Z]))';
            $patterns[] = $isWord ? "$edge$quoted$edge" : $quoted;
        }
        $this->names = $patterns === [] ? '/(?!)/' : '/' . implode('|', $patterns) . '/';
    }

    /** Whether the name goes with a secret value. */
    public function hasName(string $name): bool
    {
        for ($level = 1; $level <= self::NAME_LEVELS; $level++) {
            $name = urldecode($name);
            if ($this->nameHides($name)) {
                return true;
            }
        }

        return false;
    }

    /** Whether a value is the known secret. */
    public function isKnown(string $value): bool
    {
        for ($level = 0; $this->known !== '' && $level <= self::LEVELS; $level++) {
            if ($value === $this->known || (strlen($this->known) >= self::LONG_SECRET && str_contains($value, $this->known))) {
                return true;
            }
            $value = urldecode($value);
        }

        return false;
    }

    /** Whether a value contains any secret. */
    public function isIn(string $value): bool
    {
        $decoded = $value;
        for ($level = 1; $level <= self::LEVELS; $level++) {
            $decoded = urldecode($decoded);
            if ($this->hasNames($decoded) || self::hasLogin($decoded) || self::shows($decoded)) {
                return true;
            }
        }

        return $this->isKnown($value);
    }

    /** Whether a value contains a text that looks like a secret, percent-decoded once. */
    public static function showsIn(string $value): bool
    {
        return self::shows(urldecode($value));
    }

    private function nameHides(string $name): bool
    {
        return strlen($name) > self::LONGEST_NAME || preg_match($this->names, $name) === 1;
    }

    /** "name=" and "\"name\":". */
    private function hasNames(string $text): bool
    {
        $from = 0;
        $length = strlen($text);
        for ($at = 0; ($at += strcspn($text, "=:?&;#/, {[\0", $at)) < $length; $at++) {
            $byte = $text[$at];
            if ($byte === ':' && ($at === 0 || ($text[$at - 1] !== '"' && $text[$at - 1] !== "'"))) {
                continue;
            }
            if (($byte === '=' || $byte === ':') && $this->nameHides(substr($text, $from, $at - $from))) {
                return true;
            }
            $from = $at + 1;
        }

        return false;
    }

    /** "user:password@". Not "http://", "host:80/", "Name::of@". */
    private static function hasLogin(string $text): bool
    {
        $user = '[A-Za-z0-9._+%~$!*\x80-\xff-]';
        // A user up to its end; after its colon follows a port, a scheme, or a possible password.
        $tokens = "#(?<user>$user*+)(?:(?<end>:)|@[^ \\t\\r\\n&\"'\\0]*+|[^:@]|\\z)#s";
        for ($at = 0, $length = strlen($text); $at < $length;) {
            preg_match($tokens, $text, $found, 0, $at);
            $before = $at > 0 ? $text[$at - 1] : '';
            $at += strlen($found[0] ?? ' ');
            if (($found['end'] ?? '') === '' || ($found['user'] === '' && $before !== '/')) {
                continue;
            }
            preg_match('~[^ \t\r\n&"\'\0]*+~', $text, $rest, 0, $at);
            $rest = $rest[0] ?? '';
            if (str_starts_with($rest, '/') || preg_match('~\A[0-9]++[/?#]~', $rest, $port)) {
                $at += strlen($port[0] ?? '/');
                $port = [];
                continue;
            }
            $isNone = preg_match('~\A(?:mailto|sips?|xmpp|acct)\z~i', $found['user']) || preg_match('~\A[:@]~', $rest);
            if (!$isNone && str_contains($rest, '@')) {
                return true;
            }
            $at += strlen($rest);
        }

        return false;
    }

    private static function shows(string $text): bool
    {
        // Most texts have no such beginning anywhere.
        $hasStart = preg_match('/' . implode('|', array_column(self::SHOWN, 0)) . '/', $text) === 1;
        preg_match_all('/[A-Za-z0-9_.-]+/', $hasStart ? $text : '', $words);
        foreach ($words[0] as $word) {
            foreach (self::SHOWN as [$start, $least, $dot]) {
                // At the beginning, or behind a byte that joins words. Any later one is of a shorter token.
                $isFound = preg_match("/(?:\\A|(?<=[-_.]))$start/", $word, $found, PREG_OFFSET_CAPTURE) === 1;
                $token = $isFound ? substr($word, $found[0][1]) : '';
                if (strlen($token) >= $least && (!$dot || str_contains($token, '.'))) {
                    return true;
                }
            }
        }

        return preg_match('/(?<![A-Za-z0-9_.-])bearer +[A-Za-z0-9_.-]/i', $text) === 1 || self::hasCard($text);
    }

    /** 13 to 19 digits, with "-" or " " between groups; checked by Luhn's sum and by the issuers' first digits. */
    private static function hasCard(string $text): bool
    {
        preg_match_all('/(?<![A-Za-z0-9_])[0-9](?:[0-9]|[ -](?=[0-9]))*+/', $text, $found, PREG_OFFSET_CAPTURE);
        foreach ($found[0] as [$number, $at]) {
            $digits = '';
            foreach (str_split("$number.") as $i => $byte) {
                if (ctype_digit($byte)) {
                    $digits .= $byte;
                    continue;
                }
                $next = $byte === '.' ? ($text[$at + $i] ?? '') : $byte;
                if (!ctype_alpha($next) && self::isCard($digits)) {
                    return true;
                }
                $isGap = strlen($digits) % 4 === 0 || strlen($digits) === 10;
                $digits = $isGap && strlen($digits) <= 19 ? $digits : '';
            }
        }

        return false;
    }

    private static function isCard(string $digits): bool
    {
        // 14 digits that begin with 2 are a date and a time.
        if (!preg_match('/\A(?:2[0-9]{15,18}|[3-6][0-9]{12,18})\z/', $digits)) {
            return false;
        }
        $sum = 0;
        foreach (array_reverse(str_split($digits)) as $i => $digit) {
            $value = (int) $digit << ($i & 1);
            $sum += $value > 9 ? $value - 9 : $value;
        }

        return $sum % 10 === 0;
    }
}
