#include "walk_containers.h"
#include "walk_frames.h"
#include "walk_parts.h"

#include "compat/code_layout.h"

#define MAX_OFFSET 65536 /* bytes in front of an object */

/* An object that has been loaded, with facts from its class and handlers. */
typedef struct loaded {
	const zend_object *object;
	xhprof_addr address, start; /* start: of its block */
	uint64_t size;              /* of the object with its slots */
	const xhprof_walker_class *entry;
	uint32_t slots;
} loaded;

static uint64_t object_offset(xhprof_walker *walker, const zend_object *object)
{
	xhprof_addr handlers = (xhprof_addr)object->handlers;
	if (handlers == walker->engine->std_object_handlers) {
		return 0;
	}
	XHPROF_WALKER_LOAD(walker, int, offset, handlers + offsetof(zend_object_handlers, offset));
	return handlers && offset && *offset > 0 && *offset < MAX_OFFSET && *offset % sizeof(void *) == 0
			   ? (uint64_t)*offset
			   : 0;
}

/* ---- Properties ---- */

static void visit_slots(xhprof_walker *walker, const loaded *self)
{
	uint64_t from = self->address + offsetof(zend_object, properties_table);
	for (uint32_t i = 0; i < self->entry->property_count && xhprof_walker_may_continue(walker); i++) {
		XHPROF_WALKER_LOAD_OR(return, walker, zval, value, from + (uint64_t)i * sizeof(zval));
		if (Z_TYPE_P(value) == IS_UNDEF) {
			continue; /* not initialized, or in the table of dynamic ones */
		}
		bool named = self->entry->properties && self->entry->properties[i].bytes;
		xhprof_walker_zval(walker, named ? XHPROF_NAMED(self->entry->properties[i]) : XHPROF_INDEX(i), value);
	}
}

/* Visits the guards of properties that __get() and the like are reading: a name, or a table of names and numbers. */
static bool visit_guard(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	xhprof_addr number = (xhprof_addr)Z_PTR_P(element->value);
	if (Z_TYPE_P(element->value) == IS_PTR && !(number & 1)) {
		xhprof_walker_part(walker, XHPROF_HEAP_ENGINE, "guard", number, sizeof(uint32_t));
	}
	xhprof_walker_name(walker, "key", element->key);
	return true;
}

static void visit_guards(xhprof_walker *walker, const loaded *self)
{
	XHPROF_WALKER_LOAD(walker, zval, value,
					   self->address + offsetof(zend_object, properties_table) +
						   (uint64_t)self->entry->property_count * sizeof(zval));
	if (value && Z_TYPE_P(value) == IS_STRING) {
		xhprof_walker_name(walker, "guard", Z_STR_P(value));
	} else if (value && Z_TYPE_P(value) == IS_ARRAY) {
		XHPROF_WALKER_LOAD(walker, zend_array, guards, Z_ARR_P(value));
		if (guards && xhprof_walker_part(walker, XHPROF_HEAP_ENGINE, "guards", Z_ARR_P(value), sizeof(zend_array))) {
			xhprof_walker_elements(walker, guards, visit_guard, NULL);
			xhprof_walker_table_part(walker, guards, XHPROF_HEAP_ENGINE, "guards");
		}
	}
}

static void visit_dynamic(xhprof_walker *walker, const loaded *self)
{
	xhprof_addr address = (xhprof_addr)self->object->properties;
	XHPROF_WALKER_LOAD(walker, zend_array, properties, address);
	if (!address || !properties) {
		walker->result->unreadable += address != 0;
	} else if (properties->gc.refcount > 1) {
		/* A shared array: it contains the declared properties, too. */
		xhprof_walker_refer(walker, XHPROF_PART("properties"), XHPROF_VISIT_ARRAY, self->object->properties, 0);
	} else if (xhprof_walker_part(walker, XHPROF_HEAP_ARRAY, "properties", address, sizeof(zend_array))) {
		xhprof_walker_dynamic_properties(walker, properties);
		xhprof_walker_table_part(walker, properties, XHPROF_HEAP_ARRAY_TABLE, "table");
	}
}

