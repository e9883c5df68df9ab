import type { ObjectClass } from '../catalogue/classes';

/** A reason for which something is hidden, such as an exemption of a law, in the words of the contract. */
export interface ReasonCode {
  /** Short, as it is named by edits and written in logs: `b6`. */
  readonly code: string;
  readonly label: string;
  readonly legal_basis?: string;
  /** `#rrggbb` */
  readonly colour?: string;
}

/** Codes of the reasons of classes, whose objects need none of their own. */
export type ClassReasons = Readonly<Partial<Record<ObjectClass, string>>>;

/** The case to which a file belongs. */
export interface CaseDetails {
  readonly number?: string;
  readonly requester?: string;
  readonly recipient?: string;
  readonly operator?: string;
}
