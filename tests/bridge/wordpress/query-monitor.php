<?php

/*
 * Plugin Name: Query Monitor (stand-in)
 *
 * Classes with the names and methods of the plug-in Query Monitor 3 that a panel of another plug-in uses, and its order of work:
 * collectors are asked for when plug-ins have been loaded, they collect at shutdown, and the panels are printed there.
 */

declare(strict_types=1);

abstract class QM_Collector
{
    /** @var string */
    public $id = '';

    /** @var array<string, mixed> */
    protected $data = [];

    public function __construct()
    {
    }

    final public function id(): string
    {
        return "qm-{$this->id}";
    }

    /** @return void */
    public function set_up()
    {
    }

    /** @return void */
    public function process()
    {
    }

    /** @return array<string, mixed> */
    final public function get_data()
    {
        return $this->data;
    }
}

final class QM_Collectors
{
    /** @var array<string, QM_Collector> */
    private static array $items = [];

    /** @return void */
    public static function add(QM_Collector $collector)
    {
        $collector->set_up();
        self::$items[$collector->id] = $collector;
    }

    /**
     * @param string $id
     * @return QM_Collector|null
     */
    public static function get($id)
    {
        return self::$items[$id] ?? null;
    }

    public static function process(): void
    {
        foreach (self::$items as $collector) {
            $collector->process();
        }
    }
}

abstract class QM_Output
{
    /** @var QM_Collector */
    protected $collector;

    public function __construct(QM_Collector $collector)
    {
        $this->collector = $collector;
    }

    /** @return string */
    abstract public function get_output();

    /** @return void */
    public function output()
    {
    }
}

abstract class QM_Output_Html extends QM_Output
{
    /** @return string */
    public function name()
    {
        return '';
    }

    /**
     * @param array<string, array<string, string>> $menu
     * @return array<string, array<string, string>>
     */
    public function admin_menu(array $menu)
    {
        $menu[$this->collector->id()] = $this->menu(['title' => esc_html($this->name())]);

        return $menu;
    }

    /** @return string */
    public function get_output()
    {
        ob_start();
        $this->output();

        return (string) ob_get_clean();
    }

    /**
     * @param array<string, string> $args
     * @return array<string, string>
     */
    protected function menu(array $args)
    {
        return $args + ['id' => "query-monitor-{$this->collector->id}", 'href' => '#' . $this->collector->id()];
    }

    /** @return void */
    protected function before_non_tabular_output()
    {
        printf('<div class="qm qm-non-tabular" id="%s" role="tabpanel">', $this->collector->id());
        printf('<div class="qm-boxed"><h2>%s</h2>', $this->name());
    }

    /** @return void */
    protected function after_non_tabular_output()
    {
        echo '</div></div>';
    }
}

if (function_exists('add_action')) {
    add_action('plugins_loaded', static function (): void {
        foreach (apply_filters('qm/collectors', [], new QM_Collectors()) as $collector) {
            QM_Collectors::add($collector);
        }
    });
    add_action('shutdown', static function (): void {
        QM_Collectors::process();
        if (did_action('wp_footer') + did_action('admin_footer') > 0 && current_user_can('manage_options')) {
            $outputs = apply_filters('qm/outputter/html', [], new QM_Collectors());
            $menu = apply_filters('qm/output/menus', []);
            echo '<nav id="qm-menu">', esc_html((string) wp_json_encode($menu)), '</nav>';
            foreach ($outputs as $output) {
                $output->output();
            }
        }
    }, 0);
}