static void visit_properties(xhprof_walker *walker, const loaded *self)
{
	if (OBJ_FLAGS(self->object) & IS_OBJ_FREE_CALLED) {
		return; /* destroyed; only its memory remains */
	}
	visit_slots(walker, self);
	if (self->entry->flags & ZEND_ACC_USE_GUARDS) {
		visit_guards(walker, self);
	}
	visit_dynamic(walker, self);
}

/* ---- Lazy objects ---- */

static void visit_lazy(xhprof_walker *walker, const loaded *self)
{
	XHPROF_WALKER_LOAD(walker, HashTable, infos, walker->engine->executor_globals + xhprof_layout_lazy_objects());
	xhprof_addr address = infos ? xhprof_walker_pointer_at(walker, infos, self->object->handle) : 0;
	XHPROF_WALKER_LOAD(walker, xhprof_layout_lazy_object, lazy, address);
	if (!address || !lazy) {
		return;
	}
	xhprof_walker_part(walker, XHPROF_HEAP_ENGINE, "lazy object", address, sizeof(*lazy));
	if (lazy->flags & XHPROF_LAYOUT_LAZY_INITIALIZED) {
		xhprof_walker_refer(walker, XHPROF_PART("instance"), XHPROF_VISIT_OBJECT, lazy->u.instance, 0);
		return;
	}
	xhprof_walker_zval(walker, XHPROF_PART("initializer"), &lazy->u.initializer.callable);
	xhprof_walker_refer(walker, XHPROF_PART("initializer's object"), XHPROF_VISIT_OBJECT,
						lazy->u.initializer.cache.object, 0);
	xhprof_walker_refer(walker, XHPROF_PART("initializer's closure"), XHPROF_VISIT_OBJECT,
						xhprof_layout_callable_closure(&lazy->u.initializer.cache), 0);
}

/* ---- Classes of the engine ---- */

static void describe_closure(xhprof_walker *walker, const loaded *self, xhprof_heap_node *node)
{
	node->type = XHPROF_HEAP_CLOSURE;
	node->size = sizeof(xhprof_layout_closure);
	zend_function copy;
	const zend_function *function =
		xhprof_walker_load_function(walker, self->address + offsetof(xhprof_layout_closure, func), &copy);
	if (function && function->type == ZEND_USER_FUNCTION) {
		xhprof_text file = xhprof_walker_text(walker, function->op_array.filename);
		node->file = file.bytes;
		node->file_length = file.length;
		node->line = function->op_array.line_start;
	}
}

static void visit_closure(xhprof_walker *walker, const loaded *self)
{
	zend_function copy;
	xhprof_addr address = self->address + offsetof(xhprof_layout_closure, func);
	const zend_function *function = xhprof_walker_load_function(walker, address, &copy);
	if (function) {
		xhprof_walk_function_parts(walker, function, true);
	}
	XHPROF_WALKER_LOAD(walker, xhprof_layout_closure, closure, self->address);
	if (closure) {
		xhprof_walker_refer(walker, XHPROF_NAMED(XHPROF_TEXT("this")), XHPROF_VISIT_OBJECT,
							xhprof_layout_closure_this(closure), 0);
	}
}

static bool visit_child(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	if (Z_TYPE_P(element->value) == IS_PTR) {
		xhprof_walker_refer(walker, XHPROF_WEAK(XHPROF_TEXT("delegates")), XHPROF_VISIT_OBJECT, Z_PTR_P(element->value),
							0);
	}
	return true;
}

