/* Archives of torch.export.save (.pt2): exported programs as JSON, and their weights. */
#ifndef SCANC_FRONTEND_PT2_H
#define SCANC_FRONTEND_PT2_H

#include "frontend/archive.h"
#include "ir/graph.h"

/* Reads the program `model` of the archive; NULL: the only one, or the one named "model". The
 * archive is taken over, also after an error; the values of parameters stay in it, so it lives as
 * long as some module or program uses them. Operations that do not fit are added to `faults` if
 * that is not NULL (see fx_read_faulty). NULL with an error: of the archive (BAD_ARCHIVE,
 * MISSING_ENTRY, SCHEMA_VERSION, BAD_JSON, PAYLOAD_SIZE, TOO_DEEP, UNSUPPORTED), USAGE (no such
 * program, or several), or of the program as a printed one would have it. */
module *pt2_read(archive *a, const char *model, diagnostics *faults, scanc_error *err);

/* Writes the module as an archive that torch.export.load accepts, with the values of parameters
 * that it holds. Arguments and results are nested as in the archive the module came from; of other
 * modules arguments are flat, results a tuple. Values that share memory share it in the file. It
 * appears whole or not at all. Errors: UNSUPPORTED (what an archive cannot say, or a type is
 * not known), MISSING_INPUT (a parameter without value), IO, and an error the module holds. */
bool pt2_write(const module *m, const char *path, scanc_error *err);

#endif
