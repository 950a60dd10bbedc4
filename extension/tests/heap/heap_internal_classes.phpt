--TEST--
Heap snapshot: what objects of SPL, Date, DOM, PDO and others hold, asked of them or found in their memory
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs("PHP's heap"); ?>
--FILE--
<?php
require __DIR__ . '/../heap.inc';

if (!isset($argv[1])) {
    $extensions = array_filter(['dom', 'simplexml', 'pdo', 'pdo_sqlite', 'xml'], static fn (string $name): bool => xhprof_test_available($name));
    foreach (['handlers', 'none'] as $how) {
        echo "-- $how\n";
        xhprof_test_show(xhprof_test_child(__FILE__, [$how], [], $extensions));
    }
    exit;
}
/** Each has a string of its own, which is in the snapshot only where the object's values are found. */
$objects = [];
$text = static fn (string $name): string => str_repeat($name . ' ', 2);
$objects['ArrayObject'] = new ArrayObject([$text('ArrayObject')]);
$objects['ArrayIterator'] = new ArrayIterator(['key' => [$text('ArrayIterator')]]);
$objects['SplObjectStorage'] = new SplObjectStorage();
$objects['SplObjectStorage'][new stdClass()] = $text('SplObjectStorage');
$objects['SplDoublyLinkedList'] = new SplDoublyLinkedList();
$objects['SplDoublyLinkedList']->push($text('SplDoublyLinkedList'));
$objects['SplQueue'] = new SplQueue();
$objects['SplQueue'][] = [$text('SplQueue')];
$objects['SplStack'] = new SplStack();
$objects['SplStack'][] = $text('SplStack');
$objects['SplMinHeap'] = new SplMinHeap();
$objects['SplMinHeap']->insert($text('SplMinHeap'));
$objects['SplPriorityQueue'] = new SplPriorityQueue();
$objects['SplPriorityQueue']->insert($text('SplPriorityQueue'), [$text('priority')]);
$objects['SplFixedArray'] = new SplFixedArray(100);
$objects['SplFixedArray'][99] = $text('SplFixedArray');
$objects['IteratorIterator'] = new IteratorIterator(new ArrayIterator([$text('IteratorIterator')]));
$objects['IteratorIterator']->rewind();
$objects['CachingIterator'] = new CachingIterator(new ArrayIterator([$text('CachingIterator')]));
$objects['CachingIterator']->rewind();
$objects['AppendIterator'] = new AppendIterator();
$objects['AppendIterator']->append(new ArrayIterator([$text('AppendIterator')]));
$objects['MultipleIterator'] = new MultipleIterator();
$objects['MultipleIterator']->attachIterator(new ArrayIterator([$text('MultipleIterator')]));
$objects['LimitIterator'] = new LimitIterator(new InfiniteIterator(new ArrayIterator([$text('LimitIterator')])), 0, 5);
$objects['RecursiveIteratorIterator'] = new RecursiveIteratorIterator(new RecursiveArrayIterator([[$text('RecursiveIteratorIterator')]]));
$objects['RecursiveIteratorIterator']->next();
$objects['CallbackFilterIterator'] = new CallbackFilterIterator(new ArrayIterator([$text('CallbackFilterIterator')]), static fn (): bool => true);
$objects['SplTempFileObject'] = new SplTempFileObject();
$objects['ReflectionClass'] = new ReflectionClass('ArrayObject');
$objects['ReflectionMethod'] = new ReflectionMethod('ArrayObject', 'count');
$objects['DateTime'] = new DateTime('2020-01-01 Europe/Paris');
$objects['DateTimeImmutable'] = new DateTimeImmutable();
$objects['DateInterval'] = new DateInterval('P1D');
$objects['DatePeriod'] = new DatePeriod($objects['DateTime'], $objects['DateInterval'], 3);
$objects['DateTimeZone'] = new DateTimeZone('Europe/Rome');
$objects['WeakMap'] = new WeakMap();
$objects['WeakMap'][$objects['DateTime']] = $text('WeakMap');
$objects['Closure'] = (static function (string $s): Closure {
    return static fn (): string => $s;
})($text('Closure'));
$objects['HashContext'] = hash_init('sha256');
$objects['Random\Randomizer'] = new Random\Randomizer(new Random\Engine\Mt19937(1));
if (class_exists('DOMDocument')) {
    $objects['DOMDocument'] = new DOMDocument();
    $objects['DOMDocument']->loadXML('<a><b>1</b><b/></a>');
    $objects['DOMElement'] = $objects['DOMDocument']->documentElement;
    $objects['DOMNodeList'] = $objects['DOMElement']->getElementsByTagName('b');
    $objects['DOMXPath'] = new DOMXPath($objects['DOMDocument']);
}
if (function_exists('simplexml_load_string')) {
    $objects['SimpleXMLElement'] = simplexml_load_string('<a><b>1</b></a>');
}
if (function_exists('xml_parser_create')) {
    $objects['XMLParser'] = xml_parser_create();
    xml_set_element_handler($objects['XMLParser'], (static function (string $s): Closure {
        return static fn () => $s;
    })($text('XMLParser')), static fn () => null);
}
if (class_exists('PDO') && in_array('sqlite', PDO::getAvailableDrivers(), true)) {
    $objects['PDO'] = new PDO('sqlite::memory:');
    $objects['PDOStatement'] = $objects['PDO']->prepare('SELECT ?');
    $objects['PDOStatement']->bindValue(1, $text('PDOStatement'));
}
/** Also where a class of the program extends them. */
class Mine extends SplObjectStorage
{
    public array $own = [];
}
$objects['Mine'] = new Mine();
$objects['Mine'][new stdClass()] = $text('Mine');
$objects['Mine']->own[] = $text('Mine own');