static void visit_generator(xhprof_walker *walker, const loaded *self)
{
	XHPROF_WALKER_LOAD_OR(return, walker, zend_generator, generator, self->address);
	xhprof_walker_zval(walker, XHPROF_NAMED(XHPROF_TEXT("value")), &generator->value);
	xhprof_walker_zval(walker, XHPROF_NAMED(XHPROF_TEXT("key")), &generator->key);
	xhprof_walker_zval(walker, XHPROF_NAMED(XHPROF_TEXT("return value")), &generator->retval);
	xhprof_walker_zval(walker, XHPROF_NAMED(XHPROF_TEXT("values")), &generator->values);
	if (generator->execute_data) {
		/* A running generator was visited among the calls, or waits for a call in a suspended fiber. */
		xhprof_walker_refer(walker, XHPROF_PART("frame"), XHPROF_VISIT_FRAME, generator->execute_data,
							generator->flags & ZEND_GENERATOR_CURRENTLY_RUNNING ? XHPROF_FRAME_OF_CALL
																				: XHPROF_FRAME_OF_GENERATOR);
		if (generator->frozen_call_stack) {
			xhprof_walk_frozen_calls(walker, generator);
		}
	} else {
		const zend_function *ended = xhprof_layout_ended_generator(generator);
		zend_function copy;
		const zend_function *function = xhprof_walker_load_function(walker, ended, &copy);
		if (function && function->common.fn_flags & ZEND_ACC_CLOSURE) {
			xhprof_walker_refer(walker, XHPROF_PART("closure"), XHPROF_VISIT_OBJECT, ZEND_CLOSURE_OBJECT(ended), 0);
		}
	}
	/* The generator that it waits for, and those that wait for it. */
	xhprof_walker_refer(walker, XHPROF_PART("yield from"), XHPROF_VISIT_OBJECT, generator->node.parent, 0);
	if (generator->node.children == 1) {
		xhprof_walker_refer(walker, XHPROF_WEAK(XHPROF_TEXT("delegates")), XHPROF_VISIT_OBJECT,
							generator->node.child.single, 0);
	} else if (generator->node.children > 1) {
		xhprof_addr table = (xhprof_addr)generator->node.child.ht;
		XHPROF_WALKER_LOAD(walker, HashTable, children, table);
		if (children && xhprof_walker_part(walker, XHPROF_HEAP_ENGINE, "delegates", table, sizeof(HashTable))) {
			xhprof_walker_elements(walker, children, visit_child, NULL);
			xhprof_walker_table_part(walker, children, XHPROF_HEAP_ENGINE, "delegates");
		}
	}
}

static void visit_fiber(xhprof_walker *walker, const loaded *self)
{
	XHPROF_WALKER_LOAD_OR(return, walker, zend_fiber, fiber, self->address);
	zend_fiber_status status = fiber->context.status;
	xhprof_walker_zval(walker, XHPROF_PART("function"), &fiber->fci.function_name);
	xhprof_walker_zval(walker, XHPROF_PART("result"), &fiber->result);
	if (status != ZEND_FIBER_STATUS_RUNNING && status != ZEND_FIBER_STATUS_SUSPENDED) {
		return;
	}
	xhprof_walker_part(walker, XHPROF_HEAP_ENGINE, "fiber stack", fiber->context.stack, sizeof(void *) * 2);
	/* The frames of a fiber that runs, or that has resumed another, are among the calls. */
	if (status == ZEND_FIBER_STATUS_RUNNING) {
		xhprof_walker_part_around(walker, XHPROF_HEAP_VM_STACK, "vm stack", fiber->stack_bottom);
	} else {
		xhprof_walk_frames(walker, fiber->execute_data, XHPROF_FRAME_OF_CALL);
	}
}

/* Visits an entry of a weak map. zend_weakmap of zend_weakrefs.c begins with its table, whose keys are addresses
 * without their low bits; zend_weakref begins with the address. */
static bool visit_weak_entry(xhprof_walker *walker, const xhprof_element *element, void *context)
{
	uint64_t key = (uint64_t)element->index << ZEND_MM_ALIGNMENT_LOG2;
	xhprof_walker_refer(walker, XHPROF_WEAK(XHPROF_TEXT("key")), XHPROF_VISIT_OBJECT, key, 0);
	xhprof_walker_zval(walker, XHPROF_NAMED(XHPROF_TEXT("value")), element->value);
	return true;
}

static void visit_weakmap(xhprof_walker *walker, const loaded *self)
{
	XHPROF_WALKER_LOAD(walker, HashTable, table, self->start);
	if (table) {
		xhprof_walker_elements(walker, table, visit_weak_entry, NULL);
		xhprof_walker_table_part(walker, table, XHPROF_HEAP_ARRAY_TABLE, "table");
	}
}

static void visit_weakref(xhprof_walker *walker, const loaded *self)
{
	xhprof_walker_refer(walker, XHPROF_WEAK(XHPROF_TEXT("referent")), XHPROF_VISIT_OBJECT,
						xhprof_walker_pointer(walker, self->start), 0);
}

