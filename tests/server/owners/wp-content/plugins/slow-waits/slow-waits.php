<?php

/*
Plugin Name: Slow waits
*/

declare(strict_types=1);

// Waits: 20 sleeps and 5 statements on the connection of WordPress, and 3 by WordPress' own functions.
add_action('busy_loops_done', 'slow_waits_run');

function slow_waits_run(): void
{
    $begin = hrtime(true);
    for ($i = 0; $i < 20; $i++) {
        slow_waits_nap();
    }
    slow_waits_ask();
    $spent = hrtime(true) - $begin;
    slow_waits_by_wordpress();
    file_put_contents((string) getenv('XHPROF_TEST_NOTES'), "slow-waits $spent\n", FILE_APPEND);
}

function slow_waits_nap(): void
{
    usleep(2000);
}

function slow_waits_ask(): void
{
    global $wpdb;
    for ($i = 0; $i < 5; $i++) {
        mysqli_query($wpdb->dbh, 'SELECT SLEEP(0.004)');
    }
}

/** The time of these is WordPress' own: it calls mysqli_query() there. */
function slow_waits_by_wordpress(): void
{
    global $wpdb;
    for ($i = 0; $i < 3; $i++) {
        $wpdb->get_var('SELECT SLEEP(0.004)');
    }
}
