--TEST--
IntlBreakIterator::next(null) changes its number of arguments: its time is its caller's, and nothing crashes
--EXTENSIONS--
intl
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function words(string $text): int
{
    $words = IntlBreakIterator::createWordInstance('en');
    $words->setText($text);
    $words->first();
    for ($count = 0; $words->next(null) !== IntlBreakIterator::DONE; $count++) {
    }
    return $count;
}

foreach (['first called while profiled', 'called before'] as $when) {
    xhprof_enable();
    words('one two three');
    $calls = array_keys(xhprof_disable());
    echo "$when: ", implode(', ', preg_grep('/^words==>/', $calls)), "\n";
}
xhprof_enable();
echo words('what is not ended is ended by the engine, at the frames it knows'), "\n";
?>
--EXPECT--
first called while profiled: words==>IntlBreakIterator::createWordInstance, words==>IntlBreakIterator::setText, words==>IntlBreakIterator::first
called before: words==>IntlBreakIterator::createWordInstance, words==>IntlBreakIterator::setText, words==>IntlBreakIterator::first
28
