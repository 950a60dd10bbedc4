<?php

declare(strict_types=1);

namespace XHProf\Tools\Docs;

/** docs/reference.md: settings, functions and constants, made from the sources of the extension. */
final class Reference
{
    /** @var array<string, string> term of the sources => term of the users */
    private const ACCESS = [
        'PHP_INI_ALL' => 'anywhere, by `ini_set()` too',
        'PERDIR' => 'php.ini, pool of PHP-FPM, .user.ini',
        'PHP_INI_SYSTEM' => 'php.ini, pool of PHP-FPM (`php_admin_value`)',
    ];

    private const WRONG_VALUES = [
        'A value outside the *Values* of a setting is refused: PHP gives a warning that names them, and the setting',
        'keeps its old value, at the start of PHP its default. Numbers may end with `K`, `M` or `G` (1024, 1024² or 1024³); a',
        'text that is no number counts as 0. Where the values are 0 and 1, `on`, `yes` and `true` are 1, and any other word is',
        '0. Where there are no *Values*, the description says what becomes of a wrong one.',
    ];

    private readonly Settings $settings;
    private readonly Stubs $stubs;

    /** @param string $root of the project */
    public function __construct(string $root)
    {
        $this->settings = new Settings("$root/extension");
        $this->stubs = new Stubs("$root/extension");
    }

    public function text(): string
    {
        return implode("\n", [
            '<!-- Made by `make reference` from settings.c, memprof.c and *.stub.php of the extension. Change those. -->',
            '# Reference',
            '',
            'Made from the sources of the extension: [settings](#settings) of php.ini, [functions](#functions),',
            '[constants](#constants), and settings [for debugging](#for-debugging) the extension. The command line describes',
            'itself: `bin/xhprof COMMAND --help`, `bin/xhprof-inspect COMMAND --help`. What the words mean is in the',
            '[glossary](glossary.md).',
            '',
            "## Settings\n",
            ...self::WRONG_VALUES,
            '',
            $this->settings(false),
            $this->functions(),
            $this->constants(),
            "## For debugging\n",
            "Only the developers of the extension need these settings. Other users need not set them.\n",
            rtrim($this->settings(true)) . "\n",
        ]);
    }

    private function settings(bool $forDebugging): string
    {
        $table = "| setting | default | can be set in |\n|---|---|---|\n";
        $texts = '';
        foreach ($this->settings->all() as $setting) {
            if ($setting->forDebugging !== $forDebugging) {
                continue;
            }
            $anchor = str_replace('.', '', $setting->name);
            $default = $setting->default === '' ? '(empty)' : "`$setting->default`";
            $access = self::ACCESS[$setting->access];
            $shown = strlen($setting->default) > 40 ? 'a list of names' : $default;
            $table .= "| [`$setting->name`](#$anchor) | $shown | $access |\n";
            $texts .= "### $setting->name\n\n$setting->text\n\n";
            $texts .= $setting->values === '' ? '' : "- Values: $setting->values\n";
            $texts .= "- Default: $default\n- Can be set in: $access\n\n";
        }

        return "$table\n$texts";
    }

    private function functions(): string
    {
        $text = "## Functions\n\n";
        foreach ($this->stubs->classes() as $name => $class) {
            $classes = ($classes ?? '') . "### $name\n\n" . (new DocComment($class['doc']))->text() . "\n\n";
        }
        $methods = '';
        foreach ($this->stubs->functions() as $name => $function) {
            $doc = new DocComment($function['doc']);
            $part = "### $name()\n\n```php\n$function[signature]\n```\n\n";
            foreach ([$doc->text(), $doc->list()] as $more) {
                $part .= $more === '' ? '' : "$more\n\n";
            }
            if (str_contains($name, '::')) {
                $methods .= $part;
            } else {
                $text .= $part;
            }
        }

        return $text . ($classes ?? '') . $methods;
    }

    private function constants(): string
    {
        $text = "## Constants\n\n| constant | |\n|---|---|\n";
        foreach ($this->stubs->constants() as $name => $doc) {
            $text .= "| `$name` | " . (new DocComment($doc))->text() . " |\n";
        }

        return $text;
    }
}