/* Visits the iterator of a foreach, an object without a PHP class. */
static bool visit_iterator(xhprof_walker *walker, const loaded *self)
{
	static const char name[] = "__iterator_wrapper";
	if (self->entry->name.length != sizeof(name) - 1 || memcmp(self->entry->name.bytes, name, sizeof(name) - 1)) {
		return false;
	}
	XHPROF_WALKER_LOAD(walker, zval, data, self->address + offsetof(zend_object_iterator, data));
	if (data) {
		xhprof_walker_zval(walker, XHPROF_NAMED(XHPROF_TEXT("data")), data);
	}
	return true;
}

/* ---- Classes of extensions ---- */

typedef struct held_values {
	xhprof_walker *walker;
	int64_t count;
} held_values;

/* Reports a value of this process, which may be in memory that has just been mapped. */
static void visit_held(void *to, uint64_t at)
{
	held_values *held = to;
	const zval *value = (const zval *)at;
	xhprof_walker_zval(held->walker, XHPROF_INDEX(held->count++), value);
}

static void visit_internals(xhprof_walker *walker, const loaded *self, uint64_t block_end)
{
	bool destroyed = OBJ_FLAGS(self->object) & IS_OBJ_FREE_CALLED;
	if (!destroyed && xhprof_walk_container(walker, self->entry, self->start, self->address - self->start)) {
		return;
	}
	if (!destroyed && walker->options->values_of) {
		held_values held = {walker, 0};
		walker->options->values_of(walker->options->context, self->address, visit_held, &held);
	}
	uint64_t end = self->address + self->size;
	if (self->start < self->address) {
		xhprof_walker_private_part(walker, self->address, 0, self->start, self->address - self->start,
								   self->entry->name);
	}
	if (block_end > end) {
		xhprof_walker_private_part(walker, self->address, 1, end, block_end - end, self->entry->name);
	}
}

/* ---- All objects ---- */

void xhprof_walk_object(xhprof_walker *walker, const xhprof_item *item)
{
	loaded self = {.address = item->address, .start = item->address};
	xhprof_heap_node node = {.address = item->address, .type = XHPROF_HEAP_OBJECT, .name = "?", .name_length = 1};
	XHPROF_WALKER_LOAD(walker, zend_object, object, item->address);
	self.object = object;
	self.entry = xhprof_walker_class_at(walker, object ? (xhprof_addr)object->ce : 0);
	if (!object || !self.entry->readable) {
		walker->result->unreadable++;
		xhprof_walker_node(walker, &node, item->address);
		return;
	}
	self.start = item->address - object_offset(walker, object);
	self.slots = self.entry->property_count + (self.entry->flags & ZEND_ACC_USE_GUARDS ? 1 : 0);
	self.size = sizeof(zend_object) - sizeof(zval) + (uint64_t)self.slots * sizeof(zval);

	xhprof_zmm_block block;
	uint64_t block_end = 0;
	if (xhprof_zmm_block_at(walker->zmm, self.start, &block)) {
		block_end = block.address + block.size;
	}
	node.has_refcount = true;
	node.refcount = object->gc.refcount;
	node.name = self.entry->name.bytes;
	node.name_length = self.entry->name.length;
	node.size = self.address - self.start + self.size;
	uint64_t base = self.entry->base;
	bool closure = base && base == walker->ce_closure, generator = base && base == walker->ce_generator,
		 fiber = base && base == walker->ce_fiber;
	if (closure) {
		describe_closure(walker, &self, &node);
	} else if (generator) {
		node.type = XHPROF_HEAP_GENERATOR;
		node.size = sizeof(zend_generator);
	} else if (fiber) {
		node.type = XHPROF_HEAP_FIBER;
		node.size = sizeof(zend_fiber);
	} else if (self.entry->flags & ZEND_ACC_ENUM) {
		node.type = XHPROF_HEAP_ENUM_CASE;
	}
	xhprof_walker_node(walker, &node, self.start);

	visit_properties(walker, &self);
	if (xhprof_layout_is_lazy(object)) {
		visit_lazy(walker, &self);
	}
	if (closure) {
		visit_closure(walker, &self);
	} else if (generator) {
		visit_generator(walker, &self);
	} else if (fiber) {
		visit_fiber(walker, &self);
	} else if (base && base == walker->ce_weakmap) {
		visit_weakmap(walker, &self);
	} else if (base && base == walker->ce_weakref) {
		visit_weakref(walker, &self);
	} else if (base && !visit_iterator(walker, &self)) {
		visit_internals(walker, &self, block_end);
	}
}
