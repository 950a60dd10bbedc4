<?php

declare(strict_types=1);

namespace XHProf\Web\Http;

/**
 * Who may see the pages: whoever has the password that the environment variable (or the server's parameter) XHPROF_UI_PASSWORD
 * holds, asked for by the browser, with any user name. Without one, whoever sits at this machine. Not both: to us, a proxy on this
 * machine that does not name who asks is somebody at this machine.
 */
final class Access
{
    public const PASSWORD = 'XHPROF_UI_PASSWORD';

    /** Sent by proxies: the request comes from somewhere else than its connection does. */
    private const FORWARDED = [
        'HTTP_FORWARDED', 'HTTP_X_FORWARDED_FOR', 'HTTP_X_FORWARDED_HOST', 'HTTP_X_FORWARDED_PROTO', 'HTTP_X_FORWARDED_SERVER',
        'HTTP_X_REAL_IP', 'HTTP_X_CLIENT_IP', 'HTTP_CLIENT_IP', 'HTTP_TRUE_CLIENT_IP', 'HTTP_CF_CONNECTING_IP', 'HTTP_VIA',
    ];

    /** What a wrong password costs its guesser, µs. */
    private const DELAY = 300000;

    private const LOCAL_ONLY = "These pages are shown on this machine only, as localhost or under an IP address of it.\n"
        . "To open them from elsewhere, set the environment variable XHPROF_UI_PASSWORD of the web server (for bin/xhprof serve:\n"
        . "XHPROF_UI_PASSWORD=... bin/xhprof serve --host=0.0.0.0). The browser then asks for that password; the user name does\n"
        . "not matter. Without HTTPS it travels unprotected.\n";

    /**
     * @param string $password '' for none: then this machine alone is served
     * @param int $delay after a wrong password, µs
     */
    public function __construct(
        #[\SensitiveParameter] private readonly string $password,
        private readonly int $delay = self::DELAY,
    ) {
    }

    public static function fromEnvironment(Request $request): self
    {
        $password = getenv(self::PASSWORD);

        return new self(is_string($password) && $password !== '' ? $password : $request->server(self::PASSWORD));
    }

    /** @return Response|null what to answer instead of the page; null where it may be shown */
    public function refusal(Request $request): ?Response
    {
        if ($this->password === '') {
            return self::isHere($request) ? null : Response::text(self::LOCAL_ONLY, 403);
        }
        $given = self::given($request);
        if ($given !== null && hash_equals(hash('sha256', $this->password, true), hash('sha256', $given, true))) {
            return null;
        }
        if ($given !== null) {
            usleep($this->delay);
        }

        return Response::text("These pages ask for a password: the one in XHPROF_UI_PASSWORD.\n", 401)
            ->withHeaders(['WWW-Authenticate' => 'Basic realm="XHProf", charset="UTF-8"']);
    }

    /**
     * Whether the request comes from this machine, and means it: a foreign site whose name is made to point here (DNS
     * rebinding) names itself as the host.
     */
    private static function isHere(Request $request): bool
    {
        foreach (self::FORWARDED as $header) {
            if ($request->server($header) !== '') {
                return false;
            }
        }

        return self::isLoopback($request->server('REMOTE_ADDR')) && LocalHost::accepts($request->server('HTTP_HOST'));
    }

    private static function isLoopback(string $address): bool
    {
        $packed = filter_var($address, FILTER_VALIDATE_IP) === false ? false : inet_pton($address);
        if ($packed === false) {
            return false;
        }
        // An IPv4 address in the clothes of IPv6: ::ffff:127.0.0.1
        $packed = str_starts_with($packed, str_repeat("\0", 10) . "\xFF\xFF") ? substr($packed, 12) : $packed;

        return strlen($packed) === 4 ? $packed[0] === "\x7F" : $packed === str_repeat("\0", 15) . "\x01";
    }

    private static function given(Request $request): ?string
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
