<?php

declare(strict_types=1);

namespace XHProf\Fleet;

use XHProf\Exception\SendError;

/** An address of a store that its user has to write in another way. */
final class WrongAddress extends SendError
{
}
