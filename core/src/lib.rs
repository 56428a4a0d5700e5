//! Models, engines, traces, certificates and the journal.
