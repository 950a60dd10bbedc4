<?php

declare(strict_types=1);

namespace XHProf\Bridge\WordPress;

use XHProf\App\MountedSite;
use XHProf\Bridge\Extension;
use XHProf\Bridge\RunSummary;
use XHProf\Bridge\SummaryHtml;

/** Tools > XHProf in wp-admin: what records, the last run, the way to the pages. */
final class ToolsPage
{
    private const TOLD = 'xhprof_told';

    public static function menu(): void
    {
        $capability = is_multisite() ? 'manage_network' : 'manage_options';
        add_management_page('XHProf', 'XHProf', $capability, Plugin::TOOLS, self::show(...));
    }

    /** That the extension is missing, once to each administrator; the page below Tools always has it. */
    public static function notice(): void
    {
        $problem = Administrator::isHere() ? Extension::problem() : null;
        if ($problem !== null && get_user_meta(get_current_user_id(), self::TOLD, true) === '') {
            update_user_meta(get_current_user_id(), self::TOLD, '1');
            echo '<div class="notice notice-warning is-dismissible"><p>XHProf: ', esc_html($problem), '</p></div>';
        }
    }

    public static function show(): void
    {
        $pages = Address::pages();
        $problem = Extension::problem();
        echo '<div class="wrap"><h1>XHProf</h1>';
        if ($problem !== null) {
            echo '<div class="notice notice-warning inline"><p>', esc_html($problem), '</p></div>';
        }
        echo '<p><a class="button button-primary" href="', esc_url($pages), '">Open the runs</a> ';
        if ($problem === null) {
            echo '<a class="button" href="', esc_url(Address::next(home_url('/', 'relative'))), '">Profile the front page</a>';
        }
        echo '</p><p>"Profile the next request" in the menu XHProf of the admin bar profiles the page that you look at.</p>';
        echo '<div id="xhprof-unreachable" class="notice notice-error inline" hidden><p>The web server does not pass all that is',
            ' below ', esc_html($pages), ' on to WordPress. In nginx these lines do it, in the server,',
            ' outside of its locations:</p><pre>', esc_html(self::nginx($pages)), '</pre></div>';
        wp_print_inline_script_tag(self::probe($pages));
        $last = Administrator::last();
        if ($last !== null && class_exists(MountedSite::class)) {
            [$id, $source] = explode('.', $last['run'], 2) + [1 => ''];
            echo '<h2>The last run that you have asked for</h2><style>', SummaryHtml::css(), '</style>',
                SummaryHtml::of(RunSummary::read($id, $source, Settings::folder()), $pages);
        }
        echo '</div>';
    }

    /** A rule that counts before those for files' names. */
    private static function nginx(string $pages): string
    {
        $path = (string) wp_parse_url($pages, PHP_URL_PATH);
        $index = (string) wp_parse_url(home_url('/index.php'), PHP_URL_PATH);

        return 'if ($request_uri ~ ^' . preg_quote($path) . ") {\n    rewrite ^ $index last;\n}";
    }

    /** Asks for a page and for a file: a rule for files' names may take the second away. */
    private static function probe(string $pages): string
    {
        $urls = wp_json_encode([$pages . 'api?get=runs', $pages . 'assets/app.css'], JSON_HEX_TAG | JSON_HEX_AMP);

        return <<<JS
            for (const url of $urls) {
                fetch(url, { method: 'HEAD', credentials: 'same-origin' }).then((answer) => {
                    if (!answer.headers.has('Cross-Origin-Resource-Policy')) {
                        document.querySelector('#xhprof-unreachable').hidden = false;
                    }
                });
            }
            JS;
    }
}
