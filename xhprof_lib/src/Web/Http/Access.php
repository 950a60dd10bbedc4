<?php

declare(strict_types=1);

namespace XHProf\Web\Http;

/**
 * Access control of the pages. With the environment variable (or the server's parameter) XHPROF_UI_PASSWORD: by that password,
 * asked for by the browser, with any user name. Without: requests of this machine, and if `xhprof serve` has made a token, only
 * with it, once in the URL and then in a cookie. A proxy on this machine that does not name the client counts as a client on
 * this machine.
 */
final class Access
{
    public const PASSWORD = 'XHPROF_UI_PASSWORD';

    /** Set by `xhprof serve`. */
    public const TOKEN = 'XHPROF_UI_TOKEN';

    public const MIN_BYTES = 12;

    private const PARAMETER = 'token';

    private const LOCAL_ONLY = "These pages are shown on this machine only, as localhost or under an IP address of it.\n"
        . "To open them from elsewhere, let a web server that speaks HTTPS serve them, with a password in its environment\n"
        . "variable XHPROF_UI_PASSWORD. The browser then asks for that password; the user name does not matter.\n";

    private const SHORT = 'The password in XHPROF_UI_PASSWORD is too short: it needs ' . self::MIN_BYTES . " bytes or more.\n";

    /** A limit that cannot count would let anybody try any number of passwords. */
    private const UNCOUNTED = "These pages take no password: wrong ones cannot be counted, as the user of this server\n"
        . "has no folder for it. Give that user a home folder, or XDG_CACHE_HOME, or a temporary folder whose\n"
        . "xhprof-UID nobody else has made.\n";

    /** The link loads this address again: the cookie is not sent when a page of another site leads here. */
    private const NO_TOKEN = <<<'HTML'
        <!DOCTYPE html>
        <html lang="en">
        <head><meta charset="utf-8"><title>XHProf</title></head>
        <body>
        <h1>These pages ask for their token</h1>
        <p>Open the address that <code>bin/xhprof serve</code> printed: it ends in <code>?token=…</code> and opens the pages in this
        browser until it is closed. Each start makes another token. <code>bin/xhprof serve --no-token</code> does without.</p>
        <p>Followed a link from another site, and have opened that address before? <a href="">Open this page</a></p>
        </body>
        </html>

        HTML;

    /**
     * @param string        $password '' for none: then this machine alone is served
     * @param LoginFailures|null $failures counts wrong passwords; null if there is no password
     * @param string        $token    '' for none
     */
    public function __construct(
        #[\SensitiveParameter] private readonly string $password,
        private readonly ?LoginFailures $failures = null,
        #[\SensitiveParameter] private readonly string $token = '',
    ) {
    }

    public static function fromEnvironment(Request $request): self
    {
        $password = $request->setting(self::PASSWORD);

        return new self($password, $password === '' ? null : LoginFailures::ofUser(), $request->setting(self::TOKEN));
    }

    /** @return Response|null the answer instead of the page; null if the page may be shown */
    public function refusal(Request $request): ?Response
    {
        if (!$request->isOfThisSite()) {
            return Response::text("Other sites may link to these pages, but not use them.\n", 403);
        }
        if ($this->password !== '') {
            return $this->withoutPassword($request);
        }
        if (!self::isLocal($request)) {
            return Response::text(self::LOCAL_ONLY, 403);
        }

        return $this->token === '' ? null : $this->withoutToken($request);
    }

    private function withoutPassword(Request $request): ?Response
    {
        if (strlen($this->password) < self::MIN_BYTES) {
            return Response::text(self::SHORT, 403);
        }
        $given = self::givenPassword($request);
        $wait = $given === null ? $this->failures?->wait($request) : $this->failures?->begin($request);
        if ($wait === null) {
            return Response::text(self::UNCOUNTED, 403);
        }
        if ($wait > 0) {
            return self::tooManyAttempts($wait);
        }
        if ($given !== null && self::isSame($this->password, $given)) {
            $this->failures?->right($request);

            return null;
        }
        if ($given !== null) {
            $this->failures?->wrong($request);
        }

        return Response::text("These pages ask for a password: the one in XHPROF_UI_PASSWORD.\n", 401)
            ->withHeaders(['WWW-Authenticate' => 'Basic realm="XHProf", charset="UTF-8"']);
    }

    private function withoutToken(Request $request): ?Response
    {
        $cookie = 'xhprof_token_' . ($request->port() ?? '');
        $token = $request->parameters()[self::PARAMETER] ?? null;
        if (is_string($token) && self::isSame($this->token, $token) && in_array($request->method, ['GET', 'HEAD'], true)) {
            // Removes the token from the address, its history and its bookmarks.
            return Response::redirect($request->urlWithout(self::PARAMETER))
                ->withCookie($cookie, $this->token, $request->isEncrypted());
        }
        $bearer = preg_match('/\ABearer ([!-~]{1,200})\z/i', $request->server('HTTP_AUTHORIZATION'), $match) === 1 ? $match[1] : '';
        $isKnown = self::isSame($this->token, $request->cookie($cookie)) || self::isSame($this->token, $bearer);

        return $isKnown ? null : Response::html(self::NO_TOKEN, 403);
    }

    private static function isSame(#[\SensitiveParameter] string $known, #[\SensitiveParameter] string $given): bool
    {
        return hash_equals(hash('sha256', $known, true), hash('sha256', $given, true));
    }

    private static function tooManyAttempts(int $seconds): Response
    {
        return Response::text("There were too many wrong passwords: wait for $seconds s.\n", 429)
            ->withHeaders(['Retry-After' => (string) $seconds]);
    }

    /**
     * Whether the request comes from this machine and is addressed to it: a foreign site whose name is made to point here (DNS
     * rebinding) names itself as the host.
     */
    private static function isLocal(Request $request): bool
    {
        return !$request->isForwarded() && self::isLoopback($request->server('REMOTE_ADDR'))
            && LocalHost::accepts($request->server('HTTP_HOST'));
    }

    private static function isLoopback(string $address): bool
    {
        $packed = ClientAddress::packed($address) ?? '';

        return strlen($packed) === 4 ? $packed[0] === "\x7F" : $packed === str_repeat("\0", 15) . "\x01";
    }

    private static function givenPassword(Request $request): ?string
    {
        if ($request->server('PHP_AUTH_PW') !== '') {
            return $request->server('PHP_AUTH_PW');
        }
        foreach (['HTTP_AUTHORIZATION', 'REDIRECT_HTTP_AUTHORIZATION'] as $name) {
            if (preg_match('/\ABasic ([A-Za-z0-9+\/=]{1,1000})\z/i', $request->server($name), $match) === 1) {
                $pair = explode(':', (string) base64_decode($match[1], true), 2);

                return $pair[1] ?? '';
            }
        }

        return null;
    }
}
