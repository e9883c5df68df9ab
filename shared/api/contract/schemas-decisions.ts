import { Type, type Static } from 'typebox';
import { LIMITS } from '../../domain/limits';
import { AreaEdit, Edits, ObjectEdit } from './schemas-edits';

const decision = {
  decision: Type.Enum(['hidden', 'visible'], {
    description:
      'Whether the person decided that it is anonymised, or that it may be seen or is no such object.',
  }),
  type_label: AreaEdit.properties.type_label,
  id: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Of the object, as edits refer to it. Absent for a place where the detectors found nothing: it has a `bbox`.',
    }),
  ),
  bbox: ObjectEdit.properties.bbox,
  time: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'Videos only: moment of the frame that the person saw, in seconds.',
    }),
  ),
};

/** Body of `PUT …/decisions`. */
export const Decisions = Type.Object(
  {
    decisions: Type.Array(Type.Object(decision, { additionalProperties: false }), {
      maxItems: LIMITS.maxDecisions,
      title: `a list of at most ${LIMITS.maxDecisions} decisions`,
    }),
    reviewer: Edits.properties.reviewer,
  },
  { additionalProperties: false },
);
export type Decisions = Static<typeof Decisions>;

/** A decision in the report. */
export const DecisionRecord = Type.Object({
  ...decision,
  at: Type.String({ description: 'ISO 8601, UTC, without a zone: when the service received it first.' }),
  reviewer: Type.Optional(Type.String({ description: 'As the first request with this decision named it.' })),
});
export type DecisionRecord = Static<typeof DecisionRecord>;

/** Answer of `GET …/decisions`. */
export const DecisionsResponse = Type.Object({ decisions: Type.Array(DecisionRecord) });
export type DecisionsResponse = Static<typeof DecisionsResponse>;
