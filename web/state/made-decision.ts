import type { Decisions } from '#shared/api/contract/schemas-edits';

/** A decision in the contract's words, as the host of a result records it. */
export type MadeDecision = Decisions['decisions'][number];
