<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

require_once __DIR__ . '/../../xhprof_lib/display/xhprof.php';

/**
 * The names, parameters and globals that programs written for the classic library rely on.
 */
final class ClassicApiTest extends TestCase
{
    /**
     * Signatures of the library in PECL's package and in its successor for PHP 7 and 8 (github.com/phacility/xhprof,
     * github.com/longxinH/xhprof): name => parameters with their defaults.
     */
    private const SIGNATURES = [
        'xhprof_error' => '$message',
        'xhprof_get_possible_metrics' => '',
        'init_metrics' => '$xhprof_data, $rep_symbol, $sort, $diff_report = false',
        'xhprof_get_metrics' => '$xhprof_data',
        'xhprof_parse_parent_child' => '$parent_child',
        'xhprof_build_parent_child_key' => '$parent, $child',
        'xhprof_valid_run' => '$run_id, $raw_data',
        'xhprof_trim_run' => '$raw_data, $functions_to_keep',
        'xhprof_normalize_metrics' => '$raw_data, $num_runs',
        'xhprof_aggregate_runs' => '$xhprof_runs_impl, $runs, $wts, $source = \'phprof\', $use_script_name = false',
        'xhprof_compute_flat_info' => '$raw_data, &$overall_totals',
        'xhprof_compute_diff' => '$xhprof_data1, $xhprof_data2',
        'xhprof_compute_inclusive_times' => '$raw_data',
        'xhprof_prune_run' => '$raw_data, $prune_percent',
        'xhprof_array_set' => '$arr, $k, $v',
        'xhprof_array_unset' => '$arr, $k',
        'xhprof_get_param_helper' => '$param',
        'xhprof_get_string_param' => '$param, $default = \'\'',
        'xhprof_get_uint_param' => '$param, $default = 0',
        'xhprof_get_float_param' => '$param, $default = 0',
        'xhprof_get_bool_param' => '$param, $default = false',
        'xhprof_param_init' => '$params',
        'xhprof_get_matching_functions' => '$q, $xhprof_data',
        'xhprof_http_header' => '$name, $value',
        'xhprof_generate_mime_header' => '$type, $length',
        'xhprof_generate_image_by_dot' => '$dot_script, $type',
        'xhprof_get_children_table' => '$raw_data',
        'xhprof_generate_dot_script' => '$raw_data, $threshold, $source, $page, $func, $critical_path, '
            . '$right = NULL, $left = NULL',
        'xhprof_render_diff_image' => '$xhprof_runs_impl, $run1, $run2, $type, $threshold, $source',
        'xhprof_get_content_by_run' => '$xhprof_runs_impl, $run_id, $type, $threshold, $func, $source, $critical_path',
        'xhprof_render_image' => '$xhprof_runs_impl, $run_id, $type, $threshold, $func, $source, $critical_path',
        'xhprof_include_js_css' => '$ui_dir_url_path = NULL',
        'xhprof_count_format' => '$num',
        'xhprof_percent_format' => '$s, $precision = 1',
        'xhprof_render_actions' => '$actions',
        'xhprof_render_link' => '$content, $href, $class = \'\', $id = \'\', $title = \'\', $target = \'\', $onclick = \'\', '
            . '$style = \'\', $access = \'\', $onmouseover = \'\', $onmouseout = \'\', $onmousedown = \'\'',
        'sort_cbk' => '$a, $b',
        'stat_description' => '$stat',
        'profiler_report' => '$url_params, $rep_symbol, $sort, $run1, $run1_desc, $run1_data, $run2 = 0, $run2_desc = \'\', '
            . '$run2_data = []',
        'pct' => '$a, $b',
        'get_print_class' => '$num, $bold',
        'print_td_num' => '$num, $fmt_func, $bold = false, $attributes = NULL',
        'print_td_pct' => '$numer, $denom, $bold = false, $attributes = NULL',
        'print_function_info' => '$url_params, $info, $sort, $run1, $run2',
        'print_flat_data' => '$url_params, $title, $flat_data, $sort, $run1, $run2, $limit',
        'full_report' => '$url_params, $symbol_tab, $sort, $run1, $run2',
        'get_tooltip_attributes' => '$type, $metric',
        'pc_info' => '$info, $base_ct, $base_info, $parent',
        'print_pc_array' => '$url_params, $results, $base_ct, $base_info, $parent, $run1, $run2',
        'print_source_link' => '$info',
        'print_symbol_summary' => '$symbol_info, $stat, $base',
        'symbol_report' => '$url_params, $run_data, $symbol_info, $sort, $rep_symbol, $run1, $symbol_info1 = NULL, $run2 = 0, '
            . '$symbol_info2 = NULL',
        'profiler_single_run_report' => '$url_params, $xhprof_data, $run_desc, $rep_symbol, $sort, $run',
        'profiler_diff_report' => '$url_params, $xhprof_data1, $run1_desc, $xhprof_data2, $run2_desc, $rep_symbol, $sort, '
            . '$run1, $run2',
        'displayXHProfReport' => '$xhprof_runs_impl, $url_params, $source, $run, $wts, $symbol, $sort, $run1, $run2',
    ];

