#include "unit.h"

#include "compat/engine_faults.h"

#define HYBRID 4

static const struct {
	const char *setting;
	xhprof_jit_mode mode;
} settings[] = {
	{NULL, XHPROF_JIT_OFF},          {"", XHPROF_JIT_OFF},           {"0", XHPROF_JIT_OFF},
	{"disable", XHPROF_JIT_OFF},     {"Off", XHPROF_JIT_OFF},        {"0254", XHPROF_JIT_OFF},
	{"tracing", XHPROF_JIT_TRACING}, {"on", XHPROF_JIT_TRACING},     {"1", XHPROF_JIT_TRACING},
	{"1254", XHPROF_JIT_TRACING},    {"1255", XHPROF_JIT_TRACING},   {"function", XHPROF_JIT_REGISTERS},
	{"1205", XHPROF_JIT_REGISTERS},  {"1235", XHPROF_JIT_REGISTERS}, {"1005", XHPROF_JIT_PLAIN},
	{"1135", XHPROF_JIT_PLAIN},
};

static const struct {
	xhprof_vm vm;
	const char *refusal; /* a part of the text; NULL: can be interrupted */
} interrupts[] = {
	{{80200, HYBRID, XHPROF_JIT_OFF}, NULL},
	{{80236, HYBRID, XHPROF_JIT_TRACING}, NULL},
	{{80236, HYBRID, XHPROF_JIT_PLAIN}, NULL},
	{{80236, HYBRID, XHPROF_JIT_REGISTERS}, "JIT loses variables"},
	{{80331, HYBRID, XHPROF_JIT_TRACING}, NULL},
	{{80400, HYBRID, XHPROF_JIT_OFF}, NULL},
	{{80400, HYBRID, XHPROF_JIT_TRACING}, "8.4.28"},
	{{80422, HYBRID, XHPROF_JIT_TRACING}, "8.4.28"},
	{{80427, HYBRID, XHPROF_JIT_TRACING}, "8.4.28"},
	{{80428, HYBRID, XHPROF_JIT_TRACING}, NULL},
	{{80428, HYBRID, XHPROF_JIT_PLAIN}, NULL},
	{{80428, HYBRID, XHPROF_JIT_REGISTERS}, "JIT loses variables"},
	{{80500, HYBRID, XHPROF_JIT_OFF}, NULL},
	{{80507, HYBRID, XHPROF_JIT_TRACING}, "8.5.13"},
	{{80513, HYBRID, XHPROF_JIT_TRACING}, NULL},
	{{80506, XHPROF_VM_TAILCALL, XHPROF_JIT_OFF}, "tailcall"},
	{{80507, XHPROF_VM_TAILCALL, XHPROF_JIT_OFF}, "tailcall"},
	{{80513, XHPROF_VM_TAILCALL, XHPROF_JIT_OFF}, NULL},
	{{80513, XHPROF_VM_TAILCALL, XHPROF_JIT_REGISTERS}, "JIT loses variables"},
	{{80600, HYBRID, XHPROF_JIT_OFF}, NULL},
	{{80600, XHPROF_VM_TAILCALL, XHPROF_JIT_OFF}, "8.6.1"},
	{{80601, XHPROF_VM_TAILCALL, XHPROF_JIT_OFF}, NULL},
	{{80600, HYBRID, XHPROF_JIT_TRACING}, "8.6.1"},
	{{80601, HYBRID, XHPROF_JIT_TRACING}, NULL},
};

static const struct {
	xhprof_vm vm;
	bool refused;
} stacks[] = {
	{{80207, HYBRID, XHPROF_JIT_OFF}, false},     {{80207, HYBRID, XHPROF_JIT_TRACING}, true},
	{{80207, HYBRID, XHPROF_JIT_PLAIN}, true},    {{80208, HYBRID, XHPROF_JIT_TRACING}, false},
	{{80400, HYBRID, XHPROF_JIT_TRACING}, false},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
		CHECK(xhprof_jit_mode_of(settings[i].setting) == settings[i].mode);
	}
	for (size_t i = 0; i < sizeof(interrupts) / sizeof(*interrupts); i++) {
		const char *refusal = xhprof_vm_interrupt_refusal(&interrupts[i].vm);
		CHECK(interrupts[i].refusal ? refusal && strstr(refusal, interrupts[i].refusal) : !refusal);
	}
	for (size_t i = 0; i < sizeof(stacks) / sizeof(*stacks); i++) {
		CHECK((xhprof_vm_stack_refusal(&stacks[i].vm) != NULL) == stacks[i].refused);
	}
	return unit_end();
}
