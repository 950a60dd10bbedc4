--TEST--
Calls the engine makes by itself: iterators, ArrayAccess, Countable, stream wrappers, unserialize, constructors of attributes
--FILE--
<?php
require __DIR__ . '/../lib.inc';

class Numbers implements Iterator
{
    private int $i = 0;

    public function current(): mixed
    {
        return $this->i;
    }

    public function key(): mixed
    {
        return $this->i;
    }

    public function next(): void
    {
        $this->i++;
    }

    public function rewind(): void
    {
        $this->i = 0;
    }

    public function valid(): bool
    {
        return $this->i < 2;
    }
}

class Box implements ArrayAccess, Countable
{
    public function offsetExists(mixed $o): bool
    {
        return true;
    }

    public function offsetGet(mixed $o): mixed
    {
        return 1;
    }

    public function offsetSet(mixed $o, mixed $v): void
    {
        static $n;
        $n++;
    }

    public function offsetUnset(mixed $o): void
    {
        static $n;
        $n++;
    }

    public function count(): int
    {
        return 3;
    }

    public function __serialize(): array
    {
        return [];
    }

    public function __unserialize(array $data): void
    {
        static $n;
        $n++;
    }
}

class Stream
{
    public $context;

    public function stream_open(string $path): bool
    {
        return true;
    }

    public function stream_close(): void
    {
        static $n;
        $n++;
    }
}

stream_wrapper_register('phpt', Stream::class);

function work(Box $box): void
{
    foreach (new Numbers() as $n) {
    }
    iterator_to_array(new Numbers());
    $box[1] = $box[2];
    unset($box[3]);
    isset($box[4]);
    count($box);
    unserialize(serialize($box));
    fclose(fopen('phpt://x', 'r'));
}

xhprof_enable();
work(new Box());
xhprof_test_profile(xhprof_disable());
?>
--EXPECT--
fclose==>Stream::stream_close: ct=1
fopen==>Stream::stream_open: ct=1
iterator_to_array==>Numbers::current: ct=2
iterator_to_array==>Numbers::key: ct=2
iterator_to_array==>Numbers::next: ct=2
iterator_to_array==>Numbers::rewind: ct=1
iterator_to_array==>Numbers::valid: ct=3
main(): ct=1
main()==>work: ct=1
main()==>xhprof_disable: ct=1
serialize==>Box::__serialize: ct=1
unserialize==>Box::__unserialize: ct=1
work==>Box::count: ct=1
work==>Box::offsetExists: ct=1
work==>Box::offsetGet: ct=1
work==>Box::offsetSet: ct=1
work==>Box::offsetUnset: ct=1
work==>Numbers::current: ct=2
work==>Numbers::next: ct=2
work==>Numbers::rewind: ct=1
work==>Numbers::valid: ct=3
work==>fclose: ct=1
work==>fopen: ct=1
work==>iterator_to_array: ct=1
work==>serialize: ct=1
work==>unserialize: ct=1
invariants: ok