    /**
     * @return iterable<string, array{string, string}>
     */
    public static function functions(): iterable
    {
        foreach (self::SIGNATURES as $name => $parameters) {
            yield $name => [$name, $parameters];
        }
    }

    #[DataProvider('functions')]
    public function testFunction(string $name, string $parameters): void
    {
        self::assertTrue(function_exists($name));
        $function = new \ReflectionFunction($name);
        self::assertSame($parameters, self::parameters($function));
        self::assertNull($function->getReturnType());
    }

    /**
     * A function that the table does not have is of this library, and says so: nothing of the classic API is unchecked.
     */
    public function testEveryOtherFunctionIsInternal(): void
    {
        $folder = dirname(__DIR__, 2) . '/xhprof_lib/';
        foreach (get_defined_functions()['user'] as $name) {
            $function = new \ReflectionFunction($name);
            if (str_starts_with((string) $function->getFileName(), $folder) && !isset(self::SIGNATURES[$function->getName()])) {
                self::assertStringContainsString('@internal', (string) $function->getDocComment(), $name);
            }
        }
    }

    public function testClasses(): void
    {
        $interface = new \ReflectionClass('iXHProfRuns');
        self::assertTrue($interface->isInterface());
        self::assertSame('$run_id, $type, &$run_desc', self::parameters($interface->getMethod('get_run')));
        self::assertSame('$xhprof_data, $type, $run_id = NULL', self::parameters($interface->getMethod('save_run')));
        $class = new \ReflectionClass('XHProfRuns_Default');
        self::assertTrue($class->implementsInterface('iXHProfRuns'));
        self::assertFalse($class->isFinal());
        self::assertSame('$dir = NULL', self::parameters($class->getMethod('__construct')));
        self::assertSame('', self::parameters($class->getMethod('list_runs')));
    }

    public function testAnOldImplementationOfTheInterfaceStillCompiles(): void
    {
        self::assertSame('7 id', self::outputOf(
            'include LIB . "/utils/xhprof_runs.php";
            class Old implements iXHProfRuns {
                public function get_run($run_id, $type, &$run_desc) {
                    $run_desc = "run $run_id";
                    return ["main()" => ["ct" => 1, "wt" => 7]];
                }
                public function save_run($xhprof_data, $type, $run_id = null) { return "id"; }
            }
            echo xhprof_aggregate_runs(new Old(), ["1", "2"], null)["raw"]["main()"]["wt"], " ", (new Old())->save_run([], "x");',
        ));
    }

    public function testConstants(): void
    {
        self::assertSame(
            [1, 2, 3, 4],
            [XHPROF_STRING_PARAM, XHPROF_UINT_PARAM, XHPROF_FLOAT_PARAM, XHPROF_BOOL_PARAM],
        );
    }

    /**
     * @return iterable<array{string}>
     */
    public static function globals(): iterable
    {
        $names = 'XHPROF_LIB_ROOT stats pc_stats diff_mode sortable_columns sort_col display_calls totals totals_1 totals_2 '
            . 'descriptions diff_descriptions format_cbk vbar vwbar vwlbar vbbar vrbar vgbar base_path base_url '
            . 'xhprof_legal_image_types';
        foreach (explode(' ', $names) as $name) {
            yield [$name];
        }
    }

    #[DataProvider('globals')]
    public function testGlobal(string $name): void
    {
        self::assertArrayHasKey($name, self::globalsAfterInclude());
    }

