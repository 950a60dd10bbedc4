<?php

declare(strict_types=1);

namespace XHProf\Bridge\WordPress\QueryMonitor;

use XHProf\App\MountedSite;
use XHProf\Bridge\Extension;
use XHProf\Bridge\RunSummary;
use XHProf\Bridge\SummaryHtml;
use XHProf\Bridge\WordPress\Address;
use XHProf\Bridge\WordPress\Settings;

/** The panel: Query Monitor prints it before the run of its page is saved, so it has the one before. */
final class Output extends \QM_Output_Html
{
    public function __construct(private readonly Collector $ours)
    {
        parent::__construct($ours);
        add_filter('qm/output/menus', [$this, 'admin_menu'], 200);
    }

    public function name(): string
    {
        return 'XHProf';
    }

    public function output(): void
    {
        $pages = Address::pages();
        $this->before_non_tabular_output();
        echo '<style>', SummaryHtml::css(), '</style><section>';
        if ($this->ours->isRecorded) {
            echo '<p>This request is being recorded. Its run is saved when the request has ended: the admin bar shows it then.</p>';
        }
        $problem = Extension::problem();
        echo $problem === null
            ? '<p><a href="' . esc_url(Address::next(Address::here()))
                . '">Profile the next request</a></p>'
            : '<p>' . esc_html($problem) . '</p>';
        echo '<p><a href="', esc_url($pages), '">All runs</a></p></section>';
        if ($this->ours->run !== '' && class_exists(MountedSite::class)) {
            [$id, $source] = explode('.', $this->ours->run, 2) + [1 => ''];
            echo '<section><h3>The run before this page</h3>',
                SummaryHtml::of(RunSummary::read($id, $source, Settings::folder()), $pages), '</section>';
        }
        $this->after_non_tabular_output();
    }
}
