/* Rewrites of other writers' spellings that need the operands' shapes. */
#ifndef FORMAT_DIALECTS_H
#define FORMAT_DIALECTS_H

#include "format/call.h"

/* squeeze, unsqueeze: the new shape of a reshape. */
o2w_status dialect_squeeze(struct call *c);
o2w_status dialect_unsqueeze(struct call *c);
/* The shape of a static operand as an int64 constant. */
o2w_status dialect_shape(struct call *c);
/* A node that is a constant: base64 data, or those of a declared one. */
o2w_status dialect_constant(struct call *c);
/* slice by starts, ends, axes and steps, as ONNX has it; `a` is `ends`. */
o2w_status dialect_slice(struct call *c, struct argument *a);
/* A missing zero point, a scale of lower rank. */
o2w_status dialect_quantizer(struct call *c);
/* The result's shape beside a gather must be the one it has. */
o2w_status dialect_gather_shape(struct call *c);
/* autoPad of convolutions and pools as padding. */
o2w_status dialect_auto_pad(struct call *c);

#endif