    public function testEveryColumnHasATextAndAFormat(): void
    {
        foreach (['fn', 'ct', 'wt', 'ut', 'st', 'cpu', 'mu', 'pmu', 'samples', 'excl_wt', 'excl_pmu'] as $column) {
            self::assertArrayHasKey($column, xhprof_sortable_columns());
            self::assertArrayHasKey($column, xhprof_column_descriptions(false));
            self::assertArrayHasKey($column, xhprof_column_descriptions(true));
            self::assertArrayHasKey($column, xhprof_column_formats());
        }
        self::assertSame('Incl. Wall Time<br>(microsecs)', xhprof_column_descriptions(false)['wt']);
        self::assertSame('xhprof_percent_format', xhprof_column_formats()['EMUse%']);
    }

    /**
     * Including from inside a function, with every error on, in a program without Composer.
     */
    public function testIncludesAnywhere(): void
    {
        foreach (['utils/xhprof_lib.php', 'utils/xhprof_runs.php', 'utils/callgraph_utils.php', 'display/xhprof.php'] as $file) {
            $code = "(function () { include LIB . '/$file'; include_once LIB . '/$file'; })(); echo 'ok';";
            self::assertSame('ok', self::outputOf($code));
        }
    }

    public function testRequiresInAnyOrder(): void
    {
        $files = ['utils/xhprof_lib.php', 'utils/xhprof_runs.php', 'utils/callgraph_utils.php'];
        foreach ([$files, array_reverse($files), ['display/xhprof.php', ...$files]] as $order) {
            $code = '';
            foreach ($order as $file) {
                $code .= "require LIB . '/$file'; ";
            }
            self::assertSame('ok', self::outputOf("$code echo 'ok';"));
        }
    }

    public function testFiguresOfAnyType(): void
    {
        self::assertSame(['1,234.500', '0', '7'], array_map('xhprof_count_format', ['1234.5', null, 7]));
        // A program without types may pass any value.
        $call = static fn (callable $function, mixed ...$arguments): mixed => $function(...$arguments);
        self::assertSame('type="1" metric="2"', $call('get_tooltip_attributes', 1, 2));
        self::assertSame([null, '5'], $call('xhprof_parse_parent_child', 5));
        self::assertSame('5==>6', $call('xhprof_build_parent_child_key', 5, 6));
    }

    public function testAProgramMayDefineItsOwnErrorFunction(): void
    {
        self::assertSame('mine: XHProf: main() missing in raw data for Run ID: 5', self::outputOf(
            'function xhprof_error($message) { echo "mine: $message"; }
            include LIB . "/utils/xhprof_lib.php"; xhprof_valid_run(5, []);',
        ));
    }

    public function testAProgramMayChangeTheGlobals(): void
    {
        self::assertSame(' class="mine" /elsewhere', self::outputOf(
            '$vbar = " class=\"mine\""; $base_path = "/elsewhere"; include LIB . "/display/xhprof.php"; echo "$vbar $base_path";',
        ));
    }

    /**
     * @return array<string, mixed>
     */
    private static function globalsAfterInclude(): array
    {
        static $names = null;
        $names ??= json_decode(self::outputOf(
            'include LIB . "/display/xhprof.php"; echo json_encode(array_fill_keys(array_keys($GLOBALS), 1));',
        ), true);

        return is_array($names) ? $names : [];
    }

    private static function outputOf(string $code): string
    {
        $lib = var_export(dirname(__DIR__, 2) . '/xhprof_lib', true);
        $code = "error_reporting(-1); ini_set('display_errors', '1'); define('LIB', $lib); $code";
        $process = proc_open([PHP_BINARY, '-d', 'log_errors=0', '-r', $code], [1 => ['pipe', 'w']], $pipes);
        self::assertIsResource($process);
        $output = (string) stream_get_contents($pipes[1]);
        proc_close($process);

        return $output;
    }

    private static function parameters(\ReflectionFunctionAbstract $function): string
    {
        $texts = [];
        foreach ($function->getParameters() as $parameter) {
            self::assertNull($parameter->getType());
            $text = ($parameter->isPassedByReference() ? '&' : '') . '$' . $parameter->getName();
            if ($parameter->isDefaultValueAvailable()) {
                $default = $parameter->getDefaultValue();
                $text .= ' = ' . ($default === [] ? '[]' : var_export($default, true));
            }
            $texts[] = $text;
        }

        return implode(', ', $texts);
    }
}
