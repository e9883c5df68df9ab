import type { Edits } from './edits/edits';
import type { ImageOptions } from './options';
import type { CaseDetails, ClassReasons, ReasonCode } from './reasons';

/** What edits say of reasons and the case, or else the upload. */
export interface StatedReasons {
  readonly codes: readonly ReasonCode[];
  readonly ofClasses: ClassReasons;
  readonly details: CaseDetails;
}

const uploadedCase = ({ caseNumber: number, requester, recipient, operator }: ImageOptions): CaseDetails => ({
  ...(number !== undefined && { number }),
  ...(requester !== undefined && { requester }),
  ...(recipient !== undefined && { recipient }),
  ...(operator !== undefined && { operator }),
});

/** The reasons of a result. @param uploaded what applies where the edits say nothing */
export const statedReasons = (
  edits: Pick<Edits, 'reasons' | 'class_reasons' | 'case'>,
  uploaded: ImageOptions,
): StatedReasons => ({
  codes: edits.reasons ?? uploaded.reasons ?? [],
  ofClasses: edits.class_reasons ?? uploaded.classReasons ?? {},
  details: edits.case ?? uploadedCase(uploaded),
});