$heap = xhprof_test_heap(['handlers' => $argv[1] === 'handlers']);
// What the snapshot asks the objects for is not in it.
$grown = $heap['header']['usage'] - $heap['before'];
$grown === 0 || print("the snapshot itself uses $grown bytes\n");
xhprof_test_heap_check($heap);
$sums = $heap['footer']['summary'];
echo $sums['unreadable'], ' unreadable, ', $sums['unreachable']['blocks'], " unreachable\n";
$missing = $lost = [];
foreach ($objects as $name => $object) {
    $node = xhprof_test_heap_global($heap, 'objects', $name);
    if (($node['c'] ?? null) !== $name) {
        $missing[] = $name;
        continue;
    }
    // The string, a few references away.
    $found = $searched = false;
    $level = [$node];
    for ($depth = 0; $depth < 8 && !$found; $depth++) {
        $next = [];
        foreach ($level as $at) {
            foreach ($at['e'] ?? [] as $edge) {
                $to = $heap['nodes'][$edge[1] ?? 0] ?? null;
                if ($to !== null && !isset($seen[$name][$to['a']])) {
                    $seen[$name][$to['a']] = true;
                    $next[] = $to;
                    $found = $found || ($to['v'] ?? '') === "$name $name ";
                }
            }
        }
        $level = $next;
    }
    foreach ($heap['nodes'] as $other) {
        $searched = $searched || ($other['v'] ?? '') === "$name $name ";
    }
    $given = in_array($name, ['ArrayObject', 'ArrayIterator', 'Closure', 'XMLParser', 'PDOStatement', 'Mine', 'WeakMap'], true) || preg_match('/^Spl(?!Temp)|Iterator$/', $name) === 1;
    if ($given && !$found) {
        $lost[] = $name . ($searched ? '' : ' (nowhere)');
    }
}
echo 'not there: ', implode(' ', $missing), "\nstrings not found: ", implode(' ', $lost), "\n";
?>
--EXPECT--
-- handlers
sound
0 unreadable, 0 unreachable
not there: 
strings not found: 
-- none
sound
0 unreadable, 0 unreachable
not there: 
strings not found: 
