<?php

declare(strict_types=1);

namespace XHProf\Owners;

use XHProf\Format\ClosestWord;

/** What functions are added up by. */
enum GroupBy: string
{
    case Package = 'package';
    case Plugin = 'plugin';
    case Folder = 'folder';
    case Namespace = 'namespace';
    case Owner = 'owner';

    /** @return list<string> */
    public static function names(): array
    {
        return array_column(self::cases(), 'value');
    }

    /** "takes one of package, plugin..., not "plugins"; did you mean plugin?": behind the name of the option. */
    public static function refusal(string $given): string
    {
        $meant = strlen($given) > 40 ? null : ClosestWord::of($given, self::names());

        return 'takes one of ' . implode(', ', self::names()) . ", not \"$given\""
            . ($meant === null ? '' : "; did you mean $meant?");
    }

    /** Of a group, as a head and in sentences. */
    public function noun(): string
    {
        return $this === self::Plugin ? 'plug-in' : $this->value;
    }

    /** What it adds up, for people. */
    public function help(): string
    {
        return match ($this) {
            self::Package => 'Composer packages; what is in none by plug-in, theme or module',
            self::Plugin => 'plug-ins, themes and modules of WordPress, Drupal, Symfony and Magento; what is in none by package',
            self::Folder => 'folders of the application, two levels deep',
            self::Namespace => 'namespaces, two levels deep',
            self::Owner => 'owners of a table: see XHPROF_OWNERS',
        };
    }
}
