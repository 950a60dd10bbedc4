<?php

declare(strict_types=1);

namespace XHProf\Tools\Site;

/** The site cannot be made; the message names the file and what to do. */
final class SiteException extends \RuntimeException
{
}
