<?php

declare(strict_types=1);

namespace XHProf\Bridge\WordPress;

use WP_Admin_Bar;
use XHProf\Bridge\Extension;

/**
 * The item of the admin bar, for administrators: this page's run, or the one before, "Profile the next request", all runs. Its
 * figures come when the page has been loaded.
 */
final class AdminBar
{
    private const ID = 'xhprof';

    /** WordPress hides items that it does not know in narrow windows: this one stays, as wide as there is room for. */
    private const NARROW = '@media (max-width: 782px) { #wpadminbar li#wp-admin-bar-xhprof { display: block; }'
        . ' #wpadminbar #wp-admin-bar-xhprof .ab-item { overflow: hidden; text-overflow: ellipsis; }'
        . ' #wpadminbar #wp-admin-bar-xhprof > .ab-item { max-width: 110px; }'
        . ' #wpadminbar #wp-admin-bar-xhprof .ab-submenu .ab-item { max-width: calc(100vw - 198px); } }';

    public static function add(WP_Admin_Bar $bar): void
    {
        if (!Administrator::isHere()) {
            return;
        }
        $pages = Address::pages();
        $bar->add_node(['id' => self::ID, 'title' => 'XHProf', 'href' => $pages]);
        [$label, $question] = self::run();
        if ($label !== '') {
            $bar->add_node(['id' => self::ID . '-run', 'parent' => self::ID, 'title' => esc_html($label), 'href' => $pages]);
        }
        $problem = Extension::problem();
        $bar->add_node(['id' => self::ID . '-next', 'parent' => self::ID] + ($problem === null ? [
            'title' => 'Profile the next request', 'href' => Address::next(Address::here()),
        ] : [
            'title' => 'Nothing can be recorded: why', 'href' => admin_url('tools.php?page=' . Plugin::TOOLS),
        ]));
        $bar->add_node(['id' => self::ID . '-all', 'parent' => self::ID, 'title' => 'All runs', 'href' => $pages]);
        add_action('wp_after_admin_bar_render', static function (): void {
            echo '<style>', self::NARROW, '</style>';
        });
        if ($question !== []) {
            $url = add_query_arg(['action' => Plugin::RUN] + $question, admin_url('admin-ajax.php'));
            add_action('wp_after_admin_bar_render', static function () use ($url): void {
                wp_print_inline_script_tag(self::script($url));
            });
        }
    }

    /** @return array{string, array<string, string>} the label of a run until its figures are there, and what to ask for them; '', [] */
    private static function run(): array
    {
        $token = Recording::token();
        $run = Recording::bySettings();
        $last = Administrator::last();

        return match (true) {
            $token !== '' => ["This page's run: being saved", ['of' => $token]],
            $run !== null => ["This page's run: being saved", ['run' => $run]],
            Recording::problem() !== null => [(string) Recording::problem(), []],
            // After a form that was sent, or a redirect.
            $last !== null && $last['isRecent'] => ['The run before this page', ['run' => $last['run']]],
            default => ['', []],
        };
    }

    private static function script(string $url): string
    {
        return 'const xhprofRun = ' . wp_json_encode($url, JSON_HEX_TAG | JSON_HEX_AMP) . ";\n"
            . file_get_contents(dirname(__DIR__, 2) . '/wordpress/admin-bar.js');
    }
}
