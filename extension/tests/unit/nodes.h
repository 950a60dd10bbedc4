/* Nodes of a tree as its links show them. */
#ifndef XHPROF_UNIT_NODES_H
#define XHPROF_UNIT_NODES_H

#include "trace/calltree.h"

static inline xhprof_node *xhprof_node_first_child(const xhprof_node *node)
{
	return xhprof_node_at(node, xhprof_node_links_of(node)->first_child);
}

static inline xhprof_node *xhprof_node_next_sibling(const xhprof_node *node)
{
	return xhprof_node_at(node, xhprof_node_links_of(node)->next_sibling);
}

#endif
