#include "unit.h"

#include "alloc/alloc_types.h"

static int named(const xhprof_alloc_types *types, uint16_t id, const char *name)
{
	return id < types->count && types->types[id].length == strlen(name) && !strcmp(types->types[id].name, name);
}

static uint16_t add(xhprof_alloc_types *types, const void *identity, const char *name)
{
	return xhprof_alloc_types_class(types, identity, name, strlen(name));
}

static void fixed_types_come_first(void)
{
	xhprof_alloc_types types;
	CHECK(xhprof_alloc_types_begin(&types) && types.count == XHPROF_TYPE_OBJECTS);
	CHECK(named(&types, XHPROF_TYPE_UNKNOWN, "(unknown)"));
	CHECK(named(&types, XHPROF_TYPE_MALLOC, "malloc"));
	CHECK(named(&types, XHPROF_TYPE_STRING, "string"));
	CHECK(named(&types, XHPROF_TYPE_ARRAY, "array"));
	CHECK(named(&types, XHPROF_TYPE_REFERENCE, "reference"));
	xhprof_alloc_types_release(&types);
	CHECK(types.count == 0 && types.types == NULL && types.arena.mapped == 0);
	xhprof_alloc_types_release(&types);
	CHECK(xhprof_alloc_types_begin(&types) && types.count == XHPROF_TYPE_OBJECTS);
	xhprof_alloc_types_release(&types);
}

static void each_class_has_one_id(void)
{
	xhprof_alloc_types types;
	char name[16] = "Foo";
	int a, b, c, d, e;
	xhprof_alloc_types_begin(&types);
	uint16_t foo = add(&types, &a, name);
	strcpy(name, "Bar"); /* the name is a copy */
	uint16_t bar = add(&types, &b, name);
	CHECK(foo == XHPROF_TYPE_OBJECTS && bar == foo + 1);
	CHECK(named(&types, foo, "object:Foo") && named(&types, bar, "object:Bar"));
	/* A known class keeps its name; a known name keeps its id. */
	CHECK(add(&types, &a, "Other") == foo && add(&types, &c, "Foo") == foo && types.count == (uint32_t)bar + 1);
	/* Anonymous classes: the file is not part of the name, so all share one id. */
	uint16_t anonymous = xhprof_alloc_types_class(&types, &d, "class@anonymous\0/a.php:1$0", 26);
	CHECK(named(&types, anonymous, "object:class@anonymous"));
	CHECK(xhprof_alloc_types_class(&types, &e, "class@anonymous\0/b.php:2$0", 26) == anonymous);
	/* Other names are of another kind. */
	uint16_t other = xhprof_alloc_types_other(&types, "Foo");
	CHECK(other != foo && named(&types, other, "Foo") && xhprof_alloc_types_other(&types, "Foo") == other);
	CHECK(xhprof_alloc_types_other(&types, "object:Foo") == foo);
	CHECK(named(&types, xhprof_alloc_types_class(&types, &types, "", 0), "object:"));
	xhprof_alloc_types_release(&types);
}

static void classes_past_the_last_id_are_unknown(void)
{
	xhprof_alloc_types types;
	xhprof_alloc_types_begin(&types);
	char name[16];
	int wrong = 0;
	for (uintptr_t i = 1; i <= 70000; i++) {
		snprintf(name, sizeof(name), "C%lu", (unsigned long)i);
		uint16_t id = add(&types, (const void *)i, name);
		uintptr_t expected = XHPROF_TYPE_OBJECTS + i - 1;
		wrong += id != (expected < XHPROF_TYPES_MAX - 1 ? expected : XHPROF_TYPES_MAX - 1);
	}
	CHECK(!wrong && types.count == XHPROF_TYPES_MAX);
	CHECK(named(&types, XHPROF_TYPES_MAX - 2, "object:C65529"));
	CHECK(named(&types, XHPROF_TYPES_MAX - 1, "object:(others)"));
	CHECK(add(&types, (const void *)(uintptr_t)1, "C1") == XHPROF_TYPE_OBJECTS);
	CHECK(add(&types, (const void *)(uintptr_t)70000, "C70000") == XHPROF_TYPES_MAX - 1);
	xhprof_alloc_types_release(&types);
}

/* Whichever allocation fails first, ids are either right or unknown. */
static void ids_without_memory_are_right_or_unknown(void)
{
	int wrong = 0, begun = 0;
	for (int mmaps = 0; mmaps < 16; mmaps++) {
		xhprof_alloc_types types;
		unit_mmaps = mmaps;
		if (xhprof_alloc_types_begin(&types)) {
			begun++;
			for (uintptr_t i = 1; i <= 3000; i++) {
				char name[300] = {0}, expected[320];
				memset(name, 'x', 200);
				snprintf(name + 200, sizeof(name) - 200, "%lu", (unsigned long)i);
				snprintf(expected, sizeof(expected), "object:%s", name);
				uint16_t id = add(&types, (const void *)i, name);
				wrong += id && !named(&types, id, expected);
			}
		} else {
			wrong += types.count || types.types;
		}
		unit_mmaps = -1;
		xhprof_alloc_types_release(&types);
	}
	CHECK(!wrong && begun > 0 && begun < 16);
}

int main(void)
{
	fixed_types_come_first();
	each_class_has_one_id();
	classes_past_the_last_id_are_unknown();
	ids_without_memory_are_right_or_unknown();
	return unit_end();
}
