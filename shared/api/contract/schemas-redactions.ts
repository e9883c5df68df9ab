import { Type, type Static } from 'typebox';
import { REPORTED_CLASSES } from '../../catalogue/classes';
import { METHODS } from '../../catalogue/methods';
import { CaseDetails } from './schemas-edits';
import { ForReview } from './schemas-results';
import { orNull } from './schemas-tasks';

/** Names what a log is, and its version. */
export const LOG_FORMAT = 'veil-redactions-1';

/** Query of `GET …/redactions`. */
export const RedactionsQuery = Type.Object({
  ...ForReview.properties,
  format: Type.Optional(
    Type.Enum(['json', 'csv'], {
      description: 'If absent, CSV for requests that accept `text/csv`, and JSON for all others.',
    }),
  ),
});
export type RedactionsQuery = Static<typeof RedactionsQuery>;

const text = orNull(Type.String());
const frame = orNull(Type.Integer({ minimum: 0 }), {
  description: 'Number of the frame, from 0; null for images.',
});
const timeCode = orNull(Type.String({ pattern: '^[0-9]+:[0-5][0-9]:[0-5][0-9][.][0-9]{3}$' }), {
  description: 'When that frame begins, as 00:00:01.500; null for images.',
});

const Redaction = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  file: Type.String({ description: 'Name of the upload.' }),
  start_frame: frame,
  end_frame: frame,
  start_time: timeCode,
  end_time: timeCode,
  track_id: orNull(Type.Integer({ minimum: 0 }), {
    description:
      'Null for images, drawn areas, and objects without a track: all of a class have one row then.',
  }),
  type_label: Type.Enum([...REPORTED_CLASSES, 'audio'], {
    description: 'Its class, or `audio` that was removed.',
  }),
  method: Type.Enum([...METHODS, 'mute', 'bleep']),
  reason: orNull(Type.String(), { description: 'Code of the reason.' }),
  reason_label: text,
  legal_basis: text,
  decided_by: Type.Enum(['automatic', 'reviewer'], { description: 'Whether a person decided it.' }),
  reviewer: orNull(Type.String(), { description: 'As edits or decisions named the person.' }),
  score: orNull(Type.Number({ minimum: 0, maximum: 1 }), {
    description: 'Highest score of the detector; null where it found nothing.',
  }),
  share: orNull(Type.Number({ minimum: 0, maximum: 1 }), {
    description: 'Largest share of the frame that its box covers; null for audio.',
  }),
});

/** One row for each redaction of a result. Its text is canonical JSON (RFC 8785). */
export const RedactionLog = Type.Object({
  format: Type.Enum([LOG_FORMAT]),
  id: Type.String({ format: 'uuid' }),
  filename: Type.String(),
  result_sha256: orNull(Type.String({ pattern: '^[0-9a-f]{64}$' }), {
    description: 'Of the stored result; null if nothing was anonymised.',
  }),
  case: CaseDetails,
  redactions: Type.Array(Redaction),
});
export type RedactionLog = Static<typeof RedactionLog>;
