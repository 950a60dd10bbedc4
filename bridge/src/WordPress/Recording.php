<?php

declare(strict_types=1);

namespace XHProf\Bridge\WordPress;

use XHProf\Bridge\Extension;
use XHProf\Bridge\NextRequest;
use XHProf\Bridge\Recorder;

/**
 * Records the request that an administrator has asked for, from here on: must-use plug-ins are loaded after WordPress' own files
 * and before all other plug-ins.
 */
final class Recording
{
    /** What a page asks for by itself, behind its visitor's back. */
    private const IN_BACKGROUND = ['heartbeat', Plugin::RUN, Plugin::NEXT];

    private static ?Recorder $recorder = null;

    private static string $token = '';

    /** Begins, where the cookie is one that this site has signed. */
    public static function begin(mixed $cookie): void
    {
        if (self::isBackground() || !(new NextRequest(Secret::known()))->take($cookie)) {
            return;
        }
        self::$recorder = new Recorder(folder: Settings::folder());
        self::$token = bin2hex(random_bytes(8));
        // Before the recorder's own guard, which knows no route.
        register_shutdown_function(self::end(...));
        self::$recorder->begin(true);
        // Also where it cannot be recorded: that is said once.
        if (!headers_sent()) {
            header('Set-Cookie: ' . NextRequest::clearCookie(is_ssl()), false);
        }
    }

    /** Names this request where its run is not saved yet; '' if it is not recorded by a click. */
    public static function token(): string
    {
        return self::$recorder?->isRecording() === true ? self::$token : '';
    }

    /** @return string|null ID.SOURCE of the run that settings of the extension record */
    public static function bySettings(): ?string
    {
        $id = Extension::runId();

        return $id === null ? null : $id . '.' . Extension::source();
    }

    /** @return string|null why this request was not recorded although it was asked for, a sentence */
    public static function problem(): ?string
    {
        return self::$recorder?->problem();
    }

    /** admin-post.php: the next request is recorded, and the page that was open is opened again. */
    public static function ask(): void
    {
        if (!Administrator::isHere()) {
            wp_die('Only administrators profile requests.', 'XHProf', ['response' => 403]);
        }
        check_admin_referer(Plugin::NEXT);
        nocache_headers();
        if (Extension::problem() === null) {
            header('Set-Cookie: ' . (new NextRequest(Secret::make()))->setCookie(is_ssl()), false);
        }
        $back = Address::plain($_GET['back'] ?? '');
        wp_safe_redirect($back === '' ? Address::tools() : $back);
        exit;
    }

    /** What pages ask for by themselves, and this plug-in's own requests, are not what an administrator wants recorded. */
    private static function isBackground(): bool
    {
        $action = $_REQUEST['action'] ?? '';

        return (defined('DOING_CRON') && DOING_CRON) || (defined('WP_CLI') && constant('WP_CLI'))
            || (is_admin() && in_array($action, self::IN_BACKGROUND, true))
            // WordPress has added no slashes yet.
            || Address::behind((string) ($_SERVER['REQUEST_URI'] ?? '')) !== null;
    }

    /** After all that WordPress does at shutdown. */
    private static function end(): void
    {
        $recorder = self::$recorder;
        $id = $recorder?->end(Route::name());
        // A fatal error may have come before anybody is known.
        if ($recorder !== null && $id !== null && did_action('init') > 0) {
            Administrator::keep("$id." . $recorder->source(), self::$token);
        }
    }
}
