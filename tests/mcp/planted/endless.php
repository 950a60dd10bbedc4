<?php

declare(strict_types=1);

/* Waits until it is ended. */
for (;;) {
    sleep(1);
}
