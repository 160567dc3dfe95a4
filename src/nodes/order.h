/* Selection and order, for every dtype and runtime. */
#ifndef NODES_ORDER_H
#define NODES_ORDER_H

#include "nodes/emit.h"

/* c ? a : b; the lesser, the greater, x within low … high (NULL: no bound), for any dtype t. */
ref emit_where(struct emit *e, enum dtype t, ref condition, ref a, ref b);
ref emit_min(struct emit *e, enum dtype t, ref a, ref b);
ref emit_max(struct emit *e, enum dtype t, ref a, ref b);
ref emit_clip(struct emit *e, enum dtype t, ref x, ref low, ref high);

#endif
