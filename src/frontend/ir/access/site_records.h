/* site_records.h -- the records of frontend/abi.h under construction: sites, sources, texts, live lists.
 *
 * A site has a number.  The program's code refers to a site by the address of its record.  Since the records are written only at
 * the end, this address is expressed as an offset from a global variable that is defined then.
 */
#ifndef LP_FRONTEND_IR_ACCESS_SITE_RECORDS_H
#define LP_FRONTEND_IR_ACCESS_SITE_RECORDS_H

#include "frontend/ir/ir.h"

void lp_ir_sites_open(struct lp_ir *);
void lp_ir_sites_close(struct lp_ir *);

/* Makes a site for the instruction, with the instruction's place in the source. */
uint32_t lp_ir_site(struct lp_ir *, enum lp_site_kind, lp_ir_value instruction);
uint32_t lp_ir_site_count(const struct lp_ir *);
/* Returns the record of the site, to be filled in by the caller; valid until the next site is made. */
struct lp_site *lp_ir_site_record(struct lp_ir *, uint32_t site);
/* Updates the site's place in the source.  To be called after inlining has moved the instruction. */
void lp_ir_site_locate(struct lp_ir *, uint32_t site, lp_ir_value instruction);
/* Makes a copy of the site, for an instruction that a pass has copied. */
uint32_t lp_ir_site_copy(struct lp_ir *, uint32_t site);
lp_ir_value lp_ir_site_address(struct lp_ir *, uint32_t site);
/* Finds the number of the site whose record has that address.  Returns false if there is no such site. */
bool lp_ir_site_of(struct lp_ir *, lp_ir_value address, uint32_t *site);

uint32_t lp_ir_text(struct lp_ir *, const char *);
/* Returns the text with that index, valid until the next text is added. */
const char *lp_ir_text_at(const struct lp_ir *, uint32_t text);
/* Return the texts of the file and of the function that a scope is in; 0 if unknown. */
uint32_t lp_ir_scope_file(struct lp_ir *, LLVMMetadataRef scope);
uint32_t lp_ir_scope_function(struct lp_ir *, LLVMMetadataRef scope);

/* Returns the index of the struct lp_source for a place in the source; 0: unknown. */
uint32_t lp_ir_source(struct lp_ir *, LLVMMetadataRef location);
/* The result is valid until lp_ir_source() adds another record. */
const struct lp_source *lp_ir_source_record(const struct lp_ir *, uint32_t source);
/* Stores a live list.  Returns the index of its first entry, for lp_site.live. */
uint32_t lp_ir_live(struct lp_ir *, const uint32_t *entries, uint32_t count);

/* Defines a constant of the program with these bytes, which contain no pointers. */
lp_ir_value lp_ir_define_bytes(struct lp_ir *, const char *name, const void *bytes, size_t size);

/* Defines lp_module and all that it refers to. */
void lp_ir_sites_define(struct lp_ir *);

#endif
