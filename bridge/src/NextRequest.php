<?php

declare(strict_types=1);

namespace XHProf\Bridge;

/**
 * Asks for a profile of the next request by a click: a cookie that the site has signed and that lasts for minutes. The first
 * request that has it is recorded, and its answer removes it. Where no answer does so, because an exception or exit() ended the
 * request, the cookie asks for nothing any more: see UsedTokens. A form that asks for it has a signed token.
 */
final class NextRequest
{
    public const COOKIE = 'xhprof_next';

    /** Name of the form's field with token(). */
    public const FIELD = 'token';

    /** Seconds in which the next request has to be made. */
    private const AGE = 300;

    /** Seconds in which a form has to be sent. */
    private const FORM_AGE = 86400;

    private readonly string $key;

    /** @var \Closure(): int */
    private readonly \Closure $clock;

    /**
     * @param string $secret of the site, which no visitor knows; with '' nothing is ever asked for
     * @param (\Closure(): int)|null $clock seconds since 1970
     * @param UsedTokens|null $used null for that of the user
     */
    public function __construct(
        #[\SensitiveParameter] string $secret,
        ?\Closure $clock = null,
        private readonly ?UsedTokens $used = null,
    ) {
        $this->key = $secret === '' ? '' : hash_hmac('sha256', 'xhprof: profile the next request', $secret, true);
        $this->clock = $clock ?? time(...);
    }

    /** Whether there is a secret to sign with. */
    public function isPossible(): bool
    {
        return $this->key !== '';
    }

    /** @return string|null why nothing can be asked for, a sentence */
    public function problem(): ?string
    {
        return $this->isPossible()
            ? Extension::problem()
            : 'The site has no secret that signs the cookie of the next request: set APP_KEY in Laravel, framework.secret in'
                . ' Symfony, or what the program gives to NextRequest.';
    }

    /** Whether a request with this value of the cookie would be recorded. */
    public function isAsked(mixed $cookie): bool
    {
        $claim = $this->claim('cookie', $cookie);

        return $claim !== null && !$this->used()->has($claim);
    }

    /** Whether the request that has this value of the cookie is to be recorded: the first one is, and no other. */
    public function take(mixed $cookie): bool
    {
        $claim = $this->claim('cookie', $cookie);

        return $claim !== null && $this->used()->take($claim, ($this->clock)());
    }

    /** After take(), by a request that is not recorded after all: the next one is. */
    public function giveBack(mixed $cookie): void
    {
        $claim = $this->claim('cookie', $cookie);
        if ($claim !== null) {
            $this->used()->giveBack($claim);
        }
    }

    /** The value of Set-Cookie that asks for the next request. */
    public function setCookie(bool $isEncrypted, string $path = '/'): string
    {
        return self::cookie($this->signed('cookie', self::AGE), self::AGE, $isEncrypted, $path);
    }

    /** The value of Set-Cookie that removes it. */
    public static function clearCookie(bool $isEncrypted, string $path = '/'): string
    {
        return self::cookie('', 0, $isEncrypted, $path);
    }

    /** The value of the field FIELD in the form. */
    public function token(): string
    {
        return $this->signed('form', self::FORM_AGE);
    }

    public function isToken(mixed $token): bool
    {
        return $this->claim('form', $token) !== null;
    }

    private static function cookie(string $value, int $age, bool $isEncrypted, string $path): string
    {
        return self::COOKIE . "=$value; Path=$path; Max-Age=$age; HttpOnly; SameSite=Lax" . ($isEncrypted ? '; Secure' : '');
    }

    private function signed(string $use, int $age): string
    {
        $claim = (($this->clock)() + $age) . '.' . bin2hex(random_bytes(8));

        return $this->key === '' ? '' : $claim . '.' . hash_hmac('sha256', "$use.$claim", $this->key);
    }

    /** @return string|null what this site has signed for that use, "UNTIL.RANDOM", while it is valid */
    private function claim(string $use, mixed $given): ?string
    {
        if (
            $this->key === '' || !is_string($given)
            || preg_match('/\A(([0-9]{1,12})\.[0-9a-f]{16})\.([0-9a-f]{64})\z/', $given, $match) !== 1
            || !hash_equals(hash_hmac('sha256', "$use.$match[1]", $this->key), $match[3])
        ) {
            return null;
        }

        return (int) $match[2] >= ($this->clock)() ? $match[1] : null;
    }

    private function used(): UsedTokens
    {
        return $this->used ?? new UsedTokens();
    }
}
